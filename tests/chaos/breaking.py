"""Breaking the product on purpose, in the harness's processes only: a harness that cannot fail is worthless.

Each of these takes away one promise. A run with it must end in a violation within a modest number of seeds.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Final

import shared
import shared.erasure.sql.erase as postgres
from shared.conversations import index_episode
from shared.conversations.sql import episodes, turns
from shared.erasure.replay import Outcome, Replay
from shared.erasure.sql import store_keys
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.lineage.sql import vector_keys
from shared.memories import confirm_learning
from shared.memories import learn as learn_memory
from shared.outbox.sql import leasing
from shared.outbox.sql.leasing import Lease
from shared.runtime.restore_watch import RestoreWatch
from shared.stores.mem0 import Mem0Store
from shared.stores.milvus import EpisodeStore
from shared.stores.port import Residue
from workers.eraser import tasks as eraser
from workers.indexer import tasks as indexer
from workers.maintenance import reconciling


def without_fence() -> None:
    """Nobody waits for anybody, and a write is announced and confirmed without looking at its sources again."""
    for module in _commands():
        for name in ("enter_fence", "close_fence"):
            if hasattr(module, name):
                setattr(module, name, lambda *_: None)

    def as_planned(tx: Transaction, plan: Any, *_: Any) -> Any:
        return subjects.read(tx, plan.subject.id)

    def confirm_unseen(tx: Transaction, plan: Any, **_: Any) -> bool:
        leasing.close(tx, plan.lease)
        if episodes.add(tx, plan.subject, plan.episode_id, plan.turn):
            vector_keys.confirm(tx, [plan.key])
        return True

    class AsPlanned(ModuleType):
        """`turns` as `announce_episode` sees it: what was planned still stands."""

        def __getattr__(self, name: str) -> Any:
            return getattr(turns, name)

        @staticmethod
        def sources(tx: Transaction, message_ids: Sequence[Any]) -> Any:
            return turns.sources(tx, message_ids) or turns.Turn(messages=(), index_episode=True, learn=True)

    announcing = index_episode.announce_episode

    def announce_unseen(tx: Transaction, plan: Any) -> bool:
        vars(index_episode)["turns"] = AsPlanned("turns")
        try:
            return announcing(tx, plan)
        finally:
            vars(index_episode)["turns"] = turns

    vars(learn_memory)["unchanged"] = vars(confirm_learning)["unchanged"] = as_planned
    vars(indexer).update(confirm_episode=confirm_unseen, announce_episode=announce_unseen)


def without_lease() -> None:
    """Whoever finishes closes the row, whoever holds it by now."""

    def close(tx: Transaction, lease: Lease) -> None:
        tx.run("delete from outbox where id = :id", id=lease.id)

    leasing.close = close


def without_verification() -> None:
    """Nothing is waited for and nothing is searched: what an erasure missed stays."""

    def nothing(_: Any, targets: Sequence[Any], **__: Any) -> list[Residue]:
        return [Residue() for _ in targets]

    for store in (EpisodeStore, Mem0Store):
        setattr(store, "residue", nothing)  # noqa: B010
    setattr(postgres, "residue", lambda *_: {})  # noqa: B010
    setattr(store_keys, "unfinished_writes", lambda _, targets: [0.0 for _ in targets])  # noqa: B010
    prove = eraser._prove

    def unless_verifying(store: Any, targets: Sequence[Any]) -> Any:
        if inspect.stack()[1].function == "verify":
            return [eraser.Proof(store=store.name, erased=0, residue=Residue()) for _ in targets]
        return prove(store, targets)

    eraser._prove = unless_verifying


def without_watch() -> None:
    """A restored backup is served and worked on like any other database."""
    setattr(RestoreWatch, "check", lambda _: None)  # noqa: B010
    setattr(RestoreWatch, "vet", lambda _: None)  # noqa: B010


def without_replay() -> None:
    """The replay takes the ledger's entries over and does nothing about them."""

    def nothing_left(*_: object) -> Outcome:
        return "nothing left"

    setattr(Replay, "_forget_again", nothing_left)  # noqa: B010


def without_reconciler() -> None:
    """The reconciler finds that everything agrees."""

    def none(*_: object) -> int:
        return 0

    vars(reconciling).update(_queue_orphans=none, _queue_losses=none)


def _commands() -> list[ModuleType]:
    """Return the modules of every use case: what lies beside `rules` and `sql` in a capability's folder."""
    found: list[ModuleType] = []
    for capability in pkgutil.iter_modules(shared.__path__, "shared."):
        if capability.ispkg and capability.name.split(".")[1] not in ("kernel", "language", "runtime", "stores"):
            folder = importlib.import_module(capability.name)
            inside = pkgutil.iter_modules(folder.__path__, f"{capability.name}.")
            found += [importlib.import_module(one.name) for one in inside if not one.ispkg]
    return found


def without_anything() -> None:
    """All of them at once, for a short run."""
    for breaks in (name for name in BREAKAGES if name != "everything"):
        BREAKAGES[breaks]()


BREAKAGES: Final[dict[str, Callable[[], None]]] = {
    "fence": without_fence,
    "lease": without_lease,
    "verification": without_verification,
    "watch": without_watch,
    "replay": without_replay,
    "reconciler": without_reconciler,
    "everything": without_anything,
}
