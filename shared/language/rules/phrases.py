"""Helpers for readable patterns: plain spaces, and words separated by bars."""

from __future__ import annotations

import re


def phrase(pattern: str) -> re.Pattern[str]:
    """Compile `pattern`; " " in it matches one to three white-space characters, " ?" up to three.

    Case is ignored. The limits keep matching linear on long runs of spaces.
    """
    return re.compile(pattern.replace(" ?", r"\s{0,3}").replace(" ", r"\s{1,3}"), re.IGNORECASE)


def one_of(words: str) -> str:
    """Return a group that matches any of `words`: patterns separated by "|", on one or several lines.

    Line breaks with the space around them are ignored, as is space around a "|" outside brackets.
    """
    found, depth = [""], 0
    for character in re.sub(r"\s*\n\s*", "", words):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "|" and depth == 0:
            found.append("")
        else:
            found[-1] += character
    return "(?:" + "|".join(word.strip() for word in found if word.strip()) + ")"
