"""The launcher's Milvus Lite answers filtered reads as Milvus Lite itself does, whatever was written before."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from milvus_lite import Collection, CollectionSchema, DataType, FieldSchema, MilvusLite
from milvus_lite.engine import collection as engine
from milvus_lite.search.assembler import assemble_candidates

from deploy.embedded import milvus_reads

OWNERS = ("ada", "bo", "cy")
FILTERS = (
    'owner == "ada"',
    'owner in ["ada", "cy"] and number > 3',
    'pk in ["k1", "k2", "k77"] or owner == "bo"',
    'number >= 0 and pk != ""',
    'array_contains(tags, "t1")',
    'owner == "nobody"',
)
READS = (assemble_candidates, milvus_reads.candidates)
SCHEMA = CollectionSchema(
    fields=[
        FieldSchema(name="pk", dtype=DataType.VARCHAR, max_length=36, is_primary=True),
        FieldSchema(name="owner", dtype=DataType.VARCHAR, max_length=36, is_partition_key=True),
        FieldSchema(name="number", dtype=DataType.INT64),
        FieldSchema(name="tags", dtype=DataType.ARRAY, element_type=DataType.VARCHAR, max_capacity=4, max_length=8),
        FieldSchema(name="vector", dtype=DataType.FLOAT_VECTOR, dim=4),
    ]
)


def test_the_installed_release_is_one_whose_reads_were_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "assemble_candidates", assemble_candidates)
    assert milvus_reads.install()
    assert engine.assemble_candidates is milvus_reads.candidates


def test_another_release_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "assemble_candidates", assemble_candidates)
    monkeypatch.setattr(milvus_reads, "version", lambda _package: "4.0.0")
    assert not milvus_reads.install()
    assert engine.assemble_candidates is assemble_candidates


@pytest.mark.few(4)
@pytest.mark.parametrize("seed", range(12))
def test_filtered_reads_answer_as_milvus_lite_does(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    with MilvusLite(str(tmp_path / "lite")) as lite:
        rows = lite.create_collection("rows", SCHEMA)
        for _ in range(40):
            _change(rows, chance)
            for where in FILTERS:
                theirs, ours = (_read(rows, where, read, monkeypatch) for read in READS)
                assert sorted(ours) == sorted(theirs)
                few = _read(rows, where, milvus_reads.candidates, monkeypatch, limit=3)
                assert len(few) == min(3, len(theirs))
                assert set(few) <= set(theirs)
        assert rows.query("", output_fields=["pk"], limit=5)  # without a filter as ever


def _read(
    rows: Collection, where: str, read: Any, monkeypatch: pytest.MonkeyPatch, *, limit: int | None = None
) -> list[str]:
    """Return what a read finds; in no order, as files are compacted meanwhile."""
    monkeypatch.setattr(engine, "assemble_candidates", read)
    return [str(row) for row in rows.query(where, output_fields=["pk", "owner", "number", "tags"], limit=limit)]


def _change(rows: Collection, chance: random.Random) -> None:
    match chance.choice(("insert", "insert", "insert", "move", "delete", "flush")):
        case "insert":
            rows.insert([_row(chance, owner=None) for _ in range(chance.randint(1, 12))])
        case "move":  # an older version of a key stays behind, in another segment or in another partition
            rows.upsert([_row(chance, owner=chance.choice(OWNERS))])
        case "delete":
            rows.delete([f"k{chance.randint(0, 80)}" for _ in range(chance.randint(1, 6))])
        case "flush":
            rows.flush()


def _row(chance: random.Random, *, owner: str | None) -> dict[str, Any]:
    number = chance.randint(0, 80)
    return {
        "pk": f"k{number}",
        "owner": owner or OWNERS[number % 3],
        "number": chance.randint(0, 9),
        "tags": [f"t{chance.randint(0, 3)}" for _ in range(chance.randint(0, 3))],
        "vector": [chance.random() for _ in range(4)],
    }
