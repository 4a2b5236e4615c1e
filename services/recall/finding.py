"""Find the messages and memories a description means; nothing is changed (X-06)."""

from __future__ import annotations

from typing import Final, Literal

from services.recall.described import Candidate, Finding
from services.recall.finding_schemas import CandidateOut, FoundToForgetOut, NothingCode, PartOut, ReasonOut
from shared.kernel.database import Database
from shared.kernel.readers import Reader
from shared.language.descriptions import Description
from shared.language.meaning import Reason
from shared.language.port import Readings
from shared.recall.sql.statements import RememberedStatement, SaidStatement
from shared.recall.stores import Stores
from shared.runtime.describing import Patience
from shared.runtime.selection_tokens import SelectionTokens

WORDS: Final[dict[Reason, dict[Literal["en", "zh"], str]]] = {
    "identifier": {"en": "It has this identifier.", "zh": "提到了这个编号。"},
    "words": {"en": "It speaks of this.", "zh": "说的是这件事。"},
    "meaning": {"en": "Its meaning fits.", "zh": "意思相符。"},
    "answer": {"en": "It repeats what would go.", "zh": "重复了会被忘掉的内容。"},
    "label": {"en": "Its label speaks of this.", "zh": "标签里提到了。"},
}


def find_to_forget(
    database: Database,
    stores: Stores,
    readings: Readings,
    tokens: SelectionTokens,
    reader: Reader | None,
    description: Description,
    patience: Patience,
    *,
    project_id: str | None,
    limit: int,
) -> FoundToForgetOut:
    """Return the items a description means, with a token for exactly that selection.

    Args:
        database: under the role that reads visible rows only.
        stores: for the memories nearest in meaning.
        readings: judges texts.
        reader: None if nothing was ever stored about the person.

    Raises:
        TooManyTerms: the description has too many search words.
        TookTooLong, Stopped: as `Patience.check`.
    """
    description.check()
    if description.nothing == "everything" or reader is None:
        return _nothing(description.nothing or "nothing_matches")
    if description.nothing:
        return _nothing(description.nothing)
    finding = Finding(database, stores, readings, reader, description, project_id, patience, most=limit + 1)
    found = finding.run()
    if not found:
        return _nothing("nothing_matches")
    return FoundToForgetOut(
        candidates=[_out(one, description.language) for one in found[:limit]],
        token=tokens.seal(reader.subject_id, [one.picked for one in found[:limit]]),
        more=finding.more or len(found) > limit,
        nothing=None,
    )


def _out(candidate: Candidate, language: Literal["en", "zh"]) -> CandidateOut:
    item, meant = candidate.item, candidate.meant
    message = item if isinstance(item, SaidStatement) else None
    parts = [PartOut(start=start, end=end, text=item.text[start:end]) for start, end in meant.spans]
    return CandidateOut(
        id=item.id,
        kind="message" if message else "memory",
        content=item.text,
        parts=parts or None,
        reasons=[ReasonOut(code=meant.reason, words=WORDS[meant.reason][language])],
        sure=meant.sure,
        role=message.role if message else None,
        content_type=item.content_type if isinstance(item, RememberedStatement) else None,
        conversation_id=message.conversation_id if message else None,
        said_at=item.said_at if isinstance(item, RememberedStatement) else item.spoken_at,
    )


def _nothing(why: NothingCode) -> FoundToForgetOut:
    return FoundToForgetOut(candidates=[], token=None, more=False, nothing=why)
