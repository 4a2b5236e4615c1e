"""`memory-center export-user` and `delete-user`: what an operator does for somebody who asked (FC-11, FC-15)."""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path
from typing import Annotated, Any

import typer

from services.cli.exit_codes import USAGE, Refusal
from services.cli.installation import DEFAULT_DATA_DIR, DataDir
from services.cli.manual import of_person
from services.cli.person.options import AsJson, Url
from services.cli.terminal import said

EXPORT_HELP = of_person(
    [("export-user --user-id ada --out ./out", "consents, contexts, drift and candidates, in a folder of their own")],
    notes="Writes OUT/USER/…, a file for each thing, with manifest.yaml. Everything else that is remembered of somebody"
    " is in `memory-center export --user ID`.",
)
DELETE_HELP = of_person(
    [
        ("delete-user --user-id ada", "asks twice: for yes, and for the user id"),
        ("delete-user --user-id ada --confirm ada --yes", "from a script"),
    ],
    notes="Everything of theirs is erased from every store, and their name. What stays is a stub: when, and which"
    " version of their consent held.",
)

UserId = Annotated[str, typer.Option("--user-id", metavar="ID", help="Whose.")]
Out = Annotated[Path, typer.Option("--out", metavar="FOLDER", file_okay=False, help="Where the folder is written.")]
Confirm = Annotated[
    str | None, typer.Option("--confirm", metavar="ID", help="The user id once more, where nobody can be asked.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Skip the yes/no question.")]


def export_user(
    user_id: UserId, out: Out, as_json: AsJson = False, url: Url = None, data_dir: DataDir = DEFAULT_DATA_DIR
) -> None:
    """Write what somebody agreed to and said about themselves into a folder, a file for each thing."""
    from services.cli.person.connecting import connect  # slow to import
    from services.cli.person.downloading import download  # same
    from services.cli.person.following import follow, succeeded  # same
    from services.cli.person.screen import Screen  # same

    screen = Screen(as_json=as_json)
    with connect(url, user_id, data_dir) as center, tempfile.TemporaryDirectory(prefix="memory-center-") as folder:
        wanted = {"scope": "user", "format": "finclaw", "confirmation": True}
        op_id = str(center.post("memory/export", wanted)["op_id"])
        succeeded(follow(center, op_id, as_json=as_json, quiet=as_json))
        package: Any = center.get(f"memory/exports/{op_id}")
        file = Path(folder) / "package.zip"
        download(center, package, file, quiet=as_json)
        files = _unpacked(file, out)
    screen.document({"user_id": user_id, "out": str(out), "files": files})
    screen.say(said(f"{len(files)} files in {out}", f"{out} 中有 {len(files)} 个文件"))


def delete_user(
    user_id: UserId,
    confirm: Confirm = None,
    yes: Yes = False,
    as_json: AsJson = False,
    url: Url = None,
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Erase everything of somebody, and their name; confirmed twice."""
    from services.cli.person.confirming import agreed, need_somebody  # same
    from services.cli.person.connecting import connect  # slow to import
    from services.cli.person.following import follow_receipt  # same
    from services.cli.person.screen import Screen  # same
    from services.cli.terminal import ask  # same

    screen = Screen(as_json=as_json)
    nothing = said("nothing was deleted", "什么都没有删除")
    agreed(screen, said(f"Delete everything of {user_id}?", f"删除 {user_id} 的全部内容吗？"), nothing=nothing, yes=yes)
    if confirm is None:
        need_somebody(screen, nothing=nothing, option=f"--confirm {user_id}")
        confirm = ask(said("Type the user id: ", "请输入该用户的编号："))
    if confirm != user_id:
        raise Refusal(f"{nothing}: {said('that is another user id', '用户编号不一致')}", USAGE)
    with connect(url, user_id, data_dir) as center:
        asked = {"scope": "user", "close_account": True, "confirmation": "FORGET EVERYTHING"}
        accepted: Any = center.post("memory/forget", asked)
        follow_receipt(center, str(accepted["receipt_id"]))
    screen.document(accepted)
    screen.say(said("Deleted. The receipt: ", "已删除。凭证：") + screen.id(str(accepted["receipt_id"])))


def _unpacked(file: Path, out: Path) -> list[str]:
    """Unpack our own package below a folder, and return the paths; nothing is overwritten.

    Raises:
        Refusal: a file exists, or cannot be written.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            names = sorted(archive.namelist())
            if taken := [name for name in names if (out / name).exists()]:
                raise Refusal(said(f"{out / taken[0]} exists already", f"{out / taken[0]} 已经存在"), USAGE)
            archive.extractall(out)
    except OSError as problem:
        raise Refusal(f"{out}: {problem.strerror or type(problem).__name__}", USAGE) from None
    return names
