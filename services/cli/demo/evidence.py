"""Determine what to search for. The stores are read before anything is forgotten, while lineage is still complete."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from services.cli.demo.proof import Expected, Forgotten
from services.cli.demo.script import Talk, Turn
from services.cli.demo.stores import Stores


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded turn: its text, and the ids of its two messages."""

    talk: Talk
    turn: Turn
    message_ids: tuple[str, str]


def must_go(stores: Stores, turns: Sequence[Recorded], whole: Sequence[str] = ()) -> Forgotten:
    """Return the words and ids of these turns, and the ids and keys of all items whose wording comes from them.

    `whole` are ids of items forgotten entirely; they also find copies that were never announced.
    """
    messages = _messages(turns)
    made = stores.made_of(messages)
    ids = {*whole, *messages, *(one.id for one in made), *(one.key for one in made if one.key)}
    return Forgotten(frozenset(one.turn.canary for one in turns), frozenset(ids))


def must_stay(stores: Stores, turns: Sequence[Recorded]) -> tuple[Expected, ...]:
    """Return the rows that must remain: messages, episodes and their vectors, memories by their words."""
    wanted: set[Expected] = set()
    for one in turns:
        for message, text in zip(one.message_ids, (one.turn.said, one.turn.answered), strict=True):
            wanted.add(Expected("PostgreSQL", "message_contents", (message, text)))
    for made in stores.made_of(_messages(turns)):
        if made.kind == "episode":
            wanted.add(Expected("PostgreSQL", "episodes", (made.id,)))
            if made.written:
                wanted.add(Expected("Milvus", "episodes", (str(made.key), str(made.namespace))))
        if made.kind == "memory" and made.text is not None:
            # By its words: a fact that another source still supports may return as a new memory.
            wanted.add(Expected("PostgreSQL", "memory_contents", (made.text,)))
            wanted.add(Expected("mem0", "mem0_memories", (str(made.namespace), made.text)))
    return tuple(wanted)


def _messages(turns: Sequence[Recorded]) -> list[str]:
    return [message for one in turns for message in one.message_ids]
