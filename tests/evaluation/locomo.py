"""Conversations with questions whose evidence is known, in LoCoMo's format (Maharana et al., ACL 2024).

Nothing of it is kept here: its licence allows evaluation, not copies.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Literal

ADVERSARIAL: Final = 5
"""The category of questions whose answer is not there."""

_SAID_AT: Final = "%I:%M %p on %d %B, %Y"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One side of a turn; an image that was shared is in the text by its caption."""

    dia_id: str
    role: Literal["user", "assistant"]
    name: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, and the `dia_id`s of what answers it."""

    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One conversation of one person with an assistant, who are the first and the second speaker.

    Args:
        questions: those that are scored.
        unscored: texts of other questions.
    """

    id: str
    user: str
    sessions: tuple[tuple[Said, ...], ...]
    questions: tuple[Asked, ...]
    unscored: tuple[str, ...]


def samples(path: Path) -> list[Sample]:
    """Read a file of samples.

    Raises:
        OSError: it cannot be read.
        ValueError, KeyError: it is not in this format.
    """
    return [_sample(one) for one in json.loads(path.read_text(encoding="utf-8"))]


def evidence_recall(found: Sequence[str], evidence: Collection[str], *, at: int) -> float:
    """Return the share of a question's evidence among the first `at` of what was found, each counted once."""
    first = set(list(dict.fromkeys(found))[:at])
    return len(first.intersection(evidence)) / len(evidence)


def mean(values: Iterable[float]) -> float:
    """Return the mean, rounded to four places."""
    collected = list(values)
    return round(sum(collected) / len(collected), 4)


def _sample(found: Mapping[str, Any]) -> Sample:
    talk = found["conversation"]
    scored, unscored = [], []
    for one in found["qa"]:
        evidence = frozenset(one.get("evidence") or ())
        if evidence and one["category"] != ADVERSARIAL:
            scored.append(Asked(text=one["question"], category=one["category"], evidence=evidence))
        else:
            unscored.append(one["question"])
    asked = {one.text for one in scored}
    return Sample(
        id=found["sample_id"],
        user=talk["speaker_a"],
        sessions=tuple(_sessions(talk)),
        questions=tuple(scored),
        unscored=tuple(text for text in unscored if text not in asked),
    )


def _sessions(talk: Mapping[str, Any]) -> Iterator[tuple[Said, ...]]:
    """Yield the sessions in order, a minute between two turns."""
    number = 1
    while turns := talk.get(f"session_{number}"):
        began = datetime.strptime(talk[f"session_{number}_date_time"], _SAID_AT).replace(tzinfo=UTC)
        yield tuple(
            Said(
                dia_id=turn["dia_id"],
                role="user" if turn["speaker"] == talk["speaker_a"] else "assistant",
                name=turn["speaker"],
                text=_with_caption(turn),
                at=began + timedelta(minutes=minute),
            )
            for minute, turn in enumerate(turns)
        )
        number += 1


def _with_caption(turn: Mapping[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['text']} [shares {caption}]" if caption else str(turn["text"])
