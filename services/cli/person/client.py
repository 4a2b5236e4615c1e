"""The API client of a person's commands, and its error messages."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any, BinaryIO, Final, Self, TypeAlias
from uuid import UUID

import httpx2

from memory_center_client import ApiError, ConnectionFailed, Download, Gone, MemoryCenter, TimedOut, UnexpectedAnswer
from services.cli.exit_codes import FAILED, NOT_FOUND, UNCONFIRMED, UNREACHABLE, USAGE, Refusal
from services.cli.person.refusals import REFUSALS
from services.cli.terminal import clean, said

Wire: TypeAlias = dict[str, Any]
"""A JSON object from the API."""

_PART: Final = re.compile(r"[0-9a-fA-F-]{4,36}")
_PAGE: Final = 200

_EXITS: Final[Mapping[int, int]] = {
    HTTPStatus.NOT_FOUND: NOT_FOUND,
    HTTPStatus.GONE: NOT_FOUND,
    HTTPStatus.UNAUTHORIZED: USAGE,
    HTTPStatus.BAD_GATEWAY: UNREACHABLE,
    HTTPStatus.SERVICE_UNAVAILABLE: UNREACHABLE,
    HTTPStatus.GATEWAY_TIMEOUT: UNREACHABLE,
}
EXPORT_GONE: Final = "export_gone"
_EXITS_BY_CODE: Final = {"validation_failed": USAGE, "confirmation_required": UNCONFIRMED}


class Answered(Refusal):
    """The API refused; `code` is the stable reason, `details` further ids, times and numbers."""

    def __init__(self, message: str, exit_code: int, *, status: int, code: str, details: Wire | None = None) -> None:
        super().__init__(message, exit_code)
        self.status = status
        self.code = code
        self.details = details or {}


class Center:
    """One person's memory: `memory_center_client`, with errors as a command reports them.

    Args:
        url: the address, without the path of the API.
        token: the bearer token; None if none is needed.
        user_id: whose memory it is; None if the token determines it.
        transport: the HTTP transport; default: the network.

    Raises:
        Refusal: `url` is not a web address (2).
    """

    def __init__(
        self,
        url: str,
        token: str | None,
        user_id: str | None = None,
        *,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        self.url = url.rstrip("/")
        if not is_address(url):
            raise Refusal(said("--url is no http:// or https:// address", "--url 不是 http:// 或 https:// 地址"), USAGE)
        self._memory = MemoryCenter(url, token, user_id=user_id, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._memory.close()

    def get(self, path: str, **query: Any) -> Any:
        """Return the JSON answer of a path."""
        with self._reported():
            return self._memory.transport.get(path, **query)

    def pages(self, path: str, *, limit: int | None, **query: Any) -> tuple[list[Wire], bool]:
        """Return the first `limit` items of a list (None: all), and whether there are more."""
        found: list[Wire] = []
        cursor: str | None = None
        size = min(_PAGE, limit or _PAGE)
        with self._reported():
            while limit is None or len(found) < limit:
                page, cursor = self._memory.transport.page(path, **query, limit=size, cursor=cursor)
                found += page
                if cursor is None:
                    break
        return found[:limit], cursor is not None or (limit is not None and len(found) > limit)

    def id_of(self, given: str, *kinds: str) -> str:
        """Return the complete id for an id or the beginning or end of one of the person's ids.

        Args:
            kinds: allowed kinds: `memory`, `message`, `conversation`, `operation`, `receipt`.

        Raises:
            Refusal: it is not part of an id, or matches several (2); or none (4).
        """
        if is_whole(given):
            return str(UUID(given))
        found: list[Wire] = self.get("memory/ids", part=given, kind=kinds[0] if len(kinds) == 1 else None)
        return only_one([one["id"] for one in found if one["kind"] in kinds], given)

    def post(self, path: str, body: Wire | None = None) -> Any:
        """Send a request and return the answer. If the answer is lost it is sent again, and takes effect only once."""
        with self._reported():
            json.dumps(body, ensure_ascii=False).encode()  # refuses bytes that are not UTF-8
            return self._memory.transport.post(path, body)

    def import_(self, file: BinaryIO, *, media_type: str, dry_run: bool, restore_forgotten: bool = False) -> Wire:
        """Stream a package, and return what it would bring, or the operation that imports it."""
        pieces = iter(lambda: file.read(1024 * 1024), b"")
        imports = self._memory.imports
        with self._reported():
            if dry_run:
                return {**imports.preview(pieces, media_type=media_type)}
            started = imports.start(pieces, media_type=media_type, restore_forgotten=restore_forgotten)
            return {"status": "accepted", "op_id": started.id}

    @contextlib.contextmanager
    def package(self, operation_id: str, *, start: int, sha256: str) -> Iterator[Download]:
        """Open a package from byte `start` on if it still has this digest; else from the beginning.

        Raises:
            Answered: it was revoked, or is another person's.
            Refusal: the connection was lost (3).
        """
        with self._reported(), self._memory.exports.download(operation_id, start=start, sha256=sha256) as download:
            yield download

    @contextlib.contextmanager
    def _reported(self) -> Iterator[None]:
        """Turn an error of the client into a command's."""
        try:
            yield
        except UnicodeEncodeError:  # bytes of an argument that are not characters
            raise Refusal(said("an argument is not UTF-8", "有一个参数不是 UTF-8"), USAGE) from None
        except ApiError as refusal:
            raise refused(refusal) from None
        except UnexpectedAnswer:
            raise Refusal(
                said(f"{self.url} is not Memory Center", f"{self.url} 不是 Memory Center"), UNREACHABLE
            ) from None
        except (ConnectionFailed, TimedOut) as problem:  # the kind of error, as httpx names it
            raise Refusal(
                said(f"{self.url} does not answer ({problem})", f"{self.url} 没有应答（{problem}）"), UNREACHABLE
            ) from None


