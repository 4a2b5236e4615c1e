"""`python -m services.recall`: run this service."""

from __future__ import annotations

import sys

from services.assembly import run
from services.recall.app import app
from shared.runtime.databases import SEARCHING

if __name__ == "__main__":
    sys.exit(run("recall", app, roles=SEARCHING))
