"""Where memories are brought from; each source gives them in mem0's form, with the person they belong to there."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeAlias
from uuid import UUID

import httpx

from services.cli.exit_codes import FAILED, UNREACHABLE, USAGE, Refusal
from services.cli.terminal import said

Theirs: TypeAlias = tuple[str, dict[str, Any]]
"""A person's name there, and one of their memories in the form of mem0's `get_all`."""

_PAGE: Final = 100
_TIMEOUT: Final = httpx.Timeout(60, connect=5)
_SERVER_LIMITS: Final = (20, 100)
"""What mem0's open-source server returns at most, by version; it has no pages."""
_SQLITE: Final = b"SQLite format 3\x00"
_OPEN_MEMORY: Final = """
  select m.id, m.content, m.state, m.metadata, m.created_at, m.updated_at, u.user_id, a.name as app_name
  from memories m join users u on u.id = m.user_id left join apps a on a.id = m.app_id
  order by u.user_id, m.created_at, m.id
"""


def is_server(place: str) -> bool:
    """Return whether a place is an address rather than a file."""
    return place.startswith(("http://", "https://"))


def from_mem0(place: str, people: Iterable[str], api_key: str | None) -> Iterator[Theirs]:
    """Yield the memories of mem0: a file with the JSON of `get_all`, its platform, or its open-source server.

    Args:
        people: whom a server is asked for, by their names there.

    Raises:
        Refusal: the file cannot be read or has another form (2), the server does not answer (3) or refuses (1).
    """
    if not is_server(place):
        yield from _in_document(_parsed(Path(place)))
        return
    with _server(place, {"Authorization": f"Token {api_key}", "X-API-Key": api_key} if api_key else {}) as server:
        for person in people:
            found = _platform(server, person)
            if found is None:
                found = _open_source(server, person)
            if any(one.get("user_id") not in (None, person) for one in found):
                raise Refusal(said("--from gave somebody else's memories", "--from 返回了别人的记忆"), FAILED)
            yield from ((person, one) for one in found)


def from_open_memory(place: str, people: Iterable[str]) -> Iterator[Theirs]:
    """Yield the memories of OpenMemory: its SQLite file, or its server. What was deleted there stays away.

    Args, raises: as `from_mem0`.
    """
    if not is_server(place):
        yield from _in_database(Path(place))
        return
    with _server(place, {}) as server:
        for person in people:
            page, pages = 1, 1
            while page <= pages:
                # Its plain list leaves out paused and archived memories.
                wanted = {"user_id": person, "show_archived": True, "page": page, "size": _PAGE}
                wanted |= {"sort_column": "created_at", "sort_direction": "asc"}
                found = _sent(server, "POST", "/api/v1/memories/filter", json=wanted)
                if found.status_code == httpx.codes.NOT_FOUND:  # nobody of this name
                    break
                answer = _answer(found, "items")
                pages = answer["pages"] if isinstance(answer.get("pages"), int) else 1
                yield from ((person, one) for item in answer["items"] if (one := _of_open_memory(item)) is not None)
                page += 1


def _platform(server: httpx.Client, person: str) -> list[dict[str, Any]] | None:
    """Return a person's memories from mem0's platform, or a server that speaks like it; None: it does not."""
    found: list[dict[str, Any]] = []
    page: int | None = 1
    while page is not None:
        body = {"filters": {"user_id": person}}
        answer = _sent(server, "POST", "/v3/memories/", params={"page": page, "page_size": _PAGE}, json=body)
        if answer.status_code in (404, 405):
            return None
        document = _answer(answer, "results")
        found += document["results"]
        page = page + 1 if document.get("next") and document["results"] else None
    return found


def _open_source(server: httpx.Client, person: str) -> list[dict[str, Any]]:
    query = {"user_id": person, "top_k": 100_000, "limit": 100_000}
    found: list[dict[str, Any]] = _answer(_sent(server, "GET", "/memories", params=query), "results")["results"]
    if len(found) in _SERVER_LIMITS:
        raise Refusal(
            said(
                f"the server gave exactly {len(found)} memories of one person, which may be its limit; save"
                " `Memory.get_all(filters=…, top_k=100000)` as JSON and give that file",
                f"服务器恰好返回了某人的 {len(found)} 条记忆，可能是它的上限；请把"
                " `Memory.get_all(filters=…, top_k=100000)` 的结果存成 JSON 文件再导入",
            ),
            FAILED,
        )
    return found


def _server(place: str, headers: dict[str, str]) -> httpx.Client:
    return httpx.Client(base_url=place.rstrip("/"), headers=headers, timeout=_TIMEOUT)


