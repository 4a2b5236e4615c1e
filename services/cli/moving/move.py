"""`memory-center migrate mem0` and `migrate openmemory`: bring people's memories from there, through the import."""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from services.cli.exit_codes import FAILED, USAGE, Refusal
from services.cli.installation import DEFAULT_DATA_DIR, DataDir
from services.cli.manual import ENVIRONMENT, manual
from services.cli.person.options import AsJson, Url
from services.cli.terminal import said

if TYPE_CHECKING:
    from services.cli.moving.sources import Theirs
    from services.cli.person.client import Wire

_NOTES: Final = (
    "Nothing is changed there. Whoever is not in FILE stays away. What is here already, or was forgotten here, stays"
    " so: bringing twice changes nothing."
)
_ENVIRONMENT: Final = {name: what for name, what in ENVIRONMENT.items() if name != "MEMORY_CENTER_USER"}
MEM0_HELP = manual(
    [
        ("migrate mem0 --from all.json --user-map people.json --dry-run", "what would come; nothing is stored"),
        ("migrate mem0 --from http://localhost:8888 --user-map people.json", "from a server; MEM0_API_KEY is its key"),
    ],
    environment={**_ENVIRONMENT, "MEM0_API_KEY": "the key of the server given with --from"},
    notes=_NOTES,
)
OPEN_MEMORY_HELP = manual(
    [
        ("migrate openmemory --from openmemory.db --user-map people.json", "from its SQLite file"),
        ("migrate openmemory --from http://localhost:8765 --user-map people.json", "from its server"),
    ],
    environment=_ENVIRONMENT,
    notes=_NOTES + " What was deleted there stays away; what was paused or archived comes paused or archived.",
)

From = Annotated[str, typer.Option("--from", metavar="PLACE", help="A file, or the address of a server.")]
UserMap = Annotated[
    Path,
    typer.Option(
        "--user-map",
        metavar="FILE",
        exists=True,
        dir_okay=False,
        readable=True,
        help='Who is who, as JSON: {"their name there": "their user id here"}.',
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what would come.")]
_FATES: Final = ("new", "present", "erased", "switched_off", "withheld")


def mem0(
    source: From,
    user_map: UserMap,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    url: Url = None,
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Bring memories from mem0: the JSON of `get_all`, its platform, or its server."""
    from services.cli.moving.sources import from_mem0  # slow to import

    api_key = os.environ.get("MEM0_API_KEY")
    _move(lambda people: from_mem0(source, people, api_key), user_map, dry_run, as_json, url, data_dir)


def open_memory(
    source: From,
    user_map: UserMap,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    url: Url = None,
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Bring memories from OpenMemory: its SQLite file, or its server."""
    from services.cli.moving.sources import from_open_memory  # slow to import

    _move(lambda people: from_open_memory(source, people), user_map, dry_run, as_json, url, data_dir)


def _move(
    read: Callable[[Iterable[str]], Iterator[Theirs]],
    user_map: Path,
    dry_run: bool,  # the command's own options
    as_json: bool,
    url: str | None,
    data_dir: Path,
) -> None:
    from services.cli.person.screen import Screen  # slow to import

    people = _people(user_map)
    screen = Screen(as_json=as_json)
    results: list[Wire] = []
    with tempfile.TemporaryDirectory(prefix="memory-center-") as folder:
        packages, others = _packed(read(people), people, Path(folder))
        for theirs, (package, count) in packages.items():
            done = _brought(package, people[theirs], dry_run=dry_run, url=url, data_dir=data_dir)
            results.append({"from": theirs, "user_id": people[theirs], "memories": count, **done})
    answer: Wire = {"people": results, "left_out": {"people": len(others), "memories": others.total()}}
    screen.document(answer)
    columns = ("", said("user id", "用户编号"), said("memories", "记忆"), *_fate_names())
    rows = [
        (one["from"], one["user_id"], one["memories"], *(one["counts"].get(fate, 0) for fate in _FATES), one["refused"])
        for one in results
    ]
    screen.table((*columns, said("refused", "拒绝")), rows, numbers=range(2, 3 + len(_FATES)))
    if others:
        screen.say(
            said(
                f"{others.total()} memories of {len(others)} people who are not in {user_map} stayed there.",
                f"{len(others)} 个不在 {user_map} 中的人的 {others.total()} 条记忆没有导入。",
            )
        )
    if any(one["refused"] for one in results):
        raise Refusal(said("some were refused; the others came", "部分被拒绝，其余已导入"), FAILED)


def _people(user_map: Path) -> dict[str, str]:
    """Return who is who.

    Raises:
        Refusal: the file is no object of names, or two people there would become one here (2).
    """
    try:
        found = json.loads(user_map.read_bytes())
    except (OSError, ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not found or not all(isinstance(one, str) and one for one in found.values()):
        raise Refusal(said(f'{user_map} is not {{"there": "here", …}}', f"{user_map} 的格式不对"), USAGE)
    if len(set(found.values())) != len(found):
        raise Refusal(said(f"{user_map} makes two people one", f"{user_map} 把两个人合成了一个"), USAGE)
    return found


def _packed(
    memories: Iterator[Theirs], people: dict[str, str], folder: Path
) -> tuple[dict[str, tuple[Path, int]], Counter[str]]:
    """Write a file for each person who comes; return them with their counts, and the counts of those who do not."""
    written: dict[str, tuple[Path, int]] = {}
    others: Counter[str] = Counter()
    for theirs, memory in memories:
        if theirs not in people:
            others[theirs] += 1
            continue
        path, count = written.get(theirs, (folder / f"{len(written)}.json", 0))
        with path.open("a", encoding="utf-8") as file:  # not kept open: there may be more people than files at once
            file.write(('{"results": [' if count == 0 else ",\n") + json.dumps({**memory, "user_id": theirs}))
        written[theirs] = (path, count + 1)
    for path, _ in written.values():
        with path.open("a", encoding="utf-8") as file:
            file.write("]}")
    return written, others


def _brought(package: Path, user_id: str, *, dry_run: bool, url: str | None, data_dir: Path) -> Wire:
    """Import one person's file; return the counts, or the code of a refusal."""
    from services.cli.person.client import Answered  # slow to import
    from services.cli.person.connecting import connect  # slow to import
    from services.cli.person.following import follow, succeeded  # same

    def sent(*, dry_run: bool) -> Any:
        with package.open("rb") as opened:
            return center.import_(opened, media_type="application/json", dry_run=dry_run)

    with connect(url, user_id, data_dir) as center:
        try:
            preview = sent(dry_run=True)  # an operation counts fates over all kinds, a preview those of memories
            counts = {fate: preview[fate].get("memory", 0) for fate in _FATES}
            if not dry_run:
                last = follow(center, str(sent(dry_run=False)["op_id"]), quiet=True)
                succeeded(last)
                counts["new"] = sum(step["counts"].get("memory", 0) for step in last["steps"])
        except Answered as refusal:
            if refusal.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
                raise
            return {"counts": {}, "refused": refusal.code}
    return {"counts": counts, "refused": None}


def _fate_names() -> tuple[str, ...]:
    return (
        said("new", "新增"),
        said("present", "已有"),
        said("erased", "已忘掉"),
        said("switched off", "已关闭"),
        said("withheld", "敏感"),
    )
