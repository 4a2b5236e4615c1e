"""Server-sent events as a client reads them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Sent:
    """One event of a stream: its name, its id, its data."""

    event: str
    id: str | None
    data: Any


def events_in(text: str) -> list[Sent]:
    """Return the events of a whole stream, comments left out."""
    return [one for block in text.split("\n\n") if (one := _event(block)) is not None]


def _event(block: str) -> Sent | None:
    fields: dict[str, str] = {}
    for line in block.splitlines():
        name, _, value = line.partition(":")
        if name:
            fields[name] = fields.get(name, "") + value.removeprefix(" ")
    if "data" not in fields:
        return None
    return Sent(fields.get("event", "message"), fields.get("id"), json.loads(fields["data"]))
