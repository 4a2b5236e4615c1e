"""`make bench-purge`: how long requests wait while a purge rewrites what many people wrote.

People with long histories ask and tell an installation, first alone, then while the purge after a forget of some of
them rewrites their partitions on disk. Beside it: how long the largest table would be locked if it were one piece.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Final

import httpx
import psycopg

from memory_center_client import MemoryCenter
from shared.erasure.sql.purging import rewrite_tables
from shared.items import register_kinds
from shared.kernel.database import Database
from tests.bench.measuring import say
from tests.e2e.conftest import Stack, running_installation

ALONE_SECONDS: Final = 20.0
CLIENTS: Final = 4
FORGETTING: Final = 3
"""How many people forgot something: about as many as of 10,000 people do in half an hour."""
FILL: Final = """
  with person as (
    select s.id, s.namespace, c.id as conversation
    from subjects s join conversations c on c.subject_id = s.id where s.user_id = %(user)s
  ), said as (
    insert into messages (id, subject_id, generation, conversation_id, seq, turn, session, role, completed, summarize,
                          index_episode, learn, spoken_at)
    select gen_random_uuid(), id, 1, conversation, n, n / 2, 1, case n %% 2 when 0 then 'assistant' else 'user' end,
           true, true, true, true, now()
    from person, generate_series(1, %(messages)s) n
    returning id, subject_id, seq
  ), contents as (
    insert into message_contents (message_id, subject_id, text)
    select id, subject_id, repeat(md5(id::text), 8) from said
  )
  insert into message_terms (message_id, subject_id, seq, terms)
  select id, subject_id, seq, array(
    select ('x' || substr(md5(subject_id::text || floor(20000 * random() ^ 3 + 0 * seq)), 1, 16))::bit(64)::bigint
    from generate_series(1, 20))
  from said
"""


class Client(threading.Thread):
    """One person's program, which asks and tells without a pause.

    Args:
        api: of the installation, as this person.
        conversation: their conversation.
    """

    def __init__(self, api: httpx.Client, conversation: str) -> None:
        super().__init__(daemon=True)
        self._api, self._conversation = api, conversation
        self._over = threading.Event()
        self.waited: list[tuple[float, float]] = []
        """When each request began, and how many seconds it took."""

    def run(self) -> None:
        place = {"conversation_id": self._conversation}
        said = {**place, "messages": [{"role": "user", "content": "The bus was late again."}]}
        asks: list[Callable[[], httpx.Response]] = [
            lambda: self._api.post("/api/v1/messages", json=said),
            lambda: self._api.get("/api/v1/messages", params=place),
            lambda: self._api.get("/api/v1/memory/long_term"),
            lambda: self._api.post("/api/v1/recall", json={**place, "query": "Which bus?"}),
        ]
        for ask in itertools.cycle(asks):
            if self._over.is_set():
                return
            began = time.monotonic()
            ask().raise_for_status()
            self.waited.append((began, time.monotonic() - began))

    def stop(self) -> None:
        self._over.set()
        self.join()


def waits(clients: list[Client], since: float, until: float) -> dict[str, float]:
    """Return how many requests ran in this time, and their milliseconds: median, 99th of 100, longest."""
    took = sorted(
        seconds for one in clients for began, seconds in one.waited if began < until and began + seconds > since
    )
    return {
        "requests": len(took),
        "p50_ms": round(1000 * took[len(took) // 2]),
        "p99_ms": round(1000 * took[len(took) * 99 // 100]),
        "most_ms": round(1000 * took[-1]),
    }


def whole(sql: psycopg.Connection[Any]) -> float:
    """Return the seconds for which the largest table would be locked if it were not partitioned."""
    sql.execute("create table bench_scratch (like message_terms including all)")
    sql.execute("insert into bench_scratch select * from message_terms")
    began = time.monotonic()
    sql.execute("vacuum full bench_scratch")
    seconds = time.monotonic() - began
    sql.execute("drop table bench_scratch")
    return seconds


def measured(stack: Stack, people: int, messages: int) -> dict[str, Any]:
    password, port = stack.secrets["postgres_password"], stack.run["ports"]["postgres"]
    url = f"postgresql://memory_center:{password}@127.0.0.1:{port}/memory_center"
    clients: list[Client] = []
    with (
        MemoryCenter(stack.url, stack.secrets["service_key"], timeout=60) as center,
        psycopg.connect(url, autocommit=True) as sql,
    ):
        for number in range(people):
            user = f"person-{number}"
            conversation = center.for_user(user).conversations.create()
            sql.execute(FILL.encode(), {"user": user, "messages": messages})
            sql.execute(
                "update conversations set next_seq = %s, turn = %s where id = %s",
                [messages + 1, messages // 2 + 1, conversation],
            )
            if number < CLIENTS:
                token = httpx.post(
                    f"{stack.url}/api/v1/tokens",
                    json={"user_id": user},
                    headers={"Authorization": f"Bearer {stack.secrets['service_key']}"},
                ).json()["token"]
                headers = {"Authorization": f"Bearer {token}"}
                clients.append(Client(httpx.Client(base_url=stack.url, headers=headers, timeout=60), conversation))
        sql.execute("vacuum analyze")
        say(f"{people} people with {messages} messages each")
        sizes = sql.execute(
            "select sum(pg_total_relation_size(relid)), max(pg_total_relation_size(relid))"
            " from pg_partition_tree('message_contents') where isleaf"
        ).fetchone()
        assert sizes is not None
        for one in clients:
            one.start()
        began = time.monotonic()
        time.sleep(ALONE_SECONDS)
        alone = waits(clients, began, time.monotonic())
        for number in range(people - FORGETTING, people):
            user = f"person-{number}"
            row = sql.execute(
                "select m.id from messages m join subjects s on s.id = m.subject_id where s.user_id = %s limit 1",
                [user],
            ).fetchone()
            assert row is not None
            center.for_user(user).forget.message(str(row[0])).wait(120)
        began = time.monotonic()
        database = Database(url, application="bench purge", transaction_seconds=None)
        rewritten = rewrite_tables(database)
        ended = time.monotonic()
        database.close()
        during = waits(clients, began, ended)
        for one in clients:
            one.stop()
        return {
            "messages": people * messages,
            "texts_mb": round(float(sizes[0]) / 1e6),
            "largest_partition_mb": round(float(sizes[1]) / 1e6),
            "alone": alone,
            "during_purge": during,
            "purge_seconds": round(ended - began, 1),
            "rewritten": rewritten,
            "whole_table_locked_seconds": round(whole(sql), 1),
        }


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--people", type=int, default=200)
    options.add_argument("--messages", type=int, default=5_000, help="of each")
    chosen = options.parse_args()
    register_kinds()
    with running_installation() as stack:
        print(f"BENCH_PURGE {json.dumps(measured(stack, chosen.people, chosen.messages))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
