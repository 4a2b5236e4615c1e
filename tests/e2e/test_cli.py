"""The real command against the real product: what a person does with their memory from a shell."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import uuid
import zipfile

import httpx
import pytest

from tests.e2e.conftest import Stack, wait_for
from tests.e2e.shell import COMMAND, Person, Terminal

PEANUTS, SHANGHAI, KEY = (
    "I'm allergic to peanuts",
    "我住在上海。",
    "my spare key is with my neighbour Quillfeather",
)
TURNS = [
    [f"{PEANUTS}, and {SHANGHAI}", "Noted."],
    [f"Please remember that {KEY}.", "I will."],
]
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
def person(stack: Stack) -> Person:
    """Somebody new who has said two things, of which three memories were made."""
    someone = Person(stack, f"person-{uuid.uuid4().hex[:8]}", [])
    with stack.client() as api:
        for said, answered in TURNS:
            opened = api.post("/api/v1/conversations", json={"user_id": someone.name, "title": said[:20]})
            someone.conversations.append(opened.json()["id"])
            sides = [{"role": "user", "content": said}, {"role": "assistant", "content": answered}]
            body = {"conversation_id": someone.conversations[-1], "messages": sides}
            assert api.post("/api/v1/messages", json=body).status_code == httpx.codes.CREATED

        def is_remembered() -> bool:
            found = api.get("/api/v1/memory/long_term", params={"user_id": someone.name}).json()
            answers = [
                api.post("/api/v1/memory/search", json={"user_id": someone.name, "query": query}).json()
                for query in (PEANUTS, "Quillfeather")
            ]
            searchable = {one["content"] for answer in answers for one in answer["items"]}
            return len(found) == 3 and searchable >= {one["content"] for one in found}

        wait_for(is_remembered, seconds=30, what="remembering")
    return someone


class TestLooking:
    def test_what_is_remembered_is_listed_narrowed_and_searched(self, person):
        listed = person.document("memories")
        assert listed["more"] is False
        assert any(SHANGHAI in one["content"] for one in listed["items"])
        constraints = person.document("memories", "--type", "constraint")["items"]
        assert [PEANUTS in one["content"] for one in constraints] == [True]
        assert person.document("memories", "--limit", "1") == {"items": listed["items"][:1], "more": True}

        found = person.document("memories", "--search", "花生可以吃吗")
        assert found["mode"] == "semantic"
        assert any(PEANUTS in one["content"] for one in found["items"])
        piped = person.document("memories", "--search", "-", stdin="花生可以吃吗\n")
        assert [one["id"] for one in piped["items"]] == [one["id"] for one in found["items"]]  # scores age

        [line] = [line for line in person.says("memories").splitlines() if SHANGHAI in line]
        content, type_, _, _, short = line.split("\t")
        [memory] = [one for one in listed["items"] if one["content"] == content]
        assert (SHANGHAI in content, type_, short) == (True, "fact", memory["id"][-8:])
        assert memory["id"] in person.says("memories", "--ids")

    def test_a_memory_is_explained_and_so_is_what_a_message_taught(self, person):
        [memory] = [one for one in person.document("memories")["items"] if SHANGHAI in one["content"]]
        explained = person.document("explain", memory["id"])
        assert explained["memory"]["evidence"][0]["quote"] == SHANGHAI
        words = person.says("explain", memory["id"], LC_ALL="zh_CN.UTF-8")
        assert all(said in words for said in (SHANGHAI, "它从哪里来", "现在会提供给助手"))

        message = memory["provenance"]["message_id"]
        assert "allergic" in person.says("explain", message, "--message")
        derived = person.document("explain", message, "--message")["derived"]
        assert {one["kind"] for one in derived} >= {"memory", "episode"}

    def test_at_a_terminal_it_is_a_table_in_which_wide_letters_align(self, person):
        shown = Terminal(person, ["memories"], LC_ALL="zh_CN.UTF-8")
        assert shown.ended() == 0
        assert "记忆" in shown.shown.splitlines()[0]
        assert SHANGHAI in shown.shown
        assert shown.has_colours
        plain = Terminal(person, ["memories"], NO_COLOR="1")
        assert plain.ended() == 0
        assert SHANGHAI in plain.shown
        assert not plain.has_colours


class TestForgetting:
    def test_nothing_is_forgotten_before_somebody_confirms_it(self, person):
        before = person.remembers()
        described = ["forget", "--description", "Quillfeather"]
        assert "--yes" in person.refused(*described, code=5)
        preview = person.document(*described, code=5)
        assert (preview["accepted"], len(preview["candidates"])) == (None, 2)
        assert person.document(*described, "--dry-run")["candidates"] == preview["candidates"]
        conversation = ["forget", "--conversation", person.conversations[0]]
        assert person.document(*conversation, "--dry-run")["preview"]["counts"]["postgres"]["messages"] == 2
        for target in (conversation, ["forget", "--everything"], ["forget", "--everything", "--yes"]):
            person.says(*target, code=5)
        assert person.remembers() == before

    def test_what_a_description_means_is_forgotten_followed_and_proven(self, person, tmp_path):
        words = ["forget", "--description", "-", "--yes", "--follow", "--json"]
        first, *states = [json.loads(line) for line in person.says(*words, stdin="我对花生过敏这件事\n").splitlines()]
        assert any(PEANUTS in one["content"] for one in first["candidates"])
        assert states[-1]["status"] == "succeeded"
        assert states[-1]["id"] == first["accepted"]["op_id"]
        assert not [one for one in person.remembers() if PEANUTS in one]
        assert any("Quillfeather" in one for one in person.remembers())

        receipt, proof = first["accepted"]["receipt_id"], tmp_path / "receipt.json"
        person.says("receipt", receipt, "-o", str(proof))
        assert person.says("verify-receipt", str(proof)).startswith("PROVEN")
        assert person.document("verify-receipt", str(proof))["proven"] is True
        assert PEANUTS not in proof.read_text()

    def test_at_a_terminal_one_chooses_sees_what_goes_and_watches_it_go(self, person):
        seen = Terminal(person, ["forget", "--description", "Quillfeather", "--follow"], LC_ALL="zh_CN.UTF-8")
        seen.wait_for("全部忘掉吗")
        assert "会消失的" in seen.shown
        seen.type("1-2")
        seen.wait_for("忘掉这些吗")
        seen.type("yes")
        assert seen.ended() == 0, seen.shown
        assert all(words in seen.shown for words in ("已隐藏", "检索库", "已从各处删除"))
        assert not [one for one in person.remembers() if "Quillfeather" in one]

    @pytest.mark.parametrize("answer", ["no", "9", ""])
    def test_at_a_terminal_anything_but_a_yes_changes_nothing(self, person, answer):
        before = person.remembers()
        seen = Terminal(person, ["forget", "--description", "Quillfeather"])
        seen.wait_for("Forget all of it?")
        seen.type(answer)
        assert seen.ended() == 1
        assert "nothing was forgotten" in seen.shown
        assert person.remembers() == before

    def test_a_forget_can_be_undone_in_time(self, person):
        before = person.remembers()
        words = ["forget", "--conversation", person.conversations[0], "--yes", "--undo-seconds", "60"]
        accepted = person.document(*words)["accepted"]
        assert len(person.remembers()) < len(before)
        assert person.document("undo")["op_id"] == accepted["op_id"]
        assert sorted(person.remembers()) == sorted(before)
        assert "undone" in person.refused("undo", code=4)

    def test_memories_are_named_together(self, person):
        wanted = [one["id"] for one in person.document("memories")["items"] if SHANGHAI not in one["content"]]
        first, *states = person.documents("forget", *(f"--memory={one}" for one in wanted), "--yes", "--follow")
        assert [one["id"] for one in first["memories"]] == wanted
        assert first["preview"]["counts"]["postgres"]["memories"] == 2
        assert (states[-1]["id"], states[-1]["status"]) == (first["accepted"]["op_id"], "succeeded")
        assert len(person.remembers()) == 1

    def test_everything_goes_with_the_phrase_alone(self, person):
        assert "not the phrase" in person.refused("forget", "--everything", "--phrase", "please", code=5)
        assert len(person.remembers()) == 3
        *_, last = person.documents("forget", "--everything", "--phrase", "忘掉一切", "--follow")
        assert (last["type"], last["status"]) == ("forget_user", "succeeded")
        assert person.remembers() == []

    def test_a_closed_account_is_followed_to_its_receipt(self, person):
        person.says("forget", "--everything", "--close-account", "--phrase", "FORGET EVERYTHING", "--follow")
        assert person.remembers() == []

    def test_where_nothing_matches_nothing_goes(self, person):
        assert "Nothing was forgotten" in person.refused("forget", "--description", "submarines", "--yes", code=4)
        assert "什么都没有忘掉" in person.refused("forget", "--description", "潜水艇", code=4, LC_ALL="zh_CN.UTF-8")
        assert len(person.remembers()) == 3


class TestShortIds:
    def test_every_command_takes_the_end_of_an_id_for_it(self, person, tmp_path):
        memory = next(one for one in person.document("memories")["items"] if SHANGHAI in one["content"])
        short, conversation = memory["id"][-8:], person.conversations[0][-8:]
        message = memory["provenance"]["message_id"][-8:]
        assert person.document("explain", short)["memory"]["id"] == memory["id"]
        assert person.document("explain", message, "--message")["message_id"][-8:] == message
        for narrowed in ("--conversation", conversation), ("--message", message):
            assert len(person.document("memories", *narrowed)["items"]) == 2
        for target in ("--memory", short), ("--conversation", conversation), ("--message", message):
            assert person.document("forget", *target, "--dry-run")["preview"]["counts"]
        [found] = person.document("forget", "--description", "住在上海", "--only", short, "--dry-run")["candidates"][:1]
        assert SHANGHAI in found["content"]
        for what in ("--item", short), ("--item", message), ("--conversation", conversation):
            target = tmp_path / f"{what[1]}.zip"
            person.says("export", *what, "-o", str(target))
            assert zipfile.is_zipfile(target)
        accepted = person.document("forget", "--memory", short, "--yes", "--undo-seconds", "60")["accepted"]
        assert person.document("ops", accepted["op_id"][-8:])["id"] == accepted["op_id"]
        assert person.document("undo", accepted["op_id"][-8:])["op_id"] == accepted["op_id"]
        receipt = tmp_path / "receipt.json"
        person.says("receipt", accepted["receipt_id"][-8:], "-o", str(receipt))
        assert accepted["receipt_id"] in receipt.read_text()

    def test_what_is_nobodys_somebody_elses_or_several_is_told_apart(self, person):
        [memory, *others] = [one["id"] for one in person.document("memories")["items"]]
        assert "nothing of yours" in person.refused("explain", "0000dead", code=4)
        assert "nothing of yours" in person.refused("explain", memory[-8:], code=4, MEMORY_CENTER_USER="somebody-else")
        assert all(other[:6] == memory[:6] for other in others)
        assert "several ids" in person.refused("explain", memory[:6], code=2)
        assert "not an id" in person.refused("explain", "abc", code=2)


class TestOperations:
    def test_they_are_listed_shown_followed_and_tried_again(self, person):
        accepted = person.document("forget", "--conversation", person.conversations[1], "--yes")["accepted"]
        *_, last = person.documents("ops", accepted["op_id"], "--follow")
        assert last["status"] == "succeeded"
        assert [one["id"] for one in person.document("ops")["items"]] == [accepted["op_id"]]
        shown = person.says("ops", accepted["op_id"])
        assert all(word in shown for word in ("forgetting a conversation: done", "search index"))
        assert accepted["receipt_id"][-8:] in shown
        assert accepted["receipt_id"] not in shown
        assert accepted["receipt_id"] in person.says("ops", accepted["op_id"], "--ids")
        person.says("ops", accepted["op_id"], "--retry")

    def test_who_stops_watching_is_told_that_it_goes_on(self, person):
        words = ["forget", "--conversation", person.conversations[1], "--yes", "--undo-seconds", "60"]
        accepted = person.document(*words)["accepted"]
        seen = Terminal(person, ["ops", accepted["op_id"], "--follow"])
        seen.wait_for("forgetting a conversation")
        seen.interrupt()
        assert seen.ended() == 130
        assert f"memory-center ops {accepted['op_id'][-8:]} --follow" in seen.shown
        assert person.document("undo", accepted["op_id"])["status"] == "cancelled"


class TestTakingAlong:
    def test_a_package_is_written_whole_and_only_for_its_person(self, person, tmp_path):
        target = tmp_path / "我的记忆.zip"
        said = person.document("export", "-o", str(target), "--language", "zh", "--yes")
        assert said["sha256"] == hashlib.sha256(target.read_bytes()).hexdigest()
        assert target.stat().st_mode & 0o777 == 0o600
        with zipfile.ZipFile(target) as package:
            assert "manifest.json" in package.namelist()
            assert SHANGHAI in package.read("memories.jsonl").decode()
        assert "exists already" in person.refused("export", "-o", str(target), code=2)

        again = tmp_path / "again.zip"
        person.says("export", "--operation", said["op_id"], "-o", str(again))
        assert again.read_bytes() == target.read_bytes()

        person.says("forget", "--conversation", person.conversations[0], "--yes", "--follow")
        late = tmp_path / "late.zip"
        assert "export_gone" in person.refused("export", "--operation", said["op_id"], "-o", str(late), code=4)
        assert sorted(tmp_path.iterdir()) == sorted([target, again])

    def test_everything_is_packed_only_after_somebody_agreed(self, person, tmp_path):
        target = tmp_path / "memory.zip"
        for words in (["export"], ["export", "-o", str(target)], ["export", "--follow", "--json"]):
            assert "--yes" in person.refused(*words, code=5)
        assert person.document("export", code=5) == {"accepted": None}
        seen = Terminal(person, ["export", "-o", str(target)])
        seen.wait_for("Export everything? yes or no:")
        seen.type("no")
        assert seen.ended() == 1
        assert "nothing was exported" in seen.shown
        assert (person.document("ops")["items"], list(tmp_path.iterdir())) == ([], [])

        seen = Terminal(person, ["export", "-o", str(target)], LC_ALL="zh_CN.UTF-8")
        seen.wait_for("导出全部内容吗")
        assert "会话 2、消息 4、记忆 3" in seen.shown
        assert "拿到文件的人都能读到全部内容" in seen.shown
        seen.type("yes")
        assert seen.ended() == 0, seen.shown
        assert zipfile.is_zipfile(target)

    def test_parts_and_other_forms_can_be_had(self, person, tmp_path):
        talk = tmp_path / "talk.json"
        person.says("export", "--conversation", person.conversations[0], "--format", "json", "-o", str(talk))
        text = talk.read_text()
        assert SHANGHAI in json.dumps(json.loads(text), ensure_ascii=False)
        assert "Quillfeather" not in text

        readable = tmp_path / "memory.md"
        [memory] = [one["id"] for one in person.document("memories")["items"] if SHANGHAI in one["content"]]
        person.says("export", "--item", memory, "--format", "markdown", "-o", str(readable))
        assert SHANGHAI in readable.read_text()

        accepted, *states, package = person.documents("export", "--follow", "--yes")
        assert (accepted["op_id"], states[-1]["status"], package["ready"]) == (package["op_id"], "succeeded", True)


class TestBringingBack:
    def test_a_package_is_looked_at_brought_back_and_bringing_it_twice_changes_nothing(self, person, tmp_path):
        package = str(tmp_path / "package.zip")
        person.says("export", "-o", package, "--yes")
        elsewhere = {"MEMORY_CENTER_USER": f"{person.name}-elsewhere"}
        preview = person.document("import", package, "--dry-run", **elsewhere)
        assert (preview["source"], preview["new"]["memory"], preview["new"]["message"]) == ("memory-center", 3, 4)
        assert person.document("memories", **elsewhere)["items"] == []
        shown = person.says("import", package, "--dry-run", **elsewhere, LC_ALL="zh_CN.UTF-8")
        assert "这是 Memory Center 的数据包" in shown

        accepted, *states = person.documents("import", package, "--follow", **elsewhere)
        assert (states[-1]["id"], states[-1]["status"]) == (accepted["op_id"], "succeeded")
        brought = [one["content"] for one in person.document("memories", **elsewhere)["items"]]
        assert sorted(brought) == sorted(person.remembers())
        again = person.document("import", package, "--dry-run", **elsewhere)
        assert (again["new"].get("memory", 0), again["present"]["memory"]) == (0, 3)

    def test_what_is_no_package_is_refused_whole(self, person, tmp_path):
        nothing = tmp_path / "nothing.zip"
        nothing.write_text("canary")
        line = person.refused("import", str(nothing), code=1)
        assert "package_" in line
        assert "canary" not in line
        assert "does not exist" in person.refused("import", str(tmp_path / "nowhere.zip"), code=2)


class TestRefusals:
    def test_each_has_its_exit_code_and_one_line(self, person, stack):
        unknown = str(uuid.uuid4())
        assert "does not answer" in person.refused("memories", "--url", NOWHERE, code=3)
        assert "memory-center up" in person.refused("memories", code=3, MEMORY_CENTER_DATA_DIR="/nonexistent")
        assert "not_found" in person.refused("explain", unknown, code=4)
        assert "not_found" in person.refused("ops", unknown, code=4)
        assert "not_found" in person.refused("receipt", unknown, code=4)
        assert "not an id" in person.refused("explain", "everything", code=2)
        assert "name one" in person.refused("forget", code=2)
        assert "credentials_invalid" in person.refused("memories", code=2, MEMORY_CENTER_TOKEN="a.b.c")
        assert "validation_failed" in person.refused("memories", "--after", "yesterday", code=2)
        assert "MEMORY_CENTER_TOKEN" in person.refused("memories", "--url", "https://memory.example", code=2)
        assert "No such option" in person.refused("memories", "--nonsense", code=2)

    def test_at_a_terminal_why_is_in_colour_unless_nobody_wants_colours(self, person):
        for environment, is_coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
            seen = Terminal(person, ["explain", "abc"], **environment)
            assert seen.ended() == 2
            assert "not an id" in seen.shown
            assert seen.has_colours is is_coloured

    def test_nobody_reaches_what_is_somebody_elses(self, person, stack):
        [memory, *_] = person.document("memories")["items"]
        for words in (["explain", memory["id"]], ["forget", "--memory", memory["id"], "--yes"]):
            person.refused(*words, code=4, MEMORY_CENTER_USER="somebody-else")
        own = person.document("token", "--user", person.name)["token"]
        person.refused("memories", "--user", "somebody-else", code=4, MEMORY_CENTER_TOKEN=own)
        assert len(person.document("memories", MEMORY_CENTER_TOKEN=own)["items"]) == 3

    def test_the_service_key_speaks_for_whom_it_names(self, person):
        key = person.says("token", "--service").strip()
        named = person.document("memories", MEMORY_CENTER_TOKEN=key)["items"]
        assert len(named) == 3
        environment = person.environment(MEMORY_CENTER_TOKEN=key)
        del environment["MEMORY_CENTER_USER"]
        done = subprocess.run([COMMAND, "memories"], env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, "user_id_required" in done.stderr) == (1, True)


class TestOperators:
    def test_what_they_see_is_json_if_they_want(self, person):
        findings = person.document("doctor")
        assert findings["failures"] == 0
        assert {"postgres", "milvus", "gateway"} <= {one["part"] for one in findings["findings"]}
        assert set(person.document("reconcile")["stores"]) == {"milvus", "mem0"}
        assert person.document("reindex", "--user", person.name)["stores"]["milvus"]["reindexed"] >= 2
        assert person.document("rebuild")["memories"] >= 3
        assert person.document("replay") == {
            "entries": 0,
            "forgotten_again": 0,
            "nothing_left": 0,
            "branches_merged": 0,
        }
        assert person.document("migrate") == {"schema": "newest"}
        assert re.fullmatch(r"[0-9a-f]{64}", person.document("receipt-key")["public_key"])
        assert "#token=" in person.document("sign-in")["url"]
        assert person.document("scan", stdin=f"{uuid.uuid4()}\n")["found"] == []


class TestCompletion:
    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
    def test_each_shell_is_told_how_to_complete(self, shell):
        shown = subprocess.run([COMMAND, "--show-completion", shell], capture_output=True, text=True, check=True)
        assert f"complete_{shell}" in shown.stdout
        assert "memory-center" in shown.stdout

    def test_bash_completes_commands_and_options(self):
        script = """
          source <("$1" --show-completion bash)
          complete_words() {
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _memory_center_completion "$1"; echo "${COMPREPLY[@]}"
          }
          PATH="$(dirname "$1"):$PATH"
          complete_words memory-center memo
          complete_words memory-center forget --desc
        """
        done = subprocess.run(
            ["/bin/bash", "--norc", "-c", script, "-", str(COMMAND)], capture_output=True, text=True, check=True
        )
        assert done.stdout.splitlines() == ["memories", "--description"]
