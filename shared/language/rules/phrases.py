"""Patterns written for people: plain spaces, words between bars."""

from __future__ import annotations

import re


def phrase(pattern: str) -> re.Pattern[str]:
    """Compile `pattern`; in it " " stands for one to three white-space characters, " ?" for up to three.

    Case is ignored. The bounds keep runs of spaces from costing more than their length.
    """
    return re.compile(pattern.replace(" ?", r"\s{0,3}").replace(" ", r"\s{1,3}"), re.IGNORECASE)


def one_of(words: str) -> str:
    """Return a group that matches any of `words`, patterns with "|" between them on one line or several.

    Line ends with the space around them mean nothing, nor does space around a "|" outside brackets.
    """
    found, depth = [""], 0
    for character in re.sub(r"\s*\n\s*", "", words):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "|" and depth == 0:
            found.append("")
        else:
            found[-1] += character
    return "(?:" + "|".join(word.strip() for word in found if word.strip()) + ")"
