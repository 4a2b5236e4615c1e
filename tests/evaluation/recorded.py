"""Judge a language model's reading by answers a large one gave once: prompts, checks and fallbacks, offline.

    python -m tests.evaluation.recorded                judge the answers in `data/recorded.jsonl` and the reader
    python -m tests.evaluation.recorded --write FILE   write the requests, one JSON object a line, to be answered anew

The cases are of authors the reader was chosen by. An answer is used as it came: what is no JSON of the right shape, or
quotes what was not said, is dealt with as the product does.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from shared.language.candidates import Utterance
from shared.language.compare import resolve
from shared.language.extraction import ReaderExtractor
from shared.language.model.readings import Endpoint, ModelReadings
from shared.language.port import Readings
from shared.language.reader.engine import Reader
from shared.language.reader.reading import LocalReadings
from tests.evaluation import authors, by_author
from tests.evaluation.authors import DATA, Pair, Request, Session

ANSWERS: Final = DATA / "recorded.jsonl"
TURNS: Final = 180
PAIRS: Final = 110
REQUESTS: Final = 40


class Recorded(Endpoint):
    """Answers as it was recorded; what was never asked it answers with nothing, which is no answer."""

    model = "recorded"

    def __init__(self) -> None:
        lines = [json.loads(line) for line in ANSWERS.read_text(encoding="utf-8").splitlines()]
        answers = {line["case"]: line["answer"] for line in lines}
        self._answers = {_key(about): json.dumps(answers[case]) for case, _, about in asked()}

    def ask(self, instructions: str, about: Mapping[str, Any], shape: Any) -> Any:
        """Return the recorded answer, if it has the shape."""
        del instructions
        answer: BaseModel = shape.model_validate_json(self._answers.get(_key(about), ""))
        return answer


def _key(about: Mapping[str, Any]) -> str:
    return json.dumps(about, sort_keys=True)


def turns() -> list[Session]:
    """Return the sessions whose turns are judged."""
    found: list[Session] = []
    for session in authors.sessions("juniper"):
        if sum(role == "user" for one in (*found, session) for role, _ in one.turns) > TURNS:
            break
        found.append(session)
    return found


def pairs() -> list[Pair]:
    """Return the pairs that are judged."""
    return [*authors.pairs("juniper")[: PAIRS // 2], *authors.pairs("tamarind")[3 :: 700 // (PAIRS // 2)]]


def requests() -> list[Request]:
    """Return the requests to forget that are judged."""
    return [one for one in authors.requests("juniper") if one.statement is None][:REQUESTS]


def asked() -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield (case, question, what it is about) of the cases that are judged."""
    for session in turns():
        for place, (role, text) in enumerate(session.turns):
            if role == "user":
                before = [{"role": who, "text": said} for who, said in session.turns[:place][-10:]]
                yield f"{session.id}-{place}", "turn", {"before": before, "message": text}
    for pair in pairs():
        yield pair.id, "relations", {"new": pair.later, "earlier": [{"id": 1, "text": pair.earlier}]}
    for request in requests():
        said = [{"id": number, "text": text} for number, text in enumerate(request.said, 1)]
        yield request.id, "meant", {"description": request.asked, "statements": said}


def judged(readings: Readings) -> dict[str, Any]:
    """Return how well these readings do on the cases."""
    reader = ReaderExtractor(readings)
    return {
        "extraction": by_author.extraction(
            turns(),
            lambda text, before: reader.extract([Utterance(role="user", text=text)], before=before[-10:]),
        ),
        "pairs": by_author.pairs(pairs(), lambda new, old: resolve(new, old, readings)),
        "requests": by_author.requests(requests(), by_author.by_reader(readings)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    if given.write is not None:
        lines = [{"case": case, "question": question, "about": about} for case, question, about in asked()]
        given.write.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines), encoding="utf-8")
        print(f"{len(lines)} requests")
        return
    counted: Counter[str] = Counter()
    bundled = LocalReadings(Reader())
    recorded = ModelReadings(
        Recorded(), bundled, counted=lambda question, outcome: counted.update([f"{question} {outcome}"])
    )
    print("EVAL_RECORDED", json.dumps({"model": judged(recorded), "asked": counted, "bundled": judged(bundled)}))


if __name__ == "__main__":
    main()
