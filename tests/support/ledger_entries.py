"""Entries of a ledger, signed by a key of the tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from pydantic import SecretStr

from shared.ledger.rules import GENESIS, Entry, Kind, canonical, seal
from shared.runtime.signing import Signer

SIGNER = Signer("a secret of an installation")


def link(
    prev_hash: bytes = GENESIS, seq: int = 1, *, kind: Kind = "accepted", op_id: UUID | None = None, **said: Any
) -> Entry:
    """Return an entry that continues one with the hash `prev_hash`."""
    operation, receipt = op_id or uuid4(), uuid4()
    named = {"seq": seq, "operation": str(operation), "kind": kind, "run": 0, "receipt": str(receipt)}
    body = canonical({**named, "note": "中文 ok", **said})
    sealed = seal(prev_hash, body)
    return Entry(
        seq=seq,
        op_id=operation,
        kind=kind,
        run=0,
        receipt_id=receipt,
        body=body,
        prev_hash=prev_hash,
        hash=sealed,
        signature=SIGNER.sign(sealed),
    )


def chain(length: int) -> list[Entry]:
    entries: list[Entry] = []
    for seq in range(1, length + 1):
        entries.append(link(entries[-1].hash if entries else GENESIS, seq))
    return entries


def begun_again(key: SecretStr | None, receipt: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry of an erasure that is repeated after a restore, as a document.

    Args:
        key: what the installation signs with.
        receipt: of the first erasure.
    """
    assert key is not None
    signer, last = Signer(key.get_secret_value()), receipt["entries"][-1]
    body = canonical({**receipt["entries"][0]["body"], "seq": last["body"]["seq"] + 1, "run": 1})
    sealed = seal(bytes.fromhex(last["hash"]), body)
    signed = signer.sign(sealed).hex()
    return {**last, "body": json.loads(body), "prev_hash": last["hash"], "hash": sealed.hex(), "signature": signed}


def merging(last: Entry, branch: Sequence[Entry]) -> Entry:
    """Return the entry after `last` that names a branch."""
    return link(last.hash, last.seq + 1, kind="merged", branch=branch[-1].hash.hex(), entries=len(branch))
