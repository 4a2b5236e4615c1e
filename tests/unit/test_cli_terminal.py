"""What commands print: for people on a terminal, for scripts elsewhere, in the language of the environment."""

from __future__ import annotations

import io
import json
from typing import Any, get_args

import pytest
from rich.cells import cell_len
from rich.console import Console
from typer.testing import CliRunner

from services.cli.exit_codes import EXIT_CODES
from services.cli.main import app
from services.cli.manual import manual
from services.cli.person import following
from services.cli.person.choosing import chosen
from services.cli.person.screen import Id, Screen, named
from services.cli.person.words import PAIRS, reason, state, word
from services.cli.terminal import clean, moment, said, size_of
from services.memory_center.memory_schemas import KNOWN_TYPES, Origin, Validity
from services.recall.finding_schemas import NothingCode
from services.recall.schemas import Reason
from shared.erasure.rules import scopes
from shared.outbox import error_codes, stages
from shared.portability.packages.records import KINDS
from shared.portability.rules import exports, imports
from tests.support.tables import each

PERSONS = ("memories", "explain", "forget", "undo", "export", "import", "ops", "receipt")
COMMANDS = [command.name for command in (*app.registered_commands, *app.registered_groups) if not command.hidden]


def screen(*, terminal: bool, width: int = 60, ids: bool = False) -> tuple[Screen, io.StringIO]:
    written = io.StringIO()
    console = Console(
        file=written,
        force_terminal=terminal,
        width=width,
        color_system=None,
        highlight=False,
        emoji=False,
        markup=False,
    )
    return Screen(console=console, ids=ids), written


ROWS = [
    ("我对花生过敏。", named("constraint", "约束"), Id("01a20072-2269-7000-8000-0000d3c1a001")),
    ("I'm allergic to peanuts [bold]really[/]", named("constraint"), Id("01a20072-2269-7000-8000-0000b20fa002")),
]


class TestTables:
    def test_on_a_terminal_columns_align_whatever_the_width_of_the_letters(self):
        shown, written = screen(terminal=True, width=120)
        shown.table(("memory", "type", "id"), ROWS)
        lines = [line.rstrip() for line in written.getvalue().splitlines() if line.strip()]
        assert len({cell_len(line[:-8]) for line in lines[1:]}) == 1
        assert [line[-8:] for line in lines[1:]] == ["d3c1a001", "b20fa002"]
        assert "[bold]really[/]" in lines[2]

    def test_ids_are_short_unless_they_are_asked_for_and_as_long_as_tells_them_apart(self):
        alike = [("a", Id("01a20072-2269-7000-8000-11120000a001")), ("b", Id("01a20072-2269-7000-8000-11130000a001"))]
        for ids, rows, expected in (
            (False, ROWS, ["d3c1a001", "b20fa002"]),
            (True, ROWS, [str(row[-1]) for row in ROWS]),
            (False, alike, ["20000a001", "30000a001"]),
            (False, [alike[0], alike[0]], ["0000a001", "0000a001"]),
        ):
            for terminal in (True, False):
                shown, written = screen(terminal=terminal, width=120, ids=ids)
                shown.table(("memory", "id") if rows is not ROWS else ("memory", "type", "id"), rows)
                found = [line.split()[-1] for line in written.getvalue().splitlines()]
                assert found[1 if terminal else 0 :] == expected

    @each("width", [40, 60, 80, 100, 200])
    def test_what_a_row_is_about_has_the_room_and_everything_else_stays_in_one_piece(self, width: int):
        content = "Remembered: " + "peanuts and every kind of tree nut " * 3
        shown, written = screen(terminal=True, width=width)
        shown.table(("memory", "type", "since", "id"), [(content, "constraint", "2026-11-22 10:00", ROWS[0][-1])])
        lines = written.getvalue().splitlines()
        assert max(map(cell_len, lines)) <= width
        assert all(any(cell in line for line in lines) for cell in ("constraint", "2026-11-22 10:00", "d3c1a001"))
        assert content.rsplit(maxsplit=1)[-1] in written.getvalue()
        [first] = [line for line in lines if "Remembered" in line]
        assert len(first.split("constraint")[0].rstrip()) >= 24

    @each(
        ("environment", "coloured", "styled"),
        [({}, True, True), ({"NO_COLOR": "1"}, False, True), ({"TERM": "dumb"}, False, False)],
    )
    def test_colours_are_where_there_is_a_terminal_and_nobody_said_no(self, environment, coloured, styled):
        written = io.StringIO()
        usual = {"TERM": "xterm-256color"}
        console = Console(file=written, force_terminal=True, width=100, _environ={**usual, **environment})
        Screen(console=console).table(("memory", "type"), [("content", named("constraint"))])
        assert (("\x1b[35m" in written.getvalue()), ("\x1b[" in written.getvalue())) == (coloured, styled)

    def test_where_there_is_nothing_no_names_of_columns_stand_alone(self):
        shown, written = screen(terminal=True)
        shown.table(("memory", "id"), [])
        assert written.getvalue() == ""
        shown.table(("", ""), [("receipt", "1")])
        assert written.getvalue().split() == ["receipt", "1"]
        assert written.getvalue().count("\n") == 1

    def test_on_a_narrow_terminal_nothing_is_cut_off(self):
        shown, written = screen(terminal=True, width=40)
        shown.table(("memory", "type", "id"), ROWS)
        letters = "".join(written.getvalue().split())
        for name in ("allergic", "花生过敏"):
            assert name in letters
        assert "…" not in letters

    def test_elsewhere_a_row_is_a_line_with_tabs_however_long(self):
        shown, written = screen(terminal=False, width=20)
        shown.table(("memory", "type", "id"), [("a\nb\tc" + "长" * 500, "fact", "1")])
        assert written.getvalue() == "a b c" + "长" * 500 + "\tfact\t1\n"

    def test_with_json_nothing_but_the_document_is_printed(self, capsys):
        shown = Screen(as_json=True)
        shown.say("words")
        shown.heading("words")
        shown.table(("a",), [("b",)])
        shown.document({"content": "我住在上海。"})
        assert json.loads(capsys.readouterr().out) == {"content": "我住在上海。"}

    def test_json_does_nothing_to_a_terminal_and_loses_nothing(self, capsys):
        content = "\x1b[2J \x7f\x9b31m \u202egnirts\u202c \u2066\\\u200f 我住在上海 👩\u200d👧"
        Screen(as_json=True).document({"content": content})
        printed = capsys.readouterr().out
        assert not set("\x1b\x7f\x9b\u202e\u202c\u2066\u200f") & set(printed)
        assert "\\u009b31m" in printed
        assert "我住在上海 👩\u200d👧" in printed
        assert json.loads(printed) == {"content": content}


