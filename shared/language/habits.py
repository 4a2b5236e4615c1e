"""Read what a message shows of its writer's behavior; quotations, pasted material and fiction show nothing (TR-02)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from shared.language.embedding.bundled import Unembeddable
from shared.language.port import Habit, Readings
from shared.language.rules.own_words import own_words
from shared.language.sensitivity.special import SpecialCategory, special_categories

SURE_FROM: Final = 0.6
"""Least probability for a behavior told in passing to count; the rules of traits add up how sure the pieces are."""
STATED_FROM: Final = 0.6
"""The same for a statement about oneself."""
SHORTEST: Final = 4
"""Fewest characters of a message that can show something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitsRead:
    """The behaviors that a message shows, and why evidence was refused: the sensitive matters it touches."""

    habits: tuple[Habit, ...] = ()
    refused: tuple[SpecialCategory, ...] = ()


def read_habits(text: str, readings: Readings) -> HabitsRead:
    """Return what a message shows of its writer.

    If the message names a sensitive matter, nothing is inferred from any of it: a reason may stand sentences away.

    Args:
        text: without the passages that may not be learned from.

    Raises:
        EmbedderUnavailable: the reader did not answer.
    """
    own = own_words(text)
    if len(own) < SHORTEST:
        return HabitsRead()
    try:
        found = [
            one for one in readings.habits(own) if one.sure >= (STATED_FROM if one.shown == "stated" else SURE_FROM)
        ]
    except Unembeddable:
        return HabitsRead()
    if found and (refused := special_categories(text)):
        return HabitsRead(refused=tuple(refused))
    return HabitsRead(habits=tuple(found))
