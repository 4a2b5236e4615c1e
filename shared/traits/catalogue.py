"""The closed vocabulary of traits: their sentences in English and Chinese, and how they relate (TR-01)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

from shared.language.script import Language
from shared.language.sensitivity.special import special_categories
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
        evidence: what a person's words must show, for a language model; empty for preferences and core traits.
        added: whether a deployment added it; the bundled reader does not know it.
        mood: whether it is how somebody feels.
    """

    key: str
    subtype: Subtype
    en: str
    zh: str
    parents: tuple[str, ...]
    opposite: str | None
    evidence: str
    added: bool = False
    mood: bool = False

    def sentence(self, language: Language) -> str:
        return self.zh if language == "zh" else self.en


_added: list[Entry] = []


def extend(entries: Iterable[Entry]) -> None:
    """Let this process know the behaviors that its deployment adds, in place of any it knew before."""
    _added[:] = entries
    catalogue.cache_clear()
    vocabulary.cache_clear()


def faults_of(added: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    """Yield the faults of behaviors that a deployment wants to add, each with its key."""
    if not added:
        return
    known = _bundled()
    opposites = {one.key: one.opposite for one in added}
    for one in added:
        if one.key in known:
            yield one.key, "the catalogue has it already"
        if len(set(one.parents)) < len(one.parents):
            yield one.key, "names a preference twice"
        for parent in one.parents:
            if parent not in known or known[parent].subtype != "preference":
                yield one.key, f"{parent} is no preference of the catalogue"
        if one.opposite is not None and opposites.get(one.opposite) != one.key:
            yield one.key, f"{one.opposite} must be added too, and name it as its opposite"
        if special_categories(f"{one.en}. {one.evidence}") or special_categories(one.zh):
            yield one.key, "names a sensitive matter, of which nothing may be inferred"


@cache
def catalogue() -> Mapping[str, Entry]:
    """Return all entries by key, added ones last."""
    return {**_bundled(), **{one.key: one for one in _added}}


@cache
def _bundled() -> Mapping[str, Entry]:
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


def entry_of(key: str) -> Entry:
    """Return an entry; of a behavior that a deployment no longer adds, one that says its key."""
    unknown = Entry(key=key, subtype="behavior", en=key, zh=key, parents=(), opposite=None, evidence="", added=True)
    return catalogue().get(key, unknown)


@cache
def vocabulary() -> Mapping[str, Pattern]:
    """Return the entries as the rules need them."""
    return {
        entry.key: Pattern(
            key=entry.key, subtype=entry.subtype, parents=entry.parents, opposite=entry.opposite, mood=entry.mood
        )
        for entry in catalogue().values()
    }


def behaviors() -> tuple[str, ...]:
    """Return the keys of all behaviors, in the order of the catalogue."""
    return tuple(key for key, entry in catalogue().items() if entry.subtype == "behavior")
