"""Streams are counted by all processes together, and only as long as somebody serves them."""

from __future__ import annotations

import anyio
import pytest
from pydantic import SecretStr

from shared.runtime import open_streams
from shared.runtime.open_streams import OpenStreams
from shared.runtime.settings import Settings
from tests.support.workbench import Workbench


async def two(settings: Settings) -> tuple[OpenStreams, OpenStreams]:
    return OpenStreams(settings), OpenStreams(settings)


def test_two_processes_count_together_and_each_person_alone(bench: Workbench) -> None:
    async def live() -> None:
        here, there = await two(bench.settings)
        ada = bench.person().user_id
        first, second = await here.enter(ada, most=2), await there.enter(ada, most=2)
        assert first is not None
        assert second is not None
        assert await here.enter(ada, most=2) is await there.enter(ada, most=2) is None
        assert await there.enter(bench.person().user_id, most=2) is not None
        await here.leave(first)
        assert await there.enter(ada, most=2) is not None

    anyio.run(live)


def test_those_of_a_process_that_died_stop_counting_and_renewed_ones_do_not(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_streams, "COUNTED_SECONDS", 1.0)
    monkeypatch.setattr(open_streams, "RENEWED_SECONDS", 0.0)

    async def live() -> None:
        dead, alive = await two(bench.settings)
        ada = bench.person().user_id
        assert await dead.enter(ada, most=2) is not None
        assert await alive.enter(ada, most=2) is not None
        assert await alive.enter(ada, most=2) is None
        for _ in range(15):
            await anyio.sleep(0.1)
            await alive.renew()
        assert await alive.enter(ada, most=2) is not None, "the dead one counts no more"
        third = OpenStreams(bench.settings)
        assert await third.enter(ada, most=2) is None, "the living ones do"

    anyio.run(live)


def test_without_valkey_each_process_counts_its_own(bench: Workbench) -> None:
    settings = bench.settings.model_copy(update={"broker_url": SecretStr("redis://127.0.0.1:1/0")})

    async def live() -> None:
        here, there = await two(settings)
        ada = bench.person().user_id
        kept = [await here.enter(ada, most=2) for _ in range(2)]
        assert await here.enter(ada, most=2) is None
        assert await there.enter(ada, most=2) is not None
        await here.renew()
        await here.leave(str(kept[0]))
        assert await here.enter(ada, most=2) is not None

    anyio.run(live)
