"""Context that decides whether a statement counts: hypotheses, reports, questions, pasted material."""

from __future__ import annotations

from typing import Final

from shared.language.rules.phrases import phrase
from shared.language.words import word_lists

_WORDS: Final = word_lists("framing")

POLITE = _WORDS["polite"]
"""Words before an English request."""

POLITE_ZH = _WORDS["polite_zh"]
"""Words before a Chinese request."""

_WORK = _WORDS["work"]
_WORK_ZH: Final = _WORDS["work_zh"]

HYPOTHESIS = phrase(_WORDS["hypothesis"])
"""Opens a condition: the sentence states nothing."""

HARMLESS_CONDITION = phrase(_WORDS["harmless_condition"])
"""A condition about the listener, after whose comma the person may still state a fact."""

ROLE_PLAY = phrase(_WORDS["role_play"])
"""Opens fiction: nothing after it in the message is about the person."""

MATERIAL = phrase(_WORDS["material"])
"""Announces text to work on; what follows it in the message is material, not the person's own statements."""

REPORT = phrase(_WORDS["report"])
"""Reported speech or thought: the first person inside it may be somebody else."""

REPORT_ENDS = phrase(_WORDS["report_ends"])
"""Ends a clause after which somebody's words follow."""

WORK = phrase(rf"{POLITE}{{0,3}}(?:{_WORK}|tell|create|generate)\b|{POLITE_ZH}{{0,6}}{_WORK_ZH}")
"""Asks for a text; what " and …" adds to it belongs to that text."""

REQUEST = phrase(_WORDS["request"])
"""Asks for something now; it is not itself worth remembering."""

SUPPOSING = phrase(_WORDS["supposing"])
"""Opens a hypothesis that the sentences after it share."""

NOT_MINE = phrase(_WORDS["not_mine"])
"""Says that what follows is about somebody else."""

COUPLE = phrase(r"(?:me and my|my) [\w-]{2,15}$|(?-i:[A-Z])[a-z]{1,15}$")
"""Words before "and I" that make "I" part of the same subject."""

CONDITION_HEAD = phrase(_WORDS["condition_head"])
"""A clause that may be the condition of the one after it."""

ASKING = phrase(_WORDS["asking"])
"""Opens a question that takes the whole sentence, its inner statements included."""

TAG = phrase(_WORDS["tag"])
"""Turns the statement before it into a question."""

LEAD_IN = phrase(_WORDS["lead_in"])
"""Words before a statement that are not part of it."""

STANDING_HEAD = phrase(_WORDS["standing_head"])
"""Turns the request after its comma into a permanent instruction."""
