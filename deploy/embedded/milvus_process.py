"""Runs Milvus Lite's server on a Unix socket, with a clean shutdown on SIGTERM.

Run as `python -P milvus_process.py DIRECTORY SOCKET`. Milvus Lite has no passwords: a process that can open the socket
can read and write everything, so the socket is in a folder that only its owner can enter. Milvus Lite flushes its
buffers only on SIGINT, so SIGTERM is handled the same way. A SIGINT that background jobs inherit as ignored is restored
for the same reason.
"""

from __future__ import annotations

import os
import signal
import sys

from milvus_lite.adapter.grpc.server import run_server

from deploy.embedded import milvus_reads
from deploy.embedded.private import UMASK


def main() -> None:
    """Serve the directory in the first argument on the socket in the second until interrupted."""
    directory, socket = sys.argv[1:]
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.umask(UMASK)  # whatever the parent's umask is, nobody else may open the socket
    milvus_reads.install()
    run_server(directory, "unix", socket)  # type: ignore[arg-type,unused-ignore]  # it joins them: unix:/path


if __name__ == "__main__":
    main()
