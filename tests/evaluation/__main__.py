"""Judge what is understood of people's text: by author, language and family (`make eval-memory`).

    python -m tests.evaluation [--weights FOLDER] [--errors] [AUTHOR...]

Without names those authors nothing was ever trained or chosen by. Prints `EVAL_MEMORY {json}`; see `by_author` for
what the figures mean. Sensitive fragments are judged on labelled texts of our own, held-out ones apart.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from shared.language.candidates import Candidate, Utterance
from shared.language.compare import resolve
from shared.language.embedding.bundled import bundled_embedder
from shared.language.extraction import ReaderExtractor
from shared.language.reader.engine import WEIGHTS, Reader
from shared.language.reader.reading import LocalReadings
from tests.evaluation import authors, by_author, sensitivity
from tests.evaluation.authors import Pair, Request, Session
from tests.evaluation.scoring import cases
from tests.evaluation.timelines import Timeline, timelines

T = TypeVar("T", Session, Pair, Request, Timeline)
Score = Callable[[Sequence[T]], dict[str, Any]]


def in_languages(written: Sequence[T], score: Score[T]) -> dict[str, Any]:
    """Return the figures of all that somebody wrote, and of each language apart."""
    languages = sorted({one.language for one in written})
    apart = {language: score([one for one in written if one.language == language]) for language in languages}
    return {**score(written), "languages": apart}


def judged(readings: LocalReadings, who: str, errors: list[str] | None) -> dict[str, Any]:
    """Return the figures of one author."""
    reader = ReaderExtractor(readings)

    def extract(text: str, before: Sequence[tuple[str, str]]) -> list[Candidate]:
        return reader.extract([Utterance(role="user", text=text)], before=before)

    found: dict[str, Any] = {}
    if who in authors.authors("sessions.txt"):
        found["extraction"] = in_languages(
            authors.sessions(who), lambda some: by_author.extraction(some, extract, errors)
        )
        found["met"] = in_languages(
            authors.sessions(who), lambda some: by_author.met(some, partial(resolve, readings=readings))
        )
        found["sensitive"] = in_languages(
            authors.sessions(who), lambda some: by_author.sensitive(some, partial(by_author.secrets, readings))
        )
    if who in authors.authors("pairs.txt"):
        found["pairs"] = in_languages(
            authors.pairs(who), lambda some: by_author.pairs(some, partial(resolve, readings=readings))
        )
    if who in authors.authors("timelines.txt"):
        found["over_months"] = in_languages(
            timelines(who),
            lambda some: by_author.over_months(some, partial(resolve, readings=readings), bundled_embedder()),
        )
    if who in authors.authors("forget.txt"):
        found["requests"] = in_languages(
            authors.requests(who), lambda some: by_author.requests(some, by_author.by_reader(readings), errors)
        )
    return found


def shown(who: str, found: dict[str, Any]) -> str:
    """Return one author's main figures as a line for people."""
    parts = [f"{who:10s}"]
    if one := found.get("extraction"):
        either = f" (of two readers {one['precision_either']})" if "precision_either" in one else ""
        parts.append(f"P {one['precision']}{either} R {one['recall']} safety {one['safety_recall']}")
    if one := found.get("met"):
        parts.append(f"of statements met lost {one['lost']} replaced {one['replaced']}")
    if one := found.get("over_months"):
        parts.append(f"over months lost {one['lost']} replaced {one['replaced']} repeated {one['repeated']}")
        parts.append(f"asked {one['asked']} bothered {one['bothered']} (compared {one['compared']})")
    if one := found.get("sensitive"):
        parts.append(f"sensitive P {one['precision']} R {one['recall']}")
    if one := found.get("pairs"):
        same = one["duplicates"]
        parts.append(f"conflicts {one['conflicts']} duplicates P {same['precision']} R {same['recall']}")
    if one := found.get("requests"):
        parts.append(f"requests {one['right']}")
    return "  ".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="with these weights instead of the bundled ones")
    parser.add_argument("--errors", action="store_true", help="print what went wrong; never of who is only tested on")
    parser.add_argument("who", nargs="*", default=sorted(authors.TESTED_ONLY))
    given = parser.parse_args()
    if given.errors and authors.TESTED_ONLY & set(given.who):
        parser.error("nobody reads what is only tested on")
    readings = LocalReadings(Reader(given.weights))
    results: dict[str, Any] = {}
    for who in given.who:
        errors: list[str] | None = [] if given.errors else None
        results[who] = judged(readings, who, errors)
        print("\n".join([shown(who, results[who]), *sorted(set(errors or []))]), flush=True)
    results["sensitivity"] = {half: sensitivity.score(cases("sensitivity", half)) for half in ("open", "held_out")}
    print("EVAL_MEMORY " + json.dumps(results, ensure_ascii=False))


if __name__ == "__main__":
    main()
