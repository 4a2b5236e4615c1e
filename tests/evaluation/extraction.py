"""How well extraction finds what a conversation says about a person, against labelled cases (MC-05, LT-05).

A candidate is right when it matches an expected unit: the same utterance, one of the unit's `types`, every `must`
string in its text whatever the case, and overlapping quotes. Each unit and each candidate match at most once.
A candidate too many whose quote lies inside a labelled quote of its case is neither right nor wrong: it says a part
of what was expected again. Every other candidate is wrong.

    python -m tests.evaluation.extraction             the open half's figures
    python -m tests.evaluation.extraction --errors    and what was missed or wrong
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.language.extraction import ReaderExtractor
from shared.models.extraction import Candidate, Extractor, Utterance
from tests.evaluation.bundled import bundled
from tests.evaluation.scoring import Case, Tally, best_pairs, by_language, cases, share

MARKS = ("taboo", "explicit")
"""Secondary labels, compared on matched pairs only."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One case with what the extractor made of it."""

    case: Case
    matched: tuple[tuple[Mapping[str, Any], Candidate], ...]
    missing: tuple[Mapping[str, Any], ...]
    wrong: tuple[Candidate, ...]

    @property
    def tally(self) -> Tally:
        """The case's counts."""
        return Tally(len(self.matched), len(self.wrong), len(self.missing))


def judge(case: Case, extractor: Extractor) -> Judged:
    """Extract from one case and pair what was found with what was expected."""
    utterances = [Utterance(role=said["role"], text=said["text"]) for said in case["utterances"]]
    spans = [_span(case, unit) for unit in case["expected"]]
    found = extractor.extract(utterances)
    pairs = best_pairs(
        [[i for i, candidate in enumerate(found) if _meets(unit, span, candidate)] for unit, span in _units(case)]
    )
    paired = set(pairs.values())
    return Judged(
        case=case,
        matched=tuple((case["expected"][left], found[right]) for left, right in sorted(pairs.items())),
        missing=tuple(unit for left, unit in enumerate(case["expected"]) if left not in pairs),
        wrong=tuple(
            candidate
            for i, candidate in enumerate(found)
            if i not in paired and not any(_inside(candidate, span) for span in spans)
        ),
    )


def score(labelled: Sequence[Case], extractor: Extractor | None = None) -> dict[str, Any]:
    """Return precision and recall over `labelled`, per language too, and how often the marks of matched pairs agree."""
    judged = [judge(case, extractor or ReaderExtractor(bundled())) for case in labelled]
    languages = by_language(labelled)
    return {
        **_figures(judged),
        "cases": len(judged),
        "languages": {
            language: _figures([one for one in judged if one.case["lang"] == language]) for language in languages
        },
        "agreement": {mark: _agreement(judged, mark) for mark in MARKS},
    }


def _units(case: Case) -> list[tuple[Mapping[str, Any], tuple[int, int, int]]]:
    return [(unit, _span(case, unit)) for unit in case["expected"]]


def _span(case: Case, unit: Mapping[str, Any]) -> tuple[int, int, int]:
    """Return a unit's evidence as (utterance, start, end)."""
    start = case["utterances"][unit["utterance"]]["text"].index(unit["quote"])
    return unit["utterance"], start, start + len(unit["quote"])


def _meets(unit: Mapping[str, Any], span: tuple[int, int, int], candidate: Candidate) -> bool:
    utterance, start, end = span
    return (
        candidate.utterance == utterance
        and candidate.content_type in unit["types"]
        and all(word.lower() in candidate.text.lower() for word in unit["must"])
        and candidate.quote_start < end
        and start < candidate.quote_end
    )


def _inside(candidate: Candidate, span: tuple[int, int, int]) -> bool:
    utterance, start, end = span
    return candidate.utterance == utterance and start <= candidate.quote_start and candidate.quote_end <= end


def _figures(judged: Sequence[Judged]) -> dict[str, float]:
    total = Tally()
    for one in judged:
        total.add(one.tally)
    return total.figures()


def _agreement(judged: Sequence[Judged], mark: str) -> dict[str, float]:
    """Return how often matched pairs agree on a mark, and among those labelled with it."""
    pairs = [(unit.get(mark, False), getattr(candidate, mark)) for one in judged for unit, candidate in one.matched]
    agreed = sum(expected == given for expected, given in pairs)
    labelled = [given for expected, given in pairs if expected]
    return {
        "agreed": round(share(agreed, len(pairs)), 4),
        "found_of_labelled": round(share(sum(labelled), len(labelled)), 4),
    }


def _print_errors(judged: Sequence[Judged]) -> None:
    for one in judged:
        if not one.missing and not one.wrong:
            continue
        print(f"\n{one.case['id']}")
        for said in one.case["utterances"]:
            if said["role"] == "user":
                print(f"    {said['text']}")
        for unit in one.missing:
            print(f"  missed {unit['types']} {unit['quote']!r} must {unit['must']}")
        for candidate in one.wrong:
            print(f"  wrong  {candidate.content_type} {candidate.text!r}")


def main() -> None:
    """Print the open half's figures; the held-out half is never looked at."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--errors", action="store_true", help="print what was missed or wrong too")
    options = arguments.parse_args()
    labelled = cases("extraction", "open")
    print(json.dumps(score(labelled), indent=2))
    if options.errors:
        _print_errors([judge(case, ReaderExtractor(bundled())) for case in labelled])


if __name__ == "__main__":
    main()
