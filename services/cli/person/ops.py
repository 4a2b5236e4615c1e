"""`memory-center ops`: operations, their progress, and their receipts."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from services.cli.exit_codes import USAGE, Refusal
from services.cli.installation import DEFAULT_DATA_DIR, DataDir
from services.cli.manual import of_person
from services.cli.person.options import AsJson, Follow, Ids, Url, User
from services.cli.person.words import reason, state, word
from services.cli.terminal import moment, said

if TYPE_CHECKING:
    from services.cli.person.client import Wire
    from services.cli.person.screen import Screen

HELP = of_person(
    [
        ("ops", "the newest operations"),
        ("ops 7781aa68 --follow", "one, until it has ended"),
        ("ops 7781aa68 --retry", "try again at once what failed or waits"),
    ],
)

Operation = Annotated[
    str | None, typer.Argument(metavar="[ID]", help="One operation.", show_default="a list of the newest")
]
Retry = Annotated[bool, typer.Option("--retry", help="Try failed and waiting steps again at once.")]
Limit = Annotated[int, typer.Option("--limit", min=1, max=10_000, help="So many at most.")]


def ops(
    operation: Operation = None,
    follow: Follow = False,
    retry: Retry = False,
    limit: Limit = 20,
    ids: Ids = False,
    as_json: AsJson = False,
    url: Url = None,
    user: User = None,
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Show operations (forgets, exports, imports, withdrawn consents), and how far each store is."""
    from services.cli.person.connecting import connect  # slow to import
    from services.cli.person.following import follow as stay  # same
    from services.cli.person.following import succeeded
    from services.cli.person.screen import Screen

    if operation is None and (follow or retry):
        raise Refusal("--follow and --retry need an ID", USAGE)
    screen = Screen(as_json=as_json, ids=ids)
    with connect(url, user, data_dir) as center:
        if operation is None:
            items, more = center.pages("memory/ops", limit=limit)
            screen.document({"items": items, "more": more})
            _list(screen, items)
            return
        op_id = center.id_of(operation, "operation")
        if retry:
            center.post(f"memory/ops/{op_id}/retry")
        last: Wire = stay(center, op_id, as_json=as_json) if follow else center.get(f"memory/ops/{op_id}")
    if not follow:
        screen.document(last)
    _show(screen, last)
    if follow:
        succeeded(last)


def _list(screen: Screen, items: list[Wire]) -> None:
    from services.cli.person.screen import Id, dim, named  # slow to import

    if not items and not screen.is_plain:
        screen.say(said("There are no operations.", "没有操作。"))
    screen.table(
        (said("operation", "操作"), said("state", "状态"), said("how far", "进度"), said("since", "开始"), "id"),
        [
            (
                word(one["type"]),
                named(one["status"], state(one["type"], one["status"])),
                f"{one['progress']:.0%}",
                dim(moment(one["created_at"])),
                Id(one["id"]),
            )
            for one in items
        ],
        numbers=[2],
    )


def _show(screen: Screen, operation: Wire) -> None:
    from services.cli.person.screen import Id, named  # slow to import

    kind = operation["type"]
    screen.say(f"{word(kind)}: {state(kind, operation['status'])}, {operation['progress']:.0%}", style="bold")
    milestones = (
        (said("hidden", "已隐藏"), operation["unrecallable_at"]),
        (said("erased", "已删除"), operation["erased_at"]),
        (said("physically gone", "已物理清除"), operation["purged_at"]),
        (said("can be undone until", "可撤销至"), operation["not_before"]),
    )
    rows: list[tuple[str, Any]] = [(name, moment(at)) for name, at in milestones if at is not None]
    if operation["receipt_id"] is not None:
        rows.append((said("receipt", "凭证"), Id(operation["receipt_id"])))
    screen.table(("", ""), rows)
    screen.heading(said("Steps", "步骤"))
    screen.table(
        (
            said("step", "步骤"),
            said("state", "状态"),
            said("tries", "次数"),
            said("counts", "计数"),
            said("waits for", "原因"),
        ),
        [
            (
                word(step["name"]),
                named(step["status"], state(kind, step["status"])),
                step["attempts"],
                ", ".join(f"{word(name)} {count}" for name, count in step["counts"].items()),
                reason(step["last_error"]) if step["status"] != "succeeded" else "",
            )
            for step in operation["steps"]
        ],
        numbers=[2],
        texts=(3, 4),
    )


RECEIPT_HELP = of_person(
    [
        ("receipt 6c94a5e9 -o receipt.json", "keep the proof of a forget"),
        ("verify-receipt receipt.json --public-key HEX", "check it, offline"),
    ],
    notes="A receipt needs no account and no token: its whole random id is enough, also when the account is closed."
    " A short id is looked up among your own receipts.",
)

Receipt = Annotated[str, typer.Argument(metavar="ID", help="The receipt, as `forget` and `ops` name it.")]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", dir_okay=False, help="Write it there. Never overwritten."),
]


def receipt(
    receipt_id: Receipt,
    output: Output = None,
    url: Url = None,
    user: User = None,
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Fetch the proof of a forget, as JSON; it holds no content and no name."""
    from services.cli.person.client import is_whole  # slow to import
    from services.cli.person.connecting import anonymous, connect  # slow to import
    from services.cli.terminal import note

    with anonymous(url, data_dir) as center:
        if not is_whole(receipt_id):
            with connect(url, user, data_dir) as known:
                receipt_id = known.id_of(receipt_id, "receipt")
        found = center.get(f"receipts/{UUID(receipt_id)}")
    text = json.dumps(found, indent=2) + "\n"
    if output is None:
        print(text, end="")
        return
    try:
        with open(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:  # noqa: PTH123 # its mode
            file.write(text)
    except OSError as problem:
        raise Refusal(f"{output}: {problem.strerror or type(problem).__name__}", USAGE) from None
    note(said("Check it: ", "核验：") + f"memory-center verify-receipt {output}")
