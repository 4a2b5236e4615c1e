"""Which files a forget, and learning one sentence, are made of: traced while they run, in the order they are entered.

    python -m tests.bench.walk

Plumbing is left out, and counted apart: HTTP and the making of requests and answers, settings, logging and metrics, the
databases, their connections and transactions, leases and the processes around them. Prints `WALK {json}`.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, Final

from shared.runtime import logging
from tests.support.backing import backing_servers
from tests.support.workbench import Workbench, test_settings, workbench

ROOT: Final = Path(__file__).parents[2]
PRODUCT: Final = ("services", "workers", "shared")
PLUMBING: Final = (
    "shared/runtime/", "shared/kernel/", "services/api.py", "services/problems.py", "services/assembly.py",
    "services/gateway/", "workers/process.py", "workers/leases.py", "workers/celery_app.py", "workers/rounds.py",
    "services/scopes.py", "services/memory_center/schemas.py", "services/conversations/schemas.py",
    "shared/outbox/claim.py", "shared/outbox/sql/outbox.py", "shared/outbox/sql/leasing.py",
    "shared/outbox/sql/reaper.py", "shared/outbox/sql/scheduling.py", "shared/outbox/wakeups.py",
    "shared/outbox/job_kinds.py", "shared/stores/breaker.py", "shared/stores/port.py",
    "shared/stores/milvus_client.py", "shared/stores/milvus_opening.py", "shared/stores/mem0_calls.py",
    "shared/stores/mem0_wiring.py", "shared/language/embedding/socket.py", "shared/language/reader/socket.py",
)  # fmt: skip


class Trace:
    """Notes the files of the product whose functions are called, in the order of the first call, while it is on.

    Set before the product is opened: its threads are made then, and each has a profiler of its own.
    """

    def __init__(self) -> None:
        self._entered: dict[str, None] | None = None
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        entered, code = self._entered, frame.f_code
        # What runs while a module is imported, or a class is made, is no step of anything.
        if entered is None or event != "call" or code.co_name in ("<module>", "<lambda>"):
            return
        if code.co_filename.startswith(str(ROOT)):
            path = Path(code.co_filename).relative_to(ROOT).as_posix()
            if path.split("/")[0] in PRODUCT:
                entered.setdefault(path)

    def walked(self, what: Callable[[], None]) -> dict[str, list[str]]:
        """Return the files something enters, those that tell what happens and those that are plumbing."""
        self._entered = entered = dict[str, None]()
        what()
        self._entered = None
        plumbing = [path for path in entered if path.startswith(PLUMBING)]
        return {"files": [path for path in entered if path not in plumbing], "plumbing": plumbing}


def learning(trace: Trace, bench: Workbench) -> dict[str, list[str]]:
    """Return what learning one sentence walks through, from the request that records it to the visible memory."""
    person = bench.person()
    conversation = person.conversation()

    def learn() -> None:
        person.say(conversation, ("I'm allergic to peanuts.", "Noted."))
        bench.work()

    found = trace.walked(learn)
    assert person.memories()
    return found


def forgetting(trace: Trace, bench: Workbench) -> dict[str, list[str]]:
    """Return what a forget walks through, from its request to the receipt."""
    person = bench.person()
    [(message, _)] = person.say(person.conversation(), ("I'm allergic to peanuts.", "Noted."))
    bench.work()
    operation = ""

    def forget() -> None:
        nonlocal operation
        operation = person.forget("message", message_id=message)
        bench.work()
        receipt = person.operation(operation)["receipt_id"]
        assert bench.api.get(f"/api/v1/receipts/{receipt}").status_code == 200

    found = trace.walked(forget)
    assert person.operation(operation)["status"] == "succeeded"
    return found


def main() -> None:
    logging.configure("error", "walk")
    trace = Trace()
    with (
        tempfile.TemporaryDirectory(prefix="memory-center-walk-", ignore_cleanup_errors=True) as folder,
        backing_servers(Path(folder)) as servers,
        servers.cloned_database() as url,
        workbench(test_settings(servers, url)) as bench,
    ):
        learning(trace, bench)  # opens connections, loads what is loaded once
        walks = {"learning one sentence": learning(trace, bench), "a forget": forgetting(trace, bench)}
    for what, found in walks.items():
        print(f"{what}: {len(found['files'])} files, plumbing aside ({len(found['plumbing'])})")
        print("\n".join(f"  {path}" for path in found["files"]))
    print(
        "WALK "
        + json.dumps({what: {name: len(paths) for name, paths in found.items()} for what, found in walks.items()})
    )


if __name__ == "__main__":
    main()
