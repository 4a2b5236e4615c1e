"""A worker that a certain row kills: `poisoned_worker.py KIND OPERATION_ID DEATHS ANTIDOTE`.

Each death is a line in the file DEATHS: queue or `worker`, and how many leases of the row had expired before. Once the
file ANTIDOTE exists, the row is harmless.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from shared.outbox.sql.leasing import Lease
from workers.__main__ import main
from workers.leases import LeasedWork

KIND, OPERATION, DEATHS, ANTIDOTE = sys.argv[1:]


def deadly(do: Callable[..., Any]) -> Callable[..., Any]:
    """Make work on the row end the process, as the kernel does when memory runs out."""

    def begin(work: Callable[[Any], None], claimed: Lease | list[Lease]) -> None:
        for lease in claimed if isinstance(claimed, list) else [claimed]:
            if (lease.kind, str(lease.operation_id)) == (KIND, OPERATION) and not Path(ANTIDOTE).exists():
                with Path(DEATHS).open("a") as deaths:
                    deaths.write(f"{os.environ.get('MEMORY_CENTER_QUEUES', 'worker')} {lease.expiries}\n")
                os.kill(os.getpid(), signal.SIGKILL)
        work(claimed)

    def done(self: LeasedWork, outbox_ids: Sequence[int], work: Callable[[Any], None], **how: Any) -> Any:
        return do(self, outbox_ids, partial(begin, work), **how)

    return done


if __name__ == "__main__":
    LeasedWork.run = deadly(LeasedWork.run)  # type: ignore[method-assign]
    LeasedWork.run_each = deadly(LeasedWork.run_each)  # type: ignore[method-assign]
    sys.exit(main())
