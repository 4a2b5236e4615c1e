"""`python -m services.memory_center`: run this service."""

from __future__ import annotations

import sys

from services.assembly import run
from services.memory_center.app import app
from shared.runtime.databases import SERVING

if __name__ == "__main__":
    sys.exit(run("memory-center", app, roles=SERVING))
