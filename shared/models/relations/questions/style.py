"""How somebody wants to be answered."""

from __future__ import annotations

import re
from typing import Final

from shared.models.relations.questions.words import Words
from shared.models.relations.slots import STYLE, STYLE_KINDS, Filled

_OF_OTHER_THINGS_TOO: Final = frozenset({"length", "tone", "programming", "currency"})
"""Kinds of style that are also said of what somebody does or has."""


def answers(words: Words) -> Filled | None:
    style = sorted(words.kinds & STYLE_KINDS)
    if style and _is_a_request(style[0], words):
        return Filled(
            STYLE + style[0], words.without("use", "prefer", "like", "answer", "call", "speak", "unit", "tone", "weigh")
        )
    if "language" in words.kinds and _is_answer_language(words):
        return Filled(STYLE + "language", words.without("use", "prefer", "like", "answer", "call", "speak", "write"))
    only_style = words.found and all(c.kind == "style" or c.name in {"use", "prefer", "like"} for c in words.found)
    if ("answer" in words.names and not words.names & {"work", "live"}) or "emoji" in words.names or only_style:
        return Filled(STYLE + "form", words.without("use", "prefer", "like", "answer"))
    return None


def _is_a_request(style: str, words: Words) -> bool:
    if style not in _OF_OTHER_THINGS_TOO:
        return True
    names = words.names
    if style == "programming":
        return bool(names & {"code", "example"})
    if names & {"answer", "tone", "formal"} or re.search(r"\bwith me\b|\bspeak\b|\btalk\b|跟我|对我|和我", words.text):
        return True
    if names & {"like", "hate", "have", "eat", "live", "work", "wear", "buy", "watch", "play", "budget"}:
        return False
    return (
        len([c for c in words.found if c.kind not in STYLE_KINDS and c.name not in {"use", "prefer"}]) <= 1
        and style != "currency"
    )


def _is_answer_language(words: Words) -> bool:
    names, clause = words.names, words.text
    if names & {"learn", "study", "teach", "graduate", "fluent"}:
        return False
    if len(names) == 1 and not re.search(r"\bi\b|我", clause):
        return True
    if "answer" in names:
        return True
    if "speak" in names:
        return bool(re.search(r"\b(?:to me|with me)\b|跟我|和我|对我|请", clause))
    return bool(names & {"use", "prefer", "write"}) or bool(
        re.search(
            r"\b(?:in|to) (?:english|chinese|french|german|spanish|mandarin|japanese|korean|italian)\b|^(?:please|only|just|always)|用.{1,4}[文语话]",
            clause,
        )
        and not names & {"like", "live", "work"}
    )
