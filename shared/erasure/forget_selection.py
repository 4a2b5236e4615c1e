"""Forget exactly what a person picked: whole messages and memories, or only spans of their text (X-06)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from uuid import UUID

from shared.conversations.summarise import queue_roll
from shared.erasure.accept import ForgetRequest, accept_forget, fenced, merged
from shared.erasure.rewrite_parts import rewrite_parts
from shared.erasure.rules.scopes import KINDS_LEARNED_FROM_A_TURN
from shared.erasure.rules.selection import Kind, Picked, may_say, version_of
from shared.erasure.sql import selections
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound, SelectionChanged
from shared.kernel.locks import one_at_a_time
from shared.kernel.spans import Span, touches
from shared.kernel.subjects import Subject
from shared.lineage.sql import do_not_learn, lineage
from shared.lineage.sql.lineage import Items
from shared.outbox.sql import operations, targets
from shared.outbox.sql.targets import Parts
from shared.preferences.sql import support


def forget_selection(tx: Transaction, subject: Subject, picked: Sequence[Picked], request: ForgetRequest) -> None:
    """Forget the picked items and all text derived from them.

    The rest of a partly picked item is rewritten: a message keeps its place, a memory is replaced by a new one. An item
    derived from a message's other words stays if a quote shows that; everything else is derived again from the rest.

    Raises:
        SelectionChanged: a picked item has changed or is gone.
        SubjectBusy: the fence could not be taken in time.
    """
    _await_learning(tx, subject, picked)
    subject = fenced(tx, subject)
    if not all(_unchanged(tx, subject, kind, picked) for kind in ("message", "memory")):
        raise SelectionChanged
    _accept(tx, subject, picked, request)


def forget_selection_again(
    tx: Transaction, subject: Subject, items: Mapping[str, Sequence[UUID]], parts: Parts, request: ForgetRequest
) -> None:
    """Repeat a forget of a selection after a backup was restored.

    What is forgotten only in part is rewritten at once: later entries name what was left, and places in it.

    Args:
        items: restored ids that were hidden then, by kind. Kinds that cannot be picked are found again from these.
        parts: the spans to erase of the items that are forgotten only in part.

    Raises:
        SubjectBusy: as `forget_selection`.
    """
    messages = {one: parts.get("message", {}).get(one, ()) for one in items.get("message", [])}
    cut = parts.get("memory", {})
    # What was made of the messages went with them: nobody picked it, and what else it was learned from stays.
    made = set(_reached(tx, messages).get("memory", [])) - set(cut)
    picked = [Picked(kind="message", id=one, version="", spans=spans) for one, spans in messages.items()]
    picked += [
        Picked(kind="memory", id=one, version="", spans=cut.get(one, ()))
        for one in items.get("memory", [])
        if one not in made
    ]
    _await_learning(tx, subject, picked)
    subject = fenced(tx, subject)
    _accept(tx, subject, picked, request)
    if parts and not operations.undo_ends_in(tx, subject.id):
        rewrite_parts(tx, subject, targets.read(tx, request.operation_id))


def pick(tx: Transaction, subject: Subject, ids: Collection[UUID]) -> list[Picked]:
    """Return these messages and memories of a person as whole picked items in their current state.

    Raises:
        NotFound: an id is neither a message nor a memory of this person.
    """
    kinds: tuple[Kind, ...] = ("message", "memory")
    picked = [
        Picked(kind=kind, id=item_id, version=version_of(*state))
        for kind in kinds
        for item_id, state in selections.texts(tx, subject.id, kind, sorted(ids)).items()
    ]
    if len(picked) != len(ids):
        raise NotFound("item")
    return picked


def _await_learning(tx: Transaction, subject: Subject, picked: Iterable[Picked]) -> None:
    if any(one.spans for one in picked):  # a dry run rewrites at once, so lock learning before the fence
        one_at_a_time(tx, "learning", str(subject.id))


def _unchanged(tx: Transaction, subject: Subject, kind: str, picked: Sequence[Picked]) -> bool:
    wanted = {one.id: one.version for one in picked if one.kind == kind}
    now = selections.texts(tx, subject.id, kind, list(wanted))
    return wanted == {item_id: version_of(*found) for item_id, found in now.items()}


def _accept(tx: Transaction, subject: Subject, picked: Sequence[Picked], request: ForgetRequest) -> None:
    messages = {one.id: one.spans for one in picked if one.kind == "message"}
    memories = {one.id: one.spans for one in picked if one.kind == "memory"}
    whole = {version for memory in _whole(memories) for version in lineage.versions_by_hand(tx, memory)}
    named = sorted(whole | set(memories))
    _never_learn_again(tx, subject, memories, named, request)
    # A memory the person reworded by hand depends on the rest; one a model learned while shown this memory does not.
    shown = selections.learned_when_shown(tx, sorted(set(named) - whole))
    sources = merged({"memory": [*whole, *shown], "message": _whole(messages)}, _made_of(tx, messages))
    gone = merged(sources, lineage.derived_text(tx, sources), {"memory": named, "message": list(messages)})
    gone = merged(gone, support.behind(tx, named))
    again = lineage.surviving_turns(tx, sorted(set(gone.get("memory", [])) - set(named)))
    rewritten = [message_id for message_id, spans in messages.items() if spans]
    parts = {"message": messages, "memory": memories}
    accept_forget(
        tx,
        subject,
        request,
        "selection",
        gone,
        survivors=sorted({*again, *selections.turns_of(tx, rewritten)}),
        named=named,
        parts={kind: kept for kind, all_ in parts.items() if (kept := {one: s for one, s in all_.items() if s})},
    )
    for conversation_id in selections.conversations_of_summaries(tx, gone.get("summary", [])):
        queue_roll(tx, subject.id, conversation_id, again=True)


def _reached(tx: Transaction, messages: Mapping[UUID, Sequence[Span]]) -> Items:
    """Return what goes with these messages."""
    sources = merged({"message": _whole(messages)}, _made_of(tx, messages))
    return merged(sources, lineage.derived_text(tx, sources))


def _whole(items: Mapping[UUID, Sequence[Span]]) -> list[UUID]:
    return [item_id for item_id, spans in items.items() if not spans]


def _made_of(tx: Transaction, messages: Mapping[UUID, Sequence[Span]]) -> Items:
    """Return the items derived from these messages in one step that may contain erased text.

    The turn decides (decision 23): its episodes are included, and everything a model learned from the whole turn. A
    memory is kept if it quotes other words than the erased ones, and says none of these besides.
    """
    found: dict[str, set[UUID]] = {}
    for made in selections.made_of_turns(tx, list(messages)):
        if made.kind == "memory" and made.quote is not None and not made.context:
            spans = messages.get(made.message_id)
            goes = spans is not None and (
                not spans
                or touches(*made.quote, spans)
                or may_say(made.text, made.said, made.quote, spans, method=made.method)
            )
        elif made.message_id in messages:
            goes = True
        else:
            goes = made.kind in KINDS_LEARNED_FROM_A_TURN and not made.context
        if goes:
            found.setdefault(made.kind, set()).add(made.id)
    return {kind: sorted(ids) for kind, ids in found.items()}


def _never_learn_again(
    tx: Transaction,
    subject: Subject,
    memories: Mapping[UUID, Sequence[Span]],
    named: Sequence[UUID],
    request: ForgetRequest,
) -> None:
    """Mark the quotes of these memories as never to be learned again.

    Of a memory that is forgotten in part, mark only that part if its position in the quote is known.
    """
    do_not_learn.mark_quotes_of(
        tx, [memory for memory in named if not memories.get(memory)], operation_id=request.operation_id
    )
    partly = [memory for memory in memories if memories[memory]]
    lengths = {memory: len(text) for memory, (text, _) in selections.texts(tx, subject.id, "memory", partly).items()}
    forbidden: list[do_not_learn.Span] = []
    for memory, message_id, quote in selections.quotes_of(tx, partly):
        start, end = quote or (0, do_not_learn.WHOLE_MESSAGE)
        if end - start == lengths.get(memory):
            forbidden += [(message_id, start + first, start + last) for first, last in memories[memory]]
        else:
            forbidden.append((message_id, start, end))
    do_not_learn.mark(tx, subject.id, forbidden, operation_id=request.operation_id)
