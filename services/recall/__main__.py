"""`python -m services.recall`: run this service."""

from __future__ import annotations

import sys

from services.recall.app import app
from shared.runtime import logging
from shared.runtime.databases import SEARCHING, refuse_wrong_connections
from shared.runtime.serving import serve
from shared.runtime.settings import settings


def main() -> int:
    configuration = settings()
    logging.configure(configuration.log_level, "recall")
    refuse_wrong_connections(configuration, "memory-center recall", roles=SEARCHING)
    serve(app(configuration), configuration)
    return 0


if __name__ == "__main__":
    sys.exit(main())
