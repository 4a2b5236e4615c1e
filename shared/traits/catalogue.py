"""The closed vocabulary of traits: their sentences in English and Chinese, and how they relate (TR-01)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

from shared.language.script import Language
from shared.traits.rules.confidence import Subtype
from shared.traits.rules.types import Pattern

FILE: Final = Path(__file__).with_name("catalogue.yaml")


ABOUT_ANSWERS: Final = frozenset(
    {
        "asks-short-answers",
        "asks-detailed-answers",
        "asks-conclusion-first",
        "asks-for-reasons",
        "asks-for-lists-or-tables",
        "asks-for-sources",
        "wants-honest-criticism",
        "wants-gentle-wording",
        "skips-pleasantries",
        "keeps-terms-in-english",
    }
)
"""Behaviors that say how the person wants answers: they fit every question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry: its sentences, and its place among the others; `parents` point from behavior to preference to core.

    Args:
        evidence: what a person's words must show, for a language model; empty for what comes from its children.
    """

    key: str
    subtype: Subtype
    en: str
    zh: str
    parents: tuple[str, ...]
    opposite: str | None
    evidence: str

    def sentence(self, language: Language) -> str:
        return self.zh if language == "zh" else self.en


@cache
def catalogue() -> Mapping[str, Entry]:
    """Return all entries by key."""
    # The C loader reads the file in a tenth of the time.
    loaded: Any = yaml.load(FILE.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 # it is a safe loader
    return {
        one["id"]: Entry(
            key=one["id"],
            subtype=one["subtype"],
            en=one["en"],
            zh=one["zh"],
            parents=tuple(one["parents"]),
            opposite=one.get("opposite"),
            evidence=one.get("evidence", ""),
        )
        for one in loaded["traits"]
    }


@cache
def vocabulary() -> Mapping[str, Pattern]:
    """Return the entries as the rules need them."""
    return {
        entry.key: Pattern(key=entry.key, subtype=entry.subtype, parents=entry.parents, opposite=entry.opposite)
        for entry in catalogue().values()
    }


def behaviors() -> tuple[str, ...]:
    """Return the keys of all behaviors, in the order of the catalogue."""
    return tuple(key for key, entry in catalogue().items() if entry.subtype == "behavior")
