"""What a check of `memory-center doctor` sees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check saw; `remedy` says what to do about a warning or failure."""

    level: Literal["ok", "warn", "fail"]
    part: str
    seen: str
    remedy: str = ""


def first_line(problem: BaseException) -> str:
    """Return what an error says first, or its class if it says nothing."""
    return (str(problem).splitlines() or [type(problem).__name__])[0]
