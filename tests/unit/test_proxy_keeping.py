"""Messages the proxy records wait for nobody else's."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from services.proxy.asked import Asked
from services.proxy.keeping import MESSAGE_MAX, WAITING_MAX, Keeping, Spoken
from services.proxy.memory import Away, Memory


class _Gateway:
    """Refuses one person's messages for now, and keeps all others."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, str]] = []
        self.all_of_hers = asyncio.Event()

    async def record(self, asked: Asked, conversation_id: str, message: Any) -> None:
        del conversation_id
        if asked.user_id == "too busy":
            raise Away
        self.kept.append((str(asked.user_id), message["content"]))
        if message["content"] == "three":
            self.all_of_hers.set()


def _says(user: str, text: str) -> Spoken:
    asked = Asked(token="t", user_id=user, conversation="c", project_id=None, mode="full", fail="open")
    return Spoken(asked=asked, conversation_id="c", role="user", text=text, digest=text)


def test_nobody_waits_for_somebody_who_is_refused() -> None:
    async def play() -> list[tuple[str, str]]:
        gateway = _Gateway()
        keeping = Keeping(cast("Memory", gateway))
        keeping.keep(_says("too busy", "first"))
        for text in ("one", "two", "three"):
            keeping.keep(_says("ada", text))
        await gateway.all_of_hers.wait()
        keeping.give_up()
        return gateway.kept

    assert asyncio.run(asyncio.wait_for(play(), 20)) == [("ada", "one"), ("ada", "two"), ("ada", "three")]


def test_what_waits_is_bounded() -> None:
    async def play() -> tuple[int, int, int]:
        keeping = Keeping(cast("Memory", _Gateway()))
        for number in range(WAITING_MAX + 5):
            keeping.keep(_says("too busy", f"{number} " + "x" * (MESSAGE_MAX - 10)))
        [line] = keeping._lines.values()
        longest = max(len(one.text) for one in line)
        waiting, dropped = keeping.waiting, keeping.dropped
        keeping.give_up()
        return waiting, dropped, longest

    waiting, dropped, longest = asyncio.run(play())
    assert (waiting, dropped) == (WAITING_MAX, 5)
    assert longest <= MESSAGE_MAX


def test_of_a_long_message_all_waits_or_nothing() -> None:
    async def play() -> tuple[int, int]:
        keeping = Keeping(cast("Memory", _Gateway()))
        for number in range(WAITING_MAX - 1):
            keeping.keep(_says("too busy", str(number)))
        keeping.keep(_says("too busy", "x" * (MESSAGE_MAX + 1)))
        found = keeping.waiting, keeping.dropped
        keeping.give_up()
        return found

    assert asyncio.run(play()) == (WAITING_MAX - 1, 1)
