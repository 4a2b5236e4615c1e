"""Tables of cases, run by one test each: thousands of sentences are data, not thousands of tests."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

SHOWN = 20
"""Failures that are told in full."""


def each(names: str | Sequence[str], rows: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test for every row of a table, and fail once, telling every row that failed.

    Takes the same arguments as `pytest.mark.parametrize`, and may be repeated in the same way. Fixtures are shared by
    all rows, so it suits only tests that change nothing.

    Args:
        names: the parameters a row fills, as a list or as text with commas.
        rows: tuples of their values; plain values where there is one name.
    """
    wanted = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = [row if len(wanted) > 1 else (row,) for row in rows]
    assert table, "a table without rows shows nothing"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def every_row(*args: Any, **fixtures: Any) -> None:
            failures = []
            for row in table:
                case = dict(zip(wanted, row, strict=True))
                try:
                    test(*args, **fixtures, **case)
                except Exception as error:  # noqa: BLE001 # the other rows are tried all the same
                    failures.append(f"{case}\n    {type(error).__name__}: {str(error)[:500]}")
            if failures:
                more = f"\n… and {len(failures) - SHOWN} more" if len(failures) > SHOWN else ""
                told = "\n".join(failures[:SHOWN])
                pytest.fail(f"{len(failures)} of {len(table)} rows failed:\n{told}{more}", pytrace=False)

        signature = inspect.signature(test)
        left = [parameter for name, parameter in signature.parameters.items() if name not in wanted]
        every_row.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return every_row

    return decorate
