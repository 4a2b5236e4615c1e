"""A scan reads every row of a store, however many answers that takes, and says which keys are not there."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from shared.erasure.rules.slices import Named, Slice
from shared.stores import scanning
from shared.stores.milvus import EpisodeStore
from shared.stores.milvus_client import MilvusConnection
from shared.stores.port import ErasureTarget
from shared.stores.scanning import Scanner
from tests.contract.conftest import an_episode


@pytest.mark.parametrize("page", [5, 16_000])
def test_a_scan_finds_every_key_where_it_lies_and_each_once(
    episodes: EpisodeStore, connection: MilvusConnection, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    monkeypatch.setattr(scanning, "PAGE", page)
    rows = [an_episode(uuid4()) for _ in range(30)]
    episodes.insert(rows)
    gone = rows.pop()
    episodes.erase([ErasureTarget(namespace=gone.namespace, keys=(gone.key,))])

    pages = list(Scanner(connection).pages("milvus"))

    found: dict[UUID, UUID] = {}
    for one in pages:
        assert one.rows == len(one.namespaces) < page
        assert not found.keys() & one.namespaces.keys()
        found |= one.namespaces
    assert {row.key: row.namespace for row in rows}.items() <= found.items()
    assert gone.key not in found


def test_what_a_store_does_not_hold_is_missing(
    episodes: EpisodeStore, connection: MilvusConnection, namespace: UUID
) -> None:
    there, gone, never = an_episode(namespace), an_episode(namespace), uuid4()
    episodes.insert([there, gone])
    episodes.erase([ErasureTarget(namespace=namespace, keys=(gone.key,))])

    scanner = Scanner(connection)

    assert scanner.missing("milvus", [there.key, gone.key, never]) == {gone.key, never}
    assert scanner.missing("milvus", []) == set()


@pytest.mark.parametrize("page", [5, 16_000])
def test_a_scan_of_some_namespaces_finds_theirs_and_no_others(
    episodes: EpisodeStore, connection: MilvusConnection, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    monkeypatch.setattr(scanning, "PAGE", page)
    rows = [an_episode(uuid4()) for _ in range(30)]
    episodes.insert(rows)
    half = Slice(part=1, of=2)

    found: set[UUID] = set()
    for one in Scanner(connection).pages("milvus", within=half.ranges):
        found |= one.namespaces.keys()
        assert all(half.low <= namespace <= half.high for namespace in one.namespaces.values())

    assert {row.key for row in rows if half.low <= row.namespace} <= found
    some = Named(namespaces=tuple(row.namespace for row in rows[:3]))
    pages = [*Scanner(connection).pages("milvus", within=some.ranges)]
    assert {key for one in pages for key in one.namespaces} == {row.key for row in rows[:3]}


def test_a_slice_is_cut_into_as_many_parts_as_it_has_rows_and_not_all_there_are() -> None:
    for of in (1, 2, 128):
        part = Slice(part=of - 1, of=of)
        assert scanning._share(part.ranges) == pytest.approx(1 / of)
