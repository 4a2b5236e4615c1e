"""Check PostgreSQL: whether it answers, its schema, and its content."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from services.cli.doctor.finding import Finding, first_line
from services.cli.doctor.ledger import ledger
from services.cli.doctor.network import place
from services.cli.doctor.patient import DATABASE_URL, Patient

OPERATIONS_WAIT_SECONDS: Final = 15.0
"""A longer wait is a warning: a worker died, or none is running."""
LEARNING_WAITS_SECONDS: Final = 300.0

if TYPE_CHECKING:
    from psycopg import Connection
    from psycopg.rows import TupleRow


def database(patient: Patient) -> Iterator[Finding]:
    """Report the server's version, its schema, the number of memories, and whether the ledger is intact."""
    url = os.environ.get("MEMORY_CENTER_DATABASE_DIRECT_URL") or patient.urls.get(DATABASE_URL)
    if url is None:
        return
    import psycopg  # slow to import

    from shared.kernel.database_errors import DatabaseUnavailable  # same

    try:
        with psycopg.connect(url, connect_timeout=5) as connection:
            version = str(connection.info.parameter_status("server_version"))
            yield Finding("ok", "postgres", f"{version} at {place(url)}")
            schema = _schema(connection, patient)
            yield schema
            if schema.level == "ok":
                yield _connections(connection)
                yield guarded_rows(connection, patient.directory.root)
                yield _memories(connection)
                yield from _waiting(connection, patient)
        if schema.level == "ok":
            yield ledger(url, patient.directory.root)
    except psycopg.Error as problem:
        yield Finding("fail", "postgres", first_line(problem), patient.log("postgres"))
    except DatabaseUnavailable:
        yield Finding("fail", "ledger", "PostgreSQL stopped answering while it was read", patient.log("postgres"))


def guarded_rows(connection: Connection[TupleRow], data_dir: Path) -> Finding:
    """Report the tables and views in which a request could reach another person's rows."""
    found = [str(name) for (name,) in connection.execute("select name::text from unguarded() as name order by 1")]
    if not found:
        return Finding("ok", "rows", "guarded: a request reaches one person's only")
    remedy = f"memory-center migrate --data-dir {data_dir}"
    return Finding("fail", "rows", f"not guarded in {', '.join(found)}", remedy)


def _schema(connection: Connection[TupleRow], patient: Patient) -> Finding:
    import psycopg  # same

    newest = _newest_schema()
    try:
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except psycopg.errors.UndefinedTable:
        row = None
    found = row[0] if row else None
    if found == newest:
        return Finding("ok", "schema", f"{found}, the newest")
    remedy = f"memory-center migrate --data-dir {patient.directory.root}"
    return Finding("fail", "schema", f"{found or 'none'}, but the newest is {newest}", remedy)


def _waiting(connection: Connection[TupleRow], patient: Patient) -> Iterator[Finding]:
    """Report how much work is waiting and for how long: requested operations, which are urgent, and learning."""
    rows = connection.execute(
        """
        SELECT priority > 0, count(*), coalesce(extract(epoch FROM now() - min(available_at)), 0)::float8
        FROM outbox WHERE state = 'ready' AND available_at <= now() GROUP BY 1
        """
    ).fetchall()
    found = {urgent: (count, seconds) for urgent, count, seconds in rows}
    for name, urgent, bearable, process in (
        ("operations", True, OPERATIONS_WAIT_SECONDS, "eraser"),
        ("learning", False, LEARNING_WAITS_SECONDS, "worker"),
    ):
        count, seconds = found.get(urgent, (0, 0.0))
        told = f"{count} rows wait, the oldest for {seconds:.0f} s" if count else "nothing waits"
        if seconds > bearable:
            yield Finding("warn", name, told, patient.log(process))
        else:
            yield Finding("ok", name, told)


def _connections(connection: Connection[TupleRow]) -> Finding:
    """Compare what the living hosts may open with what PostgreSQL allows."""
    from shared.kernel.hosts import LIVING_SECONDS  # slow to import
    from shared.runtime.databases import most_connections  # same

    row = connection.execute(
        """
        SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
               (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
               (SELECT count(*) FROM hosts WHERE seen_at > now() - make_interval(secs => %s))
        """,
        [LIVING_SECONDS],
    ).fetchone()
    allowed, there, hosts = row or (0, 0, 0)
    most = max(1, hosts) * most_connections(
        requests=_number("database_connections"),
        threads=_number("worker_threads"),
        pooler="transaction" if os.environ.get("MEMORY_CENTER_POOLER") == "transaction" else "none",
    )
    told = f"{there} of {allowed}; {max(1, hosts)} host{'s' if hosts > 1 else ''} may open {most}"
    if most > allowed:
        return Finding("warn", "connections", told, "raise max_connections, or put a pooler in between")
    return Finding("ok", "connections", told)


def _number(setting: str) -> int:
    """Return what a process is told, or what it takes by itself; one that is told nonsense does not start."""
    from shared.runtime.settings import Settings  # slow to import

    told = os.environ.get(f"MEMORY_CENTER_{setting.upper()}", "")
    return int(told) if told.isdecimal() else int(Settings.model_fields[setting].default)


def _memories(connection: Connection[TupleRow]) -> Finding:
    row = connection.execute("SELECT count(*), count(*) FILTER (WHERE archived) FROM memories").fetchone()
    total, archived = row or (0, 0)
    return Finding("ok", "memories", f"{total}, {archived} of them in the archive")


def _newest_schema() -> str:
    """Return the newest migration, read from the files so that Alembic need not be imported."""
    import migrations  # same

    following: dict[str, str | None] = {}
    for file in (Path(str(migrations.__file__)).parent / "versions").glob("*.py"):
        text = file.read_text()
        named = {
            name: re.search(rf"^{name}\b[^=\n]*=\s*[\"']([^\"']+)", text, re.MULTILINE)
            for name in ("revision", "down_revision")
        }
        if revision := named["revision"]:
            before = named["down_revision"]
            following[revision[1]] = before[1] if before else None
    heads = set(following) - set(following.values())
    return ", ".join(sorted(heads))
