"""Error codes of delayed work, each with a fixed sentence that never quotes the error."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "milvus_unavailable": "The search index could not be reached in time.",
    "mem0_unavailable": "The long-term memory store could not be reached in time.",
    "embedder_unavailable": "The process that turns text into vectors did not answer in time.",
    "database_unavailable": "The database could not be reached in time.",
    "model_unavailable": "The language model could not be reached in time.",
    "collection_busy": "Another process is changing the same collection; waiting for it.",
    "store_misconfigured": "The store rejects the configured credentials or schema.",
    "residue_found": "The store still held copies after they were deleted; deleting again.",
    "waiting_for_writes": "A write announced earlier may still arrive; checking again when it cannot.",
    "learning": "The last turns of the session are still being learned from.",
    "context_changed": "Something shown to the model was forgotten meanwhile; learning again without it.",
    "switched_off": "The switch for it is off; what was there before is made again when it is on.",
    "write_given_up": "A write took so long that it was given up; it is made again.",
    "undo_possible": "Something needed is hidden by a forget that may still be undone; looking again then.",
    "ledger_unavailable": "The ledger's file could not be written.",
    "files_unavailable": "The file store could not be reached.",
    "still_erasing": "What was forgotten before is still being erased; looking again in a moment.",
    "replay_needed": "A backup was restored; nothing goes on until the ledger was replayed.",
    "worker_lost": "The process working on it died, again and again; it is tried again apart from all else.",
    "internal_error": "Something unexpected went wrong; the log of the worker names the place.",
}


def describe(code: str) -> str:
    """Return the text shown for a code."""
    return f"{code}: {SENTENCES[code]}"
