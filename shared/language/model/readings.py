"""A language model as reader; the bundled reader answers if the model is late or its answer is invalid."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import openai
from pydantic import ValidationError

from shared.language.model.questions import (
    MEANT,
    RELATIONS,
    TURN,
    Answer,
    KeptPiece,
    MeantAnswer,
    MeantStatement,
    RelationsAnswer,
    TurnAnswer,
)
from shared.language.port import Habit, Meant, Needed, Readings, Sensitive, Span, Turn
from shared.language.reader.labels import RELATIONS as RELATED
from shared.stores.breaker import Breaker
from shared.stores.port import StoreUnavailable

A = TypeVar("A", bound=Answer)

NAME: Final = "language-model"
_WRAPPING: Final = re.compile(r"^\s*(?:<think>.*?</think>\s*)?(?:```(?:json)?\s*)?(.*?)(?:\s*```)?\s*$", re.DOTALL)
ANSWER_TOKENS: Final = 4_096
"""Longest answer in tokens: endless output is cut here and is then invalid."""
_BAD_REQUEST: Final = 400


class Endpoint:
    """An OpenAI-compatible endpoint. Each question is sent once; after failures the circuit breaker pauses requests.

    Args:
        base_url, model, api_key: the endpoint and its credentials.
        timeout: seconds per answer.
    """

    def __init__(self, *, base_url: str, model: str, api_key: str, timeout: float) -> None:
        self.model = model
        self._client = openai.OpenAI(base_url=base_url, api_key=api_key, timeout=timeout, max_retries=0)
        self._breaker = Breaker(NAME)
        self._knows_schemas = True

    def ask(self, instructions: str, about: Mapping[str, Any], shape: type[A]) -> A:
        """Return the model's answer.

        Raises:
            StoreUnavailable: there was no answer in time, the request was rejected, or the circuit breaker is open.
            ValueError: the answer has another shape.
        """
        said = self._breaker.call(self._answer, instructions, json.dumps(about, ensure_ascii=False), shape)
        found = _WRAPPING.match(said)
        return shape.model_validate_json(found.group(1) if found else said)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _answer(self, instructions: str, about: str, shape: type[A]) -> str:
        if self._knows_schemas:
            with suppress(_NoSuchFormat):
                return self._completed(instructions, about, shape, schemas=True)
        told = self._completed(instructions, about, shape, schemas=False)
        self._knows_schemas = False  # now it is certain that the schema was why it refused
        return told

    def _completed(self, instructions: str, about: str, shape: type[A], *, schemas: bool) -> str:
        schema = shape.model_json_schema()
        if not schemas:
            instructions = f"{instructions}\n\nThe shape, as JSON schema:\n{json.dumps(schema)}"
        form: Any = (
            {"type": "json_schema", "json_schema": {"name": shape.__name__, "schema": schema, "strict": True}}
            if schemas
            else {"type": "json_object"}
        )
        try:
            answer = self._client.chat.completions.create(
                model=self.model,
                temperature=0,
                max_tokens=ANSWER_TOKENS,
                response_format=form,
                messages=[{"role": "system", "content": instructions}, {"role": "user", "content": about}],
            )
        except openai.APIStatusError as error:
            refused = error.status_code
        except openai.OpenAIError:
            refused = 0
        else:
            return _content(answer)
        # Outside the handler: no text of the endpoint becomes part of the exception.
        raise _NoSuchFormat if schemas and refused == _BAD_REQUEST else StoreUnavailable(NAME)


class _NoSuchFormat(Exception):
    """The endpoint refuses a request with a schema."""


def _content(answer: Any) -> str:
    """Return the text of a completion; nothing if it is none, as the page of a proxy that asks to sign in."""
    try:
        told = answer.choices[0].message.content
    except (AttributeError, IndexError, KeyError, TypeError):
        return ""
    return told if isinstance(told, str) else ""


def _all(texts: Sequence[str]) -> Sequence[bool]:
    """Allow everything."""
    return [True] * len(texts)


def _uncounted(_question: str, _outcome: str) -> None:
    """Count nothing."""


@dataclass(frozen=True)
class ModelReadings:
    """Reads with a language model; see `Readings`.

    Args:
        bundled: answers if the model does not.
        agreed: called before each request; returns which statements it may include. The bundled reader handles the
            others. If it raises, nothing is sent.
        counted: receives each question (turn, relations, meant) and its result: `model`, or `unavailable` or
            `invalid` if
            the bundled reader answers.
    """

    endpoint: Endpoint
    bundled: Readings
    agreed: Callable[[Sequence[str]], Sequence[bool]] = _all
    counted: Callable[[str, str], None] = _uncounted

    def turn(self, text: str, before: Sequence[tuple[str, str]]) -> Turn:
        self.agreed([])
        said = [{"role": role, "text": one} for role, one in before]
        answer = self._ask("turn", TURN, {"before": said, "message": text}, TurnAnswer)
        if answer is None:
            return self.bundled.turn(text, before)
        kept = sorted(_located(text, answer.kept), key=lambda span: span.start)
        sensitive = tuple(
            Sensitive(start, start + len(one.quote), 1.0, one.category)
            for one in answer.sensitive
            for start in _places(text, one.quote)
        )
        return Turn(tuple(kept), sensitive, method=f"model:{self.endpoint.model}")

    def relations(self, later: str, earlier: Sequence[str]) -> list[Mapping[str, float]]:
        mine, *theirs = self.agreed([later, *earlier])
        shown = [text for text, may in zip(earlier, theirs, strict=True) if may and mine]
        told: dict[int, str] = {}
        if shown:
            answer = self._ask("relations", RELATIONS, {"new": later, "earlier": _numbered(shown)}, RelationsAnswer)
            told = {one.id: one.relation for one in answer.relations} if answer is not None else {}
        by_model = iter([told.get(place) for place, _ in enumerate(shown, 1)])
        said = [next(by_model) if may and mine else None for may in theirs]
        left = iter(
            self.bundled.relations(later, [text for text, one in zip(earlier, said, strict=True) if one is None])
        )
        return [next(left) if one is None else {name: float(name == one) for name in RELATED} for one in said]

    def meant(self, description: str, said: Sequence[str]) -> list[Meant]:
        mine, *theirs = self.agreed([description, *said])
        if not said or not (mine and all(theirs)):
            return self.bundled.meant(description, said)
        about = {"description": description, "statements": _numbered(said)}
        answer = self._ask("meant", MEANT, about, MeantAnswer)
        if answer is None:
            return self.bundled.meant(description, said)
        told = {one.id: one for one in answer.statements}
        return [_meant(text, told.get(place)) for place, text in enumerate(said, 1)]

    def needed(self, question: str, remembered: Sequence[str]) -> list[Needed]:
        """Ask the bundled reader: this question is for answers without a language model."""
        return self.bundled.needed(question, remembered)

    def habits(self, text: str) -> list[Habit]:
        """Ask the bundled reader, which knows the catalogue."""
        return self.bundled.habits(text)

    def _ask(self, question: str, instructions: str, about: Mapping[str, Any], shape: type[A]) -> A | None:
        try:
            return answered(self.endpoint, self.counted, question, (instructions, about, shape))
        except StoreUnavailable:
            return None


def answered(
    endpoint: Endpoint,
    counted: Callable[[str, str], None],
    question: str,
    request: tuple[str, Mapping[str, Any], type[A]],
) -> A | None:
    """Return the model's answer to a question; None if it has not the shape that was asked for.

    Args:
        counted: receives the question's name and its result: `model`, `unavailable` or `invalid`.
        request: instructions, material and shape, as `Endpoint.ask` takes them.

    Raises:
        StoreUnavailable: there is no answer.
    """
    try:
        answer = endpoint.ask(*request)
    except StoreUnavailable:
        counted(question, "unavailable")
        raise
    except (ValidationError, ValueError):
        counted(question, "invalid")
        return None
    counted(question, "model")
    return answer


def _meant(text: str, told: MeantStatement | None) -> Meant:
    if told is None or told.meant == "none":
        return Meant(0.0, 0.0)
    start = text.find(told.quote) if told.quote else -1
    if told.meant == "part" and told.quote and start >= 0:
        return Meant(0.0, 1.0, ((start, start + len(told.quote)),))
    return Meant(1.0, 0.0)


def _numbered(texts: Iterable[str]) -> list[dict[str, Any]]:
    return [{"id": number, "text": text} for number, text in enumerate(texts, 1)]


def _located(text: str, pieces: Sequence[KeptPiece]) -> Iterator[Span]:
    """Yield pieces that occur exactly in the text; a repeated piece is assigned to its next occurrence."""
    taken: set[int] = set()
    for piece in pieces:
        for start in _places(text, piece.quote):
            if start not in taken:
                taken.add(start)
                end = start + len(piece.quote)
                wording = (piece.wording or "").strip()
                yield Span(start, end, 1.0, piece.type, float(piece.safety), piece.about, piece.time, wording)
                break


def _places(text: str, quote: str) -> list[int]:
    return [found.start() for found in re.finditer(re.escape(quote), text)] if quote.strip() else []
