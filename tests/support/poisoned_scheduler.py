"""A scheduler whose workers of quarantine run another program: `poisoned_scheduler.py PROGRAM ARGUMENT…`."""

from __future__ import annotations

import sys

from workers.scheduler import quarantine
from workers.scheduler.__main__ import main

if __name__ == "__main__":
    vars(quarantine)["COMMAND"] = (sys.executable, *sys.argv[1:])
    sys.exit(main())
