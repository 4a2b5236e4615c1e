"""Encrypted tokens for found items: only the request that forgets them can use one, unread and unchanged."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from shared.erasure.rules.selection import Picked

VALID_SECONDS: Final = 900
"""How long a selection can be used."""


class SelectionInvalid(Exception):
    """A token is not ours, or has expired."""


class NothingSure(Exception):
    """A selection contains only items that must be requested by id."""


class SelectionTokens:
    """Encrypts selections (Fernet: AES-128-CBC with HMAC-SHA256, and the time).

    Args:
        secret: the deployment's signing key, from which HKDF-SHA256 (RFC 5869) derives a separate key.
    """

    def __init__(self, secret: str) -> None:
        key = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"memory-center selection").derive(secret.encode())
        self._fernet = Fernet(base64.urlsafe_b64encode(key))

    def seal(self, subject_id: UUID, picked: Sequence[Picked]) -> str:
        """Return a token for these items of this person."""
        items = [[one.kind, str(one.id), one.version, [list(span) for span in one.spans], one.sure] for one in picked]
        return self._fernet.encrypt(json.dumps([str(subject_id), items]).encode()).decode()

    def open(self, token: str) -> tuple[UUID, list[Picked]]:
        """Return the person and the items of a token.

        Raises:
            SelectionInvalid: it is not ours, or older than `VALID_SECONDS`.
        """
        try:
            subject, items = json.loads(self._fernet.decrypt(token.encode(), ttl=VALID_SECONDS))
        except (InvalidToken, ValueError):
            raise SelectionInvalid from None
        return UUID(subject), [
            Picked(
                kind=kind,
                id=UUID(item_id),
                version=version,
                spans=tuple((start, end) for start, end in spans),
                sure=sure,
            )
            for kind, item_id, version, spans, sure in items
        ]
