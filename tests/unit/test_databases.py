"""Where a process finds PostgreSQL, and how many connections a host has."""

from __future__ import annotations

import pytest

from deploy.embedded.postgres import SETTINGS
from shared.runtime.databases import most_connections
from shared.runtime.settings import settings

NEEDED = {
    "MEMORY_CENTER_DATABASE_URL": "postgresql://pooler/memory",
    "MEMORY_CENTER_BROKER_URL": "redis://nowhere",
    "MEMORY_CENTER_MILVUS_URI": "http://nowhere",
    "MEMORY_CENTER_SIGNING_KEY": "k" * 40,
    "MEMORY_CENTER_SERVICE_KEY": "k" * 40,
}


@pytest.fixture(autouse=True)
def told(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in NEEDED.items():
        monkeypatch.setenv(name, value)
    settings.cache_clear()


def test_with_a_pooler_the_way_past_it_must_be_known(monkeypatch, capsys):
    monkeypatch.setenv("MEMORY_CENTER_POOLER", "transaction")
    with pytest.raises(SystemExit):
        settings()
    assert "MEMORY_CENTER_POOLER needs MEMORY_CENTER_DATABASE_DIRECT_URL" in capsys.readouterr().err
    monkeypatch.setenv("MEMORY_CENTER_DATABASE_DIRECT_URL", "postgresql://server/memory")
    assert settings().direct_url == "postgresql://server/memory"
    settings.cache_clear()


def test_without_a_pooler_everything_goes_to_one_address():
    assert settings().direct_url == "postgresql://pooler/memory"
    settings.cache_clear()


def test_what_one_host_opens_fits_its_own_server():
    most = most_connections(requests=20, threads=4)
    assert most <= int(SETTINGS["max_connections"]) - 3
    assert most_connections(requests=20, threads=4, pooler="transaction") < most / 3
