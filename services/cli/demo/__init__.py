"""`memory-center demo`: remember, show and forget on a fresh installation, proven from every store."""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import tempfile
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer

from services.cli.manual import manual

_INTERRUPTED = 130

HELP = manual(
    [("demo", "half a minute"), ("demo --stop-milvus", "with the search index killed in the middle of it")],
    exits={0: "proven", 1: "not proven; what is left for a look is named", _INTERRUPTED: "interrupted"},
)

Keep = Annotated[bool, typer.Option("--keep", help="Keep the temporary data directory.")]
StopMilvus = Annotated[bool, typer.Option("--stop-milvus", help="Kill the search index in the middle of it.")]


def demo(*, keep: Keep = False, stop_milvus: StopMilvus = False) -> None:
    """Walk through remembering, seeing and forgetting, and prove from each store that the forgotten is gone.

    Plays on a fresh installation in a temporary directory, which is removed afterwards. The last line is `DEMO` and a
    JSON object for scripts.
    """
    began = time.monotonic()
    root = Path(tempfile.mkdtemp(prefix="memory-center-demo-"))
    with _ended_like_interrupted():
        try:
            ok = _play(root, began, keep=keep, stop_milvus=stop_milvus)
        except KeyboardInterrupt:
            if not keep:
                shutil.rmtree(root, ignore_errors=True)
            print(f"\nStopped. {f'Kept: {root}' if keep else 'Nothing was kept.'}")
            raise typer.Exit(_INTERRUPTED) from None
    raise typer.Exit(0 if ok else 1)


def _play(root: Path, began: float, *, keep: bool, stop_milvus: bool) -> bool:
    from services.cli.demo.play import play  # slow to import
    from services.cli.demo.proof import Outcome  # same
    from services.cli.demo.screen import Screen  # same
    from services.cli.demo.stack import DemoFailed, Stack  # same

    screen, outcome = Screen(), Outcome()
    stack = Stack(root / "data")
    problem: str | None = None
    screen.heading("Memory Center · demo on a fresh installation")
    screen.say("Starting PostgreSQL, Valkey, Milvus, the API and the workers …")
    try:
        with stack:
            screen.good(f"ready after {time.monotonic() - began:.1f} s at {stack.url}")
            play(stack, screen, outcome, stop_milvus=stop_milvus)
    except DemoFailed as failed:
        problem = str(failed)
    except Exception as unexpected:  # noqa: BLE001 # the last line and the logs matter most now
        problem = f"{type(unexpected).__name__}: {unexpected}"
        with contextlib.suppress(OSError):
            stack.directory.log("demo").write_text(traceback.format_exc())
    if problem is not None:
        outcome.proven = False
        screen.bad(problem)
    if keep or not outcome.ok:
        screen.say(f"Kept for a look: logs in {stack.directory.logs}; remove {root} when done.")
    else:
        shutil.rmtree(root, ignore_errors=True)
    screen.last_line(f"DEMO {json.dumps(outcome.summary(seconds=time.monotonic() - began))}")
    return outcome.ok


@contextlib.contextmanager
def _ended_like_interrupted() -> Iterator[None]:
    """Stop cleanly on SIGTERM and SIGHUP too: the servers run in their own session and receive neither."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
