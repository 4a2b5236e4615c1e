"""Upgrade the database to the newest schema, and let the product's logins in.

It connects as MEMORY_CENTER_DATABASE_OWNER_URL says; else as the product does, past a pooler.
"""

from __future__ import annotations

import os
import sys

from migrations.logins import let_in
from migrations.upgrade import upgrade
from shared.runtime.start_signal import wait_for_start

WORK, SEARCHES = ("memory_center_app", "memory_center_requests"), "memory_center_searches"


def main() -> int:
    url, recall_url, direct, owner = (
        os.environ.get(f"MEMORY_CENTER_DATABASE_{name}URL") for name in ("", "RECALL_", "DIRECT_", "OWNER_")
    )
    if not url:
        sys.stderr.write("MEMORY_CENTER_DATABASE_URL is not set\n")
        return 2
    wait_for_start()
    owner = owner or direct or url
    upgrade(owner)
    searching = {recall_url: (SEARCHES,)} if recall_url else {}
    let_in(owner, {url: WORK if recall_url else (*WORK, SEARCHES), **searching})
    return 0


if __name__ == "__main__":
    sys.exit(main())
