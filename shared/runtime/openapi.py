"""Corrects the generated OpenAPI document to describe the actual responses, in a form validators accept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from shared.runtime.problems import MEDIA_TYPE, TYPE_PREFIX

_PROBLEM_REF: Final = {"$ref": "#/components/schemas/Problem"}
_METHODS: Final = frozenset({"get", "put", "post", "delete", "patch", "head", "options", "trace"})
_FASTAPI_SCHEMAS: Final = ("HTTPValidationError", "ValidationError")

# Component name and description of the failures any operation may return.
_SHARED: Final = {
    "400": ("MalformedBody", "The body is not valid JSON in UTF-8."),
    "401": ("Unauthenticated", "Credentials are missing, invalid or expired."),
    "404": ("NotFound", "It does not exist, or it belongs to someone else."),
    "413": ("BodyTooLarge", "The body is too large."),
    "415": ("UnsupportedMediaType", "The body must be application/json."),
    "422": ("ValidationFailed", "The request has invalid fields, or text that cannot be stored."),
    "default": ("Failure", "Any other failure."),
}

_FIELD: Final = {"$ref": "#/components/schemas/FieldError"}
_RECORD: Final = {"$ref": "#/components/schemas/RecordError"}
_PROBLEM_SCHEMA: Final[dict[str, Any]] = {
    "title": "Problem",
    "description": "RFC 9457 problem details. `code` is stable. The client's data is never repeated.",
    "type": "object",
    "required": ["type", "title", "status", "code"],
    "properties": {
        "type": {"type": "string", "format": "uri", "examples": [f"{TYPE_PREFIX}not_found"]},
        "title": {"type": "string"},
        "status": {"type": "integer", "minimum": 400, "maximum": 599},
        "code": {"type": "string", "pattern": "^[a-z][a-z0-9_]*$", "examples": ["not_found"]},
        "detail": {"type": "string"},
        "request_id": {"type": "string"},
        "details": {"type": "object", "additionalProperties": True},
        "errors": {"type": "array", "items": {"anyOf": [_FIELD, _RECORD]}},
    },
    "additionalProperties": True,
}
_FIELD_ERROR_SCHEMA: Final[dict[str, Any]] = {
    "title": "FieldError",
    "type": "object",
    "required": ["loc", "msg", "type"],
    "properties": {
        "loc": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
        "msg": {"type": "string"},
        "type": {"type": "string"},
    },
}


_RECORD_ERROR_SCHEMA: Final[dict[str, Any]] = {
    "title": "RecordError",
    "description": "The place in a package that caused the refusal.",
    "type": "object",
    "required": ["file", "record"],
    "properties": {
        "file": {"type": ["string", "null"]},
        "record": {"type": ["integer", "null"], "description": "The record's line, from 1."},
    },
}


def operation_id(route: APIRoute) -> str:
    """Return the name of the route's function, which is stable and a good method name in generated clients."""
    return route.name


def document(app: FastAPI, prepared: Path | None = None) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of `app`: read from `prepared`, or built on the first call if there is none."""
    if app.openapi_schema is None:
        app.openapi_schema = json.loads(prepared.read_bytes()) if prepared else build(app)
    return app.openapi_schema


def build(app: FastAPI) -> dict[str, Any]:
    """Build the OpenAPI 3.1 document from the routes of `app`; takes about half a second for the whole API."""
    return _with_problems(
        get_openapi(
            title=app.title,
            version=app.version,
            description=app.description,
            routes=app.routes,
            tags=app.openapi_tags,
            servers=app.servers,
            separate_input_output_schemas=app.separate_input_output_schemas,
        )
    )


def _with_problems(schema: dict[str, Any]) -> dict[str, Any]:
    components = schema.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for name in _FASTAPI_SCHEMAS:
        schemas.pop(name, None)
    schemas["Problem"] = _PROBLEM_SCHEMA
    schemas["FieldError"] = _FIELD_ERROR_SCHEMA
    schemas["RecordError"] = _RECORD_ERROR_SCHEMA
    components["schemas"] = dict(sorted(schemas.items()))
    components["responses"] = {name: _problem_response(text) for name, text in _SHARED.values()}
    for operation in _operations(schema):
        _complete(operation)
    return schema


def _operations(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for item in schema.get("paths", {}).values():
        yield from (operation for method, operation in item.items() if method in _METHODS)


def _complete(operation: dict[str, Any]) -> None:
    responses = operation.setdefault("responses", {})
    for status, response in responses.items():
        if status[0] in "45":
            response["content"] = _problem_response("")["content"]
        else:
            for media in response.get("content", {}).values():
                _without_item_schema(media)
    generated = responses.get("422", {}).get("description") == "Validation Error"
    if generated:
        del responses["422"]
    expected = {"422", "default"}
    if operation.get("security"):
        expected |= {"401", "404"}
    if any(parameter["in"] == "path" for parameter in operation.get("parameters", ())):
        expected.add("404")
    if "requestBody" in operation:
        expected |= {"400", "413", "415"}
    for status in sorted(expected - responses.keys()):
        responses[status] = {"$ref": f"#/components/responses/{_SHARED[status][0]}"}


def _without_item_schema(media: dict[str, Any]) -> None:
    # FastAPI describes streams with OpenAPI 3.2's itemSchema; in 3.1 a stream has the schema of its events.
    item = media.pop("itemSchema", None)
    if item is not None:
        media["schema"] = item


def _problem_response(description: str) -> dict[str, Any]:
    return {"description": description, "content": {MEDIA_TYPE: {"schema": dict(_PROBLEM_REF)}}}
