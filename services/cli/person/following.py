"""Follow an operation until it ends: a bar with its steps on a terminal, a line for every change elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from services.cli.exit_codes import FAILED, UNREACHABLE, Refusal
from services.cli.person.client import Center, Wire, gone
from services.cli.person.screen import short
from services.cli.person.words import reason, word
from services.cli.terminal import note, print_json, said

ENDED: Final = frozenset({"succeeded", "failed", "cancelled"})
MARKS: Final = {"succeeded": "✓", "running": "…", "ready": "…", "failed": "✗", "cancelled": "✗", "waiting": "·"}
_LOOK_SECONDS: Final = 0.2
_LONGEST_SECONDS: Final = 2.0
_AWAY_SECONDS: Final = 60.0
"""How long the API may be unreachable while an operation is followed; the operation itself continues."""
_BAR_WIDTH: Final = 24


def follow(center: Center, operation_id: str, *, as_json: bool = False, quiet: bool = False) -> Wire:
    """Show an operation's progress until it has ended; return its last state.

    With `as_json` every change is a line on standard output; else progress goes to standard error, unless `quiet`.

    Raises:
        Refusal: the API was unreachable for a minute (3).
    """
    states = watch(center, operation_id)
    try:
        if quiet:
            return _last(states)
        if as_json:
            return _last(_printed(changes(states)))
        return _bar(states) if sys.stderr.isatty() else _last(_told(changes(states)))
    except KeyboardInterrupt:
        note(
            said("It goes on. Look again: ", "操作仍在继续。查看：")
            + f"memory-center ops {short(operation_id)} --follow"
        )
        raise


def succeeded(operation: Wire) -> None:
    """Raise unless an operation succeeded.

    Raises:
        Refusal: it failed, was undone or given up (1).
        Answered: it is an export whose package was revoked before it was complete (4).
    """
    if operation["status"] == "failed":
        why = reason(operation["last_error"]) or word("internal_error")
        raise Refusal(
            said(f"stopped: {why}", f"已停下：{why}") + f" (memory-center ops {short(operation['id'])} --retry)", FAILED
        )
    if operation["status"] == "cancelled":
        if operation["type"].startswith("export_"):
            raise gone()
        if operation["type"].startswith("forget_"):
            raise Refusal(said("it was undone", "已撤销"), FAILED)
        raise Refusal(said("it was given up", "已放弃"), FAILED)


def watch(center: Center, operation_id: str) -> Iterator[Wire]:
    """Yield an operation's state repeatedly until it has ended."""
    pause, away_since = _LOOK_SECONDS, None
    while True:
        try:
            operation: Wire = center.get(f"memory/ops/{operation_id}")
        except Refusal as refusal:
            now = time.monotonic()
            away_since = now if away_since is None else away_since
            if refusal.exit_code != UNREACHABLE or now - away_since > _AWAY_SECONDS:
                raise
        else:
            away_since = None
            yield operation
            if operation["status"] in ENDED:
                return
        time.sleep(pause)
        pause = min(_LONGEST_SECONDS, pause * 1.1)


def follow_receipt(center: Center, receipt_id: str) -> Wire:
    """Wait for the receipt of a closed account, whose operation belongs to nobody any more; return it.

    Raises:
        Refusal: the erasure stopped (1), or the API is unreachable (3).
    """
    pause = _LOOK_SECONDS
    while True:
        receipt: Wire = center.get(f"receipts/{receipt_id}")
        if receipt["status"] == "succeeded":
            return receipt
        if receipt["status"] in ENDED:
            raise Refusal(said("the erasure stopped", "删除已停下"), FAILED)
        time.sleep(pause)
        pause = min(_LONGEST_SECONDS, pause * 1.1)


def changes(states: Iterator[Wire]) -> Iterator[Wire]:
    """Yield the states that differ from the previous one."""
    before: Wire | None = None
    for operation in states:
        if operation != before:
            yield operation
        before = operation


def steps(operation: Mapping[str, Any]) -> str:
    """Return an operation's steps in one line, each with a mark and its count."""
    return " · ".join(_step(step) for step in operation["steps"])


def waits_for(operation: Mapping[str, Any]) -> str:
    """Return why and how long the first waiting step waits; empty if none does."""
    step = next((one for one in operation["steps"] if one["last_error"] and one["status"] != "succeeded"), None)
    if step is None:
        return ""
    why = reason(step["last_error"])
    if step["next_retry_at"] is None:
        return why
    left = (datetime.fromisoformat(step["next_retry_at"]) - datetime.now(UTC)).total_seconds()
    seconds = f"{max(0.0, left):.0f}"
    return said(f"{why}. Trying again in {seconds} s", f"{why}，{seconds} 秒后重试")


def may_be_undone(operation: Mapping[str, Any]) -> bool:
    """Return whether it is a forget that waits for the end of its undo period; the API knows if that is over."""
    is_open = operation["status"] == "pending" and operation["not_before"] is not None
    return is_open and operation["type"].startswith("forget_")


def _step(step: Mapping[str, Any]) -> str:
    counted = next((step["counts"][name] for name in ("erased", "records") if name in step["counts"]), None)
    return f"{word(step['name'])} {MARKS[step['status']]}" + (f" {counted}" if counted is not None else "")


def _printed(states: Iterator[Wire]) -> Iterator[Wire]:
    for operation in states:
        print_json(operation)
        yield operation


def _told(states: Iterator[Wire]) -> Iterator[Wire]:
    told = ""
    for operation in states:
        line = f"{operation['progress']:.0%}  {steps(operation)}"
        if why := reason_of(operation):
            line += f"  ({why})"
        if line != told:
            note(line)
        told = line
        yield operation


def reason_of(operation: Mapping[str, Any]) -> str:
    """Return why the first waiting step waits, without a countdown."""
    found = (one["last_error"] for one in operation["steps"] if one["last_error"] and one["status"] != "succeeded")
    return reason(next(found, None))


def _bar(states: Iterator[Wire]) -> Wire:
    from rich.console import Console, Group  # slow to import, and only needed on a terminal
    from rich.live import Live
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    last: Wire = {}
    with Live(console=Console(stderr=True, highlight=False), auto_refresh=False) as live:
        for last in states:
            line = Table.grid(padding=(0, 2, 0, 0))
            bar = ProgressBar(1.0, last["progress"], width=_BAR_WIDTH, complete_style="green", finished_style="green")
            line.add_row(Text(word(last["type"])), bar, f"{last['progress']:.0%}", Text(waits_for(last)))
            live.update(Group(line, Text(steps(last), style="dim")), refresh=True)
    return last


def _last(states: Iterator[Wire]) -> Wire:
    last: Wire = {}
    for last in states:  # noqa: B007 # the last one is wanted
        pass
    return last
