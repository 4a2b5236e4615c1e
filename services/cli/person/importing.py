"""`memory-center import`: a package, or what another assistant exported, into a person's memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Final

import typer

from services.cli.installation import DEFAULT_DATA_DIR, DataDir
from services.cli.manual import of_person
from services.cli.person.options import AsJson, Follow, Url, User
from services.cli.person.words import word
from services.cli.refusal import USAGE, Refusal
from services.cli.terminal import progress, said

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


def import_(
    file: File,
    dry_run: DryRun = False,
    follow: Follow = False,
    as_json: AsJson = False,
    url: Url = None,
    user: User = None,
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Import a package of Memory Center, or what mem0, ChatGPT or Claude exported."""
    from services.cli.person.client import connect  # slow to import
    from services.cli.person.following import follow as stay  # same
    from services.cli.person.following import succeeded
    from services.cli.person.screen import Screen

    screen = Screen(as_json=as_json)
    media_type = _MEDIA_TYPES.get(file.suffix.lower(), "application/octet-stream")
    with connect(url, user, data_dir) as center:
        try:
            with (
                file.open("rb") as opened,
                progress(file.name, total=file.stat().st_size, unit="bytes", quiet=as_json) as advance,
            ):
                counting: Any = _Counted(opened, advance)
                answer: Wire = center.upload("memory/import", counting, media_type=media_type, dry_run=dry_run)
        except OSError as problem:
            raise Refusal(f"{file}: {problem.strerror or type(problem).__name__}", USAGE) from None
        screen.document(answer)
        if dry_run:
            _show(screen, answer)
            return
        op_id = str(answer["op_id"])
        if not follow:
            screen.say(said("It is being imported: ", "正在导入：") + f"memory-center ops {op_id} --follow")
            return
        last = stay(center, op_id, as_json=as_json)
        succeeded(last)
        screen.say(said("Imported.", "已导入。"))
        for step in last["steps"]:
            screen.table(("", ""), [(word(name), count) for name, count in step["counts"].items()], numbers=[1])


class _Counted:
    """A file that tells how much of it was read."""

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
        "erased": said("forgotten here, stays so", "在此已忘掉，保持忘掉"),
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
