"""The only place that imports mem0: without telemetry, files of its own or logs.

Importing mem0 creates MEM0_DIR, writes an installation id there and starts posthog unless disabled; its loggers write
people's texts. So the environment is set first, the directory is removed right after the import, and the functions that
would write it again are replaced.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile

from shared.stores.milvus_client import silence
from shared.stores.port import StoreMisconfigured

if "mem0" in sys.modules:
    raise StoreMisconfigured("mem0", "it was imported before its telemetry could be switched off")

os.environ["MEM0_TELEMETRY"] = "False"
DIRECTORY = tempfile.mkdtemp(prefix="memory-center-mem0-")
os.environ["MEM0_DIR"] = DIRECTORY
# mem0 logs memories and messages; openai and posthog handle the same text, so they are muted as a precaution.
silence("mem0", "openai", "posthog")

try:
    import mem0.memory.notices
    import mem0.memory.setup
    from mem0.memory.main import Memory
    from mem0.vector_stores.milvus import MilvusDB, OutputData
finally:
    shutil.rmtree(DIRECTORY, ignore_errors=True)

silence("mem0")


def _write_nothing(_config: object) -> None:
    """Replace mem0's function that writes its config file."""


mem0.memory.setup._write_config = _write_nothing  # noqa: SLF001 - mem0 offers no switch for its config file
mem0.memory.notices._write_config = _write_nothing  # noqa: SLF001 - same

__all__ = ["DIRECTORY", "Memory", "MilvusDB", "OutputData"]