class TestContent:
    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("\x1b]0;owned\x07", "\ufffd]0;owned\ufffd"),
            ("one\ntwo\r\tthree", "one two  three"),
            ("\u202egnirts\u202c", "\ufffdgnirts\ufffd"),
            ("花生 👩‍👩‍👧 é", "花生 👩‍👩‍👧 é"),
        ],
    )
    def test_does_nothing_to_the_terminal_it_is_shown_on(self, text, shown):
        assert clean(text) == shown

    def test_times_are_shown_to_the_minute_and_what_is_none_as_it_is(self, monkeypatch):
        assert len(moment("2026-11-22T10:12:13.5+00:00")) == len("2026-11-22 10:12")
        assert (moment(None), moment("\x1bnever")) == ("", "\ufffdnever")

    def test_sizes_are_shown_in_words(self):
        assert [size_of(one) for one in (0, 1023, 1536, 5 * 1024**2, 3 * 1024**3)] == [
            "0 B",
            "1023 B",
            "1.5 KiB",
            "5.0 MiB",
            "3.0 GiB",
        ]


class TestLanguage:
    @pytest.mark.parametrize(
        ("environment", "spoken"),
        [
            ({"LANG": "zh_CN.UTF-8"}, "忘"),
            ({"LANG": "en_US.UTF-8"}, "forget"),
            ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_TW"}, "忘"),
            ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}, "forget"),
            ({}, "forget"),
        ],
    )
    def test_it_is_the_one_the_environment_asks_for(self, environment, spoken, monkeypatch):
        for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        assert said("forget", "忘") == spoken

    def test_everything_an_operation_says_has_words_in_both(self):
        names = {name for stage in stages.STAGES for name in stage} | {
            exports.STEP,
            imports.STEP,
            imports.OPERATION_TYPE,
        }
        names |= set(scopes.OPERATION_TYPES.values()) | set(exports.OPERATION_TYPES.values())
        names |= {"milvus_unavailable", "mem0_unavailable", "residue_found", "waiting_for_writes", "replay_needed"}
        names |= {"pending", "running", *following.ENDED}
        assert not names - PAIRS.keys()
        assert not [name for name, (en, zh) in PAIRS.items() if not en.isascii() or zh.isascii()]

    def test_what_the_api_names_has_words_in_both(self):
        named = {*get_args(NothingCode), *get_args(Reason), *get_args(Origin), *get_args(Validity)}
        named |= {*KNOWN_TYPES.split(", "), *error_codes.SENTENCES} - {
            "context_changed",
            "switched_off",
            "write_given_up",
        }
        named |= set(KINDS)
        assert not named - PAIRS.keys() - {"active", "no_conversation"}

    def test_a_code_nobody_translated_is_told_in_the_words_of_the_api(self):
        for code in error_codes.SENTENCES:
            assert reason(error_codes.describe(code))
        assert reason("brand_new: Something new.") == "Something new"
        assert (reason(None), word("brand_new")) == ("", "brand new")


class TestChoosing:
    @pytest.mark.parametrize(
        ("answer", "places"),
        [
            ("1", [1]),
            ("3, 1", [1, 3]),
            ("1 3-5", [1, 3, 4, 5]),
            ("2–3、5", [2, 3, 5]),
            ("1，2；2", [1, 2]),
            ("", []),
            ("0", []),
            ("6", []),
            ("4-2", []),
            ("1 maybe", []),
            ("１", []),
        ],
    )
    def test_numbers_and_ranges_are_read_and_anything_else_is_none(self, answer, places):
        assert chosen(answer, 5) == places


