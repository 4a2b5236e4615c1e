"""The Python client beside the API's document, and what it brings along."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from memory_center_client import options

ROOT = Path(__file__).parents[2]
DOCUMENT = json.loads((ROOT / "docs" / "openapi.json").read_text(encoding="utf-8"))
NAMED = {"user_id", "cursor"}
"""What the client itself sends."""


def body(schema: str) -> set[str]:
    return set(DOCUMENT["components"]["schemas"][schema]["properties"])


def query(path: str) -> set[str]:
    return {one["name"] for one in DOCUMENT["paths"][path]["get"]["parameters"] if one["in"] == "query"}


@pytest.mark.parametrize(
    ("given", "api", "elsewhere"),
    [
        (options.SearchOptions, body("MemorySearchIn"), {"query"}),
        (options.ConversationOptions, body("NewConversation"), set()),
        (options.ConversationChanges, body("ConversationPatch"), set()),
        (options.MemoryOptions, body("MemoryIn"), {"content", "provenance", "emotion"}),
        (options.MemoryChanges, body("MemoryPatch"), {"emotion"}),
        (options.MemoryFilters, query("/api/v1/memory/long_term"), {"task"}),
        (options.SettingsChanges, body("SettingsPatch"), set()),
        (options.FeedbackOptions, body("FeedbackIn"), set()),
        (options.Target, body("ForgetIn"), {"undo_seconds", "confirmation", "close_account"}),
        (options.RecallOptions, body("RecallIn"), {"query", "route", "task_id", "user_context_overrides"}),
    ],
)
def test_options_are_those_of_the_api(given: Any, api: set[str], elsewhere: set[str]) -> None:
    assert set(given.__annotations__) == api - NAMED - elsewhere


def test_no_schema_has_a_name_that_generators_drop() -> None:
    assert not [name for name in DOCUMENT["components"]["schemas"] if "__" in name or not name.isidentifier()]


def test_it_is_light() -> None:
    package = tomllib.loads((ROOT / "services/clients/python/pyproject.toml").read_text(encoding="utf-8"))
    assert len(package["project"]["dependencies"]) <= 5
    script = "import sys, memory_center_client; print(' '.join(sorted(sys.modules)))"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    heavy = {
        "services",
        "shared",
        "pydantic",
        "httpx",
        "cryptography",
        "memory_center_client.schemas",
        "sqlalchemy",
        "mcp",
    }
    assert heavy & set(loaded) == set()
