"""`memory-center import`: import a package, or the export of another assistant."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Final

import typer

from services.cli.exit_codes import USAGE, Refusal
from services.cli.installation import DEFAULT_DATA_DIR, DataDir
from services.cli.manual import of_person
from services.cli.person.options import AsJson, Follow, Url, User
from services.cli.person.words import word
from services.cli.terminal import moment, progress, said

if TYPE_CHECKING:
    from services.cli.person.client import Wire
    from services.cli.person.screen import Screen

HELP = of_person(
    [
        ("import my-memory.zip --dry-run", "what is in it, and what of it would be new; nothing is stored"),
        ("import my-memory.zip --follow", "import it, and stay until it is done"),
        ("import conversations.json", "what another assistant exported"),
    ],
    notes="What is here already is left as it is, and what was forgotten here stays forgotten: importing twice changes"
    " nothing. A file that is damaged, unsafe or too large is refused whole.",
)

_MEDIA_TYPES: Final = {".zip": "application/zip", ".json": "application/json"}
_FATES: Final = ("new", "present", "erased", "switched_off", "withheld")

File = Annotated[
    Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, readable=True, help="The package, or an export.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what it holds and what would become of it.")]
RestoreForgotten = Annotated[
    bool,
    typer.Option("--restore-forgotten", help="Bring back what you forgot when you forgot everything; nobody is asked."),
]


def import_(
    file: File,
    dry_run: DryRun = False,
    follow: Follow = False,
    restore_forgotten: RestoreForgotten = False,
    as_json: AsJson = False,
    url: Url = None,
    user: User = None,
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Import a package of Memory Center, or what mem0, ChatGPT or Claude exported."""
    from services.cli.person.client import Answered  # slow to import
    from services.cli.person.connecting import connect  # slow to import
    from services.cli.person.following import follow as stay  # same
    from services.cli.person.following import succeeded
    from services.cli.person.screen import Screen

    screen = Screen(as_json=as_json)
    media_type = _MEDIA_TYPES.get(file.suffix.lower(), "application/octet-stream")
    with connect(url, user, data_dir) as center:

        def send(*, dry_run: bool, restore_forgotten: bool) -> Wire:
            try:
                with (
                    file.open("rb") as opened,
                    progress(file.name, total=file.stat().st_size, unit="bytes", quiet=as_json) as advance,
                ):
                    counting: Any = _Counted(opened, advance)
                    return center.import_(
                        counting, media_type=media_type, dry_run=dry_run, restore_forgotten=restore_forgotten
                    )
            except OSError as problem:
                raise Refusal(f"{file}: {problem.strerror or type(problem).__name__}", USAGE) from None

        try:
            answer = send(dry_run=dry_run, restore_forgotten=restore_forgotten)
        except Answered as refusal:
            if refusal.code != "import_restores_forgotten":
                raise
            _ask_first(screen, refusal.details)
            answer = send(dry_run=False, restore_forgotten=True)
        screen.document(answer)
        if dry_run:
            _show(screen, answer)
            return
        op_id = str(answer["op_id"])
        if not follow:
            screen.say(said("It is being imported: ", "正在导入：") + f"memory-center ops {screen.id(op_id)} --follow")
            return
        last = stay(center, op_id, as_json=as_json)
        succeeded(last)
        screen.say(said("Imported.", "已导入。"))
        for step in last["steps"]:
            screen.table(("", ""), [(word(name), count) for name, count in step["counts"].items()], numbers=[1])


def _ask_first(screen: Screen, details: Wire) -> None:
    """Ask whether to restore data that was forgotten with everything.

    Raises:
        Refusal: nobody can be asked, or they refused.
    """
    from services.cli.person import confirming  # slow to import, as above

    nothing = said("nothing was imported", "没有导入任何内容")
    confirming.need_somebody(screen, nothing=nothing, option="--restore-forgotten")
    for one in details["forgets"]:
        when, records, op_id = moment(one["forgotten_at"]), one["records"], one["op_id"]
        screen.say(
            said(
                f"You forgot everything on {when} (operation {op_id}). This file would bring back {records} records.",
                f"你在 {when} 忘掉了一切（操作 {op_id}）。此文件会恢复其中 {records} 条记录。",
            )
        )
    if not confirming.says_yes(said("Bring them back?", "要恢复吗？")):
        raise Refusal(nothing)


class _Counted:
    """A file that reports how much of it was read."""

    def __init__(self, file: BinaryIO, advance: Callable[[float], None]) -> None:
        self._file = file
        self._advance = advance

    def read(self, size: int = -1) -> bytes:
        chunk = self._file.read(size)
        self._advance(self._file.tell())
        return chunk


def _show(screen: Screen, preview: Wire) -> None:
    screen.say(said("This is ", "这是 ") + word(f"from_{preview['source']}") + said(".", "。"))
    names = {
        "new": word("new"),
        "present": word("present"),
        "erased": said("forgotten here before, not imported again", "以前在这里忘掉过，不再导入"),
        "switched_off": said("switched off here", "在此已关闭"),
        "withheld": said("withheld as sensitive", "因敏感不导入"),
    }
    columns = (said("what", "内容"), said("in the file", "文件中"), *names.values())
    rows = [
        (word(kind), count, *(preview[fate].get(kind, 0) for fate in _FATES))
        for kind, count in preview["counts"].items()
    ]
    screen.table(columns, rows, numbers=range(1, len(columns)))
    if preview["settings"] == "kept":
        screen.say(said("Your settings stay as they are.", "你的设置保持不变。"))
    else:
        screen.say(said("Your settings come from the package.", "你的设置将取自数据包。"))
    for one in preview.get("returning", []):
        when, records = moment(one["forgotten_at"]), one["records"]
        screen.say(
            said(
                f"{records} of the new records went when you forgot everything on {when}; importing asks first.",
                f"新记录中有 {records} 条是你在 {when} 忘掉一切时删除的；导入前会先询问。",
            )
        )
