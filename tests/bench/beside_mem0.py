"""Forgetting a person with 2,000 memories, beside mem0's `delete_all` for as many, on the same Milvus."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deploy.embedded.processes import last_lines
from tests.bench.corpus import Corpus, Size
from tests.bench.installation import REPOSITORY, Installation, Milvus
from tests.bench.measuring import median, say, significant

MEMORIES = 2_000
OTHERS = 10
"""Other people with as much each: 20,000 rows of theirs in every collection, besides those whose turn comes later."""


@dataclass(frozen=True, slots=True)
class Mem0:
    """Stock mem0 in a process of its own."""

    process: subprocess.Popen[str]

    def ask(self, command: str, *arguments: Any) -> Any:
        """Run one command there and return its answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([command, *arguments]) + "\n")
        self.process.stdin.flush()
        return self.answer()

    def answer(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("stock mem0 ended")
        return json.loads(line)


@contextmanager
def mem0(milvus: Milvus, directory: Path, module: str = "tests.bench.peers.mem0_stock") -> Iterator[Mem0]:
    """Start stock mem0 on a Milvus; `module` answers for it."""
    home = directory / f"mem0-{milvus.flavour}"
    home.mkdir()
    command = [sys.executable, "-m", module]
    command += [milvus.uri, milvus.token, str(home), milvus.flavour]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "MEM0_DIR": str(home), "MEM0_TELEMETRY": "False"}
    with (home / "mem0.log").open("wb") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=environment,
            cwd=REPOSITORY,
        )
    try:
        peer = Mem0(process)
        assert peer.answer() == "ready"
        yield peer
    except Exception:
        say("\n  ".join(["the end of mem0.log:", *last_lines(home / "mem0.log")]))
        raise
    finally:
        process.terminate()
        process.wait(30)


def measure(installation: Installation, corpus: Corpus, directory: Path, *, runs: int, quick: bool) -> dict[str, Any]:
    """Load both sides alike, then forget one person here and one there, by turns."""
    memories = MEMORIES // (10 if quick else 1)
    size = Size(turns=memories, episodes=memories, memories=memories)
    with mem0(installation.milvus, directory) as peer:
        say("loading both sides")
        people = corpus.people(runs, size)
        corpus.others(OTHERS, size)
        for person in people:
            peer.ask("load", person.user_id, memories)
        for number in range(OTHERS):
            peer.ask("load", f"other-{number}", memories)
        corpus.settle()
        peer.ask("settle")
        ours: list[float] = []
        theirs: list[float] = []
        for run, person in enumerate(people):
            ours.append(forget_user(installation, person.user_id))
            answer = peer.ask("delete_all", person.user_id)
            theirs.append(float(answer["seconds"]))
            if answer["raised"] or answer["left"]:
                raise RuntimeError(f"mem0 left {answer['left']} rows on Milvus Lite ({answer['raised']})")
            say(f"forget a user, run {run + 1}: ours {ours[-1]:.3f} s, mem0 {theirs[-1]:.3f} s")
    return {
        "forget_user_vs_mem0": significant(median(theirs) / median(ours), 3),
        "forget_user_s": {"ours": significant(median(ours)), "mem0": significant(median(theirs))},
        "forget_user_how": {
            "memories": memories,
            "episodes": memories,
            "others": OTHERS * memories,
            "runs": runs,
        },
    }


def forget_user(installation: Installation, user_id: str) -> float:
    """Forget a person; return the seconds from the request to `succeeded`."""
    with installation.caller(user_id) as caller:
        caller.call("GET", "/livez")  # the connection is there already, as a backend's is
        began = time.monotonic()
        op_id = caller.forget_user()
        installation.finished(op_id)
        took = time.monotonic() - began
        status, shown = caller.call("GET", f"/api/v1/memory/ops/{op_id}")
        assert (status, shown["status"]) == (200, "succeeded"), shown
    return took


def left_on_server(milvus: Milvus, directory: Path, *, quick: bool) -> dict[str, Any]:
    """Let mem0 delete a person on a real server, where reads are bounded; report what a strong read still finds."""
    memories = MEMORIES // (10 if quick else 1)
    with mem0(milvus, directory) as peer:
        peer.ask("load", "ada", memories)
        peer.ask("settle")
        answer = peer.ask("delete_all", "ada")
    say(f"mem0 on a server: {answer}")
    return {"mem0_server_left": {**answer, "seconds": significant(answer["seconds"]), "of": memories}}
