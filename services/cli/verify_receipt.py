"""`memory-center verify-receipt`: check the proof of a forget or a consent with only the file and a public key."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from services.cli.exit_codes import USAGE, Refusal
from services.cli.installation import DEFAULT_DATA_DIR, AsJson, DataDir, secret
from services.cli.manual import DIRECTORY, manual
from services.cli.terminal import print_json
from shared.outbox.job_kinds import CONSENT_GRANT, RECORDED_ONLY

if TYPE_CHECKING:
    from shared.ledger.rules import Entry

_FORGED, _UNKNOWN_KEY, _UNPROVEN = 1, 3, 4

HELP = manual(
    [
        ("verify-receipt receipt.json", "against this installation's key"),
        ("verify-receipt receipt.json --public-key HEX", "anywhere, offline"),
        ("verify-receipt receipt.json --ledger ledger.jsonl", "its place in the whole chain too"),
        ("verify-receipt - --json < receipt.json", "for scripts"),
    ],
    exits={
        0: "proven",
        _FORGED: "forged or damaged",
        USAGE: "not a receipt",
        _UNKNOWN_KEY: "intact, but nobody said whose key to expect",
        _UNPROVEN: "intact, but the erasure is not proven yet",
    },
    environment=DIRECTORY,
)
KEY_HELP = manual(
    [("receipt-key", "to publish where people trust you")],
    exits={0: "done", USAGE: "there is no key yet"},
    environment={**DIRECTORY, "MEMORY_CENTER_LEDGER_KEY": "the ledger's key; without it the data directory's"},
)

File = Annotated[str, typer.Argument(metavar="FILE", help="What GET /api/v1/receipts/… answered; - is stdin.")]
PublicKeys = Annotated[
    list[str] | None,
    typer.Option("--public-key", help="Whose signature is expected (hex; `memory-center receipt-key`); repeatable."),
]
Ledger = Annotated[
    Path | None,
    typer.Option(
        "--ledger", help="A copy of ledger.jsonl, or of the ledger's bucket: its place in the whole chain too."
    ),
]


def verify_receipt(
    file: File,
    public_key: PublicKeys = None,
    ledger: Ledger = None,
    data_dir: DataDir = DEFAULT_DATA_DIR,
    as_json: AsJson = False,
) -> None:
    """Check a receipt offline: hashes, signatures, and with --ledger its place in an unbroken chain.

    Without --public-key the key of the installation in the data directory is expected, if there is one.
    """
    try:
        last = _proven(file, public_key, ledger, data_dir)
    except Refusal as refusal:
        if as_json:
            print_json({"proven": False, "why": str(refusal)})
        raise
    key = _fingerprint(last["public_key"])
    if as_json:
        members = ("type", "accepted_at", "verified_at", "seq", "public_key")
        print_json({"proven": True, **{name: last.get(name) for name in members}, "in_chain": ledger is not None})
        return
    in_chain = ", in an unbroken chain" if ledger is not None else ""
    print(
        f"PROVEN: {last['type']} accepted {last['accepted_at']}, {_what_followed(last)}, "
        f"entry {last['seq']}{in_chain}, key {key}"
    )


def _what_followed(last: Mapping[str, Any]) -> str:
    if last["type"] in RECORDED_ONLY - {CONSENT_GRANT}:
        return "recorded"
    if last["type"] != CONSENT_GRANT:
        return f"erased and searched for {last['verified_at']}"
    said = last["target"]["noted"]["consent"]
    wording = f"wording {said['text_version']} ({said['locale']})"
    return f"version {said['version']}, {wording}: {', '.join(said['scopes']) or 'nothing'}"


def receipt_key(data_dir: DataDir = DEFAULT_DATA_DIR, as_json: AsJson = False) -> None:
    """Print the public key receipts of this installation are signed with; publish it where people trust you."""
    key = _own_key(data_dir)
    if key is None:
        raise Refusal("set MEMORY_CENTER_LEDGER_KEY, or run `memory-center up` first", USAGE)
    if as_json:
        print_json({"public_key": key})
        return
    print(key)


def _proven(file: str, public_key: Sequence[str] | None, ledger: Path | None, data_dir: Path) -> Mapping[str, Any]:
    """Return the content of the last entry of a receipt.

    Raises:
        Refusal: it proves nothing.
    """
    from shared.ledger.rules import NotAnEntry, Tampered, from_document  # slow to import

    document = _read(file)
    try:
        entries = [from_document(one) for one in document["entries"]]
        receipt_id = document["receipt_id"]
    except (NotAnEntry, KeyError, TypeError):
        raise Refusal(f"{file}: this is not a receipt", USAGE) from None
    own = _own_key(data_dir)
    expected = public_key or ([own] if own else None)
    try:
        for entry in entries:
            _check_entry(entry, receipt_id, expected)
        if ledger is not None:
            _check_place(ledger, entries)
    except Tampered as problem:
        raise Refusal(f"{file}: NOT PROVEN. {problem}", _FORGED) from None
    # A consent is proven by being recorded; everything else by having been searched for, after a restore once more.
    run = max((entry.run for entry in entries), default=0)
    searched = [entry for entry in entries if entry.kind == "verified" and entry.run == run]
    proven = searched or [entry for entry in entries if entry.said["type"] in RECORDED_ONLY]
    if not proven:
        raise Refusal(f"{file}: accepted, but the erasure is not proven yet", _UNPROVEN)
    last = proven[-1].said
    if expected is None:
        raise Refusal(
            f"{file}: intact, but is the key {_fingerprint(last['public_key'])} theirs? Pass --public-key", _UNKNOWN_KEY
        )
    return last


def _fingerprint(public_key: str) -> str:
    from shared.runtime.signing import fingerprint  # slow to import

    return fingerprint(public_key)


def _read(file: str) -> dict[str, Any]:
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        document = json.loads(text)
    except OSError:
        raise Refusal(f"{file} cannot be read", USAGE) from None
    except ValueError:
        raise Refusal(f"{file}: this is not a receipt", USAGE) from None
    if not isinstance(document, dict):
        raise Refusal(f"{file}: this is not a receipt", USAGE)
    return document


def _own_key(data_dir: Path) -> str | None:
    from shared.runtime.signing import Signer  # slow to import

    try:
        return Signer(secret("ledger_key", data_dir)).public_key
    except Refusal:
        return None


def _check_entry(entry: Entry, receipt_id: str, expected: Sequence[str] | None) -> None:
    from shared.ledger.rules import Tampered, check_link  # slow to import
    from shared.runtime.signing import is_signed  # same

    check_link(entry)
    key = entry.said.get("public_key", "")
    if str(entry.receipt_id) != receipt_id:
        raise Tampered("An entry belongs to another receipt.")
    if not is_signed(entry.hash, entry.signature, key):
        raise Tampered("The signature does not fit the entry.")
    if expected is not None and key not in expected:
        raise Tampered("It was signed with another key than the expected one.")


def _check_place(path: Path, receipt: Sequence[Entry]) -> None:
    """Check that the whole chain is intact and contains the receipt's entries, itself or by a branch it merged.

    Lines that a crash cut short, and entries of a writer that was late, belong to no chain. One whose predecessor is
    missing shows that something was taken out. What is missing at the end cannot be seen.
    """
    from shared.ledger.book import (
        LedgerFile,  # same
        LedgerUnavailable,  # slow to import
    )
    from shared.ledger.rules import START, Tampered, check_chain, longest_chain, merged_branches  # same
    from shared.runtime.signing import is_signed  # same

    try:
        # A folder holds the objects of a bucket's ledger, an entry each.
        files = sorted(path.rglob("*.json")) if path.is_dir() else [path]
        written = [entry for file in files for entry in LedgerFile(file.parent, name=file.name).read()]
    except LedgerUnavailable:
        raise Refusal(f"{path} cannot be read", USAGE) from None
    chain = longest_chain(written, START.hash)
    check_chain(chain)
    links = {entry.hash for entry in chain}
    merging = [entry for entry in chain if entry.kind == "merged"]
    links |= {entry.hash for branch in merged_branches(links, merging, written) for entry in branch}
    there = {START.hash, *(entry.hash for entry in written)}
    if any(entry.prev_hash not in there for entry in written):
        raise Tampered("The ledger lacks entries that others follow.")
    if not all(is_signed(entry.hash, entry.signature, entry.said.get("public_key", "")) for entry in chain):
        raise Tampered("A signature in the ledger does not fit its entry.")
    if any(entry.hash not in links for entry in receipt):
        raise Tampered("The ledger does not hold the receipt's entries.")
