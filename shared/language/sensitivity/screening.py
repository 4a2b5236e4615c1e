"""Apply a policy to the sensitive fragments of a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from types import MappingProxyType

from shared.kernel.sensitivity import OUTCOMES, Action, Category, Outcome, Policy
from shared.language.sensitivity.finding import find
from shared.language.sensitivity.spans import Found


@dataclass(frozen=True, slots=True)
class Screened:
    """`text` may be remembered (None: nothing may be); `withheld` counts the fragments left out."""

    text: str | None = field(repr=False)
    withheld: Mapping[tuple[Category, Outcome], int]


def screen(text: str, policy: Policy) -> Screened:
    """Return the text that may be remembered, and how many fragments were withheld by category (FC-10).

    A fragment the policy rejects rejects the whole text. Redacted fragments become `[email]`, `[phone]`, …: the
    category's name, which is the same in every language. If the text is rejected, fragments to be redacted are counted
    too.
    """
    found = find(text)
    counts: Counter[tuple[Category, Outcome]] = Counter(
        (one.category, OUTCOMES[policy[one.category]]) for one in found if policy[one.category] != "allow"
    )
    rejected = any(policy[one.category] == "reject" for one in found)
    return Screened(
        text=None if rejected else _replaced(text, found, policy, frozenset({"redact"})),
        withheld=MappingProxyType(dict(counts)),
    )


def mask(text: str, policy: Policy) -> str:
    """Return `text` with rejected and redacted fragments replaced, safe to show a language model (MC-17)."""
    return _replaced(text, find(text), policy, frozenset({"reject", "redact"}))


def mask_pages(pages: Sequence[str], policy: Policy) -> list[str]:
    """Return the pages of one text with rejected and redacted fragments replaced, also those that go on over a page."""
    cut = [one for one in find("\n".join(pages)) if policy[one.category] in ("reject", "redact")]
    masked = []
    start = 0
    for page in pages:
        end, at, pieces = start + len(page), 0, []
        for one in cut:
            if one.end <= start or one.start >= end:
                continue
            begins = one.start >= start
            pieces += [page[at : max(0, one.start - start)], f"[{one.category}]" if begins else ""]
            at = one.end - start
        masked.append("".join([*pieces, page[at:]]))
        start = end + 1
    return masked


def _replaced(text: str, found: list[Found], policy: Policy, actions: AbstractSet[Action]) -> str:
    pieces = []
    at = 0
    for one in found:
        if policy[one.category] in actions:
            pieces += [text[at : one.start], f"[{one.category}]"]
            at = one.end
    return "".join([*pieces, text[at:]])
