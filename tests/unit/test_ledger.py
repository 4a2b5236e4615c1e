"""The ledger's chain: what was sealed cannot be changed, left out, added or moved unnoticed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.ledger.book import LedgerFile
from shared.ledger.rules import (
    START,
    Entry,
    Head,
    NotAnEntry,
    Tampered,
    canonical,
    check_chain,
    check_link,
    from_document,
    to_document,
)
from shared.runtime.signing import Signer, fingerprint, is_signed
from tests.support.ledger_entries import SIGNER, chain, link


def head_of(entry: Entry) -> Head:
    return Head(entry.seq, entry.hash)


def test_a_chain_holds_and_survives_being_written_and_read() -> None:
    entries = chain(5)
    check_chain(entries)
    assert [from_document(json.loads(canonical(to_document(entry)))) for entry in entries] == entries


@given(place=st.integers(0, 4), what=st.sampled_from(["note", "seq", "kind", "receipt", "operation", "run"]))
def test_any_changed_member_of_any_entry_is_noticed(place: int, what: str) -> None:
    entries = chain(5)
    said = {**entries[place].said, what: str(uuid4()) if what in ("receipt", "operation") else 7}
    entries[place] = replace(entries[place], body=canonical(said))
    with pytest.raises(Tampered):
        check_chain(entries)


@given(place=st.integers(0, 3))
def test_an_entry_left_out_moved_or_sealed_again_is_noticed(place: int) -> None:
    entries = chain(5)
    with pytest.raises(Tampered):
        check_chain([*entries[:place], *entries[place + 1 :]])
    moved = [*entries]
    moved[place], moved[place + 1] = moved[place + 1], moved[place]
    with pytest.raises(Tampered):
        check_chain(moved)
    with pytest.raises(Tampered):  # a new body with a fitting hash: what follows no longer does
        check_chain([*entries[:place], link(entries[place].prev_hash, place + 1), *entries[place + 1 :]])


def test_an_entry_that_claims_something_else_than_its_body_is_noticed() -> None:
    with pytest.raises(Tampered):
        check_link(replace(link(), seq=2))
    with pytest.raises(Tampered):
        check_link(replace(link(), receipt_id=uuid4()))


@pytest.mark.parametrize("document", [None, [], "x", {}, {"body": {}}, {"body": {"seq": "x"}}])
def test_what_is_no_entry_is_refused(document: object) -> None:
    with pytest.raises(NotAnEntry):
        from_document(document)


def test_only_the_owner_of_the_key_signs() -> None:
    entry = link()
    assert is_signed(entry.hash, entry.signature, SIGNER.public_key)
    assert not is_signed(entry.hash, entry.signature, Signer("another secret").public_key)
    assert not is_signed(entry.hash + b"x", entry.signature, SIGNER.public_key)
    assert not is_signed(entry.hash, entry.signature, "no key")
    assert Signer("a secret of an installation").public_key == SIGNER.public_key
    assert fingerprint(SIGNER.public_key) != fingerprint(Signer("another secret").public_key)


def test_the_file_returns_what_continues_an_entry(tmp_path: Path) -> None:
    book, entries = LedgerFile(tmp_path / "files"), chain(200)
    assert book.beyond(START) == []
    assert book.beyond(head_of(entries[0])) is None
    book.append(entries[:100])
    book.append(entries[100:])
    assert book.beyond(head_of(entries[-1])) == []
    assert book.beyond(head_of(entries[3])) == entries[4:]
    assert book.chain() == entries
    assert book.beyond(Head(3, uuid4().bytes * 2)) is None
    assert (book.path.stat().st_mode & 0o777) == 0o600


def test_a_line_cut_short_by_a_crash_hides_nothing_that_follows(tmp_path: Path) -> None:
    book, entries = LedgerFile(tmp_path), chain(3)
    book.append(entries[:1])
    with book.path.open("ab") as file:
        file.write(canonical(to_document(entries[1])).encode()[:50])
    assert book.beyond(head_of(entries[0])) == []
    book.append(entries[1:])
    assert book.chain() == entries


def test_lines_a_stopped_process_wrote_late_are_followed_by_nobody(tmp_path: Path) -> None:
    book, entries = LedgerFile(tmp_path), chain(4)
    late = link(entries[0].hash, 2)
    book.append([*entries[:2], late, *entries[2:]])
    assert book.chain() == entries
    assert book.beyond(head_of(entries[1])) == entries[2:]
    check_chain(book.chain())


def test_an_entry_taken_out_of_the_file_ends_its_chain_there(tmp_path: Path) -> None:
    book, entries = LedgerFile(tmp_path), chain(4)
    book.append([entries[0], *entries[2:]])
    assert book.chain() == entries[:1]
