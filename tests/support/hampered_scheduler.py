"""A scheduler whose rounds follow at once, and whose first part hangs or fails: `hampered_scheduler.py HOW REACHED`.

HOW is `hangs`, `fails` or `works`. The file REACHED is there once the part was reached.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from shared.kernel.database import Database
from shared.runtime.settings import Settings
from workers.rounds import Part
from workers.scheduler import periodic
from workers.scheduler.__main__ import main

HOW, REACHED = sys.argv[1:]
parts_of = periodic.parts_of


def hampered(configuration: Settings, database: Database) -> dict[str, Part]:
    def reached() -> None:
        Path(REACHED).touch()
        if HOW == "hangs":
            threading.Event().wait()
        if HOW == "fails":
            raise ValueError("canary")

    return {"hampered": reached, **parts_of(configuration, database)}


if __name__ == "__main__":
    vars(periodic)["ROUND_SECONDS"] = 0.1
    vars(periodic)["parts_of"] = hampered
    sys.exit(main())
