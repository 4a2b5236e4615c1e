# Made from _async by generate.py.
"""A person's switches, packages and feedback."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Final, Literal

from memory_center_client._sync.operations import Operation
from memory_center_client._sync.transport import Download, Transport, json_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Unpack

    from memory_center_client import schemas
    from memory_center_client.options import SettingsChanges


CHECK_SECONDS: Final = 600
"""A large package is checked before the answer begins."""


class Settings:
    """What may be remembered and used."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self) -> schemas.SettingsOut:
        """Return the switches."""
        settings: schemas.SettingsOut = self._transport.get("memory/settings")
        return settings

    def update(self, **changes: Unpack[SettingsChanges]) -> schemas.SettingsOut:
        """Change some of the switches."""
        answer = self._transport.send("PATCH", "memory/settings", body=changes)
        settings: schemas.SettingsOut = json_of(answer)
        return settings


class Preferences:
    """Preferences learned from feedback."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self) -> schemas.PreferencesOut:
        """Return them."""
        preferences: schemas.PreferencesOut = self._transport.get("memory/preferences")
        return preferences

    def clear(self, *, undo_seconds: int = 0) -> Operation:
        """Forget all of them."""
        accepted = self._transport.post("memory/preferences/clear", {"undo_seconds": undo_seconds})
        return Operation(self._transport, accepted)


class Exports:
    """Packages of what is remembered."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def everything(self, *, format: Literal["zip", "json", "markdown"] = "zip") -> Operation:
        """Begin to export all there is about the person."""
        body = {"scope": "user", "format": format, "confirmation": True}
        return Operation(self._transport, self._transport.post("memory/export", body))

    def selection(self, ids: Sequence[str], *, format: Literal["zip", "json", "markdown"] = "zip") -> Operation:
        """Begin to export some memories."""
        body = {"scope": "selection", "ids": [*ids], "format": format}
        return Operation(self._transport, self._transport.post("memory/export", body))

    def get(self, operation_id: str) -> schemas.ExportOut:
        """Return whether a package is ready, its size and digest."""
        export: schemas.ExportOut = self._transport.get(f"memory/exports/{operation_id}")
        return export

    def download(
        self, operation_id: str, *, start: int = 0, sha256: str | None = None
    ) -> AbstractContextManager[Download]:
        """Open a ready package; a context manager that gives its bytes in pieces.

        Args:
            start: go on at this byte, if the package still has this digest; else it begins anew, and says so.
        """
        return self._transport.download(f"memory/exports/{operation_id}/package", start=start, sha256=sha256)


class Imports:
    """Packages of this or another memory system."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def preview(
        self, package: bytes | Iterable[bytes], *, media_type: str = "application/zip"
    ) -> schemas.ImportPreview:
        """Return what an import would bring.

        Args:
            package: a file's bytes, at once or in pieces.
        """
        preview: schemas.ImportPreview = self._send(package, media_type, dry_run=True)
        return preview

    def start(
        self,
        package: bytes | Iterable[bytes],
        *,
        media_type: str = "application/zip",
        restore_forgotten: bool = False,
    ) -> Operation:
        """Begin to import a package. What was forgotten here does not come back.

        Args:
            package: as `preview`.
            restore_forgotten: bring back what went when the person forgot everything.

        Raises:
            Conflict: it holds such things, and `restore_forgotten` is off (`import_restores_forgotten`).
        """
        more = {"restore_forgotten": True} if restore_forgotten else {}
        return Operation(self._transport, self._send(package, media_type, **more))

    def _send(self, package: bytes | Iterable[bytes], media_type: str, **query: bool) -> Any:
        answer = self._transport.send(
            "POST",
            "memory/import",
            query=query,
            content=package,
            headers={"Content-Type": media_type},
            timeout=CHECK_SECONDS,
        )
        return json_of(answer)


class Tokens:
    """Tokens for one person; for services only."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def issue(
        self,
        user_id: str,
        *,
        minutes: int = 60,
        scopes: Sequence[Literal["memory:read", "memory:write", "memory:forget"]] | None = None,
        audience: str | None = None,
    ) -> schemas.TokenOut:
        """Return a token that is `user_id` for at most an hour.

        Args:
            scopes: what it is good for; None: everything.
            audience: the only other server that may accept it.
        """
        more = {} if scopes is None else {"scopes": [*scopes]}
        body = {"user_id": user_id, "minutes": minutes, "audience": audience, **more}
        token: schemas.TokenOut = self._transport.post("tokens", body)
        return token
