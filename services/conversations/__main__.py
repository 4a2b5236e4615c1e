"""`python -m services.conversations`: run this service."""

from __future__ import annotations

import sys

from services.conversations.app import app
from shared.runtime import logging
from shared.runtime.databases import SERVING, refuse_wrong_connections
from shared.runtime.serving import serve
from shared.runtime.settings import settings


def main() -> int:
    configuration = settings()
    logging.configure(configuration.log_level, "conversations")
    refuse_wrong_connections(configuration, "memory-center conversations", roles=SERVING)
    serve(app(configuration), configuration)
    return 0


if __name__ == "__main__":
    sys.exit(main())
