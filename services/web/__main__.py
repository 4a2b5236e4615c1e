"""`python -m services.web`: run this service."""

from __future__ import annotations

import sys

from services.web.app import app
from shared.runtime import logging
from shared.runtime.serving import serve
from shared.runtime.settings import settings


def main() -> int:
    configuration = settings()
    logging.configure(configuration.log_level, "web")
    serve(app(configuration), configuration)
    return 0


if __name__ == "__main__":
    sys.exit(main())
