"""Screen text written by hand like messages: nothing sensitive is remembered (FC-10, MC-17)."""

from __future__ import annotations

from typing import Final

from shared.kernel.metadata import Metadata, screened
from shared.kernel.sensitivity import Policy
from shared.language.sensitivity import screen
from shared.runtime.problems import ApiProblem, ProblemKind

SENSITIVE: Final = ProblemKind(
    status=422,
    code="sensitive_content",
    title="This contains something that is never remembered.",
    detail="`details.categories` lists the categories. Nothing was stored.",
)


def remembered_of(texts: dict[str, str], policy: Policy) -> tuple[dict[str, str], list[str]]:
    """Return the texts that may be remembered, by name, and the categories redacted in them.

    Raises:
        ApiProblem: 422 `sensitive_content`, with the rejected categories.
    """
    screened = {name: screen(text, policy) for name, text in texts.items()}
    found = {pair for one in screened.values() for pair in one.withheld}
    if rejected := sorted({category for category, outcome in found if outcome == "rejected"}):
        raise ApiProblem(SENSITIVE, details={"categories": rejected})
    kept = {name: one.text for name, one in screened.items() if one.text is not None}
    return kept, sorted({category for category, outcome in found if outcome == "redacted"})


def check_external_id(external_id: str | None, policy: Policy) -> None:
    """Refuse an id with something that is never remembered; it could not be changed without losing its meaning.

    Raises:
        ApiProblem: as `remembered_of`.
    """
    if external_id is None:
        return
    _, redacted = remembered_of({"": external_id}, policy)
    if redacted:
        raise ApiProblem(SENSITIVE, details={"categories": redacted})


def check_filter(metadata: Metadata | None, policy: Policy) -> None:
    """Refuse a filter by something that is never remembered: it would find nothing where it was left out.

    Raises:
        ApiProblem: as `remembered_of`.
    """
    _, redacted = remembered_metadata(metadata or {}, policy)
    if redacted:
        raise ApiProblem(SENSITIVE, details={"categories": redacted})


def remembered_metadata(metadata: Metadata, policy: Policy) -> tuple[Metadata, list[str]]:
    """Return the metadata that may be remembered, and the categories redacted in it.

    Raises:
        ApiProblem: as `remembered_of`.
    """
    redacted: set[str] = set()

    def screen_one(text: str) -> str:
        kept, found = remembered_of({"": text}, policy)
        redacted.update(found)
        return kept[""]

    return screened(metadata, screen_one) or {}, sorted(redacted)
