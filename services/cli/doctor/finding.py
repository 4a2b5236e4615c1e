"""The result of a check of `memory-center doctor`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check; `remedy` says what to do about a warning or failure."""

    level: Literal["ok", "warn", "fail"]
    part: str
    seen: str
    remedy: str = ""


def first_line(problem: BaseException) -> str:
    """Return the first line of an error, or its class if it has no message."""
    return (str(problem).splitlines() or [type(problem).__name__])[0]
