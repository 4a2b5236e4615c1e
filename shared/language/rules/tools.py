"""Lessons from a tool's message: that the tool worked, or why it did not (LT-01).

A result that says neither is data; nothing is learned from it.
"""

from __future__ import annotations

import re
from typing import Final

from shared.language.candidates import Candidate
from shared.language.words import word_lists

_WORDS: Final = word_lists("tools")

_READ: Final = 20_000
"""Longest part of a message that is searched, in characters."""
_LINE_MAX: Final = 300
"""Longest part of the decisive line that is stored, in characters."""
FAILED, WORKED = 6, 4
"""Importance: failures are worth more than successes."""

_WENT_WRONG: Final = re.compile(_WORDS["went_wrong"], re.IGNORECASE)
_WENT_WELL: Final = re.compile(_WORDS["went_well"], re.IGNORECASE)
_LINE: Final = re.compile(r"[^\n]+")
_TRACE: Final = re.compile(r"^Traceback ", re.MULTILINE)


def experience(index: int, text: str, name: str | None) -> Candidate | None:
    """Return the lesson of a tool's message, with the decisive line as its quote; None if there is none.

    Args:
        index: of the utterance.
        name: the tool's name, if known.
    """
    read = text[:_READ]
    lines = [line for line in _LINE.finditer(read) if line.group().strip()]
    wrong = [line for line in lines if _WENT_WRONG.search(line.group())]
    well = [line for line in lines if _WENT_WELL.search(line.group())]
    if wrong:
        # In a stack trace the last line names the error.
        line, importance = (lines[-1] if _TRACE.search(read) else wrong[0]), FAILED
    elif well:
        line, importance = well[0], WORKED
    else:
        return None
    said = line.group()
    start = line.start() + len(said) - len(said.lstrip())
    quote = said.strip()[:_LINE_MAX].rstrip()
    return Candidate(
        utterance=index,
        text=f"{name}: {quote}" if name else quote,
        content_type="tool_experience",
        quote_start=start,
        quote_end=start + len(quote),
        importance=importance,
    )
