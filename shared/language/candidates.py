"""What extraction returns, whoever reads: rules, the bundled reader or a language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from shared.kernel.emotions import Emotion

ContentType: TypeAlias = Literal[
    "preference", "fact", "constraint", "note", "episodic", "task_outcome", "tool_experience"
]


COVER = "█"
"""Stands for a character that is not shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One message as extraction sees it; `name` is who spoke, or which tool answered, where the message says so.

    `covered` are characters no reader is shown: what is sensitive, and what its person asked never to be learned.
    """

    role: str
    text: str
    name: str | None = None
    covered: tuple[tuple[int, int], ...] = ()

    @property
    def shown(self) -> str:
        """The text with what is covered blacked out, character by character, so that places stay where they are."""
        text = self.text
        for start, end in self.covered:
            last = min(end, len(text))
            text = text[:start] + COVER * (last - start) + text[last:]
        return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Something worth remembering.

    `text` is a self-contained sentence in the speaker's language; `quote_start`/`quote_end` are
    half-open character offsets of its evidence in `utterances[utterance].text` (LT-02).
    `taboo` marks safety matters and taboos (MC-14). `importance` is 1…10 (LT-01, default 5).
    `explicit` is true for "remember that …" / "记住…" (LT-05).
    `task_hint` is the task it holds for, in the speaker's words ("write reports" / "写周报"), None where it is general.
    `emotion` is what the speaker says they feel about it.
    `method` is how it was found: `rules`, `reader`, or `model:` and a language model's name.
    `answers` is true where `text` begins with the question before it, which the quote alone does not hold; `reworded`
    where it is another's wording, which anything that was shown may be in. `sensitive` are the categories of what its
    reader takes for sensitive in its quote (`shared.language.port.Category`).
    """

    utterance: int
    text: str
    content_type: ContentType
    quote_start: int
    quote_end: int
    taboo: bool = False
    importance: int = 5
    explicit: bool = False
    task_hint: str | None = None
    emotion: Emotion | None = None
    answers: bool = False
    reworded: bool = False
    sensitive: frozenset[str] = frozenset()
    method: str = "rules"


class Extractor(Protocol):
    """Finds what a turn says about the person, and what its tools showed."""

    def extract(
        self, utterances: Sequence[Utterance], *, task: str | None = None, before: Sequence[tuple[str, str]] = ()
    ) -> list[Candidate]:
        """Return candidates in the order of their evidence, without duplicates; of user and tool messages.

        Args:
            task: the task its person named and is at, if any: how it ended is worth remembering.
            before: (role, text) of what was said before these, oldest first.
        """
