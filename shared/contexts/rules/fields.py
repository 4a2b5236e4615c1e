"""What people say about how an assistant should work for them, and where each of it may be kept (FC-01, FC-10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

Scope: TypeAlias = Literal["task", "thread", "profile"]
WrittenBy: TypeAlias = Literal["onboarding", "review", "save_as_thread", "refresh", "task"]
"""The only things that write a context; what a model says writes none (FC-03)."""

Field: TypeAlias = Literal[
    "language_preference",
    "research_depth",
    "risk_prompt_preference",
    "research_style",
    "user_focus_reason",
    "user_stated_position_context",
    "time_horizon",
    "constraints",
]
FIELDS: Final[tuple[Field, ...]] = get_args(Field)
Fields: TypeAlias = Mapping[str, str]

PREFERENCES: Final[frozenset[Field]] = frozenset({"language_preference", "research_depth", "risk_prompt_preference"})
FINANCIAL: Final[frozenset[Field]] = frozenset({"user_stated_position_context", "time_horizon", "constraints"})
"""Kept with a task; in the profile only if the person was shown a question about exactly that."""

DEPTHS: Final = ("quick", "standard", "deep")
RISK_PREFERENCES: Final = ("balanced", "counter_first", "risk_first")
LANGUAGES: Final = ("en", "zh")
ALLOWED: Final[Mapping[Field, tuple[str, ...]]] = {
    "language_preference": LANGUAGES,
    "research_depth": DEPTHS,
    "risk_prompt_preference": RISK_PREFERENCES,
}
"""The values of the fields that are chosen from a list."""

BYTES_MAX: Final = 8 * 1024
"""Most bytes of one context, as JSON in UTF-8."""

_IN_THREAD: Final = PREFERENCES | {"research_style", "user_focus_reason", "user_stated_position_context"}
_IN_PROFILE: Final = PREFERENCES | {"user_focus_reason"}


def may_hold(scope: Scope, field: str, *, explicit_prompt_shown: bool = False) -> bool:
    """Return whether a context of a scope may hold a field."""
    if scope == "task":
        return field in FIELDS
    if scope == "thread":
        return field in _IN_THREAD
    return field in _IN_PROFILE or (explicit_prompt_shown and field in FINANCIAL)


def held(scope: Scope, fields: Mapping[str, str | None], *, explicit_prompt_shown: bool = False) -> dict[str, str]:
    """Return the fields that a context of a scope may hold."""
    return {
        name: value
        for name, value in fields.items()
        if value is not None and may_hold(scope, name, explicit_prompt_shown=explicit_prompt_shown)
    }


def rewritten(before: Fields, given: Mapping[str, str | None]) -> dict[str, str]:
    """Return a profile after the person gave some fields; a field given as None is deleted."""
    return {name: value for name, value in {**before, **given}.items() if value is not None}


def newest_of_each(contexts: list[Fields]) -> dict[str, str]:
    """Return the newest value of each field.

    Args:
        contexts: oldest first.
    """
    found: dict[str, str] = {}
    for fields in contexts:
        found.update(fields)
    return found


def reduced_language(tag: str) -> str:
    """Return `zh` for any tag of Chinese, else `en`; of a list such as Accept-Language the first counts."""
    first = tag.split(",", maxsplit=1)[0].split(";", maxsplit=1)[0].strip().lower()
    return "zh" if first.replace("_", "-").split("-")[0] == "zh" else "en"
