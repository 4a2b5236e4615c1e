"""What is sent compressed, and what is left as it is."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import FastAPI
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.testclient import TestClient

from shared.runtime.compression import LEAST, CompressedJson

LONG = {"words": "again and again " * LEAST}


def client() -> TestClient:
    app = FastAPI()
    app.add_middleware(CompressedJson)

    @app.get("/long")
    def long() -> JSONResponse:
        return JSONResponse(LONG, headers={"ETag": '"1"'})

    @app.get("/short")
    def short() -> JSONResponse:
        return JSONResponse({"words": "once"})

    @app.get("/part")
    def part() -> JSONResponse:
        return JSONResponse(LONG, status_code=206)

    @app.get("/streamed")
    def streamed() -> StreamingResponse:
        def pieces() -> Iterator[bytes]:
            yield b'["' + b"a" * LEAST
            yield b'"]'

        return StreamingResponse(pieces(), media_type="application/json")

    @app.get("/file")
    def file() -> Response:
        return Response(b"a" * LEAST * 2, media_type="application/zip")

    return TestClient(app)


def test_long_json_is_compressed_for_who_takes_it() -> None:
    answer = client().get("/long", headers={"Accept-Encoding": "gzip"})
    assert answer.json() == LONG
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.headers["etag"] == '"1"'
    assert int(answer.headers["content-length"]) < LEAST
    plain = client().get("/long", headers={"Accept-Encoding": "identity"})
    assert plain.json() == LONG
    assert "content-encoding" not in plain.headers


def test_short_streamed_and_partial_answers_and_files_stay_as_they_are() -> None:
    for path in ("/short", "/part", "/streamed", "/file"):
        answer = client().get(path, headers={"Accept-Encoding": "gzip"})
        assert "content-encoding" not in answer.headers, path
        assert answer.content, path
