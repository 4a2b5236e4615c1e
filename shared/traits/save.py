"""Bring a person's stored traits in line with their portrait."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from shared.kernel import event_log
from shared.kernel.database import Transaction
from shared.kernel.events import (
    Event,
    TraitContradicted,
    TraitDecayed,
    TraitDissolved,
    TraitObserved,
    TraitPromoted,
    TraitRecalled,
    TraitReinforced,
    TraitRevised,
    TraitSplit,
)
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.language.script import Language
from shared.traits.catalogue import catalogue, entry_of
from shared.traits.rules.types import Step, Trait
from shared.traits.sql import writing

ACTOR: Final = "system:reflector"


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What changed: ids of new and of changed traits, and of those without enough evidence left."""

    new: tuple[UUID, ...] = ()
    changed: tuple[UUID, ...] = ()
    unsupported: tuple[UUID, ...] = ()


def save(
    tx: Transaction,
    subject: Subject,
    portrait: Mapping[str, Trait],
    *,
    cycle_id: UUID | None,
    language: Callable[[], Language],
    decided: bool = False,
) -> Saved:
    """Store what changed of a portrait, with its events. Call it under the fence.

    Args:
        cycle_id: the reflection whose steps are new. None after something was forgotten or undone: then nothing begins,
            and the histories of changed traits are written anew, so that they do not tell of what is gone.
        language: returns the language of new wordings; asked only if there are any.
        decided: whether the person just decided something, which may change nothing but a confidence.
    """
    kept = writing.kept(tx, subject)
    ids = {key: one.id for key, one in kept.items()}
    new: list[UUID] = []
    changed: list[Trait] = []
    for key, trait in portrait.items():
        stored = kept.get(key)
        if stored is not None and stored.hidden:
            continue  # a forget that may still be undone decides
        values = writing.computed(trait)
        if stored is None:
            if cycle_id is None or trait.stage == "dissolved":
                continue
            ids[key] = new_id()
            writing.insert(tx, subject, ids[key], key, values)
            writing.add_text(tx, ids[key], wording(trait, language()))
            _tell(tx, subject, ids[key], trait, trait.steps)
            new.append(ids[key])
            changed.append(trait)
            continue
        steps = [step for step in trait.steps if step.cycle == cycle_id]
        if steps or (values != stored.computed if decided else _differs(values, stored.computed)):
            writing.update(tx, stored.id, values)
            said = {label: one.key for label, one in trait.contexts.items()}
            if (said, trait.qualified) != (stored.contexts, stored.computed["qualified"]):
                reword(tx, stored.id, trait, language)
            if cycle_id is not None:
                _tell(tx, subject, stored.id, trait, steps)
            changed.append(trait)
    writing.set_details(tx, ids, changed)
    return Saved(
        new=tuple(new),
        changed=tuple(ids[trait.key] for trait in changed),
        unsupported=tuple(one.id for key, one in kept.items() if key not in portrait and not one.hidden),
    )


def reword(tx: Transaction, trait_id: UUID, trait: Trait, language: Callable[[], Language]) -> None:
    """Word a trait anew in its language: what it no longer says may be forgotten.

    One that its person worded stays, and one whose sentence the deployment took out of the catalogue.
    """
    if {trait.key, *(one.key for one in trait.contexts.values())} <= catalogue().keys():
        writing.reword(tx, trait_id, wording(trait, writing.language(tx, trait_id) or language()))


def retell(tx: Transaction, subject: Subject, changed: Iterable[tuple[UUID, Trait]]) -> None:
    """Write the histories of these traits anew, so that they tell nothing of evidence that is gone.

    One that is told of as a part of another still says what it is about: traits are rebuilt from that.
    """
    for trait_id, trait in changed:
        stay = _DECISIONS if trait.steps else _DECISIONS | {"TraitObserved"}
        decided = [one for one in event_log.lives(tx, "trait", [trait_id]) if one.type in stay]
        event_log.delete_stream(tx, "trait", trait_id)
        _tell(tx, subject, trait_id, trait, trait.steps)
        for one in decided:
            event_log.append(tx, subject, trait_id, [event_log.event_of(one)], actor=one.actor)


def _differs(values: Mapping[str, object], stored: Mapping[str, object]) -> bool:
    """Return whether a trait changed by more than the decay that everybody can compute from what is stored."""
    return any(values[name] != stored[name] for name in values if name != "confidence")


_DECISIONS: Final = frozenset({"TraitConfirmed", "TraitConfined", "TraitEdited"})


def wording(trait: Trait, language: Language) -> str:
    """Return the sentence of a trait."""
    return sentence(trait.key, {label: one.key for label, one in trait.contexts.items()}, trait.qualified, language)


def sentence(key: str, tendencies: Mapping[str, str], qualified: str | None, language: Language) -> str:
    """Return the sentence of a trait; it says what holds where, if that differs, and where it holds less (TR-08)."""
    if not tendencies:
        return entry_of(key).sentence(language) + (_LESS[language][qualified] if qualified else "")
    joined = [
        f"{_WHERE[language][label]}{entry_of(key).sentence(language)}" for label, key in sorted(tendencies.items())
    ]
    return ("；" if language == "zh" else "; ").join(joined)


_WHERE: Final[Mapping[Language, Mapping[str, str]]] = {
    "en": {"work": "At work: ", "personal": "In private: ", "social": "With others: ", "learning": "When learning: "},
    "zh": {"work": "工作中：", "personal": "生活中：", "social": "和别人在一起时：", "learning": "学习时："},
}


_LESS: Final[Mapping[Language, Mapping[str, str]]] = {
    "en": {
        "sometimes": ", though not always",
        "work": ", though less so at work",
        "personal": ", though less so in private",
        "social": ", though less so with others",
        "learning": ", though less so when learning",
    },
    "zh": {
        "sometimes": "，但并非总是如此",
        "work": "，但工作中不太这样",
        "personal": "，但生活中不太这样",
        "social": "，但和别人在一起时不太这样",
        "learning": "，但学习时不太这样",
    },
}


def _tell(tx: Transaction, subject: Subject, trait_id: UUID, trait: Trait, steps: Iterable[Step]) -> None:
    event_log.append(tx, subject, trait_id, [_event(trait.key, step) for step in steps], actor=ACTOR)


def _event(key: str, step: Step) -> Event:
    cycle, at = step.cycle, step.at
    if step.change == "observed":
        return TraitObserved(trait_key=key, cycle_id=cycle, at=at, stage=step.stage)
    if step.change == "reinforced" and step.observation is not None and step.grade is not None:
        return TraitReinforced(cycle_id=cycle, at=at, observation_id=step.observation, grade=step.grade)
    if step.change == "contradicted":
        return TraitContradicted(cycle_id=cycle, at=at, pieces=step.pieces or 1)
    if step.change in _TO_STAGE and step.stage is not None:
        return _TO_STAGE[step.change](cycle_id=cycle, at=at, stage=step.stage)
    return _PLAIN[step.change](cycle_id=cycle, at=at)


_TO_STAGE: Final[Mapping[str, type[TraitPromoted | TraitDecayed]]] = {
    "promoted": TraitPromoted,
    "decayed": TraitDecayed,
}
_PLAIN: Final[Mapping[str, type[TraitRevised | TraitSplit | TraitRecalled | TraitDissolved]]] = {
    "revised": TraitRevised,
    "split": TraitSplit,
    "recalled": TraitRecalled,
    "dissolved": TraitDissolved,
}
