"""What a page of the cookbook shows is what happens, with the model's answers from a script."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.clients.conftest import ROOT, Person, Upstream
from tests.clients.provider import chat, claude

PAGES = sorted((ROOT / "docs/cookbook").glob("*.md"))
PYTHON = [page for page in PAGES if "```python" in page.read_text(encoding="utf-8")]
CREATED = {"command": "create", "path": "/memories/pets.md", "file_text": "Ada has a parrot."}
SCRIPTS: dict[str, list[Any]] = {
    "openai-agents": [chat("Noted."), chat("Soup.")],
    "pydantic-ai": [chat("Soup.")],
    "anthropic": [claude(tool=CREATED), claude(text="Done.")],
}


@pytest.mark.parametrize("page", PYTHON, ids=lambda page: page.stem)
def test_a_page_does_what_it_shows(ada: Person, upstream: Upstream, tmp_path: Path, page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    [program] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    [shown] = re.findall(r"```\n\n<!-- [^\n]* -->\n```\n(.*?)```", text, re.DOTALL)
    file = tmp_path / "program.py"
    file.write_text(program.replace("http://127.0.0.1:8765", ada.installation.url), encoding="utf-8")
    upstream.script = list(SCRIPTS.get(page.stem, []))
    environment = {
        **os.environ,
        "MEMORY_CENTER_TOKEN": ada.installation.token(ada.user_id),
        "OPENAI_BASE_URL": f"{upstream.url}/v1",
        "OPENAI_API_KEY": "none",
        "ANTHROPIC_BASE_URL": upstream.url,
        "ANTHROPIC_API_KEY": "none",
    }
    told = subprocess.run(
        [sys.executable, str(file)], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert (told.returncode, told.stdout) == (0, shown), told.stderr
    assert upstream.script == []


def test_every_adapter_has_a_page() -> None:
    adapters = {
        one.stem.replace("_", "-")
        for one in (ROOT / "services/clients/python/memory_center_client/adapters").glob("*.py")
        if one.stem not in ("__init__", "keyed", "patience", "spoken")
    }
    assert {page.stem for page in PAGES} == adapters | {"ai-sdk"}
