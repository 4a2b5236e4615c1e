"""The scheduler, which knows the benchmark's kind too."""

from __future__ import annotations

import sys

from tests.bench import noop as _noop
from workers.scheduler.__main__ import main

KINDS = _noop.kinds

if __name__ == "__main__":
    sys.exit(main())
