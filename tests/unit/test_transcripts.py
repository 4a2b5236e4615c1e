"""The blocks of the documentation are played or say why not; how they are read, played and compared."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer

from services.cli.main import app
from tests.support.tables import each
from tests.support.transcripts import ROOT, Block, Shell, Step, blocks, documents, ids_if_as_shown, steps

ALL = [block for document in documents() for block in blocks(document)]
TARGETS = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
TARGETS |= {f"test-{tier}" for tier in ("unit", "contract", "integration", "e2e", "browser", "chaos")}
COMMANDS = typer.main.get_group(app).commands
OPTIONS = {
    name: {
        option
        for one in (command, *getattr(command, "commands", {}).values())
        for parameter in one.params
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    for name, command in COMMANDS.items()
}
_IN_CODE = re.compile(r"`(?:[A-Z_]+=\S+ )?(?:\.venv/bin/)?(memory-center [^`]+)`")


def block(text: str, *, language: str = "sh", mark: str = "", why: str = "") -> Block:
    return Block(ROOT / "README.md", 1, language, text, mark, why)


def _commands() -> list[tuple[str, str]]:
    """Return where the documents call `memory-center`, in blocks and in sentences, and how."""
    called = [(str(one), line) for one in ALL for line in one.text.splitlines() if "memory-center " in line]
    found = [(where, found[0]) for where, line in called for found in re.finditer(r"memory-center [^|;)#`]*", line)]
    for document in documents():
        if document.parent.name != "adr":
            text = document.read_text(encoding="utf-8")
            found += [(document.name, code) for code in _IN_CODE.findall(text)]
    return found


def test_every_block_is_played_or_says_why_not():
    assert len([one for one in ALL if not one.mark]) > 8
    assert [one.fault for one in ALL if one.fault] == []


@each(
    ("given", "fault"),
    [
        (block("ls"), None),
        (block("a → b", language=""), "neither played"),
        (block("key: value", language="yaml"), "neither played"),
        (block("a → b", language="", mark="not played", why="a drawing"), None),
        (block("a → b", language="", mark="not played", why="no"), "in a word"),
        (block("x", language="", mark="output of", why="ls"), "nobody records"),
        (block("x", language="", mark="compared by", why="tests/unit/test_domain.py"), "does not read"),
    ],
)
def test_a_block_without_a_reason_is_refused(given: Block, fault: str | None):
    assert (given.fault is None) if fault is None else (fault in (given.fault or ""))


def test_every_target_of_make_that_a_document_names_exists():
    text = "\n".join(document.read_text(encoding="utf-8") for document in documents())
    named = set(re.findall(r"(?:^|`)make ([a-z][a-z0-9-]+)", text, re.MULTILINE))
    assert len(named) > 5
    assert sorted(named - TARGETS) == []


def test_every_command_and_option_that_a_document_names_exists():
    called = _commands()
    assert len(called) > 30
    wrong = []
    for where, text in called:
        try:
            words = shlex.split(text)[1:]
        except ValueError:
            words = text.split()[1:]
        name = words[0] if words and re.fullmatch("[a-z-]+", words[0]) else ""
        if name and not name.startswith("-") and name not in OPTIONS:
            wrong.append((where, text))
        options = {word.split("=")[0] for word in words[1:] if re.fullmatch("--[a-z-]+(=.*)?", word)}
        if name in OPTIONS and options - OPTIONS[name] - {"--help"}:
            wrong.append((where, text))
    assert wrong == []


@each(
    ("text", "found"),
    [
        ("ls", [Step("ls", None, soon=False, exit_code=0)]),
        (
            "ls\n# a\n#  b\n\ncd",
            [Step("ls", "a\n b", soon=False, exit_code=0), Step("cd", None, soon=False, exit_code=0)],
        ),
        ("echo 'a\n# b'\n# c", [Step("echo 'a\n# b'", "c", soon=False, exit_code=0)]),
        ("# only said\nls", [Step("ls", None, soon=False, exit_code=0)]),
        ("look  # a moment later", [Step("look  # a moment later", None, soon=True, exit_code=0)]),
        ("forget   # asks: exit code 5", [Step("forget   # asks: exit code 5", None, soon=False, exit_code=5)]),
        ("a \\\nb", [Step("a \\\nb", None, soon=False, exit_code=0)]),
    ],
)
def test_a_block_is_read_as_commands_with_what_they_print(text: str, found: list[Step]):
    assert list(steps(text)) == found


ID, OTHER = "01a20072-2269-7000-8000-00000000ab01", "01a20072-2269-7000-8000-00000000ab02"


@each(
    ("shown", "printed", "ids"),
    [
        ("a b", "a  b\n", {}),
        ("a b", "a c", None),
        ("a…c", "a b b c", {}),
        ("a…c", "a b b d", None),
        ("", "anything", None),
        ("took 1.5 s, 3 KiB", "took 12 s, 1.5 MiB", {}),
        ("2026-11-22 10:00", "2027-01-01 23:59", {}),
        ("2 memories", "3 memories", None),
        ('"id":"01a20072-1111-…"', f'"id":"{ID}"', {"01a20072-1111-…": ID}),
        ('"id":"01a20072-1111-…"', '"id":"none"', None),
        ("tea  3f2a9c01", "tea 77777777", {"3f2a9c01": "77777777"}),
        ("3f2a9c01 and 3f2a9c01", "77777777 and 77777777", {"3f2a9c01": "77777777"}),
        ("3f2a9c01 and 3f2a9c01", "77777777 and 88888888", None),
    ],
)
def test_what_is_printed_is_compared_without_what_differs_each_time(
    shown: str, printed: str, ids: dict[str, str] | None
):
    assert ids_if_as_shown(shown, printed, {}) == ids


def test_an_id_of_a_document_stands_for_the_same_one_everywhere():
    known = {"01a20072-1111-…": ID}
    assert ids_if_as_shown("gone: 01a20072-1111-…", f"gone: {ID}", known) == known
    assert ids_if_as_shown("gone: 01a20072-1111-…", f"gone: {OTHER}", known) is None


@pytest.fixture
def shell(tmp_path: Path):
    with Shell(tmp_path, {}, address="http://127.0.0.1:1") as opened:
        yield opened


def test_blocks_are_played_in_one_shell_and_fail_where_they_are_untrue(shell: Shell):
    shell.play(block("NAME=tea\necho $NAME 99999999\n# tea 3f2a9c01\necho $((99999998 + 1))  # and the id 3f2a9c01"))
    shell.play(
        block("echo 3f2a9c01\n# 3f2a9c01\nfalse  # exit code 1\necho http://127.0.0.1:8765\n# http://127.0.0.1:9")
    )
    for untrue in ("echo $NAME\n# coffee", "false", "true  # exit code 3"):
        with pytest.raises(AssertionError, match=r"README\.md:1"):
            shell.play(block(untrue))
    with pytest.raises(ValueError, match="Expecting"):
        shell.play(block("{", language="json"))
