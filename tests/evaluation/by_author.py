"""How well the product understands what independent authors wrote, each author apart.

    python -m tests.evaluation.by_author [--rules | --weights FOLDER] [--errors] AUTHOR...

Extraction: a candidate is right when it holds at least half of a piece the author would keep, or lies inside it; a
piece is found when a right candidate overlaps it. Pairs: the earlier statement is remembered, the later one is said;
`conflicts` is the share of those that are not the same that come to the right outcome, `duplicates` precision, recall
and F1 of the same. Requests: one is right when of all that was said exactly what must go is meant.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from shared.language.descriptions import corrected, meant_of
from shared.language.extraction import ReaderExtractor
from shared.language.port import Readings
from shared.language.relations import resolve_together
from shared.models.descriptions import Said, Search, unit_meant
from shared.models.extraction import Candidate, Utterance
from shared.models.relations import Resolution, Statement
from shared.models.relations import resolve as resolve_by_rules
from tests.evaluation import authors
from tests.evaluation.authors import Pair, Request, Session
from tests.evaluation.scoring import share as exact_share

OUTCOMES: Final = {
    "same": "same",
    "replaces": "replaces",
    "unclear": "disputes",
    "narrows": "new",
    "unrelated": "new",
    authors.APART: "new",
}
Extract = Callable[[str, Sequence[tuple[str, str]]], list[Candidate]]
Resolve = Callable[[Statement, Sequence[Statement]], Resolution]


def extraction(sessions: Sequence[Session], extract: Extract, errors: list[str] | None = None) -> dict[str, Any]:
    """Return precision, recall, recall of safety facts, and the share of right types."""
    right = made = found = wanted = safe = safety = typed = 0
    for session in sessions:
        for place, (role, text) in enumerate(session.turns):
            if role != "user":
                continue
            kept = [(one, text.index(one.quote)) for one in session.kept if one.turn == place]
            candidates = extract(text, session.turns[:place])
            made += len(candidates)
            hits: dict[int, Candidate] = {}
            for candidate in candidates:
                met = [
                    number
                    for number, (one, start) in enumerate(kept)
                    if _overlap(candidate, start, start + len(one.quote))
                    >= min(len(one.quote), candidate.quote_end - candidate.quote_start) / 2
                ]
                right += bool(met)
                hits |= dict.fromkeys(met, candidate)
                if not met and errors is not None:
                    errors.append(f"+ {session.id} {candidate.text!r}")
            wanted += len(kept)
            found += len(hits)
            safety += sum(one.safety for one, _ in kept)
            safe += sum(kept[number][0].safety for number in hits)
            typed += sum(kept[number][0].type == one.content_type for number, one in hits.items())
            if errors is not None:
                errors += [
                    f"- {session.id} {one.quote!r}" for number, (one, _) in enumerate(kept) if number not in hits
                ]
    return {
        "precision": share(right, made),
        "recall": share(found, wanted),
        "safety_recall": share(safe, safety),
        "types": share(typed, found),
        "pieces": wanted,
        "safety_pieces": safety,
        "candidates": made,
    }


def _overlap(candidate: Candidate, start: int, end: int) -> int:
    return max(0, min(candidate.quote_end, end) - max(candidate.quote_start, start))


def pairs(written: Sequence[Pair], resolve: Resolve) -> dict[str, Any]:
    """Return the share of conflicts told rightly, by relation too, and how well duplicates are found."""
    seen: Counter[tuple[str, str]] = Counter()
    for pair in written:
        resolution = resolve(Statement(pair.later, "fact"), [Statement(pair.earlier, "fact")])
        seen[pair.relation, resolution.outcome] += 1
    counts = Counter(pair.relation for pair in written)
    right = {relation: seen[relation, outcome] for relation, outcome in OUTCOMES.items()}
    others = [relation for relation in counts if relation != "same"]
    predicted = sum(seen[relation, "same"] for relation in counts)
    precision, recall = share(right["same"], predicted), share(right["same"], counts["same"])
    return {
        "conflicts": share(sum(right[one] for one in others), sum(counts[one] for one in others)),
        "by_relation": {one: share(right[one], counts[one]) for one in sorted(counts)},
        "duplicates": {
            "precision": precision,
            "recall": recall,
            "f1": round(2 * precision * recall / (precision + recall), 3) if precision + recall else 0.0,
        },
        "pairs": len(written),
    }


Choose = Callable[[Request], list[list[tuple[int, int]]]]
"""Returns for each thing said which of its characters are meant."""


def requests(written: Sequence[Request], choose: Choose, errors: list[str] | None = None) -> dict[str, Any]:
    """Return the share of requests that mean exactly what must go, to forget and to correct apart, and by family."""
    right: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for request in written:
        meant = choose(request)
        gone = [text[start:end] for text, spans in zip(request.said, meant, strict=True) for start, end in spans]
        wrong = [f"stays: {key}" for key in request.go if not any(key in piece for piece in gone)]
        wrong += [
            f"lost: {key}"
            for key in request.stay
            if any(
                start < (place := text.find(key)) + len(key) and end > place >= 0
                for text, spans in zip(request.said, meant, strict=True)
                for start, end in spans
            )
        ]
        kind = "forget" if request.statement is None else "correct"
        for group in (kind, request.family):
            counts[group] += 1
            right[group] += not wrong
        if wrong and errors is not None:
            errors.append(f"? {request.id} {request.family} {request.asked!r} {wrong}")
    kinds = ("forget", "correct")
    return {
        "right": share(sum(right[one] for one in kinds), sum(counts[one] for one in kinds)),
        **{one: share(right[one], counts[one]) for one in kinds},
        "by_family": {one: share(right[one], counts[one]) for one in sorted(counts) if one not in kinds},
        "requests": len(written),
    }


def by_rules(request: Request) -> list[list[tuple[int, int]]]:
    """Choose as the rules do, each thing said being a memory."""
    now = datetime(2026, 6, 1, tzinfo=UTC)
    if request.statement is not None:
        meant = unit_meant(request.asked, request.statement, request.said, now).meant
        return [[(0, len(text))] if place == meant else [] for place, text in enumerate(request.said)]
    search = Search(request.asked, now)
    said = [Said(text=text, at=now) for text in request.said]
    if search.asked().nothing == "everything":
        return [[(0, len(text))] for text in request.said]
    if search.asked().nothing:
        return [[] for _ in said]
    search.learn(said)
    for loosely in (False, True):
        if search.begin(loosely=loosely) and any(found := search.memories(said)):
            return [
                [] if one is None else list(one.spans) or [(0, len(text))]
                for one, text in zip(found, request.said, strict=True)
            ]
    return [[] for _ in said]


def by_reader(readings: Readings) -> Choose:
    """Choose as the reader does."""

    def choose(request: Request) -> list[list[tuple[int, int]]]:
        if request.statement is not None:
            likely = corrected(request.asked, request.statement, request.said, readings)
            best = max(likely)
            return [[(0, len(text))] if one == best else [] for one, text in zip(likely, request.said, strict=True)]
        found = meant_of(request.asked, request.said, readings)
        return [
            [] if one is None else [one.span or (0, len(text))] for one, text in zip(found, request.said, strict=True)
        ]

    return choose


def share(part: int, whole: int) -> float:
    """Return a share as `scoring` counts it, rounded for people."""
    return round(exact_share(part, whole), 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, help="with these weights instead of the bundled ones")
    parser.add_argument("--rules", action="store_true", help="judge the rules alone")
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("who", nargs="+")
    given = parser.parse_args()
    extract: Extract
    resolve: Resolve
    choose: Choose = by_rules
    if given.rules:
        extract = lambda _, __: []  # noqa: E731 # rules find nothing by themselves
        resolve = resolve_by_rules
    else:
        from shared.language.reader.engine import WEIGHTS, Reader
        from shared.language.reader.reading import LocalReadings

        readings = LocalReadings(Reader(given.weights or WEIGHTS))
        reader = ReaderExtractor(readings)
        choose = by_reader(readings)
        extract = lambda text, before: reader.extract([Utterance(role="user", text=text)], before=before)  # noqa: E731
        resolve = lambda new, old: resolve_together(new, old, readings)  # noqa: E731
    for who in given.who:
        errors: list[str] | None = [] if given.errors else None
        result: dict[str, Any] = {}
        if who in authors.authors("sessions.txt"):
            result["extraction"] = extraction(authors.sessions(who), extract, errors)
        if who in authors.authors("pairs.txt"):
            result["pairs"] = pairs(authors.pairs(who), resolve)
        if who in authors.authors("forget.txt"):
            result["requests"] = requests(authors.requests(who), choose, errors)
        print(who, json.dumps(result, ensure_ascii=False))
        print("\n".join(errors or []))


if __name__ == "__main__":
    main()
