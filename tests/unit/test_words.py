"""Words as data: each file belongs to a module, and no list in it is left over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shared.language import words
from shared.language.words import word_lists, word_tables

FOLDER = Path(words.__file__).parent
LANGUAGE = FOLDER.parent


def readers(file: Path) -> str:
    """Return the source of the modules that read a file."""
    reading = re.compile(rf'word_(?:lists|tables|set)\("{file.stem}"|"{file.name}"')
    return "\n".join(code for path in LANGUAGE.rglob("*.py") if reading.search(code := path.read_text("utf-8")))


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.t*")), ids=lambda file: file.name)
def test_every_file_is_read_and_every_list_is_used(file: Path) -> None:
    code = readers(file)
    assert code, "no module reads it"
    if file.suffix == ".toml":
        text = file.read_text("utf-8")
        texts = [name for name, value in word_tables(file.stem).items() if not isinstance(value, dict)]
        assert [name for name in texts if f'["{name}"]' not in code and f"{{{name}}}" not in text] == []


def test_line_breaks_mean_nothing_and_lists_refer_to_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "made_up.toml").write_text(
        "title = 'Dr|\\.'\nnamed = '''\n(?:{title}) {name}{2,3}\n|nobody'''\n[more]\nlast = '{named}{name}!'\n"
    )
    monkeypatch.setattr(words, "_FOLDER", tmp_path)
    assert word_lists("made_up", name="[a-z]") == {"title": r"Dr|\.", "named": r"(?:Dr|\.) [a-z]{2,3}|nobody"}
    assert word_lists("made_up", "more", name="[a-z]") == {"last": r"(?:Dr|\.) [a-z]{2,3}|nobody[a-z]!"}
    with pytest.raises(KeyError):
        word_lists("made_up")
