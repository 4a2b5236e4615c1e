"""Upgrade the database named by MEMORY_CENTER_DATABASE_URL to the newest schema."""

from __future__ import annotations

import os
import sys

from migrations.upgrade import upgrade
from shared.runtime.start_signal import wait_for_start


def main() -> int:
    url = os.environ.get("MEMORY_CENTER_DATABASE_URL")
    if not url:
        sys.stderr.write("MEMORY_CENTER_DATABASE_URL is not set\n")
        return 2
    wait_for_start()
    upgrade(url)
    return 0


if __name__ == "__main__":
    sys.exit(main())
