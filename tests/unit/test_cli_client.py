"""How a person's commands speak to the API: whose credentials go where, what is said when it fails, what goes on."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

import httpx2
import pytest
from typer.testing import CliRunner, Result

from memory_center_client import MemoryCenter
from memory_center_client._sync import transport
from services.cli.exit_codes import FAILED, NOT_FOUND, UNCONFIRMED, UNREACHABLE, USAGE, Refusal
from services.cli.main import app
from services.cli.person import client as client_module
from services.cli.person import confirming, connecting, downloading, following
from services.cli.person.client import Answered, Center
from services.cli.person.connecting import connect
from services.cli.person.downloading import download, tidied
from services.cli.person.refusals import REFUSALS
from services.cli.sign_in import WORKDAY_MINUTES
from services.cli.terminal import note
from shared.portability.packages.refusals import Code
from tests.support.small_api import SIGNING_KEY

URL = "http://127.0.0.1:1"
ITEM = "0198c0de-0000-7000-8000-000000000001"
PART = f"package.zip.{ITEM}.part"
GONE = {"code": "export_gone", "title": "The package is gone."}
Handler = Callable[[httpx2.Request], httpx2.Response]


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TOKEN", "SIGNING_KEY", "URL", "USER", "DATA_DIR"):
        monkeypatch.delenv(f"MEMORY_CENTER_{name}", raising=False)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setattr(transport, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(downloading, "_PAUSE_SECONDS", 0.0)


def center(handler: Handler, user: str | None = None) -> Center:
    return Center(URL, "token", user, transport=httpx2.MockTransport(handler))


class TestWhoSpeaksAndWhere:
    def test_a_token_is_made_for_this_machine_only(self, monkeypatch, tmp_path):
        monkeypatch.setenv("MEMORY_CENTER_SIGNING_KEY", SIGNING_KEY)
        with connect("http://localhost:8765", "小林", tmp_path) as here:
            assert here.url == "http://localhost:8765"
        for elsewhere in ("https://memory.example", "http://127.0.0.1.example:8765", "http://localhost@memory.example"):
            with pytest.raises(Refusal, match="MEMORY_CENTER_TOKEN") as refused:
                connect(elsewhere, None, tmp_path)
            assert refused.value.exit_code == USAGE

    def test_a_token_of_the_environment_is_sent_as_it_is_and_the_person_named(self, monkeypatch, tmp_path):
        monkeypatch.setenv("MEMORY_CENTER_TOKEN", " a.b.c\n")
        seen: list[httpx2.Request] = []

        def answer(request: httpx2.Request) -> httpx2.Response:
            seen.append(request)
            return httpx2.Response(200, json=[])

        played = {"transport": httpx2.MockTransport(answer)}
        monkeypatch.setattr(client_module, "MemoryCenter", lambda *given, **more: MemoryCenter(*given, **more | played))
        made = connect("https://memory.example/", "ada", tmp_path)
        made.get("memory/ops", limit=1, archived=True, nothing=None)
        [request] = seen
        assert str(request.url) == "https://memory.example/api/v1/memory/ops?user_id=ada&limit=1&archived=true"
        assert request.headers["authorization"] == "Bearer a.b.c"

    @pytest.mark.parametrize("token", ["", "   ", "a\nb", "令牌"])
    def test_what_cannot_be_a_token_is_refused_and_not_repeated(self, token, monkeypatch, tmp_path):
        monkeypatch.setenv("MEMORY_CENTER_TOKEN", token)
        with pytest.raises(Refusal, match=r"^MEMORY_CENTER_TOKEN is not a token$") as refused:
            connect(URL, None, tmp_path)
        assert refused.value.exit_code == USAGE

    def test_where_nothing_runs_it_is_said_how_to_start_it(self, tmp_path):
        with pytest.raises(Refusal, match="memory-center up") as refused:
            connect(None, None, tmp_path)
        assert refused.value.exit_code == UNREACHABLE

    @pytest.mark.parametrize("url", ["nonsense", "ftp://memory.example", "http://", "http://[::1", "//host"])
    def test_what_is_no_address_is_refused(self, url, monkeypatch, tmp_path):
        monkeypatch.setenv("MEMORY_CENTER_TOKEN", "a.b.c")
        with pytest.raises(Refusal) as refused:
            connect(url, None, tmp_path)
        assert refused.value.exit_code == USAGE

    def test_a_working_day_is_not_interrupted(self):
        assert WORKDAY_MINUTES >= 8 * 60


class TestRefusals:
    @pytest.mark.parametrize(
        ("status", "code", "exit_code"),
        [
            (400, "malformed_json", FAILED),
            (401, "credentials_expired", USAGE),
            (404, "not_found", NOT_FOUND),
            (409, "too_late_to_undo", FAILED),
            (410, "export_gone", NOT_FOUND),
            (413, "package_too_large", FAILED),
            (422, "validation_failed", USAGE),
            (422, "confirmation_required", UNCONFIRMED),
            (422, "package_malformed", FAILED),
            (429, "too_many_exports", FAILED),
            (500, "internal_error", FAILED),
            (503, "busy", UNREACHABLE),
        ],
    )
    def test_each_has_its_exit_code_its_words_and_its_code(self, status, code, exit_code):
        problem = {"code": code, "title": "It is so.", "detail": "And why.", "status": status}
        with pytest.raises(Answered) as refused:
            center(lambda _: httpx2.Response(status, json=problem)).get("memory/ops")
        words = REFUSALS[code][0] if code in REFUSALS else "It is so. And why"
        assert str(refused.value) == f"{words} ({code})"
        assert (refused.value.exit_code, refused.value.code) == (exit_code, code)

    def test_every_refusal_of_a_file_has_words_of_its_own_in_both_languages(self):
        assert not set(get_args(Code)) - REFUSALS.keys()
        assert len({words for pair in REFUSALS.values() for words in pair}) == 2 * len(REFUSALS)
        assert not [code for code, (en, zh) in REFUSALS.items() if not en.isascii() or zh.isascii()]

    def test_it_is_said_in_the_language_of_the_environment(self, monkeypatch):
        monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
        with pytest.raises(Answered, match="数据包已不在"):
            center(lambda _: httpx2.Response(410, json={"code": "export_gone"})).get("memory/ops")

    def test_places_in_a_request_or_a_file_are_named(self):
        errors = [{"file": "messages.jsonl", "line": 7}, {"loc": ["query", "limit"], "msg": "Too large."}]
        problem = {"code": "x", "title": "No.", "errors": errors}
        with pytest.raises(Answered, match=r"^No\. messages\.jsonl, 7; query\.limit: Too large \(x\)$"):
            center(lambda _: httpx2.Response(422, json=problem)).get("memory/ops")

    @pytest.mark.parametrize(
        ("error", "locale", "named"),
        [
            ({"file": None, "record": 7}, "C.UTF-8", "entry 7"),
            ({"file": None, "record": 7}, "zh_CN.UTF-8", "第 7 项"),
            ({"file": "memories.jsonl", "record": None}, "C.UTF-8", "memories.jsonl"),
        ],
    )
    def test_what_has_no_name_in_a_file_is_named_by_its_number(self, error, locale, named, monkeypatch):
        monkeypatch.setenv("LC_ALL", locale)
        problem = {"code": "package_unsafe_path", "errors": [error]}
        with pytest.raises(Answered) as refused:
            center(lambda _: httpx2.Response(422, json=problem)).post("memory/import")
        assert str(refused.value).endswith(f". {named} (package_unsafe_path)")

    def test_an_argument_that_is_not_utf_8_is_refused_and_not_repeated(self):
        answering = center(lambda _: httpx2.Response(200, json=[]))
        given = b"caf\xe9".decode(errors="surrogateescape")
        for send in (
            lambda: answering.get("memory/long_term", project_id=given),
            lambda: answering.pages("memory/long_term", limit=1, content_type=given),
            lambda: answering.post("memory/forget/find", {"description": given}),
        ):
            with pytest.raises(Refusal, match=r"^an argument is not UTF-8$") as refused:
                send()
            assert refused.value.exit_code == USAGE

    @pytest.mark.parametrize("body", [b"<html>", b"[1]", b"", b'{"title": "\\u001b[2J"}'])
    def test_whatever_is_answered_it_is_one_harmless_line(self, body):
        with pytest.raises(Answered) as refused:
            center(lambda _: httpx2.Response(500, content=body)).get("memory/ops")
        assert str(refused.value).isprintable()

    def test_an_answer_that_is_not_ours_is_not_taken_for_one(self):
        with pytest.raises(Refusal, match="is not Memory Center") as refused:
            center(lambda _: httpx2.Response(200, content=b"<html>")).get("memory/ops")
        assert refused.value.exit_code == UNREACHABLE


class TestWishes:
    def test_a_wish_whose_answer_is_lost_is_sent_again_as_the_same_wish(self):
        sent: list[tuple[str, bytes]] = []

        def answer(request: httpx2.Request) -> httpx2.Response:
            sent.append((request.headers["idempotency-key"], request.content))
            if len(sent) < 3:
                raise httpx2.ReadError("lost")
            return httpx2.Response(202, json={"op_id": "1"})

        assert center(answer, "ada").post("memory/forget", {"scope": "user", "token": None}) == {"op_id": "1"}
        assert len(set(sent)) == 1
        assert json.loads(sent[0][1]) == {"user_id": "ada", "scope": "user"}

    def test_two_wishes_are_two(self):
        keys: list[str] = []

        def answer(request: httpx2.Request) -> httpx2.Response:
            keys.append(request.headers["idempotency-key"])
            return httpx2.Response(202, json={})

        one = center(answer)
        one.post("memory/export", {"scope": "user"})
        one.post("memory/export", {"scope": "user"})
        assert len(set(keys)) == 2

    @pytest.mark.parametrize(("status", "code", "tries"), [(409, "undo_expired", 1), (422, "x", 1), (503, "busy", 3)])
    def test_a_refusal_is_not_argued_with_unless_it_passes(self, status, code, tries):
        asked: list[httpx2.Request] = []

        def answer(request: httpx2.Request) -> httpx2.Response:
            asked.append(request)
            return httpx2.Response(status, json={"code": code, "title": "No."})

        with pytest.raises(Answered):
            center(answer).post("memory/forget", {"scope": "user"})
        assert len(asked) == tries
        assert len({request.headers["idempotency-key"] for request in asked}) == 1


class TestWatching:
    @staticmethod
    def states(*answers: httpx2.Response | Exception) -> Handler:
        coming = iter(answers)

        def answer(_: httpx2.Request) -> httpx2.Response:
            found = next(coming)
            if isinstance(found, Exception):
                raise found
            return found

        return answer

    def test_an_api_that_is_away_for_a_while_is_waited_for(self, monkeypatch):
        monkeypatch.setattr(following, "_LOOK_SECONDS", 0.0)
        running, done = (httpx2.Response(200, json={"status": status}) for status in ("running", "succeeded"))
        busy = httpx2.Response(503, json={"code": "busy"})
        watched = following.watch(center(self.states(running, httpx2.ConnectError("away"), busy, done)), ITEM)
        assert [one["status"] for one in watched] == ["running", "succeeded"]

    def test_one_that_stays_away_is_given_up_and_what_is_not_there_at_once(self, monkeypatch):
        monkeypatch.setattr(following, "_LOOK_SECONDS", 0.0)
        monkeypatch.setattr(following, "_AWAY_SECONDS", -1.0)
        with pytest.raises(Refusal) as refused:
            list(following.watch(center(self.states(*[httpx2.ConnectError("away")] * 3)), ITEM))
        assert refused.value.exit_code == UNREACHABLE
        monkeypatch.setattr(following, "_AWAY_SECONDS", 60.0)
        with pytest.raises(Answered, match="not_found"):
            list(following.watch(center(self.states(httpx2.Response(404, json={"code": "not_found"}))), ITEM))


class TestPages:
    @staticmethod
    def listing(request: httpx2.Request) -> httpx2.Response:
        start, limit = int(request.url.params.get("cursor", 0)), int(request.url.params["limit"])
        items = [{"id": place} for place in range(450)][start : start + limit]
        link = f'</api/v1/memory/ops?limit={limit}&cursor={start + limit}>; rel="next"'
        return httpx2.Response(200, json=items, headers={"Link": link} if len(items) == limit else {})

    @pytest.mark.parametrize(
        ("limit", "count", "more"),
        [(None, 450, False), (20, 20, True), (200, 200, True), (400, 400, True), (450, 450, False), (500, 450, False)],
    )
    def test_so_many_as_wanted_are_read(self, limit, count, more):
        found, has_more = center(self.listing).pages("memory/ops", limit=limit)
        assert ([one["id"] for one in found], has_more) == (list(range(count)), more)

    def test_a_link_leads_to_nobody_else(self):
        asked: list[str] = []

        def answer(request: httpx2.Request) -> httpx2.Response:
            asked.append(request.url.host)
            return httpx2.Response(200, json=[{"id": 1}], headers={"Link": '<@memory.example/>; rel="next"'})

        center(answer).pages("memory/ops", limit=None)
        assert asked == ["127.0.0.1"]


class Broken(httpx2.SyncByteStream):
    """Some bytes, and then the connection is gone."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def __iter__(self) -> Iterator[bytes]:
        yield self._content
        raise httpx2.ReadError("gone")


