"""The stages of a forget operation, and which of its steps may start."""

from __future__ import annotations

from typing import Final

from shared.outbox.job_kinds import (
    ERASE_FILES,
    ERASE_MEM0,
    ERASE_MILVUS,
    ERASE_POSTGRES,
    RECORD_ACCEPTED,
    RECORD_VERIFIED,
    REDERIVE,
    VERIFY,
)

STAGES: Final = (
    {"ledger": RECORD_ACCEPTED},
    {"postgres": ERASE_POSTGRES, "milvus": ERASE_MILVUS, "mem0": ERASE_MEM0, "files": ERASE_FILES},
    {"rederive": REDERIVE},
    {"verify": VERIFY},
    {"receipt": RECORD_VERIFIED},
)
"""Step name → outbox kind. A stage starts when the previous one has closed. Its steps run independently, so that an
unavailable store does not block the others."""


def next_steps(statuses: dict[str, str]) -> dict[str, str]:
    """Return the steps that may start now, with their outbox kinds.

    Args:
        statuses: all steps of one operation with their status.
    """
    for stage in STAGES:
        if waiting := {name: kind for name, kind in stage.items() if statuses.get(name) == "waiting"}:
            return waiting
        if any(statuses.get(name, "succeeded") != "succeeded" for name in stage):
            return {}
    return {}
