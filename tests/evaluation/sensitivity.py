"""How well sensitive fragments are found, against labelled texts (FC-10, MC-17).

A found span is right when it has a labelled span's category and the two overlap by at least half of each. Each
labelled span and each found span match at most once.

    python -m tests.evaluation.sensitivity             the open half's figures
    python -m tests.evaluation.sensitivity --errors    and what was missed or wrong
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from shared.kernel.sensitivity import Category
from shared.language.sensitivity import Found, find
from tests.evaluation.scoring import Case, Tally, best_pairs, by_language, cases


@dataclass(frozen=True, slots=True)
class Judged:
    """One case with what was found in it."""

    case: Case
    right: tuple[Found, ...]
    missing: tuple[Found, ...]
    wrong: tuple[Found, ...]

    def tally(self, category: str | None = None) -> Tally:
        """Return the case's counts, of one category or all."""
        return Tally(*(_count(spans, category) for spans in (self.right, self.wrong, self.missing)))


def judge(case: Case) -> Judged:
    """Find what is sensitive in one case and pair it with what is labelled."""
    labelled = _labelled(case)
    found = find(case["text"])
    pairs = best_pairs([[i for i, one in enumerate(found) if _meets(label, one)] for label in labelled])
    paired = set(pairs.values())
    return Judged(
        case=case,
        right=tuple(labelled[left] for left in pairs),
        missing=tuple(label for left, label in enumerate(labelled) if left not in pairs),
        wrong=tuple(one for i, one in enumerate(found) if i not in paired),
    )


def score(labelled: Sequence[Case]) -> dict[str, Any]:
    """Return precision and recall over `labelled`, and the same per language and per category."""
    judged = [judge(case) for case in labelled]
    return {
        **_figures(judged),
        "cases": len(judged),
        "languages": {
            language: _figures([one for one in judged if one.case["lang"] == language])
            for language in by_language(labelled)
        },
        "categories": {category: _figures(judged, category) for category in get_args(Category)},
    }


def _labelled(case: Case) -> list[Found]:
    """Return a case's labelled spans; a fragment that is labelled twice is there twice."""
    spans: list[Found] = []
    text = case["text"]
    for label in case["spans"]:
        taken = [span.end for span in spans if text[span.start : span.end] == label["text"]]
        start = text.index(label["text"], max(taken, default=0))
        spans.append(Found(label["category"], start, start + len(label["text"])))
    return spans


def _meets(label: Found, found: Found) -> bool:
    shared = min(label.end, found.end) - max(label.start, found.start)
    return label.category == found.category and 2 * shared >= max(label.end - label.start, found.end - found.start)


def _count(spans: Iterable[Found], category: str | None) -> int:
    return sum(category in (None, span.category) for span in spans)


def _figures(judged: Iterable[Judged], category: str | None = None) -> dict[str, float]:
    total = Tally()
    for one in judged:
        total.add(one.tally(category))
    return total.figures()


def _print_errors(judged: Iterable[Judged]) -> None:
    for one in judged:
        if not one.missing and not one.wrong:
            continue
        text = one.case["text"]
        print(f"\n{one.case['id']}\n    {text}")
        for span in one.missing:
            print(f"  missed {span.category} {text[span.start : span.end]!r}")
        for span in one.wrong:
            print(f"  wrong  {span.category} {text[span.start : span.end]!r}")


def main() -> None:
    """Print the open half's figures; the held-out half is for the evaluation, not for whoever writes the rules."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--errors", action="store_true", help="print what was missed or wrong too")
    options = arguments.parse_args()
    labelled = cases("sensitivity", "open")
    print(json.dumps(score(labelled), indent=2))
    if options.errors:
        _print_errors(map(judge, labelled))


if __name__ == "__main__":
    main()
