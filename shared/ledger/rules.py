"""The hash chain of accepted and verified forget operations: each entry includes the hash of the one before (X-03)."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias
from uuid import UUID

Kind: TypeAlias = Literal["accepted", "verified", "merged"]
"""`merged` names the last entry of a branch that another history of this installation wrote."""

VERSION: Final = 1
GENESIS: Final = bytes(32)
"""The previous hash of the first entry."""


class Head(NamedTuple):
    """Number and hash of the newest entry of a chain."""

    seq: int
    hash: bytes


START: Final = Head(0, GENESIS)
"""The head of an empty chain."""

REMARKS: Final = {
    "write_ahead_log_and_backups_age_out": "Write-ahead logs and backups may hold it until they are overwritten.",
    "late_bytes_are_swept": "What a stopped process writes later is never served, and is removed by the hourly sweep.",
}
"""Limits of what a receipt proves, as code and sentence."""

IMPORTED_REMARKS: Final = {
    **REMARKS,
    "came_with_an_import": "Another installation signed it: whoever has that key vouches for it.",
}
"""The limits of a receipt that was imported with a package."""


TAKEN_BYTES: Final = 8
"""Length of the digest prefixes that name items erased with everything; enough to distinguish a million items."""


def pack_taken(digests: Iterable[bytes]) -> str:
    """Pack keyed digests: their first `TAKEN_BYTES` bytes, deduplicated, sorted, in base64."""
    return base64.b64encode(b"".join(sorted({one[:TAKEN_BYTES] for one in digests}))).decode("ascii")


def unpack_taken(packed: str) -> frozenset[bytes]:
    """Return the digest prefixes packed by `pack_taken`."""
    raw = base64.b64decode(packed)
    return frozenset(raw[at : at + TAKEN_BYTES] for at in range(0, len(raw), TAKEN_BYTES))


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of the chain. `body` is the hashed canonical JSON; it repeats the other fields."""

    seq: int
    op_id: UUID
    kind: Kind
    run: int
    receipt_id: UUID
    body: str
    prev_hash: bytes
    hash: bytes
    signature: bytes

    @property
    def said(self) -> dict[str, Any]:
        """The parsed body."""
        said: dict[str, Any] = json.loads(self.body)
        return said


class NotAnEntry(ValueError):
    """A line or document is not a ledger entry."""


class Tampered(ValueError):
    """An entry or chain was altered after it was sealed; the message is one fixed sentence."""


def canonical(document: Mapping[str, Any]) -> str:
    """Return the canonical JSON of a document.

    Follows RFC 8785 for the types in bodies: objects with ASCII names, arrays, strings, integers, booleans and null.
    """
    return json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def seal(prev_hash: bytes, body: str) -> bytes:
    """Return the hash that continues a chain: SHA-256 of the previous hash and the body in UTF-8."""
    return hashlib.sha256(prev_hash + body.encode()).digest()


def check_link(entry: Entry) -> None:
    """Check the fields of an entry against its body and its hash.

    Raises:
        Tampered: they differ.
    """
    if entry.hash != seal(entry.prev_hash, entry.body):
        raise Tampered("The hash does not fit the entry.")
    said = entry.said
    claimed = (entry.seq, str(entry.op_id), entry.kind, entry.run, str(entry.receipt_id))
    if claimed != tuple(said.get(name) for name in ("seq", "operation", "kind", "run", "receipt")):
        raise Tampered("The entry says something else than what was sealed.")


def is_intact(entry: Entry) -> bool:
    """Return whether an entry is unchanged since it was sealed."""
    try:
        check_link(entry)
    except Tampered:
        return False
    return True


def check_chain(entries: Iterable[Entry], *, after: bytes = GENESIS, seq: int = 0) -> None:
    """Check that entries continue a chain without a gap.

    Args:
        entries: in order.
        after: the hash of the entry before the first.
        seq: the number of that entry.

    Raises:
        Tampered: an entry was changed, removed, added or moved.
    """
    for entry in entries:
        check_link(entry)
        if entry.prev_hash != after or entry.seq != seq + 1:
            raise Tampered("The chain is broken: an entry was left out, added or moved.")
        after, seq = entry.hash, entry.seq


def longest_chain(entries: Sequence[Entry], head: bytes) -> list[Entry]:
    """Return the longest chain after `head`; of equally long ones the first written. Duplicate entries count once.

    An entry that merges a branch counts for that branch too: a chain that gave up a longer one stays the chain.
    """
    following: dict[bytes, dict[bytes, Entry]] = {}
    for entry in entries:
        following.setdefault(entry.prev_hash, {}).setdefault(entry.hash, entry)
    reached: dict[bytes, Entry] = {}
    weight = {head: 0}
    best, level = head, [head]
    while level:
        new = [entry for one in level for entry in following.pop(one, {}).values() if entry.hash not in weight]
        for entry in new:
            reached[entry.hash] = entry
            weight[entry.hash] = weight[entry.prev_hash] + 1 + _merged(entry)
            if weight[entry.hash] > weight[best]:
                best = entry.hash
        level = [entry.hash for entry in new]
    chain: list[Entry] = []
    while best != head:
        chain.append(reached[best])
        best = reached[best].prev_hash
    return chain[::-1]


def merged_branches(
    on_chain: AbstractSet[bytes], merging: Iterable[Entry], entries: Iterable[Entry]
) -> list[list[Entry]]:
    """Return the branches that a chain merged, each from where it left the chain.

    Args:
        on_chain: the hashes of the chain.
        merging: its entries of kind `merged`, in order.
        entries: all that is known; what is not intact belongs to no branch.

    Raises:
        Tampered: an entry of a branch that the chain names is missing or was changed.
    """
    by_hash = {entry.hash: entry for entry in entries if is_intact(entry)}
    reached = {GENESIS, *on_chain}
    branches = []
    for one in merging:
        link, branch = bytes.fromhex(one.said["branch"]), []
        while link not in reached:
            if link not in by_hash:
                raise Tampered("An entry of a merged branch is missing or was changed.")
            branch.append(by_hash[link])
            link = by_hash[link].prev_hash
        reached |= {entry.hash for entry in branch}  # a branch may have grown from one that was merged before
        branches.append(branch[::-1])
    return branches


def _merged(entry: Entry) -> int:
    entries = entry.said.get("entries") if entry.kind == "merged" else 0
    return entries if isinstance(entries, int) and entries > 0 else 0


def to_document(entry: Entry) -> dict[str, Any]:
    """Return an entry in the form used in the file and in receipts."""
    return {
        "body": entry.said,
        "prev_hash": entry.prev_hash.hex(),
        "hash": entry.hash.hex(),
        "signature": entry.signature.hex(),
    }


def from_document(document: object) -> Entry:
    """Parse an entry without verifying it.

    Raises:
        NotAnEntry: the document has a different form.
    """
    try:
        assert isinstance(document, dict)  # noqa: S101 # answered below
        body = document["body"]
        return Entry(
            seq=int(body["seq"]),
            op_id=UUID(body["operation"]),
            kind=body["kind"],
            run=int(body["run"]),
            receipt_id=UUID(body["receipt"]),
            body=canonical(body),
            prev_hash=bytes.fromhex(document["prev_hash"]),
            hash=bytes.fromhex(document["hash"]),
            signature=bytes.fromhex(document["signature"]),
        )
    except (AssertionError, KeyError, TypeError, ValueError, AttributeError):
        raise NotAnEntry("This is not an entry of a ledger.") from None
