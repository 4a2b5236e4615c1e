"""A client written from one source document alone: its paths, its spelling, the status and members it expects."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from tests.support.workbench import Workbench

NOT_BUILT = 501


class LiteralClient:
    """Makes a source's calls word by word, and counts those that are answered as the source says.

    Args:
        source: which document it is written from.
        headers: who is calling.
    """

    def __init__(self, source: str, bench: Workbench, headers: Mapping[str, str]) -> None:
        self._source = source
        self._bench = bench
        self._headers = dict(headers)
        self._made = 0
        self._works = 0
        self._planned = 0
        self._failures: list[str] = []

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        status: int = 200,
        has: Collection[str] = (),
        lacks: Collection[str] = (),
        each_has: Collection[str] = (),
        headers: Mapping[str, str] | None = None,
        **query: Any,
    ) -> Any:
        """Make one call and return its answer.

        Args:
            status: what the source says, or 501: named by the source and not built yet.
            has: members the answer must have; `lacks`: it must not have.
            each_has: members that every item of the list answered must have; there must be one.
        """
        asked = f"{method} {path}"
        answer = self._bench.api.request(
            method, path, json=body, params=query or None, headers=self._headers | dict(headers or {})
        )
        self._made += 1
        said = answer.json() if answer.content else None
        before = len(self._failures)
        if answer.status_code != status:
            self._failures.append(f"{asked}: {answer.status_code} instead of {status}: {answer.text[:300]}")
            return said
        if status == NOT_BUILT:
            self._planned += 1
            return said
        items = said if each_has else []
        if each_has and not items:
            self._failures.append(f"{asked}: an empty list")
        missing = [name for name in has if name not in said]
        missing += [name for one in items for name in each_has if name not in one]
        if missing or [name for name in lacks if name in said]:
            self._failures.append(f"{asked}: without {missing} in {answer.text[:300]}")
        self._works += len(self._failures) == before
        return said

    def expect(self, what: str, *, holds: bool) -> None:
        """Note something the source says about an answer beyond its members."""
        if not holds:
            self._failures.append(what)

    def finish(self) -> None:
        """Print how many calls were answered as the source says, and fail if any was not."""
        print(f"LITERAL {self._source}: {self._works} of {self._made} calls work, {self._planned} are planned (501)")
        assert not self._failures, "\n".join(self._failures)
