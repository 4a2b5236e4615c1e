"""Runs Milvus Lite's server on a Unix socket, and so that SIGTERM closes its files, as Ctrl-C does.

Run as `python -P milvus_process.py DIRECTORY SOCKET`. Milvus Lite knows no passwords: whoever can open the socket can
read and write everything, so the socket is in a folder that only its owner enters. Milvus Lite writes what it still
buffers only when it is interrupted; a SIGTERM would end it as a crash does. An ignored SIGINT, which background jobs
inherit, is put back for the same reason.
"""

from __future__ import annotations

import os
import signal
import sys

from milvus_lite.adapter.grpc.server import run_server

from deploy.embedded import milvus_reads
from deploy.embedded.private import UMASK


def main() -> None:
    """Serve the first argument's directory on the second's socket until interrupted."""
    directory, socket = sys.argv[1:]
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.umask(UMASK)  # whoever started it: the socket must not be anybody's
    milvus_reads.install()
    run_server(directory, "unix", socket)  # type: ignore[arg-type,unused-ignore]  # it joins them: unix:/path


if __name__ == "__main__":
    main()
