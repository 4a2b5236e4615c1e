"""Faults, injected by wrapping the stores' ports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from shared.stores.port import ErasableStore, ErasureTarget, Residue, StoreUnavailable


class FaultyStore:
    """A store whose next calls go wrong; everything else reaches the real one."""

    def __init__(self, real: ErasableStore) -> None:
        self._real = real
        self.name = real.name
        self.unavailable = False
        self.ignores_deletes = 0
        """How many erasures to swallow while saying that they worked."""
        self.deaf_to: set[UUID] = set()
        """Whose namespaces' erasures to swallow."""
        self.before_insert: Callable[[], None] | None = None
        self.after_insert: Callable[[], None] | None = None

    def __getattr__(self, name: str) -> Any:
        if self.unavailable:
            raise StoreUnavailable(self.name)
        return getattr(self._real, name)

    def insert(self, rows: Any, **values: Any) -> None:
        if self.unavailable:
            raise StoreUnavailable(self.name)
        if self.before_insert:
            self.before_insert()
        self._real.insert(rows, **values)  # type: ignore[attr-defined]
        if self.after_insert:
            self.after_insert()

    def erase(self, targets: Sequence[ErasureTarget], *, search: bool = True) -> list[int]:
        if self.unavailable:
            raise StoreUnavailable(self.name)
        if self.ignores_deletes > 0:
            self.ignores_deletes -= 1
            return [len(target.keys) for target in targets]
        heard = [target if target.namespace not in self.deaf_to else _nothing(target) for target in targets]
        return self._real.erase(heard, search=search)

    def residue(self, targets: Sequence[ErasureTarget], *, search: bool = True) -> list[Residue]:
        if self.unavailable:
            raise StoreUnavailable(self.name)
        return self._real.residue(targets, search=search)


def _nothing(target: ErasureTarget) -> ErasureTarget:
    return ErasureTarget(namespace=target.namespace)
