"""What is looked at, and what is found to be meant of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from shared.domain.cuts import Span

Code: TypeAlias = Literal["identifier", "name", "alias", "topic", "statement", "refers_back", "answer", "label"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message or a memory. `label`: what else is written on it, a name or a task."""

    text: str
    at: datetime
    role: str = "user"
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """What is meant of one text: all of it, or the `spans`, in order; `codes` say why."""

    spans: tuple[Span, ...] = ()
    codes: tuple[Code, ...] = ()
