"""Sentences for codes: why an item is in a context or not, and why a search found less than it could."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from shared.language.script import Language
from shared.recall.rules.items import Why, WhyNot

Shortage: TypeAlias = Literal[
    "injection_off",
    "longterm_off",
    "episodic_off",
    "summary_off",
    "no_conversation",
    "empty_query",
    "embedder_failed",
    "milvus_unavailable",
    "store_misconfigured",
    "vectors_prohibited",
    "over_budget",
    "more_left_out",
]

_WHY: Final[Mapping[Why, tuple[str, str]]] = MappingProxyType(
    {
        "safety": ("A safety matter or a taboo: always given.", "安全事项或禁忌，始终提供。"),
        "confirmed": ("You confirmed it.", "你确认过。"),
        "stated": ("You said so explicitly, or wrote it yourself.", "你明确说过，或亲自写下。"),
        "extracted": ("You said so.", "你说过。"),
        "learned": ("Learned from your feedback, often enough.", "从你的多次反馈中学到。"),
        "summary": ("Sums up what was said earlier in this conversation.", "概括了本次对话较早的内容。"),
        "window": ("One of the most recent messages of this conversation.", "本次对话最近的消息之一。"),
        "fixed_order": ("Given in fixed order, not by meaning.", "按固定顺序提供，未按语义检索。"),
        "semantic": ("Close to the question in meaning.", "与问题语义相近。"),
        "lexical": ("Shares words with the question.", "与问题有相同的词语。"),
        "task": ("Belongs to the task at hand.", "与当前任务有关。"),
        "recency": ("Recent.", "时间较近。"),
        "neighbour": ("Said right before or after something that fits.", "紧挨着相关的内容。"),
        "name": ("Mentions somebody or something the question names.", "提到了问题中的名称。"),
        "date": ("From the time the question asks about.", "与问题所指的时间相符。"),
        "related": ("Related to the question.", "与问题有关。"),
        "trait": ("Inferred from what you said in several conversations.", "从你在多次对话中的话推断而来。"),
        "fitting_trait": (
            "Inferred from several conversations, and fits the question.",
            "从多次对话推断而来，且与问题有关。",
        ),
    }
)
_WHY_NOT: Final[Mapping[WhyNot, tuple[str, str]]] = MappingProxyType(
    {
        "budget": ("No room was left for it.", "篇幅已满，未能放入。"),
        "switched_off": ("You switched this kind of memory off.", "你关闭了这类记忆。"),
        "superseded": ("Something newer took its place.", "已被更新的内容取代。"),
        "conflict": ("It contradicts something newer or confirmed.", "与更新的或已确认的内容矛盾。"),
        "paused": ("You paused it.", "你已暂停使用它。"),
        "archived": ("It rests in the archive.", "已归档。"),
        "in_window": ("The recent messages already show it.", "最近的消息中已有。"),
        "limit": ("Other memories came first, and only so many are given.", "每次只提供一定数量，其他记忆排在前面。"),
        "not_related": ("The search did not connect it with the question.", "检索未发现它与问题有关。"),
        "other_project": ("It belongs to another project.", "它属于另一个项目。"),
        "not_confirmed": (
            "You have not confirmed it, and this task is given confirmed memories only.",
            "你尚未确认，而此任务只提供已确认的记忆。",
        ),
        "route": ("This kind of task is given no memories.", "这类任务不提供记忆。"),
    }
)
_SHORTAGE: Final[Mapping[Shortage, tuple[str, str]]] = MappingProxyType(
    {
        "injection_off": ("Giving memories to the assistant is switched off.", "已关闭向助手提供记忆。"),
        "longterm_off": ("Long-term memory is switched off.", "长期记忆已关闭。"),
        "episodic_off": ("Earlier moments are switched off.", "过往片段已关闭。"),
        "summary_off": ("Summaries are switched off.", "摘要已关闭。"),
        "no_conversation": ("No conversation was named, so none was searched.", "未指定对话，因此没有检索对话。"),
        "empty_query": ("There was no question to search for.", "没有可供检索的问题。"),
        "embedder_failed": (
            "Answering in fixed order: the question could not be read by meaning.",
            "无法按语义理解问题，暂按固定顺序提供。",
        ),
        "milvus_unavailable": (
            "Answering in fixed order: the search index is unavailable.",
            "检索库不可用，按固定顺序提供。",
        ),
        "store_misconfigured": (
            "Answering in fixed order: the search index refuses. See `memory-center doctor` and `reindex`.",
            "检索库拒绝请求，暂按固定顺序提供。请运行 `memory-center doctor`，必要时再运行 `memory-center reindex`。",
        ),
        "vectors_prohibited": (
            "Found by words alone: this installation does not search memories by meaning.",
            "仅按词语检索：本系统不按语义检索记忆。",
        ),
        "over_budget": ("What belongs in every prompt takes more than the budget.", "每次都要提供的内容已超出篇幅。"),
        "more_left_out": (
            "Of what is left out, only the newest 1,000 memories are listed.",
            "未提供的记忆只列出最新的一千条。",
        ),
    }
)


def explain(why: Why, language: Language) -> str:
    """Return a sentence that says why an item is given."""
    return _in(language, _WHY[why])


def explain_left_out(why: WhyNot, language: Language) -> str:
    """Return a sentence that says why an item is not given."""
    return _in(language, _WHY_NOT[why])


def explain_shortage(reason: Shortage, language: Language) -> str:
    """Return a sentence that says why there is less than there could be."""
    return _in(language, _SHORTAGE[reason])


def _in(language: Language, both: tuple[str, str]) -> str:
    english, chinese = both
    return english if language == "en" else chinese
