"""The gateway with one more route: a bare committed insert, which accepting a forget is compared with.

It passes what every request passes (server, middleware, authentication, threads, pool) and does what no write can
leave out: one statement, one commit.
"""

from __future__ import annotations

import sys

from fastapi import FastAPI

from services import conversations, memory_center, recall
from services.api import Body, CurrentCaller
from services.assembly import Readiness
from services.problems import PROBLEMS
from services.recall.app import Searching
from shared.kernel.database import Transaction
from shared.runtime import logging
from shared.runtime.rates import Rates
from shared.runtime.serving import serve
from shared.runtime.settings import Settings, settings
from shared.runtime.web import api_router, create_app

TABLE = "bench_inserts"
CREATE_TABLE = f"""
create table if not exists {TABLE} (id bigint generated always as identity primary key, message_id text not null,
                                    at timestamptz not null default now());
grant insert on {TABLE} to memory_center_app
"""

router = api_router(prefix="/bench")


class InsertIn(Body):
    """What to insert: as much as a forget of a message says."""

    scope: str
    message_id: str


@router.post("/insert", status_code=202)
def insert(body: InsertIn, caller: CurrentCaller) -> dict[str, str]:
    """Insert one row and commit."""

    def work(tx: Transaction) -> int:
        return tx.run(f"insert into {TABLE} (message_id) values (:message)", message=body.message_id)

    caller.transact(work)
    return {"op_id": body.message_id}


def app(configuration: Settings) -> FastAPI:
    """Return the gateway's application with the route."""
    searching = Searching(configuration)
    return create_app(
        title="Memory Center and a bare insert",
        settings=configuration,
        routers=[*conversations.ROUTERS, *memory_center.ROUTERS, *recall.ROUTERS, router],
        problems=PROBLEMS,
        body_limits={**conversations.BODY_LIMITS, **memory_center.BODY_LIMITS},
        rates=Rates(configuration),
        lifespan=searching.lifespan,
        readiness=Readiness(configuration, vectors=searching.ping),
    )


def main() -> int:
    configuration = settings()
    logging.configure(configuration.log_level, "gateway")
    serve(app(configuration), configuration)
    return 0


if __name__ == "__main__":
    sys.exit(main())
