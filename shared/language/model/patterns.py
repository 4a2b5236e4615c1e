"""A language model that proposes which behaviors messages show, in two phases: first questions, then evidence (TR-09).

Generative Agents (Park et al. 2023, section 4.2) reflect likewise: questions are asked about recent memories, and what
is found for them is the evidence. Here both are about a closed vocabulary; the model writes no sentence about a person,
and its answers carry no numbers but the ids of what it was shown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import Field

from shared.language.model.questions import MATERIAL, Answer
from shared.language.model.readings import Endpoint, answered
from shared.language.port import Place

QUESTIONS_MAX: Final = 6

QUESTIONS: Final = f"""\
These are recent messages of one person to an assistant, and patterns of behavior. Choose at most {QUESTIONS_MAX} \
patterns of which the messages give reason to ask whether they are this person's habit. For each, write one question \
whose answer would be found in things the person said: a short sentence as the person might have said it, in their \
language. Choose none if there is no reason.

{MATERIAL}"""
EVIDENCE: Final = f"""\
These are messages of one person to an assistant, and patterns of behavior. Say which messages show a pattern of the \
person themself, in what they say they do or ask for. Leave out other people's habits, quotations, jokes, fiction, \
what is imagined, and whatever the message does not show by itself. Most messages show nothing.

- id: of the message. pattern: the id of the pattern, as given.
- context: work, personal, social, learning, or general if it is none of them.

{MATERIAL}"""


class PatternQuestion(Answer):
    """A pattern worth asking about, and what to look for."""

    pattern: str = Field(max_length=80)
    question: str = Field(min_length=1, max_length=300)


class QuestionsAnswer(Answer):
    """The questions of the first phase."""

    questions: list[PatternQuestion] = Field(max_length=50)


class PieceShown(Answer):
    """A message that shows a pattern."""

    id: int
    pattern: str = Field(max_length=80)
    context: Place


class EvidenceAnswer(Answer):
    """The evidence of the second phase."""

    evidence: list[PieceShown] = Field(max_length=400)


@dataclass(frozen=True, slots=True)
class Piece:
    """The message at `place` shows a pattern."""

    place: int
    key: str
    context: Place


@dataclass(frozen=True)
class ModelPatterns:
    """Asks the model. An answer of another shape counts as none.

    Both methods raise `StoreUnavailable` if there is no answer in time.

    Args:
        patterns: what each pattern of the vocabulary is, by key.
        counted: receives each question (patterns, evidence) and its result.
    """

    endpoint: Endpoint
    patterns: Mapping[str, str]
    counted: Callable[[str, str], None]

    def questions(self, texts: Sequence[str]) -> dict[str, str]:
        """Return what to look for, by pattern."""
        patterns = [{"id": key, "what": what} for key, what in self.patterns.items()]
        about = {"patterns": patterns, "messages": list(texts)}
        answer = answered(self.endpoint, self.counted, "patterns", (QUESTIONS, about, QuestionsAnswer))
        found = {one.pattern: one.question for one in (answer.questions if answer else ())}
        return dict([(key, question) for key, question in found.items() if key in self.patterns][:QUESTIONS_MAX])

    def evidence(self, keys: Collection[str], texts: Sequence[str]) -> list[Piece]:
        """Return which of these texts show one of these patterns."""
        about = {
            "patterns": [{"id": key, "what": self.patterns[key]} for key in keys],
            "messages": [{"id": number, "text": text} for number, text in enumerate(texts, 1)],
        }
        answer = answered(self.endpoint, self.counted, "evidence", (EVIDENCE, about, EvidenceAnswer))
        return [
            Piece(one.id - 1, one.pattern, one.context)
            for one in (answer.evidence if answer else ())
            if one.pattern in keys and 1 <= one.id <= len(texts)
        ]
