"""`memory-center export`: export everything, a conversation or selected items to a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from services.cli.exit_codes import USAGE, Refusal
from services.cli.installation import DEFAULT_DATA_DIR, DataDir
from services.cli.manual import of_person
from services.cli.person.options import AsJson, Follow, Url, User, Yes
from services.cli.person.words import word
from services.cli.terminal import is_chinese, note, said, size_of

if TYPE_CHECKING:
    from services.cli.person.client import Center, Wire
    from services.cli.person.screen import Screen

HELP = of_person(
    [
        ("export -o my-memory.zip", "everything, as a package that can be imported again; asked for first"),
        ("export -o my-memory.zip --yes", "the same from a script; nobody is asked"),
        ("export --format markdown --language zh -o 我的记忆.md", "to read"),
        ("export --conversation ID --format json -o talk.json", "one conversation, in one document"),
        (
            "export --follow",
            "have it packed; it can be downloaded for as long as the operator keeps packages (a day by default)",
        ),
        ("export --operation ID -o my-memory.zip", "download it, or go on where a download broke off"),
    ],
    notes="Whoever has the file can read all of it: before everything is packed it is said what that means, and asked."
    " Where nobody can be asked, and always with --json, --yes confirms it. One conversation, or what --item names, is"
    " packed at once. A download goes on where it broke off and is compared with the package's SHA-256 before FILE"
    " appears. A forget of something in a package withdraws it, also in the middle of a download; export again then.",
)

Scope = Annotated[
    Literal["user", "conversation", "selection"] | None,
    typer.Option("--scope", help="What to take.", show_default="what --conversation or --item says, else everything"),
]
Conversation = Annotated[str | None, typer.Option("--conversation", metavar="ID", help="One conversation.")]
Item = Annotated[list[str] | None, typer.Option("--item", metavar="ID", help="A message or a memory; repeatable.")]
Format = Annotated[
    Literal["zip", "json", "markdown", "finclaw"],
    typer.Option(
        "--format",
        help="zip: every kind in a file of its own. json: the same in one. markdown: to read. finclaw: consents,"
        " contexts and drift, a file each.",
    ),
]
Language = Annotated[
    Literal["en", "zh"] | None,
    typer.Option("--language", help="Of the part for people.", show_default="the environment's"),
]
Operation = Annotated[str | None, typer.Option("--operation", metavar="ID", help="Download what this one packed.")]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", dir_okay=False, help="Wait, and write it there. Never overwritten."),
]


def export(
    scope: Scope = None,
    conversation: Conversation = None,
    item: Item = None,
    format_: Format = "zip",
    language: Language = None,
    operation: Operation = None,
    output: Output = None,
    yes: Yes = False,
    follow: Follow = False,
    as_json: AsJson = False,
    url: Url = None,
    user: User = None,
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Pack what is remembered, with where it came from and what became of it, into a file of your own."""
    from services.cli.person.connecting import connect  # slow to import
    from services.cli.person.downloading import tidied  # same
    from services.cli.person.screen import Screen

    if output is not None and output.exists():
        raise Refusal(said(f"{output} exists already", f"{output} 已经存在"), USAGE)
    if operation is not None and (scope or conversation or item):
        raise Refusal("--operation names a package that was asked for already", USAGE)
    if operation is not None and output is None:
        raise Refusal("--operation needs -o FILE", USAGE)
    meant = _meant(scope, conversation, item)
    screen = Screen(as_json=as_json)
    with connect(url, user, data_dir) as center:
        if operation is not None:
            op_id = center.id_of(operation, "operation")
        else:
            if meant == "user":
                _confirm(center, screen, yes=yes)
            wanted = {"scope": meant, "format": format_, "language": language or ("zh" if is_chinese() else "en")}
            accepted: Wire = center.post("memory/export", wanted | _named(center, conversation, item or []))
            op_id = str(accepted["op_id"])
            if follow or output is None:
                screen.document(accepted)
        if operation is not None or follow or output is not None:
            with tidied(output, op_id):
                _wait(center, op_id, as_json=as_json, quiet=as_json and not follow)
                _hand_over(center, screen, op_id, output)
        else:
            screen.say(said("It is being packed: ", "正在打包：") + screen.id(op_id))
            _say_how_to_download(screen, op_id)


