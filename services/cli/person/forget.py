"""`memory-center forget` and `undo`: find, show, ask, forget, and follow the operation until it is proven."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from services.cli import installation
from services.cli.exit_codes import NOT_FOUND, USAGE, Refusal
from services.cli.installation import DEFAULT_DATA_DIR, DataDir
from services.cli.manual import of_person
from services.cli.person.options import AsJson, Follow, Ids, Project, Url, User, Yes
from services.cli.terminal import said

if TYPE_CHECKING:
    from services.cli.person.client import Center, Wire
    from services.cli.person.forget_steps import ForgetRequest

UNDO_SECONDS_MAX: Final = 60

HELP = of_person(
    [
        ('forget --description "everything about Frank"', "find, show, ask, forget"),
        ("forget --description - --yes --follow", "the description comes over standard input"),
        ("forget --conversation ID --undo-seconds 30", "can be undone for 30 seconds"),
        ("forget --memory ID --memory ID --yes", "two memories; nobody is asked"),
        ("forget --everything --follow", "everything; the phrase is asked for"),
        ("forget --conversation ID --dry-run --json", "what would go, and nothing else"),
    ],
    notes="From the moment it is accepted nothing of it is served. Then every store is erased and searched, and a"
    " signed receipt says so: `memory-center receipt`. Other users of this machine can see a running command's"
    " arguments: `--description -` keeps from them what you want to forget.",
)

Description = Annotated[
    str | None, typer.Option("--description", help="What is to go, as you would say it; `-` reads standard input.")
]
Only = Annotated[list[str] | None, typer.Option("--only", metavar="ID", help="Of what is found only this; repeatable.")]
OfConversation = Annotated[str | None, typer.Option("--conversation", metavar="ID", help="A conversation.")]
OfMessage = Annotated[str | None, typer.Option("--message", metavar="ID", help="One message.")]
Cascade = Annotated[bool, typer.Option("--with-turn", help="With --message: its whole turn goes.")]
Memory = Annotated[list[str] | None, typer.Option("--memory", metavar="ID", help="A memory; repeatable.")]
Everything = Annotated[bool, typer.Option("--everything", help="Everything of the person.")]
CloseAccount = Annotated[bool, typer.Option("--close-account", help="With --everything: settings and name go too.")]
Phrase = Annotated[
    str | None,
    typer.Option(
        help="With --everything, where nobody can be asked: FORGET EVERYTHING or 忘掉一切. --yes is not enough."
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would go; forget nothing.")]
UndoSeconds = Annotated[
    int, typer.Option("--undo-seconds", min=0, max=UNDO_SECONDS_MAX, help="For how long `undo` brings it back.")
]


def forget(
    description: Description = None,
    only: Only = None,
    project: Project = None,
    conversation: OfConversation = None,
    message: OfMessage = None,
    with_turn: Cascade = False,
    memory: Memory = None,
    everything: Everything = False,
    close_account: CloseAccount = False,
    phrase: Phrase = None,
    undo_seconds: UndoSeconds = 0,
    dry_run: DryRun = False,
    yes: Yes = False,
    follow: Follow = False,
    ids: Ids = False,
    as_json: AsJson = False,
    url: Url = None,
    user: User = None,
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Forget what a description means, a conversation, a message, memories, or everything; shown before it is done."""
    from services.cli.person import forget_steps  # slow to import
    from services.cli.person.connecting import connect  # same
    from services.cli.person.screen import Screen  # same

    named = [description is not None, conversation is not None, message is not None, bool(memory), everything]
    for is_wrong, why in (
        (sum(named) != 1, "name one: --description, --conversation, --message, --memory or --everything"),
        (bool(only or project) and description is None, "--only and --project go with --description"),
        (with_turn and message is None, "--with-turn goes with --message"),
        ((close_account or phrase is not None) and not everything, "--close-account and --phrase go with --everything"),
        (everything and undo_seconds > 0, "forgetting everything cannot be undone"),
    ):
        if is_wrong:
            raise Refusal(why, USAGE)
    with connect(url, user, data_dir) as center:
        request: ForgetRequest
        if description is not None:
            request = forget_steps.Described(center, description, only=only, project=project)
        elif conversation is not None:
            conversation = center.id_of(conversation, "conversation")
            request = forget_steps.Scoped(center, {"scope": "conversation", "conversation_id": conversation})
        elif message is not None:
            message = center.id_of(message, "message")
            request = forget_steps.Scoped(center, {"scope": "message", "message_id": message, "cascade": with_turn})
        elif memory:
            request = forget_steps.Memories(center, [center.id_of(one, "memory") for one in memory])
        else:
            request = forget_steps.Everything(center, close_account=close_account, phrase=phrase)
        screen = Screen(as_json=as_json, ids=ids)
        forget_steps.run(request, screen, dry_run=dry_run, yes=yes, stay=follow, undo_seconds=undo_seconds)


UNDO_HELP = of_person(
    [
        ("undo", "the newest forget that can still be undone"),
        ("undo 9b1e42c7", "this one"),
    ],
    notes="Only a forget that was given --undo-seconds can be undone, and only for so long.",
)

Operation = Annotated[
    str | None, typer.Argument(metavar="[ID]", help="The operation.", show_default="the newest that can be undone")
]


def undo(
    operation: Operation = None,
    as_json: installation.AsJson = False,
    url: Url = None,
    user: User = None,
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Bring back what a forget has hidden, as long as it can be undone."""
    from services.cli.person.connecting import connect  # slow to import
    from services.cli.person.screen import Screen  # same

    screen = Screen(as_json=as_json)
    with connect(url, user, data_dir) as center:
        op_id = center.id_of(operation, "operation") if operation is not None else _newest(center)
        answer: Any = center.post(f"memory/ops/{op_id}/cancel")
    screen.document(answer)
    screen.say(said("It is back.", "已恢复。"))


def _newest(center: Center) -> str:
    from services.cli.person.following import may_be_undone  # slow to import

    found: list[Wire] = center.get("memory/ops", limit=50)
    newest = next(filter(may_be_undone, found), None)
    if newest is None:
        raise Refusal(said("nothing can be undone any more", "没有还能撤销的操作"), NOT_FOUND)
    return str(newest["id"])
