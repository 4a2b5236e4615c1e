"""The files of the built app, and the page served at all its addresses."""

from __future__ import annotations

import mimetypes
from pathlib import Path
from typing import Final

from fastapi import Request
from fastapi.responses import FileResponse, Response

from shared.runtime.problems import NOT_FOUND, ApiProblem
from shared.runtime.web import api_router

BUILT: Final = Path(__file__).parent / "dist"
PLACES: Final = ("chat", "conversation", "memories", "sees", "data", "settings", "receipts")

# Only our own scripts run, never generated from text; inline styles are allowed because components position themselves.
CONTENT_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_PAGE_HEADERS: Final = {"Content-Security-Policy": CONTENT_POLICY, "Cache-Control": "no-cache"}
_FOREVER: Final = {"Cache-Control": "public, max-age=31536000, immutable"}  # file names contain a content hash
_ENCODINGS: Final = (("br", "br"), ("gzip", "gz"))

router = api_router(include_in_schema=False)


async def page(request: Request) -> Response:
    """Serve the app; it reads the place from the address itself."""
    return _file(request, BUILT / "index.html", _PAGE_HEADERS)


for place in ("", *PLACES):
    router.add_api_route(f"/{place}", page, methods=["GET"])
    if place:
        router.add_api_route(f"/{place}/{{rest:path}}", page, methods=["GET"])


@router.get("/assets/{name}")
async def asset(name: str, request: Request) -> Response:
    """Serve a script or a style by its hashed name."""
    return _file(request, BUILT / "assets" / name, _FOREVER)


@router.get("/favicon.svg")
@router.get("/before-paint.js")
async def root_file(request: Request) -> Response:
    """Serve one of the files that lie beside the page."""
    return _file(request, BUILT / request.url.path[1:], {"Cache-Control": "no-cache"})


def _file(request: Request, path: Path, headers: dict[str, str]) -> Response:
    """Return a file of the build, in the first encoding that exists and the browser accepts.

    Raises:
        ApiProblem: 404: there is no such file. A name contains no `/`, so it cannot leave the build folder.
    """
    try:
        found = path.is_file()
    except (OSError, ValueError):  # an impossible file name: too long, or with a NUL
        found = False
    if not found:
        raise ApiProblem(NOT_FOUND)
    headers = headers | {"Vary": "Accept-Encoding"}
    media_type = mimetypes.guess_type(path.name)[0]
    accepted = request.headers.get("accept-encoding", "")
    for encoding, suffix in _ENCODINGS:
        compressed = path.with_name(f"{path.name}.{suffix}")
        if encoding in accepted and compressed.is_file():
            return FileResponse(compressed, media_type=media_type, headers=headers | {"Content-Encoding": encoding})
    return FileResponse(path, media_type=media_type, headers=headers)
