"""After a backup was restored, repeat every later forget that the ledger records (P4, X-05)."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, TypeAlias
from uuid import UUID

from shared.contexts.sql import contexts
from shared.erasure.accept import ForgetRequest, accept_forget, fenced
from shared.erasure.consent import withdraw_again
from shared.erasure.forget import (
    clear_conversation,
    forget_conversation,
    forget_memories_again,
    forget_messages_again,
    forget_together_again,
    forget_user,
)
from shared.erasure.forget_selection import forget_selection_again
from shared.erasure.forget_traits import forget_traits_again
from shared.erasure.reconcile import queue_reconcile
from shared.erasure.rules.confirmation import CONFIRMATIONS
from shared.kernel import items, subjects
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound
from shared.kernel.ids import OperationId, SubjectId
from shared.kernel.locks import one_at_a_time
from shared.kernel.spans import Span
from shared.kernel.subjects import Subject
from shared.ledger.book import Book
from shared.ledger.record import Seal, merge_branch
from shared.ledger.rules import Entry, Tampered, check_link, is_intact, longest_chain
from shared.ledger.sql import entries as ledger
from shared.lineage.sql import do_not_learn
from shared.outbox.sql import operations
from shared.outbox.sql.targets import Parts
from shared.traits.sql import asking

Outcome: TypeAlias = Literal["adopted", "forgotten again", "nothing left", "merged"]
"""Entry whose operation exists; forget that was repeated; forget whose target the backup does not contain; branch."""

ACTOR = "operator:replay"


class Forked(Exception):
    """Two histories of this installation continued the chain; only a replay that merges takes over both."""


class Replay:
    """Adopts ledger entries one by one, each in its own transaction, so that a replay can be interrupted.

    Args:
        book: the ledger outside the database.
        with_seal: what this installation signs with.
        merging: also take over branches: entries that another history of this installation wrote after one that both
            have. The chain keeps them under an entry that names their last one.
    """

    def __init__(self, book: Book, with_seal: Seal, *, merging: bool = False) -> None:
        self._book = book
        self._seal = with_seal
        self._merging = merging
        self._ahead: deque[Entry] = deque()
        self._branch = b""
        self._people: dict[str, SubjectId] | None = None

    def step(self, tx: Transaction) -> Outcome | None:
        """Adopt the next entry; None if the database and the book agree.

        Raises:
            Tampered: the entry was changed or not signed by us; replay must stop.
            Forked: another history of this installation continued the chain.
        """
        tx.take_time(elsewhere=True)
        one_at_a_time(tx, "ledger", patient=True)
        if not self._branch:
            return self._continue(tx)
        while self._ahead and ledger.holds(tx, self._ahead[0].hash):
            self._ahead.popleft()  # adopted already
        if self._ahead:
            return self._adopt(tx, self._ahead[0], branch=self._branch)
        merge_branch(tx, self._branch, book=self._book, with_seal=self._seal)
        self._branch = b""
        return "merged"

    def _continue(self, tx: Transaction) -> Outcome | None:
        head = ledger.head(tx)
        while self._ahead and self._ahead[0].prev_hash != head.hash:
            self._ahead.popleft()  # adopted already
        if not self._ahead:
            self._ahead.extend(self._book.beyond(head) or [])
        if self._ahead:
            return self._adopt(tx, self._ahead[0])
        if self._merging and self._begin_branch(tx):
            return self.step(tx)
        if ledger.is_restored(tx, self._book):
            self._explain(tx)
        return None

    def _begin_branch(self, tx: Transaction) -> bool:
        """Find what is to be merged: the rest of a branch whose merge was interrupted, or the longest in the book."""
        lost = [entry for entry in ledger.unknown(tx, self._book.read()) if self._is_sound(entry)]
        found: list[list[Entry]] = [
            longest_chain(lost, link) for link in {entry.prev_hash for entry in lost} if ledger.holds(tx, link)
        ]
        begun = [branch for branch, is_named in ledger.branches(tx).items() if not is_named]
        if begun:
            found = [branch for branch in found if branch[-1].hash == begun[0]]
        elif not found:
            return False
        found.sort(key=len)
        self._ahead.extend(found[-1] if found else ())
        self._branch = begun[0] if begun else self._ahead[-1].hash
        return True

    def _is_sound(self, entry: Entry) -> bool:
        return is_intact(entry) and self._seal.is_ours(entry)

    def _explain(self, tx: Transaction) -> None:
        lost = [entry for entry in ledger.unknown(tx, self._book.read()) if self._is_sound(entry)]
        if not self._merging and any(ledger.holds(tx, entry.prev_hash) for entry in lost):
            raise Forked
        raise Tampered("An entry is missing or damaged, and those below it name forgets the database lacks.")

    def _adopt(self, tx: Transaction, entry: Entry, *, branch: bytes = b"") -> Outcome:
        check_link(entry)
        if not self._seal.is_ours(entry):
            raise Tampered("The entry was signed with another key.")
        ledger.add(tx, [entry], branch=branch)
        if entry.kind == "accepted" and ledger.missing_operations(tx, [entry]):
            for kind in items.kinds():
                if kind.on_restore:
                    kind.on_restore(tx)  # an older package may contain what this or a later entry erased
            queue_reconcile(tx, anew=True)  # the stores may hold the target under keys missing from this database
            return self._forget_again(tx, entry)
        ledger.prove_again(tx, entry)
        return "adopted"

    def _forget_again(self, tx: Transaction, entry: Entry) -> Outcome:
        if self._people is None:
            self._people = subjects.by_digest(tx)
        subject_id = self._people.get(entry.said["subject"])
        subject = subjects.read(tx, subject_id) if subject_id else None
        if subject is None:
            return "nothing left"
        request = ForgetRequest(
            actor=ACTOR, operation_id=OperationId(entry.op_id), receipt_id=entry.receipt_id, run=entry.run + 1
        )
        with suppress(NotFound):
            _accept(tx, subject, {**entry.said, "target": _erased(entry.said["target"])}, request)
        return "forgotten again" if operations.exists(tx, entry.op_id) else "nothing left"


def _erased(target: dict[str, Any]) -> dict[str, Any]:
    """Return a target without the packages that older ledgers name; they are revoked anyway."""
    named = {kind.name for kind in items.erased_kinds()}
    return {**target, "items": {kind: digests for kind, digests in target["items"].items() if kind in named}}


def _accept(tx: Transaction, subject: Subject, said: dict[str, Any], request: ForgetRequest) -> None:
    target = said["target"]
    match said["scope"]:
        case "user":
            forget_user(tx, subject, request, confirmation=min(CONFIRMATIONS), close_account=target["close_account"])
        case "conversation" | "clear" as scope:
            forget = forget_conversation if scope == "conversation" else clear_conversation
            for conversation_id in _named(tx, subject, "conversation", [target["conversation"]]):
                forget(tx, subject, conversation_id, request)
        case "message":
            if messages := _named(tx, subject, "message", target["items"].get("message", [])):
                forget_messages_again(tx, subject, messages, request)
        case "selection":
            _forget_selection(tx, subject, target, request)
        case "revocation" | "block" | "expiry":
            _accept_of_consent(tx, subject, said, request)


def _accept_of_consent(tx: Transaction, subject: Subject, said: dict[str, Any], request: ForgetRequest) -> None:
    target = said["target"]
    named = {kind: _named(tx, subject, kind, digests) for kind, digests in target["items"].items()}
    match said["scope"]:
        case "revocation":
            withdraw_again(tx, subject, target["noted"]["consent"], request, named=named)
        case "block":
            for conversation_id in _named(tx, subject, "conversation", [target["conversation"]]):
                contexts.block(tx, fenced(tx, subject), conversation_id=conversation_id)
        case "expiry" if named.get("context"):
            accept_forget(tx, fenced(tx, subject), request, "expiry", {"context": named["context"]}, preferences=False)


def _forget_selection(tx: Transaction, subject: Subject, target: dict[str, Any], request: ForgetRequest) -> None:
    spans = _spans(tx, subject, target["spans"])
    do_not_learn.mark(tx, subject.id, spans, operation_id=request.operation_id)
    selectable = [kind.name for kind in items.kinds() if kind.selectable]
    named_items = {kind: _named(tx, subject, kind, target["items"].get(kind, [])) for kind in selectable}
    if target["items"].get("message") or target.get("parts"):
        if any(named_items.values()):
            forget_selection_again(
                tx, subject, named_items, _parts(subject, named_items, target.get("parts", [])), request
            )
        return
    if target["items"].keys() <= {"trait", "observation"} and not target["spans"]:
        inferred = {kind: _named(tx, subject, kind, target["items"].get(kind, [])) for kind in ("trait", "observation")}
        if any(inferred.values()) or target.get("noted"):
            forget_traits_again(tx, subject, inferred, target.get("noted", {}), request)
        else:  # the backup is older than what was inferred, but not than all it was inferred from
            asking.start_anew(tx, subject)
        return
    if any(named_items[kind] for kind in ("signal", "feedback", "context", "document")):
        forget_together_again(tx, subject, named_items, request)
        return
    named = named_items["memory"]
    # Restored memories learned from exactly this quote. A whole quoted message may have taught other memories.
    quoted = [span for span in spans if span[2] < do_not_learn.WHOLE_MESSAGE]
    if gone := named or do_not_learn.learned_from(tx, quoted):
        forget_memories_again(tx, subject, gone, request)


def _spans(tx: Transaction, subject: Subject, named: list[list[Any]]) -> list[do_not_learn.Span]:
    """Return the spans that must never be learned from again, for messages that exist."""
    messages = {subject.digest("message", str(one)).hex(): one for one in items.ids_of(tx, subject.id, "message")}
    return [(messages[digest], start, end) for digest, start, end in named if digest in messages]


def _parts(subject: Subject, gone: Mapping[str, Sequence[UUID]], named: list[list[Any]]) -> Parts:
    """Return the spans of items that were erased only in part, for items that exist."""
    ids = {(kind, subject.digest(kind, str(one)).hex()): one for kind, found in gone.items() for one in found}
    parts: dict[str, dict[UUID, tuple[Span, ...]]] = {}
    for kind, digest, start, end in named:
        if (kind, digest) in ids:
            of_kind, item = parts.setdefault(kind, {}), ids[kind, digest]
            of_kind[item] = (*of_kind.get(item, ()), (start, end))
    return parts


def _named(tx: Transaction, subject: Subject, kind: str, digests: list[str]) -> list[UUID]:
    """Return the person's items that the ledger names by keyed digest."""
    wanted = set(digests)
    return [item for item in items.ids_of(tx, subject.id, kind) if subject.digest(kind, str(item)).hex() in wanted]
