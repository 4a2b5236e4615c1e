"""The kinds of jobs, and the queue that handles each."""

from __future__ import annotations

from typing import Final

INDEX_EPISODE: Final = "episode.index"
LEARN_MEMORY: Final = "memory.learn"
MEMORY_INDEX: Final = "memory.index"
MEMORY_CONSOLIDATE: Final = "memory.consolidate"
TRAIT_REFLECT: Final = "trait.reflect"
SUMMARY_ROLL: Final = "summary.roll"
EXPORT_BUILD: Final = "export.build"
IMPORT_APPLY: Final = "import.apply"
ERASE_POSTGRES: Final = "erase.postgres"
ERASE_MILVUS: Final = "erase.milvus"
ERASE_MEM0: Final = "erase.mem0"
ERASE_FILES: Final = "erase.files"
RECORD_ACCEPTED: Final = "ledger.accepted"
RECORD_VERIFIED: Final = "ledger.verified"
REDERIVE: Final = "rederive"
VERIFY: Final = "verify"
DISCARD_VECTORS: Final = "vectors.discard"
RECONCILE_MILVUS: Final = "reconcile.milvus"
RECONCILE_MEM0: Final = "reconcile.mem0"
REMOVE_ORPHANS: Final = "cleanup.orphans"
RESTORE_LOSSES: Final = "cleanup.losses"
REINDEX: Final = "cleanup.reindex"
PURGE_POSTGRES: Final = "purge.postgres"
PURGE_MILVUS: Final = "purge.milvus"
PURGE_MEM0: Final = "purge.mem0"

QUEUES: Final = {
    INDEX_EPISODE: "indexer",
    LEARN_MEMORY: "learner",
    MEMORY_INDEX: "learner",
    MEMORY_CONSOLIDATE: "learner",
    TRAIT_REFLECT: "reflector",
    SUMMARY_ROLL: "indexer",
    EXPORT_BUILD: "exporter",
    IMPORT_APPLY: "importer",
    ERASE_POSTGRES: "eraser",
    ERASE_MILVUS: "eraser",
    ERASE_MEM0: "eraser",
    ERASE_FILES: "eraser",
    REDERIVE: "eraser",
    VERIFY: "eraser",
    DISCARD_VECTORS: "eraser",
    RECORD_ACCEPTED: "ledger",
    RECORD_VERIFIED: "ledger",
    RECONCILE_MILVUS: "maintenance",
    RECONCILE_MEM0: "maintenance",
    REMOVE_ORPHANS: "maintenance",
    RESTORE_LOSSES: "maintenance",
    REINDEX: "maintenance",
    PURGE_POSTGRES: "maintenance",
    PURGE_MILVUS: "maintenance",
    PURGE_MEM0: "maintenance",
}

ERASURE_QUEUES: Final = frozenset({"eraser", "ledger"})
"""Served by a separate worker process, so that erasing never waits for learning."""
OTHER_QUEUES: Final = frozenset(QUEUES.values()) - ERASURE_QUEUES

LEARNING: Final = frozenset(kind for kind, queue in QUEUES.items() if queue == "learner")
REFLECTING: Final = frozenset(kind for kind, queue in QUEUES.items() if queue == "reflector")
DERIVING: Final = (INDEX_EPISODE, LEARN_MEMORY, MEMORY_INDEX, TRAIT_REFLECT, SUMMARY_ROLL)
"""What is queued to derive something from a person's data; it goes with everything."""
RECORDING: Final = frozenset(kind for kind, queue in QUEUES.items() if queue == "ledger")
MAINTENANCE: Final = frozenset(kind for kind, queue in QUEUES.items() if queue == "maintenance")
"""The kinds that a worker of each queue may claim, whatever a wake-up names."""

BATCHES: Final = {
    **dict.fromkeys((ERASE_MILVUS, ERASE_MEM0, ERASE_FILES, VERIFY, RECORD_ACCEPTED, RECORD_VERIFIED), 50),
    INDEX_EPISODE: 16,  # embedding more at once would block other work for seconds
    **dict.fromkeys(
        (LEARN_MEMORY, MEMORY_INDEX, MEMORY_CONSOLIDATE, TRAIT_REFLECT, SUMMARY_ROLL, EXPORT_BUILD, IMPORT_APPLY), 1
    ),
}
"""Rows per message, by kind: many where a worker handles them in one call."""
BATCH_DEFAULT: Final = 8
"""For kinds handled one row at a time: an idle worker learns of rows in another worker's batch only 12 s later."""

QUARANTINE: Final = "quarantine"
"""The queue for rows of any kind that repeatedly lose their worker; a separate process handles them one at a time."""
QUARANTINE_EXPIRIES: Final = 3
LOST_EXPIRIES: Final = 6
"""A row fails for now after this many consecutive leases that expired without an error."""

CONSENT_GRANT: Final = "consent_grant"
CONTEXT_BLOCK: Final = "context_block"
RECORDED_ONLY: Final = frozenset({CONSENT_GRANT, CONTEXT_BLOCK})
"""Types of operations that only the ledger has to record: they erase nothing."""