class TestDownloads:
    CONTENT = bytes(range(256)) * 4000

    @pytest.fixture
    def package(self) -> dict[str, object]:
        digest = hashlib.sha256(self.CONTENT).hexdigest()
        return {"op_id": ITEM, "bytes": len(self.CONTENT), "sha256": digest}

    def serving(self, *, at_once: int | None = None, asked: list[str | None] | None = None) -> Handler:
        """Serve the content, in pieces after which the connection breaks."""

        def answer(request: httpx2.Request) -> httpx2.Response:
            wanted = request.headers.get("range")
            if asked is not None:
                asked.append(wanted)
            start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
            if wanted:
                assert request.headers["if-range"] == f'"{hashlib.sha256(self.CONTENT).hexdigest()}"'
            rest = self.CONTENT[start:]
            stream = httpx2.ByteStream(rest) if at_once is None or len(rest) <= at_once else Broken(rest[:at_once])
            return httpx2.Response(206 if wanted else 200, stream=stream)

        return answer

    def test_it_is_whole_and_ones_own(self, package, tmp_path):
        target = tmp_path / "我的记忆.zip"
        download(center(self.serving()), package, target, quiet=True)
        assert target.read_bytes() == self.CONTENT
        assert target.stat().st_mode & 0o777 == 0o600
        assert list(tmp_path.iterdir()) == [target]

    def test_it_goes_on_where_the_connection_broke(self, package, tmp_path):
        asked: list[str | None] = []
        target = tmp_path / "package.zip"
        download(center(self.serving(at_once=300_000, asked=asked)), package, target, quiet=True)
        assert target.read_bytes() == self.CONTENT
        assert asked == [None, "bytes=300000-", "bytes=600000-", "bytes=900000-"]

    def test_it_goes_on_where_another_command_ended(self, package, tmp_path):
        (tmp_path / PART).write_bytes(self.CONTENT[:1000])
        asked: list[str | None] = []
        download(center(self.serving(asked=asked)), package, tmp_path / "package.zip", quiet=True)
        assert (tmp_path / "package.zip").read_bytes() == self.CONTENT
        assert asked == ["bytes=1000-"]

    def test_what_was_begun_of_something_else_never_takes_its_name(self, package, tmp_path):
        part = tmp_path / PART
        part.write_bytes(b"other" * 100)
        with pytest.raises(Refusal, match="damaged") as refused:
            download(center(self.serving()), package, tmp_path / "package.zip", quiet=True)
        assert refused.value.exit_code == FAILED
        assert list(tmp_path.iterdir()) == []
        download(center(self.serving()), package, tmp_path / "package.zip", quiet=True)
        assert (tmp_path / "package.zip").read_bytes() == self.CONTENT

    def test_a_withdrawn_package_leaves_nothing_here(self, package, tmp_path):
        begun = iter([httpx2.Response(200, stream=Broken(self.CONTENT[:5000]))])
        handler: Handler = lambda _: next(begun, None) or httpx2.Response(410, json=GONE)  # noqa: E731 # short
        target = tmp_path / "package.zip"
        with pytest.raises(Answered, match="export_gone") as refused, tidied(target, ITEM):
            download(center(handler), package, target, quiet=True)
        assert refused.value.exit_code == NOT_FOUND
        assert list(tmp_path.iterdir()) == []

    def test_what_cannot_be_removed_of_it_is_named(self, tmp_path):
        (tmp_path / PART).mkdir()
        with pytest.raises(Refusal, match=rf"export_gone.*{PART}") as refused, tidied(tmp_path / "package.zip", ITEM):
            center(lambda _: httpx2.Response(410, json=GONE)).get("memory/exports")
        assert refused.value.exit_code == NOT_FOUND

    def test_what_is_begun_can_be_read_by_nobody_else(self, package, tmp_path):
        part = tmp_path / PART
        part.write_bytes(self.CONTENT[:1000])
        part.chmod(0o644)
        with pytest.raises(Answered, match="not_found"):
            download(
                center(lambda _: httpx2.Response(404, json={"code": "not_found"})),
                package,
                tmp_path / "package.zip",
                quiet=True,
            )
        assert part.read_bytes() == self.CONTENT[:1000]
        assert part.stat().st_mode & 0o777 == 0o600

    @pytest.mark.parametrize("kind", ["link", "link to nothing", "pipe", "somebody else's"])
    def test_nothing_else_is_written_to(self, kind, package, tmp_path, monkeypatch):
        part, other = tmp_path / PART, tmp_path / "other"
        if kind == "pipe":
            os.mkfifo(part)
        elif kind == "somebody else's":
            part.write_bytes(b"theirs")
            monkeypatch.setattr(os, "geteuid", lambda: part.stat().st_uid + 1)
        else:
            part.symlink_to(other)
            if kind == "link":
                other.write_bytes(b"mine")
        before = sorted(one.name for one in tmp_path.iterdir())
        with pytest.raises(Refusal, match="no file of yours") as refused:
            download(center(self.serving()), package, tmp_path / "package.zip", quiet=True)
        assert refused.value.exit_code == USAGE
        assert sorted(one.name for one in tmp_path.iterdir()) == before
        assert [one.read_bytes() for one in (part, other) if one.is_file()] in ([], [b"theirs"], [b"mine", b"mine"])

    @pytest.mark.parametrize("has_links", [True, False])
    def test_a_file_that_appeared_meanwhile_is_not_overwritten(self, has_links, package, tmp_path, monkeypatch):
        if not has_links:
            monkeypatch.setattr(os, "link", self.no_links)
        target = tmp_path / "package.zip"
        target.write_bytes(b"mine")
        with pytest.raises(Refusal, match="exists already") as refused:
            download(center(self.serving()), package, target, quiet=True)
        assert refused.value.exit_code == USAGE
        assert target.read_bytes() == b"mine"
        assert (tmp_path / PART).read_bytes() == self.CONTENT
        target.unlink()
        download(center(lambda _: httpx2.Response(500)), package, target, quiet=True)
        assert target.read_bytes() == self.CONTENT
        assert list(tmp_path.iterdir()) == [target]

    def test_a_file_system_without_links_and_modes_will_do(self, package, tmp_path, monkeypatch):
        monkeypatch.setattr(os, "link", self.no_links)
        monkeypatch.setattr(os, "fchmod", self.no_links)
        download(center(self.serving()), package, tmp_path / "package.zip", quiet=True)
        assert (tmp_path / "package.zip").read_bytes() == self.CONTENT
        assert os.listdir(tmp_path) == ["package.zip"]  # noqa: PTH208 # names

    @staticmethod
    def no_links(*_: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    def test_an_api_that_stays_away_is_given_up_and_what_came_is_kept(self, package, tmp_path):
        begun = iter([httpx2.Response(200, stream=Broken(self.CONTENT[:5000]))])

        def answer(_: httpx2.Request) -> httpx2.Response:
            if (first := next(begun, None)) is not None:
                return first
            raise httpx2.ConnectError("away")

        with pytest.raises(Refusal) as refused:
            download(center(answer), package, tmp_path / "package.zip", quiet=True)
        assert refused.value.exit_code == UNREACHABLE
        assert (tmp_path / PART).read_bytes() == self.CONTENT[:5000]

    def test_a_place_that_cannot_be_written_is_named(self, package, tmp_path):
        with pytest.raises(Refusal, match="No such file or directory") as refused:
            download(center(self.serving()), package, Path(tmp_path / "nowhere" / "package.zip"), quiet=True)
        assert refused.value.exit_code == USAGE


def an_operation(**members: object) -> dict[str, object]:
    shown = {"progress": 1.0, "last_error": None, "not_before": None, "steps": []}
    return {"id": ITEM, "type": "export_user", "status": "succeeded", **shown, **members}


class TestCommands:
    @pytest.fixture
    def run(self, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
        """Run a command where paths answer so; what does not is not there."""

        def runs(answers: dict[str, tuple[int, object]], *words: str) -> Result:
            def answer(request: httpx2.Request) -> httpx2.Response:
                path = request.url.path.removeprefix("/api/v1/memory/")
                status, body = answers.get(path, (404, {"code": "not_found"}))
                return httpx2.Response(status, json=body)

            monkeypatch.setattr(connecting, "connect", lambda *_: center(answer))
            return CliRunner().invoke(app, words)

        return runs

    @pytest.mark.parametrize(
        "answers",
        [
            {f"ops/{ITEM}": (200, an_operation()), f"exports/{ITEM}": (410, GONE)},
            {f"ops/{ITEM}": (200, an_operation(status="cancelled"))},
            {f"ops/{ITEM}": (410, GONE)},
        ],
    )
    def test_what_is_here_of_a_withdrawn_package_goes(self, answers, run, tmp_path):
        (tmp_path / PART).write_bytes(b"begun")
        ended = run(answers, "export", "--operation", ITEM, "-o", str(tmp_path / "package.zip"))
        assert ended.exit_code == NOT_FOUND
        assert ended.stderr.splitlines()[-1] == f"memory-center: {REFUSALS['export_gone'][0]} (export_gone)"
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize(
        "answers",
        [
            {},
            {f"ops/{ITEM}": (200, an_operation())},
            {f"ops/{ITEM}": (200, an_operation()), f"exports/{ITEM}": (503, {"code": "busy"})},
        ],
    )
    def test_any_other_refusal_keeps_it(self, answers, run, tmp_path):
        (tmp_path / PART).write_bytes(b"begun")
        ended = run(answers, "export", "--operation", ITEM, "-o", str(tmp_path / "package.zip"))
        assert ended.exit_code in (NOT_FOUND, UNREACHABLE)
        assert (tmp_path / PART).read_bytes() == b"begun"

    ACCEPTED = (202, {"op_id": ITEM, "receipt_id": None})

    @pytest.mark.parametrize("words", [(), ("--scope", "user", "--follow"), ("-o", "package.zip"), ("--json",)])
    @pytest.mark.parametrize(
        ("language", "line"),
        [
            ("C.UTF-8", "nothing was exported: nobody is there to ask; --yes confirms it"),
            ("zh_CN.UTF-8", "什么都没有导出：没有终端，无法询问；可用 --yes 确认"),
        ],
    )
    def test_where_nobody_can_be_asked_everything_stays_until_yes_says_otherwise(
        self, words, language, line, run, monkeypatch, tmp_path
    ):
        monkeypatch.setenv("LC_ALL", language)
        monkeypatch.chdir(tmp_path)
        ended = run({"export": self.ACCEPTED}, "export", *words)
        document = '{"accepted": null}\n' if "--json" in words else ""
        assert (ended.exit_code, ended.stdout, ended.stderr) == (UNCONFIRMED, document, f"memory-center: {line}\n")

    @pytest.mark.parametrize("words", [("export",), ("forget", "--everything"), ("forget", "--conversation", ITEM)])
    def test_as_json_it_is_one_document_that_nothing_was_accepted(self, words, run):
        ended = run({"forget/dry-run": self.KEPT, "export": self.ACCEPTED}, *words, "--json")
        assert ended.exit_code == UNCONFIRMED
        assert json.loads(ended.stdout)["accepted"] is None
        assert "nobody is there to ask" in ended.stderr

    @pytest.fixture
    def somebody(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Somebody is there to ask, and agrees."""
        monkeypatch.setattr(confirming, "is_attended", lambda: True)
        monkeypatch.setattr(confirming, "ask", lambda question: note(question) or "yes")

    @pytest.mark.parametrize(
        ("words", "attended", "exit_code", "sent"),
        [
            ((), False, UNCONFIRMED, ["false"]),
            ((), True, 0, ["false", "true"]),
            (("--restore-forgotten",), False, 0, ["true"]),
        ],
    )
    def test_an_import_asks_before_it_brings_back_what_was_forgotten(
        self, words, attended, exit_code, sent, monkeypatch, tmp_path, request
    ):
        if attended:
            request.getfixturevalue("somebody")
        asked: list[str] = []
        forgets = [{"op_id": ITEM, "forgotten_at": "2026-01-02T03:04:05Z", "records": 7}]

        def answer(request: httpx2.Request) -> httpx2.Response:
            asked.append(request.url.params.get("restore_forgotten", "false"))
            if asked[-1] == "true":
                return httpx2.Response(202, json={"op_id": ITEM, "receipt_id": None})
            problem = {"code": "import_restores_forgotten", "details": {"forgets": forgets}}
            return httpx2.Response(409, json=problem)

        monkeypatch.setattr(connecting, "connect", lambda *_: center(answer))
        file = tmp_path / "my-memory.zip"
        file.write_bytes(b"package")

        ended = CliRunner().invoke(app, ("import", str(file), *words))

        assert (ended.exit_code, asked) == (exit_code, sent), ended.output
        if attended:
            assert "7 records" in ended.output
            assert ITEM in ended.output

    KEPT = (200, {"counts": {"postgres": {"conversations": 3, "messages": 18}}, "turns_learned_again": 0})
    SEEN = (200, {"conversations": 2})
    BUSY = (503, {"code": "busy"})

    @pytest.mark.parametrize(
        ("language", "lines"),
        [
            (
                "C.UTF-8",
                (
                    "What will be in it: conversations 2, messages 18, memories 0; with where",
                    "Only you and the service that runs your assistant can download it here",
                    "Export everything? yes or no: ",
                ),
            ),
            (
                "zh_CN.UTF-8",
                (
                    "里面会有：会话 2、消息 18、记忆 0，以及它们的来源",
                    "只有你和运行助手的服务能在这里下载",
                    "导出全部内容吗？输入 yes 或 no：",
                ),
            ),
        ],
    )
    @pytest.mark.usefixtures("somebody")
    def test_it_is_said_what_leaves_and_who_can_have_it(self, language, lines, run, monkeypatch):
        monkeypatch.setenv("LC_ALL", language)
        answers = {"forget/dry-run": self.KEPT, "overview": self.SEEN, "export": self.ACCEPTED}
        ended = run(answers, "export")
        assert ended.exit_code == 0
        assert [line for line in lines if line not in ended.stderr] == []
        assert "could not be counted" not in ended.stderr
        assert "无法统计" not in ended.stderr

    @pytest.mark.parametrize("answers", [{"forget/dry-run": BUSY}, {"forget/dry-run": KEPT, "overview": BUSY}])
    @pytest.mark.parametrize(
        ("language", "kinds", "why"),
        [
            ("C.UTF-8", "conversations, messages, memories; with where", "How many there are could not be counted: "),
            ("zh_CN.UTF-8", "会话、消息、记忆，以及它们的来源", "具体数量无法统计："),
        ],
    )
    @pytest.mark.usefixtures("somebody")
    def test_what_cannot_be_counted_leaves_all_the_same_and_that_is_said(
        self, answers, language, kinds, why, run, monkeypatch
    ):
        monkeypatch.setenv("LC_ALL", language)
        ended = run({**answers, "export": self.ACCEPTED}, "export")
        assert (ended.exit_code, f" {ITEM[-8:]} " in ended.stdout) == (0, True)
        assert kinds in ended.stderr
        assert any(line.startswith(why) and "(busy)" in line for line in ended.stderr.splitlines())

    @pytest.mark.usefixtures("somebody")
    def test_without_credentials_nobody_is_asked(self, run):
        ended = run({"forget/dry-run": (401, {"code": "credentials_expired"}), "export": self.ACCEPTED}, "export")
        assert (ended.exit_code, "yes or no" in ended.stderr) == (USAGE, False)

    @pytest.mark.parametrize("words", [("--yes",), ("--conversation", ITEM), ("--item", ITEM)])
    def test_what_is_confirmed_or_is_but_a_part_is_packed_unasked(self, words, run):
        ended = run({"export": self.ACCEPTED}, "export", *words, "--json")
        assert (ended.exit_code, json.loads(ended.stdout), ended.stderr) == (0, self.ACCEPTED[1], "")

    @pytest.mark.parametrize(
        ("type_", "shown", "exit_code"),
        [
            ("forget_message", "it was undone", FAILED),
            ("import", "it was given up", FAILED),
            ("export_user", "export_gone", NOT_FOUND),
        ],
    )
    def test_only_a_forget_is_called_undone(self, type_, shown, exit_code, run):
        milestones = dict.fromkeys(("unrecallable_at", "erased_at", "purged_at", "receipt_id"))
        found = an_operation(type=type_, status="cancelled", **milestones)
        ended = run({f"ops/{ITEM}": (200, found)}, "ops", ITEM, "--follow")
        assert ended.exit_code == exit_code
        assert shown in ended.stderr
        assert ("undone" in ended.output) is type_.startswith("forget_")

    def test_undo_takes_the_newest_forget_that_had_time_whatever_the_clock_here_says(self, run):
        over, other = "2020-01-01T00:00:00+00:00", ITEM[:-1]
        found = [
            an_operation(id=f"{other}3", type="forget_message", status="pending"),
            an_operation(id=f"{other}2", type="forget_message", status="pending", not_before=over),
            an_operation(id=f"{other}1", type="forget_message", status="pending", not_before="2999-01-01T00:00:00Z"),
        ]
        late = (409, {"code": "too_late_to_undo"})
        ended = run({"ops": (200, found), f"ops/{other}2/cancel": late}, "undo")
        assert (ended.exit_code, "too_late_to_undo" in ended.stderr) == (FAILED, True)
        back = (200, {"op_id": f"{other}2", "status": "cancelled"})
        assert run({"ops": (200, found), f"ops/{other}2/cancel": back}, "undo").exit_code == 0

    @pytest.mark.parametrize(
        "found",
        [
            [],
            [an_operation(type="forget_message", status="pending")],
            [an_operation(type="forget_message", status="cancelled", not_before="2999-01-01T00:00:00Z")],
            [an_operation(type="export_user", status="pending", not_before="2999-01-01T00:00:00Z")],
        ],
    )
    def test_where_nothing_can_be_undone_there_is_no_such_thing(self, found, run):
        ended = run({"ops": (200, found)}, "undo")
        assert (ended.exit_code, ended.stderr) == (NOT_FOUND, "memory-center: nothing can be undone any more\n")
