"""The product behind PgBouncer in transaction mode, with logins that own nothing. `make test-pooler` runs it."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final, get_args

import psycopg
import pytest
from sqlalchemy import make_url

from deploy.embedded.ports import free_port
from shared.kernel.connection_limits import Role
from shared.kernel.database import Database
from shared.kernel.database_errors import DatabaseMisconfigured
from shared.kernel.locks import CollectionBusy, collection_lock
from shared.kernel.new_ids import new_id
from tests.e2e.conftest import READY_SECONDS, wait_for
from tests.e2e.test_waiting import Somebody
from tests.hosts.test_two_hosts import entries, forgotten, host
from tests.support.backing import Backing

SECONDS: Final = 60.0
POOL: Final = 8
"""Connections of the pooler: fewer than the product's processes have."""
APP, RECALL = "pooled_app", "pooled_recall"
PROCESSES: Final = ("services.gateway", "services.recall", "workers", "workers.scheduler")


@pytest.fixture(scope="module")
def pgbouncer() -> str:
    program = shutil.which("pgbouncer")
    if program is None:
        pytest.fail("this needs Debian's package pgbouncer")
    return program


@pytest.fixture
def database(backing: Backing) -> Iterator[str]:
    with backing.cloned_database() as url:
        yield url


@pytest.fixture
def pooler(pgbouncer: str, database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a pooler before the database, with the owner's login."""
    with running(pgbouncer, database, tmp_path_factory.mktemp("pgbouncer")) as url:
        yield url


@contextmanager
def running(program: str, database: str, folder: Path) -> Iterator[str]:
    to, port = make_url(database), free_port()
    users = folder / "users.txt"
    users.write_text("".join(f'"{name}" "{to.password}"\n' for name in (to.username, APP, RECALL)))
    settings = folder / "pgbouncer.ini"
    settings.write_text(
        f"[databases]\n{to.database} = host={to.host} port={to.port}\n"
        f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = plain\n"
        f"auth_file = {users}\npool_mode = transaction\ndefault_pool_size = {POOL}\nmax_client_conn = 500\n"
        "ignore_startup_parameters = extra_float_digits,options\n"
    )
    folder.chmod(0o755)
    for file in (users, settings):
        file.chmod(0o644)
    as_nobody = ["-u", "nobody"] if os.geteuid() == 0 else []
    with subprocess.Popen([program, "-q", *as_nobody, str(settings)]) as process:
        try:
            url = to.set(host="127.0.0.1", port=port).render_as_string(hide_password=False)
            wait_for(partial(listens, port), seconds=10, what="the pooler")
            yield url
        finally:
            process.terminate()


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def with_login(url: str, login: str) -> str:
    return make_url(url).set(username=login).render_as_string(hide_password=False)


@pytest.fixture
def servers(backing: Backing, database: str, pooler: str) -> dict[str, str]:
    """The environment of a host whose processes reach the database through the pooler, with logins of their own."""
    return {
        "MEMORY_CENTER_STACK": "external",
        "MEMORY_CENTER_POOLER": "transaction",
        "MEMORY_CENTER_DATABASE_URL": with_login(pooler, APP),
        "MEMORY_CENTER_DATABASE_RECALL_URL": with_login(pooler, RECALL),
        "MEMORY_CENTER_DATABASE_DIRECT_URL": with_login(database, APP),
        "MEMORY_CENTER_DATABASE_OWNER_URL": database,
        "MEMORY_CENTER_BROKER_URL": backing.valkey,
        "MEMORY_CENTER_MILVUS_URI": backing.milvus,
        "MEMORY_CENTER_MILVUS_FLAVOUR": backing.milvus_flavour,
        **{f"MEMORY_CENTER_{name}_KEY": secrets.token_urlsafe(32) for name in ("SIGNING", "SERVICE", "LEDGER")},
    }


def test_a_life_is_lived_behind_a_pooler_and_nobody_acts_as_the_owner(
    servers: dict[str, str], database: str, tmp_path: Path
) -> None:
    with host(servers) as one, one.client() as api:
        wait_for(one.is_ready, seconds=READY_SECONDS, what="a host behind a pooler")
        ada = Somebody(api)
        message = ada.says("I'm allergic to peanuts.", "我住在上海。")
        wait_for(partial(ada.knows, "peanuts"), seconds=SECONDS, what="learning")
        recalled = api.post("/api/v1/recall", json={"user_id": ada.id, "query": "May I eat satay?"})
        assert "peanuts" in recalled.json()["prompt"]
        assert logins(database) <= {APP, RECALL}, "the owner's login is used by the migration alone"
        told = {name: Path(f"/proc/{each['pid']}/environ").read_bytes() for name, each in one.run["processes"].items()}
        assert not [name for name, environment in told.items() if b"MEMORY_CENTER_DATABASE_OWNER_URL" in environment]

        accepted = forgotten(ada, message)
        again = api.post("/api/v1/recall", json={"user_id": ada.id, "query": "May I eat satay?"})
        assert "peanuts" not in again.json()["prompt"]
        wait_for(partial(ada.is_forgotten, accepted["op_id"]), seconds=SECONDS, what="the forget")
        receipt = tmp_path / "receipt.json"
        wait_for(lambda: len(entries(api, accepted["receipt_id"])) == 2, seconds=SECONDS, what="its proof")
        receipt.write_text(api.get(f"/api/v1/receipts/{accepted['receipt_id']}").text)
        proof = one.command("verify-receipt", str(receipt))
        assert (proof.returncode, proof.stdout[:6]) == (0, "PROVEN"), proof
        findings = {each["part"]: each for each in json.loads(one.command("doctor", "--json").stdout)["findings"]}
        assert findings["connections"]["level"] == "ok"
        assert owns_nothing(database)


def logins(database: str) -> set[str]:
    """Return who is connected to a database, but for this test."""
    with psycopg.connect(database) as connection:
        found = connection.execute(
            """select distinct usename from pg_stat_activity
               where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'"""
        )
        return {name for (name,) in found}


def owns_nothing(database: str) -> bool:
    with psycopg.connect(database) as connection:
        found = connection.execute(
            """select count(*) from pg_class c join pg_roles r on r.oid = c.relowner
               where r.rolname in ('pooled_app', 'pooled_recall')"""
        ).fetchone()
        return found == (0,)


@pytest.mark.parametrize("process", PROCESSES)
def test_a_process_that_was_not_told_of_the_pooler_ends_with_a_sentence(
    servers: dict[str, str], pooler: str, process: str, tmp_path: Path
) -> None:
    untold = {
        **{name: value for name, value in servers.items() if name.split("_")[2] != "POOLER"},
        "MEMORY_CENTER_DATABASE_URL": pooler,
        "MEMORY_CENTER_DATABASE_RECALL_URL": "",
        "MEMORY_CENTER_DATA_DIR": str(tmp_path),
        "MEMORY_CENTER_PORT": str(free_port()),
    }
    told = subprocess.run(
        [sys.executable, "-m", process],
        check=False,
        env=os.environ | untold,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert told.returncode == 1
    assert told.stderr.strip().splitlines()[-1] == (
        "MEMORY_CENTER_DATABASE_URL leads to a connection pooler: set MEMORY_CENTER_POOLER=transaction, and"
        " MEMORY_CENTER_DATABASE_DIRECT_URL to PostgreSQL itself"
    )


def test_every_transaction_acts_in_its_role_and_within_its_limits(database: str, pooler: str) -> None:
    pools = [Database(pooler, role=role, pooler="transaction").of(new_id()) for role in get_args(Role)]
    seen: set[tuple[object, ...]] = set()

    def ask(one: Database) -> None:
        for _ in range(30):
            with one.begin() as tx:
                row = tx.row(
                    """
                    select current_user as who, current_setting('transaction_timeout') as limit_,
                           current_setting('mc.subject') as acts_for
                    """
                )
                assert row is not None
                seen.add((one.role, row["who"], row["limit_"], row["acts_for"] == str(one._person)))
                time.sleep(0.002)

    threads = [threading.Thread(target=ask, args=[one]) for one in pools * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # For one person, a worker acts like a request.
    acts_as = {role: role for role in get_args(Role)} | {"memory_center_app": "memory_center_requests"}
    expected = {(role, acts_as[role], "10s", True) for role in get_args(Role)}
    assert seen == expected, "they share connections and nothing else"
    with psycopg.connect(pooler, autocommit=True) as plain:
        for _ in range(POOL):
            left = plain.execute("select current_user, coalesce(current_setting('mc.subject', true), '')").fetchone()
            assert left == (make_url(database).username, ""), "nothing sticks"
    for one in pools:
        one.close()


def test_a_login_that_may_not_act_in_the_role_is_refused(database: str, pooler: str) -> None:
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute(f"drop role if exists {APP}".encode())
        owner.execute(f"create role {APP} login password '{make_url(database).password}'".encode())
    try:
        for url, kind in ((with_login(pooler, APP), "transaction"), (with_login(database, APP), "none")):
            stranger = Database(url, pooler=kind)  # type: ignore[arg-type]
            with pytest.raises(DatabaseMisconfigured, match="may not act as memory_center_app"):
                stranger.ping()
            stranger.close()
    finally:
        with psycopg.connect(database, autocommit=True) as owner:
            owner.execute(f"drop role {APP}".encode())


def test_past_the_pooler_at_most_one_holds_a_lock(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.kernel.locks.COLLECTION_WAIT_SECONDS", 1)
    one, other = Database(database), Database(database)
    with collection_lock(one, exclusive=True)("memories"):  # noqa: SIM117 # the first is held meanwhile
        with pytest.raises(CollectionBusy), collection_lock(other, exclusive=True)("memories"):
            pytest.fail("two hold it")
    with collection_lock(other, exclusive=True)("memories"):
        pass
    one.close()
    other.close()
