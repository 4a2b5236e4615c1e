"""A small API with every way to fail; what clients send to it holds a canary that must never come back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import HTTPException, Query
from fastapi.sse import EventSourceResponse
from pydantic import BaseModel, ConfigDict, Field, SecretStr
from starlette.responses import StreamingResponse

from shared.runtime.authentication import UserId, acting_for
from shared.runtime.problems import ApiProblem, Busy, ProblemKind
from shared.runtime.settings import Settings
from shared.runtime.web import CurrentPrincipal, api_router, create_app

CANARY = "QuokkaSecret"
SIGNING_KEY = "a signing key of at least 32 bytes"
SERVICE_KEY = "a service key nobody guesses"
SERVICE = {"Authorization": f"Bearer {SERVICE_KEY}"}
JSON = {"Content-Type": "application/json"}
LOCALHOST = "http://localhost"
LIMIT = 2_000
SETTINGS = Settings(
    database_url=SecretStr("postgresql://nowhere"),
    broker_url=SecretStr("redis://nowhere"),
    milvus_uri="http://nowhere",
    signing_key=SecretStr(SIGNING_KEY),
    service_key=SecretStr(SERVICE_KEY),
    max_body_bytes=LIMIT,
)


class ConsentMissingError(Exception):
    def __init__(self, scopes: list[str]) -> None:
        super().__init__(CANARY)
        self.scopes = scopes


class ConsentRevokedError(ConsentMissingError):
    pass


PROBLEMS: dict[type[Exception], ProblemKind] = {
    ConsentMissingError: ProblemKind(
        status=403,
        code="profile_consent_required",
        title="Consent is needed.",
        details=lambda error: {"required_scopes": error.scopes},
    ),
}


class Note(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str = Field(max_length=20)
    mood: Literal["good", "bad"] = "good"
    counts: dict[str, int] = {}
    parts: list[int] = []


class Filter(BaseModel):
    model_config = ConfigDict(extra="forbid")

    limit: int = 10


router = api_router(prefix="/api/v1")


@router.post("/notes")
def write_note(note: Note) -> Note:
    return note


@router.get("/notes/{number}")
def read_note(number: int, limit: Annotated[int, Query(ge=1)] = 1) -> dict[str, int]:
    return {"number": number, "limit": limit}


@router.get("/notes")
def list_notes(chosen: Annotated[Filter, Query()]) -> dict[str, int]:
    return {"limit": chosen.limit}


@router.get("/mine")
def whose(principal: CurrentPrincipal, user_id: UserId | None = None) -> dict[str, str]:
    return {"user_id": acting_for(principal, user_id)}


@router.get("/users/{user_id}/things")
def things(user_id: str) -> None:
    raise RuntimeError(user_id)


@router.get("/fails/{how}")
def fail(how: str) -> None:
    failures: dict[str, Exception] = {
        "http": HTTPException(409, CANARY, headers={"X-Leak": CANARY, "Retry-After": "3"}),
        "teapot": HTTPException(418, CANARY),
        "consent": ConsentRevokedError(["save_to_profile"]),
        "busy": Busy(7),
        "problem": ApiProblem(
            ProblemKind(status=409, code="idempotency_conflict", title="Another body was sent with this key."),
            details={"count": 1},
        ),
    }
    raise failures[how]


@router.get("/echo", response_model=Note)
def answer_wrongly() -> Any:
    return {"text": CANARY * 9}


@router.get("/stream")
async def stream_and_break() -> StreamingResponse:
    async def chunks() -> AsyncIterator[bytes]:
        yield b"first"
        raise RuntimeError(CANARY)

    return StreamingResponse(chunks())


@router.get("/events", response_class=EventSourceResponse)
async def events() -> AsyncIterator[Note]:
    yield Note(text="hi")


app = create_app(
    title="Small", settings=SETTINGS, routers=[router], problems=PROBLEMS, body_limits={"/api/v1/imports": 10_000}
)


def assert_problem(response: Any, status: int, code: str) -> dict[str, Any]:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    document: dict[str, Any] = response.json()
    assert document["type"] == f"urn:memory-center:problem:{code}"
    assert (document["code"], document["status"]) == (code, status)
    assert document["title"]
    assert document["request_id"] == response.headers["x-request-id"]
    assert CANARY not in response.text + str(response.headers)
    return document
