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
_WORK_ZH = (
    r"(?:翻译|润色|改写|修改|校对|总结|概括|分析|回复|续写|改一?下|检查|解释|分类|扩写|缩写|造句|仿写|朗读|重复|写)"
)
_TEXT = _WORDS["text"]

HYPOTHESIS = phrase(_WORDS["hypothesis"])
"""Opens a condition: the sentence states nothing."""

HARMLESS_CONDITION = phrase(_WORDS["harmless_condition"])
"""A condition about the listener, after whose comma the person may still state a fact."""

ROLE_PLAY = phrase(_WORDS["role_play"])
"""Opens fiction: nothing after it in the message is about the person."""

MATERIAL = phrase(
    rf"{POLITE}{{0,3}}{_WORK}\b[^\n]{{0,120}}?:(?!\d)"
    rf"|{POLITE}{{0,3}}{_WORK}\b[^\n]{{0,60}}?\b(?:this|these|the following|below)\b(?: \w{{1,15}}){{0,2}}? {_TEXT}"
    rf"|{POLITE}{{0,3}}translate (?:this|the following|these)\b"
    rf"|here(?:'s| is| are) (?:the|a|an|my) (?:\w{{1,15}} ){{0,2}}{_TEXT}"
    rf"|(?!我|本人|俺){POLITE_ZH}{{0,6}}(?:把|将)?[^\n我]{{0,20}}?{_WORK_ZH}[^\n]{{0,30}}?:(?!\d)"
    rf"|{POLITE_ZH}{{0,6}}(?:把|将)?{_WORK_ZH}(?:一下)?(?:这|下面|以下)(?:的)?(?:一)?(?:段|句|篇|封|些|个)?"
    r"(?:话|文|句|邮件|信|文字|内容|段落|文章)"
)
"""Announces text to work on; what follows it in the message is material, not the person's own statements."""

REPORT = phrase(_WORDS["report"])
"""Reported speech or thought: the first person inside it may be somebody else."""

REPORT_ENDS = phrase(_WORDS["report_ends"])
"""Ends a clause after which somebody's words follow."""

WORK = phrase(rf"{POLITE}{{0,3}}(?:{_WORK}|tell|create|generate)\b|{POLITE_ZH}{{0,6}}{_WORK_ZH}")
"""Asks for a text; what " and …" adds to it belongs to that text."""

REQUEST = phrase(
    rf"{POLITE}{{0,3}}(?:{_WORK}|create|generate|tell|give|make|show|help|suggest|recommend|find|list|describe|design"
    r"|build)\b|can\b|could\b|would\b|will\b|what\b|how\b|why\b|where\b|which\b|who\b|thanks?\b|ok(?:ay)?\b|right\b"
    r"|please\b|请?(?:帮|给|替)我|推荐|能不能|可以|怎么|谢谢|好吗|行吗"
)
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
