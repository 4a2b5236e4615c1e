"""The template of the prompt; `docs/context.md` shows it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, get_args

from shared.language.script import Language
from shared.language.tokens import count
from shared.recall.prompts.blocks import block
from shared.recall.prompts.words import HEADINGS, INSTRUCTION, NOTHING, STABLE_HEADINGS, STABLE_NOTHING, TITLE
from shared.recall.rules.assembling import Context
from shared.recall.rules.items import Group, Item

_BLOCK: Final = re.compile(r"(?<=\n)(?=[\[#A-Za-z])")
"""Where a block or a heading begins. No token crosses these borders, so token counts of blocks can be added."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A rendered context.

    `stable_prefix_hash` is the SHA-256 of the first `stable_prefix_bytes` bytes of `text` in UTF-8. They depend only on
    stable items: not on the question, its language, or the conversation (CN-07).
    """

    text: str
    tokens: int
    stable_prefix_hash: str
    stable_prefix_bytes: int


def render(context: Context, language: Language, *, user_context: str = "") -> Prompt:
    """Return the prompt of a context.

    Every section of the requested layers is present, and an empty one says so, except those of traits.

    Args:
        user_context: a task's block; it stands last, before the newest message of the person (FC-04).
    """
    prefix = _stable_prefix(context)
    text = prefix + _rest(context, language, user_context)
    encoded = prefix.encode()
    return Prompt(
        text=text,
        tokens=sum(count(part) for part in _BLOCK.split(text)),
        stable_prefix_hash=hashlib.sha256(encoded).hexdigest(),
        stable_prefix_bytes=len(encoded),
    )


@cache
def skeleton_tokens() -> int:
    """Return the tokens of the empty template with all its headings, in the longer of its languages.

    Which items fit must not depend on the language of a question.
    """
    empty = Context(mode="deterministic", items=(), window=(), left_out=())
    inferred = count(f"{STABLE_HEADINGS[Group.CORE]}\n\n")
    return max(
        render(empty, language).tokens + inferred + count(f"{HEADINGS[language][Group.HABITS]}\n\n")
        for language in get_args(Language)
    )


def _stable_prefix(context: Context) -> str:
    """Return the part of a prompt with the stable items; it comes first, so that models can cache it."""
    parts = [_section(context, group, heading, STABLE_NOTHING) for group, heading in STABLE_HEADINGS.items()]
    return f"{TITLE}\n\n" + "".join(parts)


def _rest(context: Context, language: Language, user_context: str) -> str:
    headings, nothing = HEADINGS[language], NOTHING[language]
    found = "".join(
        _section(context, group, headings[group], nothing) for group in (Group.HABITS, Group.SUMMARY, Group.MEMORIES)
    )
    window = _window(context, headings[Group.WINDOW], nothing, user_context)
    return f"{found}{INSTRUCTION[language]}\n\n{window}".removesuffix("\n")


def _window(context: Context, heading: str, nothing: str, user_context: str) -> str:
    if "immediate" not in context.layers:
        return user_context
    if not user_context:
        return _part(heading, context.window, nothing)
    newest = context.window[-1:] if context.window and context.window[-1].type == "user" else ()
    before = context.window[: len(context.window) - len(newest)]
    older = "".join(block(item) for item in before) or ("" if newest else f"{nothing}\n")
    return f"{heading}\n{older}{user_context}{''.join(block(item) for item in newest)}"


def _section(context: Context, group: Group, heading: str, nothing: str) -> str:
    """Return a group under its heading; nothing if its layer was not requested, or if there are no such traits."""
    items = [item for item in context.items if item.group is group]
    if group.layer not in context.layers or (not items and group in (Group.CORE, Group.HABITS)):
        return ""
    return _part(heading, items, nothing)


def _part(heading: str, items: Sequence[Item], nothing: str) -> str:
    blocks = "".join(block(item) for item in items) or f"{nothing}\n"
    return f"{heading}\n{blocks}\n"
