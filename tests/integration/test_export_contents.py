"""What is in a package: all that is visible, of one person, the same bytes for the same state (MC-12, X-09)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker

from tests.support.depth import examples
from tests.support.memories import deleted, edited, learned, written
from tests.support.packages import Package, download, export, packed
from tests.support.seeding import a_memory, a_summary
from tests.support.workbench import Person, Workbench

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas" / "export"
PEANUTS = ("I'm allergic to peanuts.", "Noted, no peanuts.")
BERLIN = ("I live in Berlin.", "A fine city.")
TEA = ("我喜欢喝绿茶。", "好的，记住了。")
SECRET = "My password is hunter2-Zx9!kk"


def check_schemas(package: Package) -> None:
    """Check every file of a package against the form that is published for it."""
    for file in package.manifest["content"]["files"]:
        validator = _validator(file["kind"])
        records = package.records(file["path"])
        assert len(records) == file["records"] > 0
        for record in records:
            validator.validate(record)
    _validator("manifest").validate(package.manifest)


def _validator(kind: str) -> Any:
    schema = json.loads((SCHEMAS / f"{kind}.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema, format_checker=FormatChecker())


@pytest.fixture
def ada(bench: Workbench) -> Person:
    """Somebody of whom there is a little of everything."""
    person = bench.person("ada")
    lunch, home = person.conversation(title="Lunch *special*"), person.conversation(project_id="flat")
    [(peanuts, noted)] = person.say(lunch, PEANUTS)
    person.say(lunch, TEA, (SECRET, "Noted."))
    [(berlin, _), (gone, _)] = person.say(home, BERLIN, ("I own a canary.", "Sweet."))
    bench.work()
    a_summary(bench, person, lunch, text="They spoke of lunch.", covers=[peanuts, noted])
    kept = {"source": "crm", "priority": 2, "share": 0.5, "open": True}
    old = written(person, "I go to the gym on Mondays.", importance=7, metadata=kept, external_id="crm/17")
    edited(person, old["id"], content="I go to the gym on Tuesdays.")
    learned(
        bench, person, "I live in Hamburg.", contradicts=a_memory(bench, person, text="In Berlin.", sources=[berlin])
    )
    person.post("/api/v1/feedback", {"message_id": noted, "rating": 5, "comment": "Good. <b>"})
    person.post("/api/v1/feedback", {"action": "accept", "evidence_ref": "shorter answers"})
    bench.api.patch("/api/v1/memory/settings", json={"privacy_mode_enabled": True}, headers=person.headers)
    person.forget("message", message_id=gone, cascade=True)
    forgotten = person.conversation(title="Nothing")
    person.forget("conversation", conversation_id=forgotten)
    deleted(person, next(one["id"] for one in person.get("/api/v1/memory/long_term") if "绿茶" in one["content"]))
    bench.work()
    return person


def test_a_package_holds_everything_that_can_be_seen(bench: Workbench, ada: Person) -> None:
    package = packed(ada)
    package.check()
    check_schemas(package)

    counts = package.manifest["content"]["counts"]
    assert counts["conversation"] == 2
    assert counts["message"] == 8
    assert counts["erased_message"] == 2
    assert counts["erased_conversation"] == 1
    assert counts["summary"] == counts["settings"] == 1
    assert counts["episode"] == 4
    assert counts["feedback"] == 2
    assert counts["preference_signal"] == 1
    assert counts["receipt"] == 3
    listed = ada.get("/api/v1/memory/long_term", limit=200)
    memories = package.every("memory")
    assert {one["id"]: (one["content"], one["validity"], one["supersedes_id"]) for one in memories} == {
        one["id"]: (one["content"], one["validity"], one["supersedes_id"]) for one in listed
    }
    assert {one["validity"] for one in memories} == {"active", "superseded", "contradicted"}
    [allergy] = [one for one in memories if "peanuts" in one["content"]]
    assert allergy["provenance"][0]["quote"] in PEANUTS[0]
    [episode] = [one for one in package.every("episode") if one["user_message"] == PEANUTS[0]]
    assert episode["assistant_message"] == PEANUTS[1]
    [secret] = [one for one in package.every("message") if one["withheld"]]
    assert secret["content"] == SECRET
    [tea] = [one for one in package.every("message") if one["content"] == TEA[0]]
    assert tea["never_learn"]
    assert package.records("settings.json")[0]["privacy_mode_enabled"] is True
    assert package.manifest["content"]["switches"]["privacy_mode_enabled"] is True
    assert package.manifest["export"]["user_id"] == "ada"
    assert package.manifest["export"]["operations_running"] == []


def test_history_and_lineage_name_what_is_in_the_package_and_nothing_else(bench: Workbench, ada: Person) -> None:
    package = packed(ada)
    ids = {
        kind: {record["id"] for record in package.every(of)}
        for kind, of in {
            "message": "message",
            "memory": "memory",
            "episode": "episode",
            "summary": "summary",
            "feedback": "feedback",
            "signal": "preference_signal",
            "conversation": "conversation",
            "observation": "observation",
            "trait": "trait",
        }.items()
    }
    edges = package.every("edge")
    assert {(edge["derived_kind"], edge["source_kind"]) for edge in edges} >= {
        ("memory", "message"),
        ("memory", "memory"),
        ("summary", "message"),
        ("episode", "message"),
    }
    for edge in edges:
        assert edge["derived_id"] in ids[edge["derived_kind"]]
        assert edge["source_id"] in ids[edge["source_kind"]]
    events = package.every("event")
    for event in events:
        assert event["kind"] == "settings" or event["item_id"] in ids[event["kind"]]
    assert {event["item_id"] for event in events if event["kind"] == "memory"} == ids["memory"]


def test_nothing_forgotten_and_nobody_elses_is_in_it(bench: Workbench, ada: Person) -> None:
    eve = bench.person("eve-of-old")
    eve.say(eve.conversation(title="Eve's canary"), ("I keep a canary called Zephyr.", "Zephyr!"))
    bench.work()
    package = packed(ada)
    for name, held in package.files.items():
        assert b"canary" not in held, name
        assert b"Zephyr" not in held, name
        assert b"eve-of-old" not in held, name
        assert b"Nothing" not in held or name == "README.md", name
    assert "canary" not in package.view


def test_no_key_vector_or_prompt_is_in_it(bench: Workbench, ada: Person) -> None:
    package = packed(ada)
    everything = b"\n".join(package.files.values())
    with bench.database.begin() as tx:
        row = tx.row("select subject_key, namespace from subjects where user_id = 'ada'")
        keys = [one["pk"] for one in tx.rows("select pk from vector_refs")]
        encryption = bytes(tx.value("select encryption_key from exports"))
    assert row is not None
    for secret in (bytes(row["subject_key"]), encryption):
        assert secret.hex().encode() not in everything
        assert secret not in package.raw
    assert str(row["namespace"]).encode() not in everything
    assert keys
    assert not [key for key in keys if str(key).encode() in everything]
    for word in ("vector", "embedding", "prompt", "terms", "client_key"):
        assert f'"{word}"'.encode() not in everything


def test_the_same_state_gives_the_same_bytes(bench: Workbench, ada: Person) -> None:
    first, second = packed(ada), packed(ada)
    assert first.compared == second.compared
    assert first.manifest["export"] != second.manifest["export"]
    ada.say(ada.conversation(), ("Something new.", "Indeed."))
    assert packed(ada).compared != first.compared


def test_one_json_document_holds_the_same(bench: Workbench, ada: Person) -> None:
    package = packed(ada)
    op_id = export(ada, format="json")
    bench.work()
    document = download(ada, op_id).json()
    assert document["manifest"]["content"] == package.manifest["content"]
    assert document["files"] == {
        path: package.records(path) if path.endswith(".jsonl") else package.records(path)[0]
        for path in package.files
        if path not in ("manifest.json", "README.md", "SHA256SUMS")
    }


def test_people_read_it_in_their_language_and_nothing_in_it_is_markup(bench: Workbench, ada: Person) -> None:
    en, zh = packed(ada), packed(ada, language="zh")
    assert "# What is remembered about you" in en.view
    assert "### Lunch \\*special\\*" in en.view
    assert "> My password is hunter2\\-Zx9\\!kk" in en.view
    assert "# 关于你的记忆" in zh.view
    assert "## 长期记忆" in zh.view
    assert "我喜欢喝绿茶。" in zh.view
    for view in (en.view, zh.view):
        assert re.findall(r"^#{1,3} .*", view, re.MULTILINE)
        assert "<b>" not in view
    assert {
        path: data for path, data in en.files.items() if path.endswith(("json", "jsonl")) and path != "manifest.json"
    } == {path: data for path, data in zh.files.items() if path.endswith(("json", "jsonl")) and path != "manifest.json"}
    op_id = export(ada, format="markdown", language="zh")
    bench.work()
    alone = download(ada, op_id)
    assert alone.headers["content-type"] == "text/markdown; charset=utf-8"
    assert alone.text.split("\n\n", 2)[2] == zh.view.split("\n\n", 2)[2]


def test_a_conversation_is_packed_alone(bench: Workbench, ada: Person) -> None:
    [lunch] = [one for one in ada.get("/api/v1/conversations") if one["title"]]
    package = packed(ada, "conversation", conversation_id=lunch["id"])
    package.check()
    check_schemas(package)
    assert {path.split("/")[1] for path in package.files if path.startswith("conversations/")} == {lunch["id"]}
    counts = package.manifest["content"]["counts"]
    assert (counts["message"], counts["summary"], counts["episode"], counts["feedback"]) == (6, 1, 3, 1)
    assert "memory" not in counts
    assert "receipt" not in counts
    assert "Berlin" not in package.view
    assert {event["item_id"] for event in package.every("event")} == {lunch["id"]}


def test_a_selection_is_exactly_what_was_selected(bench: Workbench, ada: Person) -> None:
    memory = next(one for one in ada.get("/api/v1/memory/long_term") if "Tuesdays" in one["content"])
    [lunch] = [one for one in ada.get("/api/v1/conversations") if one["title"]]
    message = ada.get("/api/v1/messages", conversation_id=lunch["id"])[0]
    package = packed(ada, "selection", ids=[memory["id"], message["id"]])
    package.check()
    check_schemas(package)
    assert package.manifest["content"]["counts"].keys() == {"memory", "message", "event"}
    assert [one["id"] for one in package.every("memory")] == [memory["id"]]
    assert [one["content"] for one in package.every("message")] == [PEANUTS[0]]
    assert {event["item_id"] for event in package.every("event")} == {memory["id"]}
    assert "Lunch" not in package.view


def test_what_is_under_way_is_named(bench: Workbench, ada: Person) -> None:
    memory = next(one["id"] for one in ada.get("/api/v1/memory/long_term") if "Tuesdays" in one["content"])
    forgotten = deleted(ada, memory, undo_seconds=60).json()["op_id"]
    package = packed(ada)
    [running] = package.manifest["export"]["operations_running"]
    assert (running["id"], running["type"], running["status"]) == (forgotten, "forget_selection", "pending")
    assert not [one for one in package.every("memory") if "Tuesdays" in one["content"]]


def test_what_is_hidden_between_two_memories_is_bridged(bench: Workbench) -> None:
    ada = bench.person()
    first = learned(bench, ada, "I live in Rome.")
    second = learned(bench, ada, "I live in Oslo.", supersedes=first)
    third = learned(bench, ada, "I live in Bern.", supersedes=second)
    bench.work()
    deleted(ada, second, undo_seconds=60)
    found = {one["id"]: (one["supersedes_id"], one["validity"]) for one in packed(ada).every("memory")}
    assert found == {first: (None, "superseded"), third: (first, "active")}


def test_a_snapshot_shows_one_moment(bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    from shared.portability.queries.exported import Exported

    real = Exported.files

    def while_they_speak(self: Exported) -> Any:
        for number, file in enumerate(real(self)):
            if number == 1:
                ada.say(ada.conversation(title="meanwhile"), ("I said this meanwhile.", "Meanwhile."))
            yield file

    monkeypatch.setattr(Exported, "files", while_they_speak)
    package = packed(ada)
    assert all(b"meanwhile" not in held.lower() for held in package.files.values())


SAY, WRITE, EDIT, FORGET_MESSAGE, FORGET_MEMORY, CLEAR, FEEDBACK, END = range(8)
TEXTS = [
    "I'm allergic to peanuts.",
    "我喜欢喝绿茶。",
    "I live in Berlin.",
    "Remember that I cycle to work.",
    "Hm. \u202e\t<i>\r\n- x",
]


@settings(
    max_examples=examples(4),
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(st.lists(st.tuples(st.integers(SAY, END), st.integers(0, 4)), min_size=4, max_size=10))
def test_whatever_happened_to_an_account_its_package_follows_its_schemas_and_repeats(
    bench: Workbench, happened: list[tuple[int, int]]
) -> None:
    person = bench.person()
    conversations = [person.conversation(title=TEXTS[4]), person.conversation()]
    acts: dict[int, Callable[[int], Any]] = {
        SAY: lambda n: person.say(conversations[n % 2], (TEXTS[n], "Noted.")),
        WRITE: lambda n: written(person, TEXTS[n]),
        EDIT: lambda n: [edited(person, one["id"], content=f"{n} times") for one in _active(person)[:1]],
        FORGET_MESSAGE: lambda n: [
            person.forget("message", message_id=one["id"], cascade=bool(n % 2))
            for one in person.get("/api/v1/messages", conversation_id=conversations[n % 2])[:1]
        ],
        FORGET_MEMORY: lambda n: [deleted(person, one["id"]) for one in _active(person)[:1]],
        CLEAR: lambda n: person.post("/api/v1/clear", {"conversation_id": conversations[n % 2]}, status=202),
        FEEDBACK: lambda n: person.post(
            "/api/v1/feedback", {"conversation_id": conversations[n % 2], "rating": n, "comment": TEXTS[n]}
        ),
        END: lambda n: bench.work(),
    }
    for act, which in happened:
        acts[act](which)
    bench.work()

    first, second = packed(person), packed(person, language="en")

    first.check()
    check_schemas(first)
    assert first.compared == second.compared
    assert {one["id"] for one in first.every("memory")} == {one["id"] for one in person.get("/api/v1/memory/long_term")}
    seen = [one["content"] for each in conversations for one in person.get("/api/v1/messages", conversation_id=each)]
    assert sorted(one["content"] for one in first.every("message")) == sorted(seen)


def _active(person: Person) -> list[Any]:
    return [one for one in person.get("/api/v1/memory/long_term") if one["validity"] == "active"]
