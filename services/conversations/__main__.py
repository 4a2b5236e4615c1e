"""`python -m services.conversations`: run this service."""

from __future__ import annotations

import sys

from services.assembly import run
from services.conversations.app import app
from shared.runtime.databases import SERVING

if __name__ == "__main__":
    sys.exit(run("conversations", app, roles=SERVING))
