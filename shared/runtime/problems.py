"""Failures as application/problem+json (RFC 9457) with a stable `code`; they never repeat the client's data."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

import structlog
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi_problem.error import Problem
from fastapi_problem.handler import ExceptionHandler
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from shared.runtime import rejections
from shared.runtime.authentication import NotYours, SignInUnavailable, Unauthenticated, UserIdInvalid, UserIdRequired
from shared.runtime.logging import failure
from shared.runtime.methods import Methods

TYPE_PREFIX: Final = "urn:memory-center:problem:"
MEDIA_TYPE: Final = "application/problem+json"
_WITHOUT_BODY: Final = frozenset({HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED})
_HEADERS_WE_KEEP: Final = frozenset({"allow", "retry-after", "www-authenticate"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemKind:
    """How one class of error is answered.

    `detail` is one fixed sentence. `details` converts the error into the member of that name: ids, enums and counts,
    never content. `code_of` overrides `code` for errors that carry one from a fixed set. `error_code` is the member of
    that name: the failure's code in the source specifications.
    """

    status: int
    code: str
    title: str
    detail: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    retry_after: Callable[[Any], int] | int | None = None
    details: Callable[[Any], Mapping[str, Any]] | None = None
    code_of: Callable[[Any], str] | None = None
    error_code: str | None = None


class ApiProblem(Problem):
    """A failure as the client sees it; may be raised from a route.

    Args:
        kind: status, code, title and default detail.
        code: replaces the kind's.
        detail: a fixed sentence that replaces the kind's; never the client's data.
        headers: added to the kind's.
        members: further members of the document (`details`, `errors`).
    """

    def __init__(
        self,
        kind: ProblemKind,
        *,
        code: str | None = None,
        detail: str | None = None,
        headers: Mapping[str, str] | None = None,
        **members: object,
    ) -> None:
        self.code = code or kind.code
        super().__init__(
            kind.title,
            type_=TYPE_PREFIX + self.code,
            detail=detail or kind.detail,
            status=kind.status,
            headers={**kind.headers, **(headers or {})},
            **members,
        )

    def marshal(self, *, uri: str = "", strict: bool = False) -> dict[str, Any]:
        """Return the document, with the id of the current request."""
        document = super().marshal(uri=uri, strict=strict) | {"code": self.code}
        if request_id := structlog.contextvars.get_contextvars().get("request_id"):
            document["request_id"] = request_id
        return document


class Busy(Exception):
    """Something this request needs is temporarily unavailable; the same request may succeed later."""

    def __init__(self, retry_after_seconds: int = 2) -> None:
        super().__init__("busy")
        self.retry_after_seconds = retry_after_seconds


def _kind(status: int, code: str, title: str, detail: str | None = None, **headers: str) -> ProblemKind:
    return ProblemKind(
        status=status,
        code=code,
        title=title,
        detail=detail,
        headers={k.replace("_", "-"): v for k, v in headers.items()},
    )


BAD_REQUEST: Final = _kind(400, "bad_request", "The request could not be understood.")
MALFORMED_JSON: Final = _kind(400, "malformed_json", "The body is not valid JSON.")
MALFORMED_UTF8: Final = _kind(400, "malformed_utf8", "The body is not valid UTF-8.")
UNAUTHENTICATED: Final = _kind(
    401, "credentials_missing", "Credentials are required.", "Send a bearer token.", WWW_Authenticate="Bearer"
)
NOT_FOUND: Final = _kind(404, "not_found", "There is nothing here, or it is not yours.")
REQUEST_TIMEOUT: Final = _kind(408, "request_timeout", "The request did not arrive in time.")
BODY_TOO_LARGE: Final = _kind(413, "body_too_large", "The body is too large.")
ENCODING_NOT_ACCEPTED: Final = _kind(415, "encoding_not_accepted", "The body must be UTF-8 and not compressed.")
UNSUPPORTED_MEDIA_TYPE: Final = _kind(415, "unsupported_media_type", "The body must be application/json.")
VALIDATION_FAILED: Final = _kind(422, "validation_failed", "The request has invalid fields.")
NUL_CHARACTER: Final = _kind(422, "nul_character", "Text must not contain the NUL character.")
INVALID_TEXT: Final = _kind(422, "invalid_text", "Text must not contain unpaired surrogates.")
HOST_NOT_ALLOWED: Final = _kind(
    421,
    "host_not_allowed",
    "This host name is not allowed.",
    "The operator can allow it with MEMORY_CENTER_ALLOWED_HOSTS.",
)
TOO_MANY_REQUESTS: Final = ProblemKind(
    status=429,
    code="too_many_requests",
    title="Too many requests.",
    retry_after=lambda error: getattr(error, "retry_after_seconds", 60),
)
HEADERS_TOO_LARGE: Final = _kind(431, "headers_too_large", "The headers are too large.")
INTERNAL_ERROR: Final = _kind(500, "internal_error", "Something went wrong on our side.")
BUSY: Final = ProblemKind(
    status=503,
    code="busy",
    title="The service is busy.",
    detail="Nothing was changed. Try again shortly.",
    retry_after=lambda error: getattr(error, "retry_after_seconds", 2),  # also used for errors of other processes
)

BASE_PROBLEMS: Final[Mapping[type[Exception], ProblemKind]] = {
    Unauthenticated: ProblemKind(
        status=401,
        code="credentials_invalid",
        title="Credentials are required.",
        headers={"WWW-Authenticate": "Bearer"},
        code_of=lambda error: error.code,
    ),
    SignInUnavailable: ProblemKind(
        status=503,
        code="issuer_unavailable",
        title="The issuer of this token cannot be reached.",
        detail="Nothing was changed. Try again shortly.",
        retry_after=lambda _: 10,
    ),
    NotYours: NOT_FOUND,
    UserIdRequired: _kind(422, "user_id_required", "A service must name the user it acts for."),
    UserIdInvalid: _kind(422, "user_id_invalid", "The user id is invalid."),
    Busy: BUSY,
}

_BY_STATUS: Final = {
    kind.status: kind
    for kind in (
        BAD_REQUEST,
        UNAUTHENTICATED,
        _kind(403, "forbidden", "This request is not allowed."),
        NOT_FOUND,
        _kind(405, "method_not_allowed", "This method is not available here."),
        _kind(406, "not_acceptable", "The response is not available in that format."),
        _kind(409, "conflict", "The request conflicts with the current state."),
        _kind(412, "precondition_failed", "The resource has changed since you read it."),
        BODY_TOO_LARGE,
        UNSUPPORTED_MEDIA_TYPE,
        ENCODING_NOT_ACCEPTED,
        VALIDATION_FAILED,
        _kind(428, "precondition_required", "The request must name the version it changes."),
        TOO_MANY_REQUESTS,
        INTERNAL_ERROR,
        BUSY,
    )
}


Answer = Callable[[Request, Exception], Awaitable[Response]]


def install(app: FastAPI, problems: Mapping[type[Exception], ProblemKind], methods: Methods) -> Answer:
    """Answer every failure of `app` with a problem document; `problems` extends and overrides `BASE_PROBLEMS`.

    `OPTIONS` is answered here too, because no route does. Returns the answering function, for failures outside the
    routes.
    """
    table = {**BASE_PROBLEMS, **problems}
    known_fields = rejections.KnownFields(app)
    rendering = ExceptionHandler()

    # Async, so that it never waits for a thread occupied by slow requests.
    async def answer(request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException) and error.status_code in _WITHOUT_BODY:
            return Response(status_code=error.status_code, headers=error.headers)
        if allowed := _method_refused(request, error, methods):
            if request.method == "OPTIONS":
                return Response(status_code=HTTPStatus.NO_CONTENT, headers={"Allow": ", ".join(allowed)})
            error = HTTPException(HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": ", ".join(allowed)})
        problem = as_problem(error, table, known_fields)
        request.scope.setdefault("state", {})["problem_code"] = problem.code
        if problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            structlog.get_logger().error("http.failed", code=problem.code, **failure(error))
        response: Response = rendering(request, problem)
        return response

    for kind in (Exception, HTTPException, RequestValidationError, Problem, *table):
        app.add_exception_handler(kind, answer)
    return answer


def _method_refused(request: Request, error: Exception, methods: Methods) -> list[str]:
    """Return the allowed methods of the path if the failure is that it does not allow this one."""
    path = request.url.path
    if isinstance(error, HTTPException) and error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return methods.of(path)
    if isinstance(error, RequestValidationError) and any(
        fault.get("loc", ())[:1] == ("path",) for fault in error.errors()
    ):
        # A name was parsed as an id: `PATCH …/confirm`, if `POST …/confirm` and `PATCH …/{memory_id}` exist.
        named = methods.of_its_name(path)
        return named if request.method not in named else []
    return []


def as_problem(
    error: Exception, table: Mapping[type[Exception], ProblemKind], known_fields: Container[str]
) -> ApiProblem:
    """Return the problem for `error`. Its message is never used, because it may contain content.

    Args:
        error: any exception raised while answering.
        table: problems of domain errors; a class also covers its subclasses.
        known_fields: field names that validation errors may contain.
    """
    match error:
        case ApiProblem():
            return error
        case RequestValidationError():
            return _validation_problem(error, known_fields)
        case HTTPException():
            return _http_problem(error)
        case Problem():
            return ApiProblem(_kind_of_status(error.status))
    for ancestor in type(error).__mro__:
        if kind := table.get(ancestor):
            return _domain_problem(error, kind)
    return ApiProblem(INTERNAL_ERROR)


def _domain_problem(error: Exception, kind: ProblemKind) -> ApiProblem:
    members: dict[str, Any] = {"details": dict(kind.details(error))} if kind.details else {}
    if kind.error_code is not None:
        members["error_code"] = kind.error_code
    headers: dict[str, str] = {}
    if kind.retry_after is not None:
        seconds = kind.retry_after(error) if callable(kind.retry_after) else kind.retry_after
        headers["Retry-After"] = str(seconds)
    code = kind.code_of(error) if kind.code_of else None
    return ApiProblem(kind, code=code, headers=headers, **members)


def _validation_problem(error: RequestValidationError, known_fields: Container[str]) -> ApiProblem:
    faults = error.errors()
    if any(fault.get("type") == "json_invalid" for fault in faults):
        return ApiProblem(MALFORMED_JSON)
    # FastAPI passes a body it did not recognise as JSON as bytes, and then reports missing fields.
    if isinstance(error.body, bytes) and any(fault.get("loc", ())[:1] == ("body",) for fault in faults):
        return ApiProblem(UNSUPPORTED_MEDIA_TYPE)
    return ApiProblem(VALIDATION_FAILED, errors=rejections.described(faults, known_fields))


def _http_problem(error: HTTPException) -> ApiProblem:
    kind = _kind_of_status(error.status_code)
    if kind is BAD_REQUEST and error.__cause__ is not None:  # FastAPI could not read the body
        if isinstance(error.__cause__, UnicodeDecodeError):
            kind = MALFORMED_UTF8
        elif isinstance(error.__cause__, ValueError | RecursionError):
            kind = MALFORMED_JSON
    headers = {name: value for name, value in (error.headers or {}).items() if name.lower() in _HEADERS_WE_KEEP}
    return ApiProblem(kind, headers=headers)


def _kind_of_status(status: int) -> ProblemKind:
    if kind := _BY_STATUS.get(status):
        return kind
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        return ProblemKind(status=status, code="http_error", title="The request failed.")
    code = "".join(letter if letter.isalnum() else "_" for letter in phrase.lower())
    return ProblemKind(status=status, code=code, title=f"{phrase}.")
