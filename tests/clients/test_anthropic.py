"""Anthropic's tool runner keeps its files in a person's memory."""

from __future__ import annotations

from typing import Any

import pytest
from anthropic import Anthropic
from anthropic.lib.tools import ToolError

from memory_center_client import MemoryCenter
from memory_center_client.adapters.anthropic import MemoryTool
from tests.clients.conftest import Person, Upstream
from tests.clients.provider import claude


def use(tool: MemoryTool, command: str, **members: Any) -> str:
    return str(tool.call({"command": command, **members}))


def test_a_run_reads_and_writes_files(ada: Person, center: MemoryCenter, upstream: Upstream) -> None:
    upstream.script = [
        claude(tool={"command": "create", "path": "/memories/pets.md", "file_text": "Ada has a parrot."}),
        claude(tool={"command": "view", "path": "/memories"}),
        claude(text="Done."),
    ]
    client = Anthropic(base_url=upstream.url, api_key="none")
    runner = client.beta.messages.tool_runner(
        model="scripted",
        max_tokens=100,
        tools=[MemoryTool(center)],
        messages=[{"role": "user", "content": "Remember my parrot."}],
    )
    final = runner.until_done()
    assert final.content[0].text == "Done."  # type: ignore[union-attr]
    results = [str(asked["messages"][-1]["content"]) for asked in upstream.asked[1:]]
    assert "File created successfully at: /memories/pets.md" in results[0]
    assert "/memories/pets.md" in results[1]
    assert [(one["content"], one["external_id"]) for one in center.memories.list()] == [("Ada has a parrot.", "pets")]


def test_every_command_does_what_the_tool_promises(center: MemoryCenter) -> None:
    tool = MemoryTool(center)
    use(tool, "create", path="/memories/trip/plan.md", file_text="Fly to Rome.\nSee the Forum.")
    assert "     2\tSee the Forum." in use(tool, "view", path="/memories/trip/plan.md")
    assert "Fly" not in use(tool, "view", path="/memories/trip/plan.md", view_range=[2, -1])
    use(tool, "str_replace", path="/memories/trip/plan.md", old_str="Rome", new_str="Oslo")
    use(tool, "insert", path="/memories/trip/plan.md", insert_line=1, insert_text="Stay a week.\n")
    assert [one["content"] for one in center.memories.list(external_id="trip/plan")] == [
        "Fly to Oslo.\nStay a week.\nSee the Forum."
    ]
    use(tool, "rename", old_path="/memories/trip/plan.md", new_path="/memories/oslo.md")
    assert "/memories/oslo.md" in use(tool, "view", path="/memories")
    assert "trip" not in use(tool, "view", path="/memories")
    use(tool, "delete", path="/memories/oslo.md")
    assert use(tool, "view", path="/memories") == "Here are the files in /memories:"


def test_what_is_never_stored_is_said_to_be_left_out(center: MemoryCenter) -> None:
    made = use(MemoryTool(center), "create", path="/memories/mail.md", file_text="Write to ada@example.org about bees.")
    assert "Left out" in made
    [kept] = center.memories.list()
    assert "example.org" not in kept["content"]


def test_a_directory_is_not_the_file_of_its_name(center: MemoryCenter) -> None:
    tool = MemoryTool(center)
    for path in ("/memories/trip.md", "/memories/trip/plan.md", "/memories/trip/food.md"):
        use(tool, "create", path=path, file_text=f"At {path}")
    assert "trip/plan.md" in use(tool, "view", path="/memories/trip")
    assert "At /memories/trip.md" in use(tool, "view", path="/memories/trip.md")
    use(tool, "delete", path="/memories/trip")
    assert [one["external_id"] for one in center.memories.list()] == ["trip"]


def test_an_edited_file_keeps_its_path(center: MemoryCenter) -> None:
    tool = MemoryTool(center)
    path = f"/memories/{center.memories.create('Ada lives in Oslo.')['id']}.md"
    use(tool, "str_replace", path=path, old_str="Oslo", new_str="Rome")
    assert "Ada lives in Rome." in use(tool, "view", path=path)


def test_what_was_learned_is_a_file_and_what_was_forgotten_is_none(ada: Person, center: MemoryCenter) -> None:
    tool = MemoryTool(center)
    memory = center.memories.create("Ada lives in Oslo.")
    path = f"/memories/{memory['id']}.md"
    assert path in use(tool, "view", path="/memories")
    assert "Ada lives in Oslo." in use(tool, "view", path=path)
    center.memories.delete(memory["id"])
    with pytest.raises(ToolError):
        use(tool, "view", path=path)


def test_what_the_person_keeps_from_assistants_is_no_file(center: MemoryCenter) -> None:
    tool = MemoryTool(center)
    for path, text in (("/memories/bees.md", "I keep bees."), ("/memories/goats.md", "I keep goats.")):
        use(tool, "create", path=path, file_text=text)
    [bees] = center.memories.list(external_id="bees")
    center.memories.update(bees["id"], disabled=True)
    assert use(tool, "view", path="/memories").split("\n")[1:] == ["/memories/goats.md"]
    with pytest.raises(ToolError):
        use(tool, "view", path="/memories/bees.md")

    center.settings.update(injection_enabled=False)
    assert use(tool, "view", path="/memories").split("\n")[1:] == []
    for command, members in (("view", {}), ("str_replace", {"old_str": "goats", "new_str": "sheep"})):
        with pytest.raises(ToolError):
            use(tool, command, path="/memories/goats.md", **members)
    use(tool, "delete", path="/memories/goats.md")
    assert [one["content"] for one in center.memories.list()] == ["I keep bees."]


@pytest.mark.parametrize(
    ("command", "members"),
    [
        ("view", {"path": "/memories/../etc/passwd"}),
        ("view", {"path": "/etc/passwd"}),
        ("view", {"path": "/memoriesx/a.md"}),
        ("view", {"path": "/memories/nothing.md"}),
        ("create", {"path": "/memories/a.md", "file_text": "x" * 2_001}),
        ("create", {"path": "/memories/a.md", "file_text": " "}),
        ("create", {"path": f"/memories/{'a' * 300}.md", "file_text": "x"}),
        ("create", {"path": "/memories/a.md", "file_text": "My password is hunter2-Xy9!"}),
        ("str_replace", {"path": "/memories/there.md", "old_str": "nothing", "new_str": "x"}),
        ("insert", {"path": "/memories/there.md", "insert_line": 99, "insert_text": "x"}),
        ("create", {"path": "/memories/.md", "file_text": "x"}),
        ("delete", {"path": "/memories"}),
        ("rename", {"old_path": "/memories/none.md", "new_path": "/memories/b.md"}),
        ("rename", {"old_path": "/memories/there.md", "new_path": "/memories/there.md"}),
    ],
)
def test_what_cannot_be_done_is_an_error_of_the_tool(
    center: MemoryCenter, command: str, members: dict[str, Any]
) -> None:
    center.memories.create("It is there.", external_id="there")
    with pytest.raises(ToolError):
        use(MemoryTool(center), command, **members)
    assert [one["content"] for one in center.memories.list()] == ["It is there."]
