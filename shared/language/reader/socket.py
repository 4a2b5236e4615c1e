"""Client of the bundled reader in the embedder process."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shared.language.embedding.bundled import Unembeddable
from shared.language.embedding.socket import PATIENCE_SECONDS, Lane, Lost, ask
from shared.language.port import Habit, Meant, Needed, Sensitive, Span, Turn
from shared.language.reader.parts import Budget, by_parts

if TYPE_CHECKING:
    from shared.language.reader.reading import LocalReadings


@dataclass(frozen=True)
class SocketReadings:
    """Reads through the embedder process, whose sockets are in `folder`; see `Readings`.

    Raises:
        EmbedderUnavailable: there was no answer within `patience` seconds.
        Unembeddable: the text crashed the process twice.
        EmbedderFailed: the model raised an error.
    """

    folder: Path
    patience: float = field(default=PATIENCE_SECONDS, kw_only=True)

    def turn(self, text: str, before: Sequence[tuple[str, str]]) -> Turn:
        return by_parts(self._part, text, before)

    def _part(self, text: str, before: Sequence[tuple[str, str]], left: Budget) -> tuple[Turn, Budget]:
        about = {"text": text, "before": [list(one) for one in before[-2:]], "left": asdict(left)}
        found = self._ask("turn", about)
        kept = tuple(Span(**one) for one in found["kept"])
        return Turn(kept, tuple(Sensitive(**one) for one in found["sensitive"])), Budget(**found["left"])

    def relations(self, later: str, earlier: Sequence[str]) -> list[Mapping[str, float]]:
        found: list[Mapping[str, float]] = self._ask("relations", {"later": later, "earlier": list(earlier)})
        return found

    def meant(self, description: str, said: Sequence[str]) -> list[Meant]:
        found = self._ask("meant", {"description": description, "said": list(said)})
        return [Meant(one["whole"], one["part"], tuple(map(tuple, one["spans"]))) for one in found]

    def needed(self, question: str, remembered: Sequence[str]) -> list[Needed]:
        found = self._ask("needed", {"question": question, "remembered": list(remembered)})
        return [Needed(**one) for one in found]

    def habits(self, text: str) -> list[Habit]:
        return [Habit(**one) for one in self._ask("habits", {"text": text})]

    def _ask(self, question: str, about: Mapping[str, Any]) -> Any:
        request = json.dumps([question, about]).encode()
        for _ in range(2):
            try:
                return json.loads(ask(self.folder, Lane.READINGS, request, patience=self.patience))
            except Lost:
                continue
        raise Unembeddable


def answered(readings: LocalReadings, asked: Any) -> Any:
    """Return the answer to a request as plain data."""
    question, about = asked
    if question == "turn":
        before = [(role, text) for role, text in about["before"]]
        turn, left = readings.part(about["text"], before, Budget(**about["left"]))
        return {**asdict(turn), "left": asdict(left)}
    if question == "relations":
        return readings.relations(about["later"], about["earlier"])
    if question == "needed":
        return [asdict(one) for one in readings.needed(about["question"], about["remembered"])]
    if question == "habits":
        return [asdict(one) for one in readings.habits(about["text"])]
    return [asdict(one) for one in readings.meant(about["description"], about["said"])]