def _sent(server: httpx.Client, method: str, path: str, **more: Any) -> httpx.Response:
    try:
        return server.request(method, path, **more)
    except (httpx.HTTPError, httpx.InvalidURL) as problem:
        why = type(problem).__name__
        raise Refusal(said(f"--from does not answer: {why}", f"--from 没有响应：{why}"), UNREACHABLE) from None


def _answer(answer: httpx.Response, member: str) -> dict[str, Any]:
    """Return a JSON answer as an object whose `member` is a list of objects; a list alone is taken as that."""
    if answer.status_code != httpx.codes.OK:
        raise Refusal(said(f"--from answered {answer.status_code}", f"--from 返回 {answer.status_code}"), FAILED)
    try:
        document = answer.json()
    except ValueError:
        document = None
    return _listing(document, member)


def _listing(document: Any, member: str) -> dict[str, Any]:
    found = {member: document} if isinstance(document, list) else document
    listed = found.get(member) if isinstance(found, dict) else None
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise Refusal(said("--from has another form than expected", "--from 的格式与预期不符"), USAGE)
    return dict(found)


def _parsed(file: Path) -> Any:
    try:
        with file.open("rb") as opened:
            if opened.read(len(_SQLITE)) == _SQLITE:
                raise Refusal(
                    said(
                        f"{file} is mem0's history, which does not say whose a memory is; save `get_all` as JSON",
                        f"{file} 是 mem0 的历史库，没有记录记忆属于谁；请改用 `get_all` 的 JSON 结果",
                    ),
                    USAGE,
                )
        return json.loads(file.read_bytes())
    except OSError as problem:
        raise Refusal(f"{file}: {problem.strerror or type(problem).__name__}", USAGE) from None
    except (ValueError, RecursionError):
        raise Refusal(said(f"{file} is not JSON in UTF-8", f"{file} 不是 UTF-8 的 JSON"), USAGE) from None


def _in_document(document: Any) -> Iterator[Theirs]:
    listing = _listing(document, "results")
    if listing.get("next") or listing.get("previous"):
        raise Refusal(
            said(
                "--from is one page of several; put the results of all pages into one list, or give the server",
                "--from 只是其中一页；请把所有页的 results 合并成一个列表，或直接给出服务器地址",
            ),
            USAGE,
        )
    for one in listing["results"]:
        person = one.get("user_id")
        if not isinstance(person, str) or not person:
            raise Refusal(said("a memory in --from has no user_id", "--from 中有一条记忆没有 user_id"), USAGE)
        yield person, one


def _in_database(file: Path) -> Iterator[Theirs]:
    try:
        if not file.is_file():
            raise FileNotFoundError(2, "No such file")
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as database:
            database.row_factory = sqlite3.Row
            for row in database.execute(_OPEN_MEMORY):
                if (one := _of_open_memory(dict(row))) is not None:
                    yield str(row["user_id"]), one
    except OSError as problem:
        raise Refusal(f"{file}: {problem.strerror or type(problem).__name__}", USAGE) from None
    except sqlite3.Error:
        raise Refusal(said(f"{file} is not OpenMemory's database", f"{file} 不是 OpenMemory 的数据库"), USAGE) from None


def _of_open_memory(found: dict[str, Any]) -> dict[str, Any] | None:
    """Return a memory of OpenMemory in mem0's form; None: it was deleted there."""
    state = str(found.get("state") or "active").lower()
    if state == "deleted":
        return None
    metadata = found.get("metadata_", found.get("metadata"))
    try:
        if isinstance(metadata, str):
            metadata = json.loads(metadata)
        own_id = str(UUID(str(found["id"])))
        at, changed = _iso(found.get("created_at")), _iso(found.get("updated_at"))
    except (KeyError, ValueError, OverflowError, OSError, RecursionError):
        raise Refusal(said("a memory in --from is malformed", "--from 中有一条记忆格式有误"), USAGE) from None
    kept = {"app_id": found["app_name"]} if found.get("app_name") else {}
    return {
        "id": own_id,
        "memory": found.get("content"),
        "metadata": metadata if isinstance(metadata, dict) else None,
        "created_at": at,
        "updated_at": changed,
        "state": state,
        **kept,
    }


def _iso(moment: Any) -> str | None:
    """Return a time as text: the server gives seconds since 1970, the file text in UTC."""
    if isinstance(moment, int | float):
        return datetime.fromtimestamp(moment, UTC).isoformat()
    return str(moment) if moment else None
