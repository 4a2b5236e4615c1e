"""The sentences of the built-in responder."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from shared.language.script import Language

Phrase: TypeAlias = Literal[
    "mind",
    "said",
    "known",
    "page",
    "moment",
    "summary",
    "recent",
    "nothing",
    "off",
    "heard",
    "related",
    "greeting",
    "thanks",
]

PHRASES: Final[Mapping[Phrase, tuple[str, str]]] = MappingProxyType(
    {
        "mind": ("Keep in mind: “{text}” {citation}", "请注意：“{text}”{citation}"),
        "said": ("You said: “{text}” {citation}", "你说过：“{text}”{citation}"),
        "known": ("Remembered about you: “{text}” {citation}", "关于你的记忆：“{text}”{citation}"),
        "page": ("From a document of yours: “{text}” {citation}", "你的文档里写着：“{text}”{citation}"),
        "moment": ("Earlier in this conversation: “{text}” {citation}", "本次对话里提到过：“{text}”{citation}"),
        "summary": (
            "From the summary of this conversation: “{text}” {citation}",
            "本次对话的摘要里有：“{text}”{citation}",
        ),
        "recent": ("You just said: “{text}”", "你刚才说过：“{text}”"),  # as in the prompt, messages have no citation
        "nothing": (
            "Memory holds nothing about that, and I answer from memory alone.",
            "记忆中没有与此有关的内容，而我只根据记忆回答。",
        ),
        "off": (
            "I may not use any memories: giving them to the assistant is switched off.",
            "你关闭了向助手提供记忆，我不能使用任何记忆。",
        ),
        "heard": ("I see.", "好的，我知道了。"),
        "related": ("Related to that: “{text}” {citation}", "与此有关的记忆：“{text}”{citation}"),
        "greeting": ("Hello. What would you like to know?", "你好，想问点什么？"),
        "thanks": ("You're welcome.", "不客气。"),
    }
)


def phrase(name: Phrase, language: Language, **parts: str) -> str:
    """Return a sentence in a language, with its placeholders filled in."""
    english, chinese = PHRASES[name]
    return (english if language == "en" else chinese).format(**parts)
