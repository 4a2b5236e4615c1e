"""What the recall service's database role may do: read what is visible, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from tests.support.tables import each

ROLE = "memory_center_recall"
READS = {
    "visible_subjects",
    "visible_settings",
    "visible_conversations",
    "visible_messages",
    "visible_episodes",
    "visible_summaries",
    "visible_feedback",
    "visible_memories",
    "visible_vectors",
    "visible_lineage",
    "visible_preference_signals",
    "visible_traits",
    "visible_trait_contexts",
    "visible_trait_evidence",
    "visible_trait_observations",
    "visible_reflections",
    "visible_consents",
    "visible_tasks",
    "visible_contexts",
    "visible_documents",
    "visible_document_parts",
    "visible_thread_notes",
    "visible_drift",
    "visible_candidates",
}
CALLS = {
    "superseded_memories",
    "superseded_among",
    # keyed digests in, hints out: no row of theirs is served without its visible one
    "messages_by_terms",
    "memories_by_terms",
}


@pytest.fixture
def owner(database_url: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    with psycopg.connect(database_url, autocommit=True) as connection:
        yield connection


def relations(owner: psycopg.Connection[tuple[object, ...]], kinds: str) -> list[str]:
    rows = owner.execute(
        """
        select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind = any(%s) order by 1
        """,
        [list(kinds)],
    )
    return [str(name) for (name,) in rows]


def test_it_was_granted_reading_views_and_nothing_else(owner: psycopg.Connection[tuple[object, ...]]) -> None:
    granted = owner.execute(
        "select table_name, privilege_type from information_schema.role_table_grants where grantee in (%s, 'PUBLIC')"
        " and table_schema = 'public'",
        [ROLE],
    ).fetchall()
    columns = owner.execute(
        "select table_name, column_name from information_schema.role_column_grants where grantee in (%s, 'PUBLIC')"
        " and table_schema = 'public' and not table_name = any(%s)",
        [ROLE, sorted(READS)],
    ).fetchall()

    assert {(name, privilege) for name, privilege in granted} == {(name, "SELECT") for name in READS}
    assert columns == []
    assert set(relations(owner, "v")) >= READS, "views, not tables"


def test_whatever_it_was_granted_by_whom_its_effect_is_the_same(owner: psycopg.Connection[tuple[object, ...]]) -> None:
    """By what PostgreSQL would allow, so that memberships and defaults count too."""
    allowed = {
        (name, privilege)
        for name in relations(owner, "rvmfp")
        for privilege in ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER", "MAINTAIN")
        if owner.execute("select has_table_privilege(%s, %s, %s)", [ROLE, f'public."{name}"', privilege]).fetchone()
        == (True,)
    }
    sequences = [
        name
        for name in relations(owner, "S")
        if owner.execute("select has_sequence_privilege(%s, %s, 'usage')", [ROLE, f'public."{name}"']).fetchone()
        == (True,)
    ]
    callable_ones = owner.execute(
        """
        select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname = 'public' and p.prorettype <> 'trigger'::regtype
          and has_function_privilege(%s, p.oid, 'execute')
        """,
        [ROLE],
    ).fetchall()
    may_create = owner.execute(
        "select has_schema_privilege(%s, 'public', 'create'), has_database_privilege(%s, current_database(), 'create')",
        [ROLE, ROLE],
    ).fetchone()
    power = owner.execute(
        "select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls or rolcanlogin,"
        " (select count(*) from pg_auth_members m where m.member = r.oid) from pg_roles r where rolname = %s",
        [ROLE],
    ).fetchone()

    assert allowed == {(name, "SELECT") for name in READS}
    assert sequences == []
    assert {name for (name,) in callable_ones} == CALLS
    assert may_create == (False, False)
    assert power == (False, 0)


def test_functions_that_see_more_than_it_does_answer_with_ids_alone(
    owner: psycopg.Connection[tuple[object, ...]],
) -> None:
    rows = owner.execute(
        """
        select p.proname, pg_get_function_result(p.oid), coalesce(array_to_string(p.proconfig, ','), '')
        from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname = 'public' and p.prosecdef and has_function_privilege(%s, p.oid, 'execute')
        """,
        [ROLE],
    ).fetchall()

    definers = {str(name): str(result) for name, result, _ in rows}
    assert {name: definers.pop(name) for name in ("messages_by_terms", "memories_by_terms")} == {
        "messages_by_terms": "TABLE(term bigint, seq bigint)",
        "memories_by_terms": "TABLE(term bigint, memory_id uuid)",
    }
    assert set(definers.values()) <= {"SETOF uuid", "TABLE(id uuid)"}
    assert all("search_path=public" in str(config) for _, _, config in rows), "nobody can put a table in front"


@each(
    "statement",
    [
        "select text from message_contents",
        "select text from memory_contents",
        "select terms from message_terms",
        "select subject_key from subjects",
        "select * from hides",
        "select * from mem0_mapping",
        "insert into outbox (kind) values ('x')",
        "delete from message_terms",
        "create table mine (x int)",
        "update visible_settings set longterm_enabled = false",
    ],
)
def test_it_is_refused_what_lies_behind_the_views(
    owner: psycopg.Connection[tuple[object, ...]], statement: str
) -> None:
    owner.execute(f"set role {ROLE}".encode())
    with pytest.raises(InsufficientPrivilege):
        owner.execute(statement.encode())
