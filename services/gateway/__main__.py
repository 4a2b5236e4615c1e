"""`python -m services.gateway`: run this service."""

from __future__ import annotations

import sys

from services.gateway.app import app
from shared.recall import prompts
from shared.runtime import logging
from shared.runtime.databases import SEARCHING, refuse_wrong_connections
from shared.runtime.serving import serve
from shared.runtime.settings import settings
from shared.runtime.start_signal import wait_for_start


def main() -> int:
    configuration = settings()
    logging.configure(configuration.log_level, "gateway")
    gateway = app(configuration)
    prompts.skeleton_tokens()  # takes half a second, which the first answer would otherwise need
    wait_for_start()
    refuse_wrong_connections(configuration, "memory-center gateway", roles=SEARCHING)
    serve(gateway, configuration)
    return 0


if __name__ == "__main__":
    sys.exit(main())
