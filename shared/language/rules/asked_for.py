"""Find the words a message asks to have remembered (LT-05).

They follow "remember that …", are in lines below "remember this:", or precede "…, remember that".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from shared.language.rules import framing, memory_requests
from shared.language.rules.folding import FILLER
from shared.language.rules.passages import (
    Passage,
    own_statements,
    passages,
    statement_start,
    trimmed_end,
    with_full_stop,
)
from shared.language.rules.phrases import phrase
from shared.language.rules.pieces import Piece, Pieces
from shared.language.rules.sentences import Clause
from shared.language.words import word_lists

_WORDS: Final = word_lists("asked_for")

_TASK_NOTE: Final = phrase(_WORDS["task_note"])
"""Phrases about the current task rather than about the person."""
_WORD: Final = re.compile(rf"[\w{FILLER}]")
_WISH: Final = phrase(_WORDS["wish"])
_SAYS: Final = phrase(_WORDS["says"])
_SHORTEST: Final = 2


def refuses(own: str) -> bool:
    """Return whether a folded and masked message asks that nothing of it is kept."""
    return any(memory_requests.refuses(own, clause) for passage in passages(own) for clause in passage.clauses)


def asked_for(own: str, stated: Sequence[Piece]) -> list[Piece]:
    """Return the pieces of a folded and masked message that it asks to have remembered, in order.

    Args:
        own: the message.
        stated: statements found in it; each becomes its own piece, and text without a statement becomes one note.
    """
    found: list[list[Piece]] = []
    said = Pieces(stated)
    previous: Passage | None = None
    listing = False
    for passage in passages(own):
        if previous and len(passage.clauses) == 1 and memory_requests.points_back(own, passage.clauses[0]):
            found[-1] = list(_pieces(own, previous, own_statements(own, previous), said))
            continue
        if previous and listing and "\n\n" in own[previous.sentence.end : passage.sentence.start]:
            listing = not found[-1]  # a blank line ends a list, except the blank line right before it
        found.append(list(_asked(own, passage, said, all_of_it=listing)))
        listing = listing or _opens_list(own, passage)
        previous = passage
    return [piece for of_passage in found for piece in of_passage]


def _opens_list(own: str, passage: Passage) -> bool:
    """Return whether a sentence only opens a list ("Remember this:"), so that the lines below it are remembered."""
    if not passage.clauses:
        return False
    first = passage.clauses[0]
    content = memory_requests.content_start(own, first.start, first.end)
    if content is None or trimmed_end(own, content, passage.sentence.end) > content:
        return False
    return ":" in own[first.start : passage.sentence.end] or own.startswith(("以下", "下面"), content - 2)


def _asked(own: str, passage: Passage, stated: Pieces, *, all_of_it: bool) -> Iterator[Piece]:
    statements = own_statements(own, passage)
    if len(statements) > 1 and memory_requests.points_back(own, statements[-1]):
        statements, all_of_it = statements[:-1], True
    for position, clause in enumerate(statements):
        content = memory_requests.content_start(own, clause.start, clause.end)
        if content is not None:
            start = statement_start(own, replace(clause, start=content))
            rest = [replace(clause, start=start, head=None), *statements[position + 1 :]]
            # "Can you remember that I'm vegan?" says something; "Remember my brother's name?" and 记得…吗？ ask for it.
            wish = _WISH.search(own, clause.start, content) and _SAYS.match(own, start, passage.sentence.end)
            if wish or not passage.sentence.asks:
                yield from _pieces(own, passage, rest, stated, led_in=True)
            return
    if all_of_it:
        yield from _pieces(own, passage, statements, stated)


def _pieces(
    own: str, passage: Passage, parts: Sequence[Clause], stated: Pieces, *, led_in: bool = False
) -> Iterator[Piece]:
    """Yield the content of clauses, grouped by statement; requests of another kind are left out.

    Args:
        led_in: the first clause followed "remember that", so it is not another request.
    """
    if parts and framing.HYPOTHESIS.match(own, parts[0].start, parts[0].end):
        parts = [replace(parts[0], end=passage.sentence.end)]
    piece: Piece | None = None
    states = False
    told = -1  # the last statement that is already in a piece
    for position, part in enumerate(parts):
        end = trimmed_end(own, part.start, part.end)
        if end <= part.start:
            continue  # "remember, …": the content is in the next clauses
        met = stated.met((part.start, end))
        says, another = bool(met), bool(met) and met[-1] > told
        is_request = framing.REQUEST.match(own, part.start, part.end) and not (led_in and position == 0)
        if piece is not None and ((another and states) or (is_request and not says)):
            yield from _finished(own, passage, piece, states=states)
            piece, states = None, False
        if says or not is_request:
            piece, states = (part.start if piece is None else piece[0], end), states or says
            told = met[-1] if met else told
    if piece is not None:
        yield from _finished(own, passage, piece, states=states)


def _finished(own: str, passage: Passage, piece: Piece, *, states: bool) -> Iterator[Piece]:
    start, end = piece
    if end - start < _SHORTEST or not _WORD.search(own, start, end):
        return
    if states or not _TASK_NOTE.search(own, start, end):
        yield start, with_full_stop(own, passage.sentence, end)
