"""Requests are counted per person and per key, by all processes together; by each for itself while Valkey is away."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import pytest
import redis
from pydantic import SecretStr

from shared.runtime.authentication import Principal
from shared.runtime.rates import Rates, TooManyRequests
from shared.runtime.settings import Settings
from tests.support.backing import Backing
from tests.support.milvus_servers import free_port
from tests.support.small_api import SETTINGS


def settings(broker: str) -> Settings:
    limits = {"person_requests_per_minute": 3, "service_requests_per_minute": 5}
    return SETTINGS.model_copy(update={"broker_url": SecretStr(broker), **limits})


def person() -> Principal:
    return Principal("person", f"ada-{uuid4()}")


def test_all_processes_count_together_and_valkey_does_not_learn_who_it_is(backing: Backing) -> None:
    one, other, bob = person(), Principal("service", f"key-{uuid4()}"), person()

    async def ask() -> None:
        processes = [Rates(settings(backing.valkey)) for _ in range(2)]
        for number in range(3):
            await processes[number % 2].count(one)
        for rates in processes:
            with pytest.raises(TooManyRequests) as refused:
                await rates.count(one)
            assert 1 <= refused.value.retry_after_seconds <= 60
            await rates.count(bob)
            await rates.count(other)
            await rates.close()

    asyncio.run(ask())
    with redis.Redis.from_url(backing.valkey) as valkey:
        keys = b" ".join(key for key in valkey.scan_iter("LIMITS*"))
    assert b"memory-center:person" in keys
    for principal in (one, other, bob):
        assert principal.subject.encode() not in keys


def test_without_valkey_each_process_counts_for_itself() -> None:
    ada = person()

    async def ask() -> None:
        rates = Rates(settings(f"redis://127.0.0.1:{free_port()}/0"))
        for _ in range(3):
            await rates.count(ada)
        with pytest.raises(TooManyRequests):
            await rates.count(ada)
        another = Rates(settings("redis://127.0.0.1:1/0"))
        await another.count(ada)
        for each in (rates, another):
            await each.close()

    asyncio.run(ask())


def test_without_a_limit_nothing_is_counted() -> None:
    free = SETTINGS.model_copy(update={"person_requests_per_minute": 0})

    async def ask() -> None:
        rates = Rates(free)
        for _ in range(10):
            await rates.count(person())

    asyncio.run(ask())
