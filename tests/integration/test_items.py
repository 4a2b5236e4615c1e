"""A kind of thing the product has never heard of: its tables and one entry of the registry, and everything knows it.

Edited for it: the migration's tables, view and grants (three places), the record's form, how it is read, how it is
written (two statements), and the entry. No module of the product.
"""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import psycopg
import pytest
from sqlalchemy import Column, Integer, MetaData, Table, Text, Uuid, literal, select

from shared.erasure.fates import tables
from shared.erasure.sql import purging
from shared.erasure.sql.purging import rewrite_tables
from shared.kernel import items, subjects
from shared.kernel.database import Row, Transaction
from shared.kernel.items import InPackages, ItemKind
from shared.kernel.new_ids import new_id
from shared.kernel.records import Moment, Record
from shared.ledger import forgotten
from shared.ledger.rules import TAKEN_BYTES
from shared.memories.queries.derived import derived_from
from tests.support.importing import brought, sent
from tests.support.packages import packed
from tests.support.workbench import Person, Workbench

TABLES = """
  create table vows (id uuid primary key, subject_id uuid not null, generation integer not null,
                     message_id uuid, made_at timestamptz not null);
  create table vow_contents (vow_id uuid primary key references vows(id), text text not null);
  create view visible_vows as
    select v.*, t.text from vows v join subjects s on s.id = v.subject_id and s.generation = v.generation
    join vow_contents t on t.vow_id = v.id
    where not exists (select from hides h where h.kind = 'vow' and h.item_id = v.id);
  grant select, insert, delete on vows to memory_center_app;
  grant insert, delete, maintain on vow_contents to memory_center_app;
  grant select (vow_id) on vow_contents to memory_center_app;
  grant select on visible_vows to memory_center_app;
"""
GONE = "drop view visible_vows; drop table vow_contents; drop table vows"


class Vow(Record):
    id: UUID
    message_id: UUID | None
    made_at: Moment
    text: str


def read(tx: Transaction, subject_id: UUID) -> Iterator[Row]:
    return tx.stream(
        "select id, message_id, made_at, text from visible_vows where subject_id = :subject order by id",
        subject=subject_id,
    )


SCHEMA = MetaData()
OF_PERSON = [("id", Uuid), ("subject_id", Uuid), ("generation", Integer)]
VOWS = Table("vows", SCHEMA, *(Column(*one) for one in OF_PERSON))
VISIBLE_VOWS = Table("visible_vows", SCHEMA, *(Column(*one) for one in [*OF_PERSON, ("text", Text), ("made_at", Text)]))
VOW_CONTENTS = Table("vow_contents", SCHEMA, Column("vow_id", Uuid), Column("text", Text))

VOW = ItemKind(
    name="vow",
    record="vow",
    table=VOWS,
    visible=VISIBLE_VOWS,
    contents=(VOW_CONTENTS.c.vow_id,),
    in_lineage=True,
    recorded=True,
    summary=select(
        VISIBLE_VOWS.c.id,
        literal("vow").label("label"),
        VISIBLE_VOWS.c.text.label("content"),
        VISIBLE_VOWS.c.made_at,
    ),
    in_packages=InPackages(
        form=Vow,
        read=read,
        refers_to={"message_id": "message"},
        write={
            "vows": """
              insert into vows (id, subject_id, generation, message_id, made_at)
              select i.here, :subject, :generation, m.here, (i.record ->> 'made_at')::timestamptz
              from incoming i
              left join incoming m on m.kind = 'message' and m.id = (i.record ->> 'message_id')::uuid
              where i.kind = 'vow' and i.fate is null""",
            "what vows say": """
              insert into vow_contents (vow_id, text)
              select i.here, i.record ->> 'text' from incoming i where i.kind = 'vow' and i.fate is null""",
        },
    ),
)


@pytest.fixture(autouse=True)
def vows(database_url: str) -> Iterator[psycopg.Connection]:
    """The new kind, while a test runs."""
    with psycopg.connect(database_url, autocommit=True) as owner:
        owner.execute(TABLES)
        items.register(VOW)
        try:
            yield owner
        finally:
            items.unregister(VOW.name)
            owner.execute(GONE)


