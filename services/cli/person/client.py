"""The API client of a person's commands: credentials, address, and error messages."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any, BinaryIO, Final, Self, TypeAlias
from uuid import UUID, uuid4

import httpx

from deploy.embedded.data_directory import DataDirectory
from deploy.embedded.launcher import DEFAULT_PORT
from deploy.embedded.ports import LOOPBACK
from services.cli.exit_codes import FAILED, NOT_FOUND, UNCONFIRMED, UNREACHABLE, USAGE, Refusal
from services.cli.installation import secret
from services.cli.person.refusals import REFUSALS
from services.cli.sign_in import LOCAL_PERSON, WORKDAY_MINUTES
from services.cli.terminal import clean, said
from services.cli.token import person_token

Wire: TypeAlias = dict[str, Any]
"""A JSON object from the API."""

_TOKEN: Final = "MEMORY_CENTER_TOKEN"  # noqa: S105 # the name of a variable
_API: Final = "/api/v1/"
_PART: Final = re.compile(r"[0-9a-fA-F-]{4,36}")
_TIMEOUT: Final = httpx.Timeout(30, connect=5)
_TRIES: Final = 3
_PAUSE_SECONDS: Final = 0.5
_PAGE: Final = 200
_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})

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
    """A client for one person's memory.

    Args:
        url: the address, without the path of the API.
        token: the bearer token; None if none is needed.
        user_id: added to every request about a person; None if the token determines it.
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
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.url = url.rstrip("/")
        self._about = {"user_id": user_id} if user_id is not None else {}
        if _host(url) is None:
            raise Refusal(said("--url is no http:// or https:// address", "--url 不是 http:// 或 https:// 地址"), USAGE)
        self._http = httpx.Client(
            base_url=self.url + _API,
            timeout=_TIMEOUT,
            headers={"Authorization": f"Bearer {token}"} if token else {},
            trust_env=not _is_local(url),  # a proxy cannot reach this machine
            transport=transport,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def get(self, path: str, **query: Any) -> Any:
        """Return the JSON answer of a path."""
        return self._json(self._send("GET", path, params=self._query(query)))

    def pages(self, path: str, *, limit: int | None, **query: Any) -> tuple[list[Wire], bool]:
        """Return the first `limit` items of a list (None: all), and whether there are more."""
        found: list[Wire] = []
        wanted: str | None = path
        params: Mapping[str, Any] | None = {**self._query(query), "limit": min(_PAGE, limit or _PAGE)}
        while wanted is not None and (limit is None or len(found) < limit):
            answer = self._send("GET", wanted, params=params)
            found += self._json(answer)
            following = answer.links.get("next", {}).get("url", "")
            wanted, params = (f"{self.url}{following}" if following.startswith("/") else None), None
        return found[:limit], wanted is not None or (limit is not None and len(found) > limit)

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

    def post(self, path: str, body: Wire | None = None, *, about: bool = True) -> Any:
        """Send a request and return the answer. If the answer is lost it is sent again, and takes effect only once.

        Args:
            about: include the person, if one was named.
        """
        named = self._about if about else {}
        content = {**named, **{name: value for name, value in (body or {}).items() if value is not None}}
        return self._once("POST", path, json=content if about or body else None)

    def upload(self, path: str, file: BinaryIO, *, media_type: str, **query: Any) -> Any:
        """Stream a file to the API, and return the answer."""
        headers = {"Content-Type": media_type, "Idempotency-Key": str(uuid4())}
        chunks = iter(lambda: file.read(1024 * 1024), b"")
        timeout = httpx.Timeout(600, connect=5)  # a large file is checked before the answer begins
        return self._json(
            self._send("POST", path, params=self._query(query), content=chunks, headers=headers, timeout=timeout)
        )

    @contextlib.contextmanager
    def download(self, path: str, *, start: int, tag: str) -> Iterator[httpx.Response]:
        """Open a download from byte `start` on if `tag` still names the current version; else from the beginning.

        Raises:
            httpx.TransportError: the connection was lost during the download.
        """
        headers = {"Accept-Encoding": "identity"}
        if start:
            headers |= {"Range": f"bytes={start}-", "If-Range": f'"{tag}"'}
        with self._http.stream("GET", path, headers=headers) as answer:
            if not answer.is_success:
                answer.read()
                raise refused(answer)
            yield answer

    def _once(self, method: str, path: str, **content: Any) -> Any:
        headers = {"Idempotency-Key": str(uuid4())}
        for tried in range(_TRIES):
            try:
                return self._json(self._send(method, path, headers=headers, **content))
            except Refusal as refusal:
                if isinstance(refusal, Answered) or refusal.exit_code != UNREACHABLE or tried == _TRIES - 1:
                    raise
                time.sleep(_PAUSE_SECONDS)
        raise AssertionError

    def _send(self, method: str, path: str, **content: Any) -> httpx.Response:
        try:
            answer = self._http.request(method, path, **content)
        except UnicodeEncodeError:  # bytes of an argument that are not characters
            raise Refusal(said("an argument is not UTF-8", "有一个参数不是 UTF-8"), USAGE) from None
        except httpx.TransportError as problem:
            raise unreachable(self.url, problem) from None
        if not answer.is_success:
            raise refused(answer)
        return answer

    def _query(self, query: Mapping[str, Any]) -> dict[str, Any]:
        named = {**self._about, **query}
        return {name: _spelt(value) for name, value in named.items() if value is not None}

    def _json(self, answer: httpx.Response) -> Any:
        try:
            return answer.json()
        except ValueError:
            raise Refusal(
                said(f"{self.url} is not Memory Center", f"{self.url} 不是 Memory Center"), UNREACHABLE
            ) from None


def connect(url: str | None, user: str | None, data_dir: Path) -> Center:
    """Return a client for the address in the options or environment, else for the data directory's installation.

    Without MEMORY_CENTER_TOKEN a token is signed with the installation's own key, and sent only to this machine.

    Raises:
        Refusal: no running installation is known (3), or there are no credentials (2).
    """
    where, token_of = place_and_tokens(url, user, data_dir)
    return Center(where, token_of(), user if _TOKEN in os.environ else None)


def place_and_tokens(url: str | None, user: str | None, data_dir: Path) -> tuple[str, Callable[[], str]]:
    """Return the address, and a function that returns a token which is good now.

    Raises:
        Refusal: as `connect`.
    """
    token = os.environ.get(_TOKEN)
    where = place(url, data_dir)
    if token is not None:
        token = token.strip()
        if not (token and token.isascii() and token.isprintable()):
            raise Refusal(said(f"{_TOKEN} is not a token", f"{_TOKEN} 不是令牌"), USAGE)
        return where, lambda: token
    if not _is_local(where):
        raise Refusal(
            said(f"set {_TOKEN}: no token is made for another machine", f"请设置 {_TOKEN}：不会为其他机器签发令牌"),
            USAGE,
        )
    key = secret("signing_key", data_dir)
    return where, lambda: person_token(key, user or LOCAL_PERSON, WORKDAY_MINUTES)


def place(url: str | None, data_dir: Path) -> str:
    """Return the address of the gateway.

    Raises:
        Refusal: no running installation is known (3).
    """
    where = url or _running_at(data_dir) or (f"http://{LOOPBACK}:{DEFAULT_PORT}" if _TOKEN in os.environ else None)
    if where is None:
        raise Refusal(
            said(
                f"nothing runs on {data_dir}; start it with `memory-center up`, or say where it runs with --url",
                f"{data_dir} 没有在运行；请先运行 `memory-center up`，或用 --url 指明地址",
            ),
            UNREACHABLE,
        )
    return where


def anonymous(url: str | None, data_dir: Path) -> Center:
    """Return a client without credentials, for the same address as `connect`."""
    return Center(url or _running_at(data_dir) or f"http://{LOOPBACK}:{DEFAULT_PORT}", None)


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


def refused(answer: httpx.Response) -> Answered:
    """Return the API's error in the person's language, or in the API's fixed words, which never contain user input."""
    try:
        problem: Any = answer.json()
    except ValueError:
        problem = None
    found: Wire = problem if isinstance(problem, dict) else {}
    code = clean(found.get("code") or f"http_{answer.status_code}")
    words = [clean(found[member]).rstrip(".") for member in ("title", "detail") if found.get(member)]
    if code in REFUSALS:
        words = [said(*REFUSALS[code])]
    exit_code = _EXITS_BY_CODE.get(code) or _EXITS.get(answer.status_code, FAILED)
    if places := _places(found.get("errors")):
        words.append(places)
    message = ". ".join(words) or said(f"answered {answer.status_code}", f"返回 {answer.status_code}")
    return Answered(
        f"{message} ({code})", exit_code, status=answer.status_code, code=code, details=found.get("details")
    )


def gone() -> Answered:
    """Return the refusal for a package that was revoked before it was complete, in the API's words."""
    return refused(httpx.Response(HTTPStatus.GONE, json={"code": EXPORT_GONE}))


def unreachable(url: str, problem: httpx.TransportError) -> Refusal:
    """Return the refusal for an address that does not answer, with the kind of error."""
    how = type(problem).__name__
    return Refusal(said(f"{url} does not answer ({how})", f"{url} 没有应答（{how}）"), UNREACHABLE)


def _places(errors: Any) -> str:
    """Return where a request or a file is wrong; the API names places and kinds, never content."""
    if not isinstance(errors, list):
        return ""
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


def _running_at(data_dir: Path) -> str | None:
    directory = DataDirectory(data_dir.resolve())
    run = directory.run() if directory.is_held() else None
    return run.url if run else None


def _is_local(url: str) -> bool:
    return _host(url) in _LOCAL


def _host(url: str) -> str | None:
    """Return the host of a web address; None if it is not one."""
    try:
        parts = httpx.URL(url)
    except httpx.InvalidURL:
        return None
    return parts.host or None if parts.scheme in ("http", "https") else None


def _spelt(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value
