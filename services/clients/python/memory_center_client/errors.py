"""What can go wrong. No message holds anything that was sent or remembered."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final


class MemoryCenterError(Exception):
    """Any failure of this client."""


class ConnectionFailed(MemoryCenterError):
    """Memory Center could not be reached, or the connection was lost; what was asked may have happened."""


class TimedOut(MemoryCenterError):
    """The answer, or the end of an operation, did not come in time."""


class UnexpectedAnswer(MemoryCenterError):
    """Something answered that is not Memory Center."""


class TurnIsOpen(MemoryCenterError):
    """A message is not learned from yet: record an answer to it, or end the session."""


class OperationFailed(MemoryCenterError):
    """An operation ended without having done what was asked: `failed`, or `cancelled`."""

    def __init__(self, status: str, last_error: str | None) -> None:
        super().__init__(status if last_error is None else f"{status}: {last_error}")
        self.status = status
        self.last_error = last_error


class ReceiptInvalid(MemoryCenterError):
    """A receipt was altered, is signed with another key, or does not prove an erasure yet; the message says which."""


class ApiError(MemoryCenterError):
    """Memory Center refused a request.

    `code` is one of `Code`, or one that a newer server has besides; `title` and `detail` are English sentences.
    `details` holds further ids, times and numbers, `errors` the places of faults; `request_id` finds it in the
    server's log.
    """

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status = status
        self.code = str(problem.get("code") or f"http_{status}")
        self.title = str(problem.get("title") or "")
        self.detail = str(problem.get("detail") or "")
        details, errors = problem.get("details"), problem.get("errors")
        self.details: Mapping[str, Any] = details if isinstance(details, dict) else {}
        self.errors: list[Mapping[str, Any]] = errors if isinstance(errors, list) else []
        self.request_id: str | None = problem.get("request_id")
        super().__init__(f"{status} {self.code}: {self.title}")


class Unauthenticated(ApiError):
    """401: the token is missing, wrong or expired."""


class Forbidden(ApiError):
    """403: the token is not good for this, or a consent is missing."""


class NotFound(ApiError):
    """404: it does not exist, was forgotten, or is another person's."""


class Conflict(ApiError):
    """409: it contradicts what there is; `code` says how."""


class Gone(ApiError):
    """410: it was there, and was forgotten or has expired."""


class Changed(ApiError):
    """412: somebody changed it since `version`."""


class ValidationFailed(ApiError):
    """422: the request is wrong; `errors` says where."""


class TooManyRequests(ApiError):
    """429: too many requests; they were repeated already."""


class ServerFailed(ApiError):
    """5xx: Memory Center, or a database of it, failed or is busy."""


BY_STATUS: Final[Mapping[int, type[ApiError]]] = {
    HTTPStatus.UNAUTHORIZED: Unauthenticated,
    HTTPStatus.FORBIDDEN: Forbidden,
    HTTPStatus.NOT_FOUND: NotFound,
    HTTPStatus.CONFLICT: Conflict,
    HTTPStatus.GONE: Gone,
    HTTPStatus.PRECONDITION_FAILED: Changed,
    HTTPStatus.UNPROCESSABLE_ENTITY: ValidationFailed,
    HTTPStatus.TOO_MANY_REQUESTS: TooManyRequests,
}


def api_error(status: int, problem: Mapping[str, Any]) -> ApiError:
    """Return the error for a problem document (RFC 9457)."""
    usual = ServerFailed if status >= HTTPStatus.INTERNAL_SERVER_ERROR else ApiError
    return BY_STATUS.get(status, usual)(status, problem)
