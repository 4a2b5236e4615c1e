"""All alternative paths and member names that are accepted, and what they stand for.

`docs/aliases.md` is the same table for people; a test keeps them equal. Camel case needs no entry: it is accepted and
answered everywhere (`shared.runtime.translation`).
"""

from __future__ import annotations

from typing import Final

from shared.runtime.aliases import Alias, Aliases

_UNITS = "/api/v1/memory/long_term"
_SETTINGS = "/api/v1/memory/settings"
_TYPES = {"type": "content_type", "memory_type": "content_type"}

ALIASES: Final = Aliases(
    # A path with this prefix is the same as the path with our prefix.
    prefixes={"/memory/": "/api/v1/memory/", "/api/": "/api/v1/"},
    # CN uses channels: `memory:create` is `/memory:create` or `/memory/create`, and is answered in camel case.
    channels=(
        Alias("POST", "/memory/create", f"POST {_UNITS}", names=_TYPES),
        Alias("GET", "/memory/list", f"GET {_UNITS}", names=_TYPES),
        Alias("POST", "/memory/list", f"GET {_UNITS}", names=_TYPES),
        Alias("POST", "/memory/update", f"PATCH {_UNITS}/{{id}}", names=_TYPES),
        Alias("POST", "/memory/delete", f"DELETE {_UNITS}/{{id}}"),
        Alias("GET", "/memory/settings/get", f"GET {_SETTINGS}"),
        Alias("POST", "/memory/settings/get", f"GET {_SETTINGS}"),
        Alias("POST", "/memory/settings/update", f"PATCH {_SETTINGS}"),
        Alias("POST", "/memory/injection/preview", "POST /api/v1/memory/injection/preview"),
        Alias("POST", "/memory/preferences/ingest", "POST /api/v1/memory/preferences/ingest"),
        Alias("POST", "/memory/preferences/clear", "POST /api/v1/memory/preferences/clear"),
        Alias("POST", "/ai/skill/feedback", "POST /api/v1/feedback"),
    ),
    # Members with other names in other sources, also accepted at our own paths.
    renamed=(
        Alias("GET", _UNITS, f"GET {_UNITS}", names=_TYPES),
        Alias("POST", _UNITS, f"POST {_UNITS}", names=_TYPES),
        Alias("PATCH", f"{_UNITS}/{{id}}", f"PATCH {_UNITS}/{{id}}", names=_TYPES),
    ),
    streamed=("/api/v1/memory/import",),
)
