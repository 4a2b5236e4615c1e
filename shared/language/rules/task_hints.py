"""The task a statement applies to, if its words say so: "when I write reports, …" / "写周报的时候…"."""

from __future__ import annotations

from typing import Final

from shared.language.rules.phrases import one_of, phrase

HINT_LIMIT: Final = 60
"""Longest hint, in characters."""

_READ: Final = 500
"""Longest part of a statement that is searched, in characters."""

_TASKS = one_of(
    r"""
    (?:work |business |cold |formal )?e?-?mails? | (?:\w{3,12} )?reports? | code comments? | commit messages?
    | (?:baking |cooking )?recipes?
    | code(?: reviews?| snippets?)? | slides | presentations? | essays? | homework | summar(?:y|ies)
    | translations? | documentation | docs
    | meeting notes | meetings? | cover letters? | letters? | (?:blog |linkedin |instagram )?posts? | newsletters?
    | invoices? | contracts?
    | lesson plans? | meal plans? | workouts? | travel plans? | trips? | spreadsheets? | formulas? | sql queries
    | unit tests? | papers? | theses
    """
)
_ENGLISH = (
    phrase(
        r"\b(?:when(?:ever)?|while|every time|any ?time|each time|if) (?:i'?m |i am |i |we(?:'re)? |you(?:'re)? )?"
        r"(?:(?:have|need|want) to |ask (?:you )?(?:for|to|about) |need |want )?(?P<task>(?!was\b|were\b|am\b"
        r"|the\b|it\b|that\b|this\b)[a-z][^,.;:\n]{2,50}?)"
        r"(?=,| i (?:prefer|like|want|use|need|always|never)\b| (?:please|always|never|don'?t|give me|use|keep)\b|$)"
    ),
    phrase(rf"\b(?:for|in|with|on) (?:all )?(?:my |our |any |the |your )?(?P<task>{_TASKS})\b"),
)
_CHINESE = (
    phrase(
        r"(?:每次|平时|在|每当|帮我|给我|我|,)?(?:我|你)?(?:在)?(?P<task>(?:写|做|画|改|发|回|翻译"
        r"|润色|总结|查|开|编|剪|备课|出差|旅游|旅行|买|点|订|订机票|处理|准备|讲|解释|推荐|列|算|审|看)"
        r"[^,我你]{0,10}?)(?:的?时候|的话|嘅時候|嘅时候|时(?!间|区|候|长|不时))"
    ),
    phrase(
        r"(?>(?:以后|今后|往后|每次|平时|所有|在|给)*)(?P<task>[^,我你的请用都给]{0,4}(?:邮件|周报|日报|月报|报告|论文|代码|注释|PPT|文案|简历|食谱"
        r"|菜谱|翻译|作业|公文|合同|方案|会议纪要|文档|教案|推文|朋友圈))"
        r"(?:里面?|中|上|都|我|请|要|用|的话|一律|统一|方面)"
    ),
)
_CONDITIONS = phrase(r"(?:it|that|this|possible|needed|necessary|in doubt)\b")


def task_span(statement: str) -> tuple[int, int] | None:
    """Return the half-open span of a folded statement that names its task; None if none is named."""
    for pattern in (*_ENGLISH, *_CHINESE):
        found = pattern.search(statement, 0, _READ)
        if found and not _CONDITIONS.match(found["task"]):
            start, end = found.span("task")
            return start, min(end, start + HINT_LIMIT)
    return None
