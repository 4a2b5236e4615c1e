"""Routes are built once and served by any number of apps, each with its own guard."""

from __future__ import annotations

import pytest
from fastapi import APIRouter, Request
from fastapi.testclient import TestClient

from shared.runtime.problems import Busy
from shared.runtime.web import api_router, create_app
from tests.support.small_api import LOCALHOST, PROBLEMS, SETTINGS, assert_problem

router = api_router(prefix="/api/v1")


@router.get("/things")
def things() -> dict[str, str]:
    return {}


@router.delete("/things")
def remove(undo_seconds: int = 0) -> dict[str, int]:
    return {"undo_seconds": undo_seconds}


def refuse(_: Request) -> None:
    raise Busy(7)


pages = api_router()


@pages.get("/a-page")
def a_page() -> dict[str, str]:
    return {}


def test_apps_serve_the_same_routes_and_each_asks_its_own_guard() -> None:
    closed = create_app(title="Closed", settings=SETTINGS, routers=[router], problems=PROBLEMS, guard=refuse)
    opened = create_app(title="Open", settings=SETTINGS, routers=[router], problems=PROBLEMS)
    for app in (closed, opened):
        assert any(route is router.routes[0] for route in app.router.routes)
    assert TestClient(opened, base_url=LOCALHOST).get("/api/v1/things").status_code == 200
    asking = TestClient(closed, base_url=LOCALHOST)
    assert_problem(asking.get("/api/v1/things"), 503, "busy")
    assert asking.get("/livez").status_code == 200


def test_a_parameter_that_a_route_does_not_have_is_refused() -> None:
    """A misspelt `undo_seconds` would erase at once."""
    app = create_app(title="Open", settings=SETTINGS, routers=[router, pages], problems=PROBLEMS)
    client = TestClient(app, base_url=LOCALHOST)
    assert client.delete("/api/v1/things", params={"undo_seconds": 30, "user_id": "ada"}).json() == {"undo_seconds": 30}
    problem = assert_problem(client.delete("/api/v1/things?undo_second=30"), 422, "validation_failed")
    assert "undo_second=" not in str(problem)
    assert client.get("/a-page?anything=1").json() == {}


def test_a_router_that_would_be_served_unguarded_is_refused() -> None:
    with pytest.raises(TypeError, match="api_router"):
        create_app(title="Unguarded", settings=SETTINGS, routers=[APIRouter(prefix="/api/v1")])