def operation(**members: Any) -> dict[str, Any]:
    step = {"name": "milvus", "status": "running", "attempts": 1, "counts": {}, "last_error": None}
    return {
        "id": "01a2",
        "type": "forget_message",
        "status": "running",
        "progress": 0.5,
        "last_error": None,
        "not_before": None,
        "steps": [
            {**step, "name": "ledger", "status": "succeeded", "next_retry_at": None},
            {**step, "name": "postgres", "status": "succeeded", "counts": {"erased": 5}, "next_retry_at": None},
            {**step, "last_error": "milvus_unavailable: It is away.", "next_retry_at": None},
            {**step, "name": "verify", "status": "waiting", "next_retry_at": None},
        ],
        **members,
    }


class TestOperations:
    def test_every_store_has_its_mark_and_its_count(self, monkeypatch):
        monkeypatch.setenv("LC_ALL", "C.UTF-8")
        assert following.steps(operation()) == "noted ✓ · records ✓ 5 · search index … · proof ·"
        monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
        assert following.steps(operation()) == "登记 ✓ · 记录 ✓ 5 · 检索库 … · 核验 ·"

    def test_why_it_waits_is_told_and_until_when(self, monkeypatch):
        monkeypatch.setenv("LC_ALL", "C.UTF-8")
        assert following.waits_for(operation()) == "Could not reach the search index"
        steps = operation()["steps"]
        steps[2]["next_retry_at"] = "2020-01-01T00:00:00+00:00"
        assert following.waits_for(operation(steps=steps)) == "Could not reach the search index. Trying again in 0 s"

    def test_only_changes_are_told(self):
        states = [operation(), operation(), operation(progress=1.0), operation(progress=1.0)]
        assert [one["progress"] for one in following.changes(iter(states))] == [0.5, 1.0]

    @pytest.mark.parametrize(
        ("members", "undoable"),
        [
            ({"status": "pending"}, False),
            ({"status": "pending", "not_before": "2020-01-01T00:00:00+00:00"}, True),
            ({"status": "pending", "not_before": "2999-01-01T00:00:00+00:00"}, True),
            ({"status": "running", "not_before": "2020-01-01T00:00:00+00:00"}, False),
            ({"status": "cancelled", "not_before": "2999-01-01T00:00:00+00:00"}, False),
            ({"status": "pending", "not_before": "2999-01-01T00:00:00+00:00", "type": "import"}, False),
        ],
    )
    def test_what_may_be_undone_is_a_forget_that_had_time_and_has_not_begun(self, members, undoable):
        assert following.may_be_undone(operation(**members)) is undoable

    @pytest.mark.parametrize(
        ("type_", "status", "shown"),
        [
            ("forget_user", "cancelled", "undone"),
            ("export_selection", "cancelled", "withdrawn"),
            ("import", "cancelled", "given up"),
            ("import", "succeeded", "done"),
        ],
    )
    def test_how_it_stands_is_said_in_the_words_of_its_kind(self, type_, status, shown, monkeypatch):
        monkeypatch.setenv("LC_ALL", "C.UTF-8")
        assert state(type_, status) == shown


class TestRefusals:
    @each(
        ("words", "line"),
        [
            (["--nonsense"], "No such option: --nonsense"),
            (["memoris"], "No such command 'memoris'. Did you mean 'memories'?"),
            (["explain"], "Missing argument 'ID'."),
            (["memories", "--limit", "0"], "Invalid value for '--limit': Input should be greater than or equal to 1"),
            (["forget"], "name one: --description, --conversation, --message, --memory or --everything"),
        ],
    )
    def test_what_was_typed_wrong_is_said_in_one_line_and_by_the_exit_code(self, words: list[str], line: str):
        ended = CliRunner().invoke(app, words)
        assert (ended.exit_code, ended.output) == (2, f"memory-center: {line}\n")


class TestHelp:
    def test_it_lists_examples_exit_codes_and_environment(self):
        text = manual([("forget [ID]", "what it does")], environment={"HOME": "where"})
        assert "memory-center forget \\[ID]" in text
        for code in EXIT_CODES:
            assert f"\n  {code} " in text
        assert "HOME  where" in text

    @pytest.mark.parametrize("name", COMMANDS)
    def test_every_command_has_a_manual(self, name):
        shown = CliRunner().invoke(app, [name, "--help"], env={"TERMINAL_WIDTH": "100"})
        assert shown.exit_code == 0, shown.output
        assert f" {name} [OPTIONS]" in shown.output
        assert "Examples" in shown.output
        assert "Exit codes" in shown.output
        if name in PERSONS:
            assert "MEMORY_CENTER_TOKEN" in shown.output
        if name not in ("up", "demo", "openapi", "receipt", "mcp", "mem0", "proxy"):
            assert "--json" in shown.output
