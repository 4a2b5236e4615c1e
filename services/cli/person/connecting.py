"""Where a person's commands find the API, and with which credentials."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import httpx2

from deploy.embedded.data_directory import DataDirectory
from deploy.embedded.launcher import DEFAULT_PORT
from deploy.embedded.ports import LOOPBACK
from services.cli.exit_codes import UNREACHABLE, USAGE, Refusal
from services.cli.installation import secret
from services.cli.person.client import Center, is_address
from services.cli.sign_in import LOCAL_PERSON, WORKDAY_MINUTES
from services.cli.terminal import said
from services.cli.token import person_token

_TOKEN: Final = "MEMORY_CENTER_TOKEN"  # noqa: S105 # the name of a variable
_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})
"""Where a token may go that is made here."""


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


def _running_at(data_dir: Path) -> str | None:
    directory = DataDirectory(data_dir.resolve())
    run = directory.run() if directory.is_held() else None
    return run.url if run else None


def _is_local(url: str) -> bool:
    return is_address(url) and httpx2.URL(url).host in _LOCAL
