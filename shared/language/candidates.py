"""The results of extraction, whether by rules, the bundled reader or a language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from shared.kernel.emotions import Emotion

ContentType: TypeAlias = Literal[
    "preference", "fact", "constraint", "note", "episodic", "task_outcome", "tool_experience"
]


COVER = "█"
"""Replaces a hidden character."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One message as input of extraction; `name` is the speaker or tool, if known.

    `covered` are character spans hidden from every reader: sensitive content, and content the person asked not to
    learn.
    """

    role: str
    text: str
    name: str | None = None
    covered: tuple[tuple[int, int], ...] = ()

    @property
    def shown(self) -> str:
        """The text with covered characters replaced by `COVER`, so that all offsets stay valid."""
        text = self.text
        for start, end in self.covered:
            last = min(end, len(text))
            text = text[:start] + COVER * (last - start) + text[last:]
        return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A statement worth remembering.

    `text` is a self-contained sentence in the speaker's language; `quote_start`/`quote_end` are half-open character
    offsets of its evidence in `utterances[utterance].text` (LT-02).

    `taboo` marks safety matters and taboos (MC-14). `importance` is 1…10 (LT-01, default 5). `explicit` is true for
    "remember that …" / "记住…" (LT-05).

    `task_hint` is the task it applies to, in the speaker's words ("write reports" / "写周报"), None if it is general.
    `emotion` is the feeling the speaker states. `method` is `rules`, `reader`, or `model:` and a language model's name.

    `answers` is true if `text` begins with the preceding question, which is not in the quote. `reworded` is true if a
    model worded `text`; it may then contain anything the model was shown. `sensitive` are the categories of sensitive
    content its reader found in the quote (`shared.language.port.Category`).
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
    """Finds statements about the person and results of tools in a turn."""

    def extract(
        self, utterances: Sequence[Utterance], *, task: str | None = None, before: Sequence[tuple[str, str]] = ()
    ) -> list[Candidate]:
        """Return candidates from user and tool messages, ordered by their evidence, without duplicates.

        Args:
            task: the task the person is working on, if they named one; its outcome is worth remembering.
            before: (role, text) of earlier messages, oldest first.
        """
