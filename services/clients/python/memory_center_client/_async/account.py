"""A person's switches, packages and feedback."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Final, Literal

from memory_center_client._async.operations import AsyncOperation
from memory_center_client._async.transport import AsyncDownload, AsyncTransport, json_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Sequence
    from typing import Any, Unpack

    from memory_center_client import schemas
    from memory_center_client.options import SettingsChanges


CHECK_SECONDS: Final = 600
"""A large package is checked before the answer begins."""


class AsyncSettings:
    """What may be remembered and used."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self) -> schemas.SettingsOut:
        """Return the switches."""
        settings: schemas.SettingsOut = await self._transport.get("memory/settings")
        return settings

    async def update(self, **changes: Unpack[SettingsChanges]) -> schemas.SettingsOut:
        """Change some of the switches."""
        answer = await self._transport.send("PATCH", "memory/settings", body=changes)
        settings: schemas.SettingsOut = json_of(answer)
        return settings


class AsyncPreferences:
    """Preferences learned from feedback."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self) -> schemas.PreferencesOut:
        """Return them."""
        preferences: schemas.PreferencesOut = await self._transport.get("memory/preferences")
        return preferences

    async def clear(self, *, undo_seconds: int = 0) -> AsyncOperation:
        """Forget all of them."""
        accepted = await self._transport.post("memory/preferences/clear", {"undo_seconds": undo_seconds})
        return AsyncOperation(self._transport, accepted)


class AsyncExports:
    """Packages of what is remembered."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def everything(self, *, format: Literal["zip", "json", "markdown"] = "zip") -> AsyncOperation:
        """Begin to export all there is about the person."""
        body = {"scope": "user", "format": format, "confirmation": True}
        return AsyncOperation(self._transport, await self._transport.post("memory/export", body))

    async def selection(
        self, ids: Sequence[str], *, format: Literal["zip", "json", "markdown"] = "zip"
    ) -> AsyncOperation:
        """Begin to export some memories."""
        body = {"scope": "selection", "ids": [*ids], "format": format}
        return AsyncOperation(self._transport, await self._transport.post("memory/export", body))

    async def get(self, operation_id: str) -> schemas.ExportOut:
        """Return whether a package is ready, its size and digest."""
        export: schemas.ExportOut = await self._transport.get(f"memory/exports/{operation_id}")
        return export

    def download(
        self, operation_id: str, *, start: int = 0, sha256: str | None = None
    ) -> AbstractAsyncContextManager[AsyncDownload]:
        """Open a ready package; a context manager that gives its bytes in pieces.

        Args:
            start: go on at this byte, if the package still has this digest; else it begins anew, and says so.
        """
        return self._transport.download(f"memory/exports/{operation_id}/package", start=start, sha256=sha256)


class AsyncImports:
    """Packages of this or another memory system."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def preview(
        self, package: bytes | AsyncIterable[bytes], *, media_type: str = "application/zip"
    ) -> schemas.ImportPreview:
        """Return what an import would bring.

        Args:
            package: a file's bytes, at once or in pieces.
        """
        preview: schemas.ImportPreview = await self._send(package, media_type, dry_run=True)
        return preview

    async def start(
        self,
        package: bytes | AsyncIterable[bytes],
        *,
        media_type: str = "application/zip",
        restore_forgotten: bool = False,
    ) -> AsyncOperation:
        """Begin to import a package. What was forgotten here does not come back.

        Args:
            package: as `preview`.
            restore_forgotten: bring back what went when the person forgot everything.

        Raises:
            Conflict: it holds such things, and `restore_forgotten` is off (`import_restores_forgotten`).
        """
        more = {"restore_forgotten": True} if restore_forgotten else {}
        return AsyncOperation(self._transport, await self._send(package, media_type, **more))

    async def _send(self, package: bytes | AsyncIterable[bytes], media_type: str, **query: bool) -> Any:
        answer = await self._transport.send(
            "POST",
            "memory/import",
            query=query,
            content=package,
            headers={"Content-Type": media_type},
            timeout=CHECK_SECONDS,
        )
        return json_of(answer)


class AsyncTokens:
    """Tokens for one person; for services only."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def issue(
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
        token: schemas.TokenOut = await self._transport.post("tokens", body)
        return token