def vowed(owner: psycopg.Connection, person: Person) -> tuple[str, UUID]:
    """Let a person say something and vow something because of it; return the message and the vow."""
    [(message, _)] = person.say(person.conversation(), ("I'm allergic to peanuts.", "Noted."))
    person.bench.work()
    vow = new_id()
    subject = "select id from subjects where user_id = %(user)s"
    values = {"id": vow, "user": person.user_id, "message": message}
    owner.execute(f"insert into vows select %(id)s, ({subject}), 1, %(message)s, now()", values)
    owner.execute("insert into vow_contents values (%(id)s, 'never again')", values)
    owner.execute(
        f"""insert into lineage (derived_kind, derived_id, source_kind, source_id, edge, subject_id, generation)
            select 'vow', %(id)s, 'message', %(message)s, 'text_from', ({subject}), 1""",
        values,
    )
    return message, vow


def test_it_is_erased_and_counted_with_what_it_was_made_of(bench: Workbench, vows: psycopg.Connection) -> None:
    ada = bench.person()
    message, vow = vowed(vows, ada)
    with bench.database.begin() as tx:
        subject = items.owner(tx, "vow", vow)
        assert subject is not None
        became = derived_from(tx, subject.id, UUID(message))
    assert became is not None
    [made] = [one for one in became.derived if one.link.kind == "vow"]
    assert (made.item.id, made.item.content) == (vow, "never again")
    body = {"scope": "message", "message_id": message}
    foreseen = ada.post("/api/v1/memory/forget/dry-run", body, status=200)
    assert foreseen["counts"]["postgres"]["vows"] == 1
    operation = ada.forget("message", message_id=message)
    assert vows.execute("select count(*) from visible_vows").fetchone() == (0,)  # at once, not only when erased
    bench.work()
    done = ada.operation(operation)
    assert done["status"] == "succeeded"
    assert next(one["counts"] for one in done["steps"] if one["name"] == "postgres")["vows"] == 1
    assert bench.count("select count(*) from vows") == bench.count("select count(*) from vow_contents") == 0


def test_what_is_left_of_it_keeps_a_forget_from_being_proven(bench: Workbench, vows: psycopg.Connection) -> None:
    ada = bench.person()
    vowed(vows, ada)
    # Somebody puts a row back that was erased: the search for residue sees it.
    vows.execute(
        """create function back() returns trigger language plpgsql as $$ begin
             insert into vows select new_rows.* from new_rows limit 1; return null; end $$;
           create trigger back after delete on vows referencing old table as new_rows for each statement
             execute function back()"""
    )
    operation = ada.forget("user")
    bench.work()
    done = ada.operation(operation)
    assert done["status"] != "succeeded"
    vows.execute("drop trigger back on vows; drop function back()")


def test_it_is_purged_and_declared(bench: Workbench, vows: psycopg.Connection) -> None:
    assert "vow_contents" in purging.tables()
    assert (tables()["vows"], tables()["vow_contents"]) == ("goes", "goes")
    before = vows.execute("select pg_relation_filenode('vow_contents'::regclass)").fetchone()
    rewrite_tables(bench.database)
    assert vows.execute("select pg_relation_filenode('vow_contents'::regclass)").fetchone() != before


def test_it_travels_and_what_went_with_everything_stays_gone(bench: Workbench, vows: psycopg.Connection) -> None:
    ada, eve = bench.person(), bench.person()
    _, vow = vowed(vows, ada)
    package = packed(ada)
    [record] = package.every("vow")
    assert (record["id"], record["text"]) == (str(vow), "never again")
    counts = brought(eve, package.raw)
    assert counts["vow"] == 1
    [copy] = packed(eve).every("vow")
    assert (copy["text"], copy["made_at"]) == ("never again", record["made_at"])
    assert copy["id"] != record["id"]  # ids are one person's
    ada.forget("user")
    bench.work()
    with bench.database.begin() as tx:
        subject = subjects.find(tx, ada.user_id)
        assert subject is not None
        [everything] = forgotten.forgotten(tx, subject).everything
    assert subject.digest("vow", str(vow))[:TAKEN_BYTES] in everything.taken
    assert sent(ada, package.raw).json()["code"] == "import_restores_forgotten"
