"""How well what independent authors wrote is understood, each author apart.

Extraction: a candidate is right when it holds at least half of a piece the author would keep, or lies inside it; a
piece is found when a right candidate overlaps it. Where a second reader judged the same chats, `precision_either`
counts what either of the two would keep, and `second` how well that reader meets the author's labels: nobody can be
expected to do better. Pairs: the earlier statement is remembered, the later one is said; `conflicts` is the share of
those that are not the same that come to the right outcome, `duplicates` precision, recall and F1 of the same.
Met: what is worth remembering of a chat, one after the other beside what it said before, as the product meets it:
nearly nothing is replaced. `lost` is the share of statements that are taken for one before them or take the place of
one that they leave as it is, `replaced` the share of true replacements that are seen.
Timelines: what somebody said over months, each line beside those before it in force that the product would compare it
with. `lost` and `replaced` as above, a replacement and a repetition counting for each
other; `asked` is the share of unclear lines about which the person would be asked, `bothered` of lines that are clear.
Sensitive fragments: what must not be remembered as it is (no health, names or addresses) is found when rules or the
reader mark a piece that meets it; precision asks the same of what they mark.
Requests: one is right when of all that was said exactly what must go is meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

import numpy as np

from shared.language.candidates import Candidate, Utterance
from shared.language.compare import Resolution, Statement, worth_comparing
from shared.language.corrections import to_correct
from shared.language.descriptions import Description, Said
from shared.language.embedding.bundled import Embedder
from shared.language.embedding.maps import towards_concerned
from shared.language.meaning import meant_of
from shared.language.port import Readings
from shared.language.sensitivity import find as find_sensitive
from tests.evaluation import authors
from tests.evaluation.authors import Pair, Request, Session
from tests.evaluation.scoring import share as exact_share
from tests.evaluation.timelines import Timeline

OUTCOMES: Final = {
    "same": "same",
    "replaces": "replaces",
    "unclear": "disputes",
    "narrows": "new",
    "unrelated": "new",
    authors.APART: "new",
}
Extract = Callable[[str, Sequence[tuple[str, str]]], list[Candidate]]
Resolve = Callable[..., Resolution]
Place: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Turn:
    """What the product, the author and a second reader keep of one turn."""

    candidates: list[Candidate]
    kept: list[authors.Kept]
    places: list[Place]
    second: list[Place]


def extraction(sessions: Sequence[Session], extract: Extract, errors: list[str] | None = None) -> dict[str, Any]:
    """Return precision, recall, recall of safety facts, and the share of right types."""
    turns: list[Turn] = []
    author = sessions[0].author
    seconds = authors.second(author) if author in authors.authors("second.txt") else None
    for session in sessions:
        for place, (role, text) in enumerate(session.turns):
            if role == "user":
                kept = [one for one in session.kept if one.turn == place]
                quotes = (seconds or {}).get((session.id, place), [])
                found = extract(text, session.turns[:place])
                turns.append(Turn(found, kept, _places(text, [one.quote for one in kept]), _places(text, quotes)))
                if errors is not None:
                    errors += _errors(session.id, turns[-1])
    told = [(kept, _found(where, turn)) for turn in turns for kept, where in zip(turn.kept, turn.places, strict=True)]
    safety = [candidates for kept, candidates in told if kept.safety]
    made = [(turn, _place(candidate)) for turn in turns for candidate in turn.candidates]
    figures: dict[str, Any] = {
        "precision": share(sum(_meets(where, turn.places) for turn, where in made), len(made)),
        "recall": share(sum(bool(candidates) for _, candidates in told), len(told)),
        "safety_recall": share(sum(map(bool, safety)), len(safety)),
        "types": share(
            sum(kept.type == candidates[0].content_type for kept, candidates in told if candidates),
            sum(bool(candidates) for _, candidates in told),
        ),
        "pieces": len(told),
        "safety_pieces": len(safety),
        "candidates": len(made),
    }
    if seconds is not None:
        theirs = [(turn, where) for turn in turns for where in turn.second]
        figures["precision_either"] = share(
            sum(_meets(where, [*turn.places, *turn.second]) for turn, where in made), len(made)
        )
        figures["second"] = {
            "precision": share(sum(_meets(where, turn.places) for turn, where in theirs), len(theirs)),
            "recall": share(sum(_meets(where, turn.second) for turn in turns for where in turn.places), len(told)),
        }
    return figures


def _places(text: str, quotes: Sequence[str]) -> list[Place]:
    return [(text.index(quote), text.index(quote) + len(quote)) for quote in quotes]


def _place(candidate: Candidate) -> Place:
    return candidate.quote_start, candidate.quote_end


def _meets(one: Place, others: Sequence[Place]) -> bool:
    """Return whether a piece shares with any other at least half of the shorter of the two."""
    return any(
        max(0, min(one[1], end) - max(one[0], start)) >= min(one[1] - one[0], end - start) / 2 for start, end in others
    )


def _found(place: Place, turn: Turn) -> list[Candidate]:
    return [one for one in turn.candidates if _meets(_place(one), [place])]


def _errors(session: str, turn: Turn) -> list[str]:
    wrong = [f"+ {session} {one.text!r}" for one in turn.candidates if not _meets(_place(one), turn.places)]
    return wrong + [
        f"- {session} {kept.quote!r}"
        for kept, place in zip(turn.kept, turn.places, strict=True)
        if not _found(place, turn)
    ]


def pairs(written: Sequence[Pair], resolve: Resolve) -> dict[str, Any]:
    """Return the share of conflicts told rightly, by relation and family too, and how well duplicates are found."""
    told = [(pair, resolve(Statement(pair.later), [Statement(pair.earlier)]).outcome) for pair in written]
    seen: Counter[tuple[str, str]] = Counter((pair.relation, outcome) for pair, outcome in told)
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
        "by_family": {
            family: share(
                sum(OUTCOMES[one.relation] == outcome for one, outcome in told if one.family == family),
                sum(one.family == family for one in written),
            )
            for family in sorted({one.family for one in written})
        },
        "pairs": len(written),
    }


def met(sessions: Sequence[Session], resolve: Resolve) -> dict[str, Any]:
    """Return how many statements of a chat are lost among those before them, and how many replacements are seen."""
    lost = replaced = statements = replacements = 0
    for session in sessions:
        for place, kept in enumerate(session.kept):
            before = [Statement(one.quote) for one in session.kept[:place]]
            if not before:
                continue
            found = resolve(Statement(kept.quote), before)
            statements += 1
            replacements += kept.replaces is not None
            taken = set(found.of) if found.outcome in ("same", "replaces") else set()
            replaced += kept.replaces in taken and found.outcome == "replaces"
            lost += bool(taken - {kept.replaces})
    return {
        "lost": share(lost, statements),
        "replaced": share(replaced, replacements),
        "statements": statements,
        "replacements": replacements,
    }


def over_months(written: Sequence[Timeline], resolve: Resolve, embedder: Embedder) -> dict[str, Any]:
    """Return how many statements of a life are lost, and how many that end or repeat another are seen to."""
    counts: Counter[str] = Counter()
    for timeline in written:
        vectors = np.array(embedder.passages([line.text for line in timeline.lines]), np.float32)
        for place, line in enumerate(timeline.lines):
            looking = towards_concerned(vectors[place].tolist())
            near = timeline.nearest(place, vectors, looking)
            if not near:
                continue
            among = len(near)
            near = near[: worth_comparing((vectors[near] @ np.array(looking)).tolist())]
            found = resolve(Statement(line.text), [Statement(timeline.lines[one].text) for one in near], among=among)
            named = {near[one] for one in found.of}
            taken = named if found.outcome in ("same", "replaces") else set()
            told = line.relations
            meant = {one for one, relation in told.items() if relation in ("same", "replaces")}
            kinds = {relation: {one for one in told if told[one] == relation} for relation in set(told.values())}
            counts["lines"] += 1
            counts["lost"] += bool(taken - meant)
            for relation, places in kinds.items():
                counts[relation] += 1
                counts[f"{relation} beside"] += bool(places & set(near))
                counts[f"{relation} seen"] += bool(places & (named if relation == "unclear" else taken))
            counts["bothered"] += found.outcome == "disputes" and not set(told.values()) & {"unclear", "replaces"}
    return {
        "lost": share(counts["lost"], counts["lines"]),
        "replaced": share(counts["replaces seen"], counts["replaces"]),
        "repeated": share(counts["same seen"], counts["same"]),
        "asked": share(counts["unclear seen"], counts["unclear"]),
        "bothered": share(counts["bothered"], counts["lines"]),
        "compared": share(counts["replaces beside"], counts["replaces"]),
        "lines": counts["lines"],
    }


SECRET: Final = frozenset(
    {"bank_account", "credential", "email", "file_path", "identity", "payment", "phone", "wallet"}
)
"""Labels of pieces that must not be remembered as they are, whatever a policy makes of names and places."""


def sensitive(sessions: Sequence[Session], find: Callable[[str], Sequence[Place]]) -> dict[str, Any]:
    """Return how well what is secret is found in what people say, and its recall by category."""
    right: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    hits = found = 0
    for session in sessions:
        for place, (role, text) in enumerate(session.turns):
            if role != "user":
                continue
            marked = find(text)
            labels = [one for one in session.sensitive if one.turn == place]
            wherever = _places(text, [one.quote for one in labels])
            for label, where in zip(labels, wherever, strict=True):
                if label.label in SECRET:
                    counts[label.label] += 1
                    right[label.label] += _meets(where, marked)
            found += len(marked)
            hits += sum(_meets(one, wherever) for one in marked)
    return {
        "precision": share(hits, found),
        "recall": share(right.total(), counts.total()),
        "by_category": {one: share(right[one], counts[one]) for one in sorted(counts)},
        "pieces": counts.total(),
    }


def secrets(readings: Readings, text: str) -> list[Place]:
    """Return where the product, by rules and by what the reader marks in the rest, finds something secret."""
    by_rules = [(one.start, one.end) for one in find_sensitive(text) if one.category != "name"]
    read = readings.turn(Utterance(role="user", text=text, covered=tuple(by_rules)).shown, ())
    return by_rules + [(one.start, one.end) for one in read.sensitive if one.category in SECRET]


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


NOW: Final = datetime(2026, 6, 1, tzinfo=UTC)


def by_reader(readings: Readings) -> Choose:
    """Choose as the product does of everything that could be looked at."""

    def choose(request: Request) -> list[list[tuple[int, int]]]:
        if request.statement is not None:
            found = to_correct(request.asked, request.statement, request.said, readings)
            return [
                list(found.spans) or [(0, len(text))] if place == found.meant else []
                for place, text in enumerate(request.said)
            ]
        description = Description(request.asked, NOW)
        if description.nothing:
            everything = description.nothing == "everything"
            return [[(0, len(text))] if everything else [] for text in request.said]
        meant = meant_of(description, [Said(text=text, at=NOW) for text in request.said], readings)
        return [
            [] if one is None else list(one.spans) or [(0, len(text))]
            for one, text in zip(meant, request.said, strict=True)
        ]

    return choose


def share(part: int, whole: int) -> float:
    """Return a share as `scoring` counts it, rounded for people."""
    return round(exact_share(part, whole), 3)
