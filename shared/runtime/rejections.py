"""Describes invalid fields of a request without repeating the client's data."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, Final

from fastapi import FastAPI

UNKNOWN: Final = "<unknown>"
_ERRORS_MAX: Final = 50
_LOCATIONS: Final = frozenset({"body", "query", "path", "header", "cookie"})
_OTHER_MESSAGE: Final = "This value is invalid."

# pydantic's messages may quote the input, so every error type has a sentence here.
_MESSAGES: Final[Mapping[str, str]] = {
    "missing": "This field is required.",
    "extra_forbidden": "This field is unknown.",
    "model_type": "This must be an object.",
    "model_attributes_type": "This must be an object.",
    "dict_type": "This must be an object.",
    "mapping_type": "This must be an object.",
    "invalid_key": "Keys must be strings.",
    "too_many_members": "There are too many members.",
    "list_type": "This must be a list.",
    "tuple_type": "This must be a list.",
    "set_type": "This must be a list.",
    "frozen_set_type": "This must be a list.",
    "too_short": "There are too few items.",
    "too_long": "There are too many items.",
    "string_type": "This must be a string.",
    "string_too_short": "This text is too short.",
    "string_too_long": "This text is too long.",
    "string_pattern_mismatch": "This text does not have the required form.",
    "string_unicode": "This text is not valid Unicode.",
    "bytes_type": "This must be a string.",
    "bool_type": "This must be true or false.",
    "bool_parsing": "This must be true or false.",
    "int_type": "This must be a whole number.",
    "int_parsing": "This must be a whole number.",
    "int_parsing_size": "This number is too large.",
    "int_from_float": "This must be a whole number.",
    "float_type": "This must be a number.",
    "float_parsing": "This must be a number.",
    "finite_number": "This must be a finite number.",
    "decimal_type": "This must be a number.",
    "decimal_parsing": "This must be a number.",
    "greater_than": "This number is too small.",
    "greater_than_equal": "This number is too small.",
    "less_than": "This number is too large.",
    "less_than_equal": "This number is too large.",
    "multiple_of": "This number is not an allowed multiple.",
    "none_required": "This must be null.",
    "enum": "This is not one of the allowed values.",
    "literal_error": "This is not one of the allowed values.",
    "union_tag_invalid": "This is not one of the allowed kinds.",
    "union_tag_not_found": "The kind is missing.",
    "uuid_type": "This must be a UUID.",
    "uuid_parsing": "This must be a UUID.",
    "uuid_version": "This UUID has the wrong version.",
    "date_type": "This must be a date.",
    "date_parsing": "This must be a date.",
    "date_from_datetime_parsing": "This must be a date.",
    "date_from_datetime_inexact": "This must be a date.",
    "time_type": "This must be a time.",
    "time_parsing": "This must be a time.",
    "datetime_type": "This must be a date and time.",
    "datetime_parsing": "This must be a date and time.",
    "datetime_from_date_parsing": "This must be a date and time.",
    "datetime_object_invalid": "This must be a date and time.",
    "datetime_past": "This must be in the past.",
    "datetime_future": "This must be in the future.",
    "timezone_aware": "This must include a time zone.",
    "timezone_naive": "This must not include a time zone.",
    "url_type": "This must be a URL.",
    "url_parsing": "This must be a URL.",
    "url_scheme": "This URL has the wrong scheme.",
    "url_too_long": "This URL is too long.",
    "type_not_given": "You cannot set this type: traits come from reflection, and insight and general are not types.",
    "value_error": _OTHER_MESSAGE,
    "assertion_error": _OTHER_MESSAGE,
}


class KnownFields(Container[str]):
    """The names of every field and parameter in the app's OpenAPI document.

    Other names in an error's location come from the client. The document is read on first use.
    """

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._names: frozenset[str] | None = None

    def __contains__(self, name: object) -> bool:
        if self._names is None:
            self._names = frozenset(_declared_names(self._app.openapi()))
        return name in self._names


def described(faults: Sequence[Any], known_fields: Container[str]) -> list[dict[str, Any]]:
    """Return `loc`, `msg` and `type` of each validation error, at most 50.

    Args:
        faults: errors as pydantic reports them.
        known_fields: names that may appear in `loc`; others become `<unknown>`.
    """
    return [_described(fault, known_fields) for fault in faults[:_ERRORS_MAX]]


def _described(fault: Mapping[str, Any], known_fields: Container[str]) -> dict[str, Any]:
    reported = str(fault.get("type"))
    kind = reported if reported in _MESSAGES else "value_error"
    location = list(fault.get("loc", ()))
    path = [
        part if isinstance(part, int) or (index == 0 and part in _LOCATIONS) or part in known_fields else UNKNOWN
        for index, part in enumerate(location)
    ]
    if kind == "extra_forbidden" and path:
        path[-1] = UNKNOWN  # even if another model has a field of that name
    return {"loc": path, "msg": _MESSAGES[kind], "type": kind}


def _declared_names(node: object) -> Iterator[str]:
    match node:
        case dict():
            properties = node.get("properties")
            if isinstance(properties, dict):
                yield from (name for name in properties if isinstance(name, str))
            if "in" in node and isinstance(node.get("name"), str):
                yield node["name"]
            for child in node.values():
                yield from _declared_names(child)
        case list():
            for child in node:
                yield from _declared_names(child)