def _named(center: Center, conversation: str | None, items: Sequence[str]) -> Wire:
    """Return what a request says of its scope: a conversation, items, or that everything is meant."""
    if conversation is not None:
        return {"conversation_id": center.id_of(conversation, "conversation")}
    if items:
        return {"ids": [center.id_of(one, "message", "memory") for one in items]}
    return {"confirmation": True}


def _meant(scope: str | None, conversation: str | None, items: list[str] | None) -> str:
    """Return the scope of an export.

    Raises:
        Refusal: the options contradict each other (2).
    """
    meant = "conversation" if conversation is not None else "selection" if items else "user"
    if (conversation is not None and items) or scope not in (None, meant):
        raise Refusal("--scope conversation needs --conversation ID, --scope selection --item ID, and no other", USAGE)
    return meant


def _confirm(center: Center, screen: Screen, *, yes: bool) -> None:
    """Confirm a complete export, after explaining what it contains (MC-17).

    Raises:
        Refusal: nobody can be asked (5), there are no credentials (2), or they refused (1).
    """
    from services.cli.person.confirming import accepted_or_null, agreed  # slow to import

    with accepted_or_null(screen, {}):
        agreed(
            screen,
            said("Export everything?", "导出全部内容吗？"),
            nothing=said("nothing was exported", "什么都没有导出"),
            yes=yes,
            explain=lambda: _say_what_leaves(center),
        )


def _say_what_leaves(center: Center) -> None:
    counts, why = _counted(center)
    note(
        said(
            f"What will be in it: {', '.join(counts)}; with where they came from, your settings and receipts.",
            f"里面会有：{'、'.join(counts)}，以及它们的来源、你的设置和凭证。",
        )
    )
    if why is not None:
        note(said(f"How many there are could not be counted: {why}.", f"具体数量无法统计：{why}。"))
    note(said("Whoever has the file can read all of it.", "拿到文件的人都能读到全部内容。"))
    note(
        said(
            "Only you and the service that runs your assistant can download it here, for as long as the operator keeps"
            " packages (a day by default); forgetting something in it withdraws it.",
            "只有你和运行助手的服务能在这里下载，期限由管理员设定（默认一天）；忘掉其中任何内容，它就会失效。",
        )
    )


def _counted(center: Center) -> tuple[list[str], Refusal | None]:
    """Return what will be exported with counts; if counting fails, only the kinds, and the error.

    Raises:
        Refusal: there are no credentials, so asking is pointless (2).
    """
    kinds = ("conversations", "messages", "memories")
    try:
        kept: Wire = center.post("memory/forget/dry-run", {"scope": "user"})["counts"].get("postgres", {})
        # A forgotten conversation leaves an empty row that is counted too; only visible ones count.
        kept |= {"conversations": center.get("memory/overview")["conversations"]}
    except Refusal as refusal:
        if refusal.exit_code == USAGE:
            raise
        return [word(kind) for kind in kinds], refusal
    return [f"{word(kind)} {kept.get(kind, 0)}" for kind in kinds], None


def _wait(center: Center, op_id: str, *, as_json: bool, quiet: bool) -> None:
    from services.cli.person.following import follow, succeeded  # slow to import

    succeeded(follow(center, op_id, as_json=as_json, quiet=quiet))


def _hand_over(center: Center, screen: Screen, op_id: str, output: Path | None) -> None:
    from services.cli.person.downloading import download  # slow to import

    package: Wire = center.get(f"memory/exports/{op_id}")
    if output is not None:
        download(center, package, output, quiet=screen.as_json)
    screen.document({**package, "file": str(output) if output is not None else None})
    size = size_of(package["bytes"])
    if output is not None:
        screen.say(
            said(f"{output}: {size}, SHA-256 {package['sha256']}", f"{output}：{size}，SHA-256 {package['sha256']}")
        )
    else:
        screen.say(said(f"Packed: {size}.", f"已打包：{size}。"))
        _say_how_to_download(screen, op_id)


def _say_how_to_download(screen: Screen, op_id: str) -> None:
    screen.say(said("Download it: ", "下载：") + f"memory-center export --operation {screen.id(op_id)} -o FILE")