def only_one(ids: Sequence[str], given: str) -> str:
    """Return the single id that matches a part of it.

    Raises:
        Refusal: several ids match (2), or none (4).
    """
    if len(ids) == 1:
        return ids[0]
    if ids:
        raise Refusal(
            said(
                f"several ids begin or end with {given}: give more of it",
                f"有多个 id 以 {given} 开头或结尾，请多给几位",
            ),
            USAGE,
        )
    raise Refusal(
        said(f"nothing of yours has an id that begins or ends with {given}", f"没有 id 以 {given} 开头或结尾的内容"),
        NOT_FOUND,
    )


def is_whole(given: str) -> bool:
    """Return whether the text is a complete id rather than part of one.

    Raises:
        Refusal: it is neither (2).
    """
    with contextlib.suppress(ValueError):
        UUID(given)
        return True
    if not _PART.fullmatch(given):
        raise Refusal(said("that is not an id, nor four characters of one", "这不是 id，也不是 id 的四位以上"), USAGE)
    return False


def refused(refusal: ApiError) -> Answered:
    """Return the API's error in the person's language, or in the API's fixed words, which never contain user input."""
    code = clean(refusal.code)
    words = [clean(one).rstrip(".") for one in (refusal.title, refusal.detail) if one]
    if code in REFUSALS:
        words = [said(*REFUSALS[code])]
    exit_code = _EXITS_BY_CODE.get(code) or _EXITS.get(refusal.status, FAILED)
    if places := _places(refusal.errors):
        words.append(places)
    message = ". ".join(words) or said(f"answered {refusal.status}", f"返回 {refusal.status}")
    return Answered(f"{message} ({code})", exit_code, status=refusal.status, code=code, details={**refusal.details})


def gone() -> Answered:
    """Return the refusal for a package that was revoked before it was complete, in the API's words."""
    return refused(Gone(HTTPStatus.GONE, {"code": EXPORT_GONE}))


def _places(errors: Sequence[Any]) -> str:
    """Return where a request or a file is wrong; the API names places and kinds, never content."""
    named = [clean(_place(one)) for one in errors[:3] if isinstance(one, dict)]
    return "; ".join(one for one in named if one)


def _place(error: Wire) -> str:
    if "file" in error:
        line = error.get("record", error.get("line"))
        if error["file"] is None:  # the container itself, whose entries have only numbers
            return said(f"entry {line}", f"第 {line} 项") if line is not None else ""
        return f"{error['file']}" + (f", {line}" if line is not None else "")
    where = ".".join(str(part) for part in error.get("loc", ()))
    return f"{where}: {error['msg']}".rstrip(".") if where and "msg" in error else where


def is_address(url: str) -> bool:
    """Return whether the text is an http:// or https:// address."""
    try:
        parts = httpx2.URL(url)
    except httpx2.InvalidURL:
        return False
    return parts.scheme in ("http", "https") and bool(parts.host)
