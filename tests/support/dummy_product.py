"""A stand-in for one of our processes, standard library only: `dummy_product.py http|file|exit|stubborn|broken`.

`stubborn` ignores SIGTERM and has a child of its own that does too; `broken` ends with exit code 1.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

KIND = sys.argv[1]


class Readyz(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/readyz" else 404)
        self.end_headers()
        self.wfile.write(b'{"status":"ready"}')

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def main() -> None:
    print(KIND, os.getpid(), os.environ["MEMORY_CENTER_DATABASE_URL"].rpartition("@")[2], flush=True)
    if KIND == "http":
        HTTPServer(("127.0.0.1", int(os.environ["MEMORY_CENTER_PORT"])), Readyz).serve_forever()
    if KIND == "broken":
        sys.exit(1)
    if KIND == "exit":
        return
    if KIND == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
        subprocess.Popen([sys.executable, "-c", child])
    Path(os.environ["MEMORY_CENTER_READY_FILE"]).touch()
    time.sleep(600)


if __name__ == "__main__":
    main()
