"""What README and docs show is what happens: every block is played against the running product."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.conftest import Stack, wait_for
from tests.e2e.shell import Person
from tests.support.transcripts import ROOT, Shell, blocks, documents, untrue

PLAYED = [path for path in documents() if any(not one.mark for one in blocks(path))]
SAID = {
    "I'm allergic to peanuts, and 我住在上海。": 2,
    "Frank and I play chess on Sundays.": 1,
    "Please remember that my spare key is with my neighbour Quillfeather.": 1,
}
"""What somebody says, and how many memories it makes."""


def somebody(stack: Stack, name: str) -> None:
    """Have somebody say three things, each when what was said before can be found."""
    with stack.client() as api:

        def found() -> int:
            return len(api.post("/api/v1/memory/search", json={"user_id": name, "query": "Frank"}).json()["items"])

        expected = 0
        for said, memories in SAID.items():
            opened = api.post("/api/v1/conversations", json={"user_id": name, "title": said.split(",")[0]}).json()["id"]
            sides = [{"role": "user", "content": said}, {"role": "assistant", "content": "Noted."}]
            api.post("/api/v1/messages", json={"conversation_id": opened, "messages": sides}).raise_for_status()
            expected += memories
            wait_for(lambda: found() == expected, seconds=90, what="remembering")  # noqa: B023 # called at once


def receipt(stack: Stack, name: str, folder: Path) -> None:
    """Keep the receipt of a forget, and texts to search for, as somebody has them who reads about both."""
    somebody(stack, name)
    ada = Person(stack, name, [])
    *_, last = ada.documents("forget", "--description", "Frank", "--yes", "--follow")
    ada.says("receipt", last["receipt_id"], "-o", str(folder / "receipt.json"))
    (folder / "texts.txt").write_text("a text nobody ever wrote\n", encoding="utf-8")


PREPARED: dict[str, Callable[[Stack, str, Path], None]] = {
    "cli.md": lambda stack, name, _: somebody(stack, name),
    "operating.md": receipt,
}


@pytest.mark.parametrize("document", PLAYED, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_a_document_shows_is_what_happens(stack: Stack, document: Path, tmp_path: Path) -> None:
    name = f"reader-of-{document.stem.lower()}"
    for link, target in ((".venv", Path(sys.prefix)), ("data", stack.data_dir), ("deploy", ROOT / "deploy")):
        (tmp_path / link).symlink_to(target)
    (tmp_path / "ledger.jsonl").symlink_to(stack.data_dir / "files" / "ledger.jsonl")
    if document.name in PREPARED:
        PREPARED[document.name](stack, name, tmp_path)
    path = f"{Path(sys.prefix) / 'bin'}:/usr/local/bin:/usr/bin:/bin"
    with Shell(tmp_path, {"MEMORY_CENTER_USER": name, "PATH": path}, address=stack.url) as shell:
        for block in blocks(document):
            if not block.mark:
                shell.play(block)


def test_what_starting_it_prints_is_what_the_documents_show(stack: Stack) -> None:
    wait_for(lambda: b"stops everything" in stack.printed, seconds=10, what="its last line")
    printed = stack.printed.decode()
    assert untrue("make run", printed) == [], printed
