"""What a process imports before it is ready; each of these libraries costs it memory and time."""

from __future__ import annotations

import subprocess
import sys

import pytest

TOLD = {
    "MEMORY_CENTER_DATABASE_URL": "postgresql://u:p@h/x",
    "MEMORY_CENTER_BROKER_URL": "redis://h/0",
    "MEMORY_CENTER_MILVUS_URI": "http://h:1",
}


@pytest.mark.parametrize(
    ("module", "spared"),
    [
        ("services.gateway.app", {"mem0", "qdrant_client", "openai", "celery", "alembic"}),
        ("workers.__main__", {"mem0", "pymilvus", "openai", "fastapi", "alembic"}),
        ("workers.scheduler.__main__", {"mem0", "pymilvus", "onnxruntime", "openai", "fastapi", "alembic"}),
        ("services.cli.main", {"sqlalchemy", "psycopg", "pydantic", "fastapi"}),
        ("deploy.embedded.milvus_process", {"sqlalchemy", "pydantic", "fastapi"}),
    ],
)
def test_a_process_imports_no_library_that_it_does_not_need_yet(module: str, spared: set[str]) -> None:
    asked = f"import sys, {module}; print(*sorted(set({sorted(spared)}) & set(sys.modules)))"
    ended = subprocess.run([sys.executable, "-c", asked], env=TOLD, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == []
