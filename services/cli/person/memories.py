"""`memory-center memories`: list memories, filtered or by search."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from services.cli.exit_codes import USAGE, Refusal
from services.cli.installation import DEFAULT_DATA_DIR, AsJson, DataDir
from services.cli.manual import of_person
from services.cli.person.options import Ids, Project, Url, User
from services.cli.person.words import word
from services.cli.terminal import moment, note, said

if TYPE_CHECKING:
    from services.cli.person.client import Center, Wire
    from services.cli.person.screen import Screen

_FOUND_MAX = 50

HELP = of_person(
    [
        ("memories", "what is remembered, the newest first"),
        ("memories --type constraint --all", "every constraint"),
        ("memories --search 花生可以吃吗", "what is nearest in meaning"),
        ("memories --validity contradicted", "what waits for a decision"),
        ("memories --json | jq -r '.items[].content'", "for scripts"),
    ],
    notes="Where standard output is no terminal, each memory is a line: content, type, what holds of it, when, id;"
    " with tabs between them.",
)

Search = Annotated[
    str | None,
    typer.Option("--search", help="Search by meaning; `-` reads it from standard input, where nobody else sees it."),
]
ContentType = Annotated[str | None, typer.Option("--type", help="preference, fact, constraint, note, …")]
Scope = Annotated[Literal["global", "project"] | None, typer.Option("--scope", help="Where it holds.")]
Origin = Annotated[
    Literal["extracted", "stated", "learned", "imported"] | None, typer.Option("--origin", help="How it came to be.")
]
Validity = Annotated[
    Literal["active", "superseded", "contradicted"] | None, typer.Option("--validity", help="Whether it still holds.")
]
Archived = Annotated[bool | None, typer.Option("--archived/--not-archived", help="In the archive, or not.")]
Disabled = Annotated[bool | None, typer.Option("--paused/--not-paused", help="Kept and not used, or used.")]
Confirmed = Annotated[bool | None, typer.Option("--confirmed/--not-confirmed", help="Confirmed by the person, or not.")]
Waiting = Annotated[bool | None, typer.Option("--waiting/--not-waiting", help="New, and nothing was decided yet.")]
Conversation = Annotated[
    str | None, typer.Option("--conversation", metavar="ID", help="Only memories learned from this conversation.")
]
Message = Annotated[
    str | None, typer.Option("--message", metavar="ID", help="Only memories learned from this message.")
]
After = Annotated[str | None, typer.Option("--after", metavar="TIME", help="Made then or later (ISO 8601).")]
Before = Annotated[str | None, typer.Option("--before", metavar="TIME", help="Made earlier.")]
Limit = Annotated[int, typer.Option("--limit", min=1, max=10_000, help="So many at most.")]
All = Annotated[bool, typer.Option("--all", help="All there are.")]


def memories(
    search: Search = None,
    content_type: ContentType = None,
    scope: Scope = None,
    project: Project = None,
    origin: Origin = None,
    validity: Validity = None,
    archived: Archived = None,
    disabled: Disabled = None,
    confirmed: Confirmed = None,
    waiting: Waiting = None,
    conversation: Conversation = None,
    message: Message = None,
    after: After = None,
    before: Before = None,
    limit: Limit = 50,
    everything: All = False,
    ids: Ids = False,
    as_json: AsJson = False,
    url: Url = None,
    user: User = None,
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """List what is remembered about a person, the newest first, or search it by meaning."""
    from services.cli.person.connecting import connect  # slow to import
    from services.cli.person.screen import Screen  # same

    filtered = {
        "content_type": content_type,
        "scope": scope,
        "project_id": project,
        "origin": origin,
        "validity": validity,
        "archived": archived,
        "disabled": disabled,
        "confirmed": confirmed,
        "waiting": waiting,
        "created_after": after,
        "created_before": before,
    }
    unsearchable = [message, *(value for name, value in filtered.items() if name != "project_id")]
    if search is not None and any(value is not None for value in unsearchable):
        raise Refusal("--search goes with --project, --conversation and --limit only", USAGE)
    screen = Screen(as_json=as_json, ids=ids)
    with connect(url, user, data_dir) as center:
        if conversation is not None:
            conversation = center.id_of(conversation, "conversation")
        if search is None:
            filtered["conversation_id"] = conversation
            filtered["message_id"] = center.id_of(message, "message") if message is not None else None
            items, more = center.pages("memory/long_term", limit=None if everything else limit, **filtered)
            _show(screen, items, more=more)
            return
        body = {"project_id": project, "conversation_id": conversation, "limit": min(limit, _FOUND_MAX)}
        _search(center, screen, text_of(search), body)


def text_of(given: str) -> str:
    """Return the given text; `-` reads standard input.

    Raises:
        Refusal: standard input is not UTF-8, or empty (2).
    """
    if given != "-":
        return given
    if sys.stdin.isatty():
        note(said("Write it, then Ctrl-D:", "请输入，然后按 Ctrl-D："))
    try:
        text = sys.stdin.buffer.read().decode().strip()
    except UnicodeDecodeError:
        raise Refusal("standard input is not UTF-8", USAGE) from None
    if not text:
        raise Refusal("standard input is empty", USAGE)
    return text


def standing(memory: Wire) -> str:
    """Return the status of a memory: validity, marks, and where it applies."""
    marks = [word(memory["validity"])] if memory["validity"] != "active" else []
    marks += [word(name) for name in ("disabled", "archived", "confirmed") if memory[name]]
    if memory["taboo"]:
        marks.append(said("always respected", "始终遵守"))
    if memory["project_id"]:
        marks.append(said(f"project {memory['project_id']}", f"项目 {memory['project_id']}"))
    return ", ".join(marks)


def _show(screen: Screen, items: list[Wire], *, more: bool) -> None:
    from services.cli.person.screen import Id, dim, named  # slow to import

    screen.document({"items": items, "more": more})
    if not items:
        if not screen.is_plain:
            screen.say(said("Nothing is remembered.", "没有记忆。"))
        return
    columns = (said("memory", "记忆"), said("type", "类型"), said("standing", "状态"), said("since", "时间"), "id")
    rows = [
        (
            one["content"],
            named(one["content_type"]),
            named(one["validity"], standing(one)),
            dim(moment(one["created_at"])),
            Id(one["id"]),
        )
        for one in items
    ]
    plain = [(one["content"], one["content_type"], standing(one), one["created_at"], Id(one["id"])) for one in items]
    screen.table(columns, plain if screen.is_plain else rows)
    if more and not screen.is_plain:
        screen.say(said("There are more: --limit, --all.", "还有更多：--limit、--all。"), style="dim")


def _search(center: Center, screen: Screen, query: str, body: dict[str, Any]) -> None:
    from services.cli.person.screen import Id, dim, named  # slow to import

    found: Wire = center.post("memory/search", {"query": query, **body})
    screen.document(found)
    reasons = [one for one in found["diagnostics"]["reasons"] if one != "no_conversation"]
    if reasons:
        note(said("Not by meaning: ", "未按语义检索：") + ", ".join(word(one) for one in reasons))
    if not found["items"] and not screen.is_plain:
        screen.say(said("Nothing was found.", "没有找到。"))
    columns = (said("found", "找到的"), said("type", "类型"), said("since", "时间"), "id")
    rows = [
        (one["content"], named(one["content_type"]), dim(moment(one["created_at"])), Id(one["id"]))
        for one in found["items"]
    ]
    plain = [
        (one["content"], one["content_type"], one["kind"], one["created_at"], Id(one["id"])) for one in found["items"]
    ]
    screen.table(columns, plain if screen.is_plain else rows)
