"""Runs `milvus-lite server` so that SIGTERM closes its files, as Ctrl-C does.

Milvus Lite writes what it still buffers only when it is interrupted; a SIGTERM would end it as a crash does. An
ignored SIGINT, which background jobs inherit, is put back for the same reason.
"""

from __future__ import annotations

import runpy
import signal

from deploy.embedded import milvus_reads


def main() -> None:
    """Become `python -m milvus_lite`, with its arguments."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    milvus_reads.install()
    runpy.run_module("milvus_lite", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
