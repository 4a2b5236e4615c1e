"""How much of people's weeks is remembered, and how much that should not be: natural histories on the real parts.

    python -m tests.evaluation.histories [--write FILE]

Each history is a person of their own whose conversations are recorded and learned from, day after day. Then: of what a
careful reader would keep, the share that stands in a memory in force; what must never be remembered, and what is no
longer true, that does; of what later questions need, the share that a search brings among its first ten.
`--write` puts every memory in force into a file, to be judged by a reader; `data/histories/verdicts.txt` has what one
said of each (useful, harmless, wrong), by person and text: the share that is not wrong is the precision.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from shared.runtime import logging
from tests.evaluation.by_author import share
from tests.evaluation.natural import HISTORIES, History, histories, verdicts_in
from tests.support.backing import backing_servers
from tests.support.workbench import Person, Workbench, test_settings, workbench

FIRST = 10


def play(bench: Workbench, history: History) -> Person:
    """Let a person live through their weeks."""
    person = bench.person(history.name)
    for day, turns in history.days:
        conversation = person.conversation(title=day)
        at = datetime.fromisoformat(f"{day}T12:00:00+00:00")
        said: list[dict[str, Any]] = []
        for number, (role, text) in enumerate(turns):
            said.append({"role": role, "content": text, "spoken_at": (at + timedelta(minutes=number)).isoformat()})
            if role == "assistant":
                person.post("/api/v1/messages", {"conversation_id": conversation, "messages": said})
                said = []
        if said:
            person.post("/api/v1/messages", {"conversation_id": conversation, "messages": said})
        path = f"/api/v1/conversations/{conversation}/session-end"
        assert bench.api.post(path, headers=person.headers).status_code == 200
        bench.work()
    return person


def holds(text: str, keys: list[list[str]]) -> bool:
    """Return whether a text has one alternative of each key."""
    folded = text.casefold()
    return all(any(one.casefold() in folded for one in alternatives) for alternatives in keys)


def judge(person: Person, history: History) -> dict[str, Any]:
    """Return the counts of one history."""
    memories = person.get("/api/v1/memory/long_term", validity="active", limit=200)
    texts = [memory["content"] for memory in memories]
    kept = [any(holds(text, keys) for text in texts) for _, _, keys in history.keep]
    safe = [found for found, (kind, _, _) in zip(kept, history.keep, strict=True) if kind.endswith("!")]
    brought: list[bool] = []
    for question, keys in history.ask:
        answer = person.post("/api/v1/memory/search", {"query": question, "limit": FIRST}, status=200)
        given = [one["content"] for one in answer["items"][:FIRST]]
        brought += [any(holds(text, [key]) for text in given) for key in keys]
    return {
        "memories": len(texts),
        "keep": [sum(kept), len(kept)],
        "safety": [sum(safe), len(safe)],
        "never": sum(any(holds(text, keys) for text in texts) for _, keys in history.never),
        "gone": sum(any(holds(text, keys) for text in texts) for _, keys in history.gone),
        "ask": [sum(brought), len(brought)],
        "texts": [text.replace("\n", "⏎") for text in texts],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, help="every person's weeks, and each memory with a place for a verdict")
    given = parser.parse_args()
    logging.configure("error", "evaluation")
    total: dict[str, Any] = {}
    known, verdicts, lines = verdicts_in(HISTORIES / "verdicts.txt"), Counter[str](), list[str]()
    with (
        tempfile.TemporaryDirectory(prefix="memory-center-histories-", ignore_cleanup_errors=True) as folder,
        backing_servers(Path(folder)) as servers,
        servers.cloned_database() as url,
        workbench(test_settings(servers, url)) as bench,
    ):
        for history in histories():
            found = judge(play(bench, history), history)
            texts = found.pop("texts")
            verdicts.update(known.get((history.name, text), "not judged") for text in texts)
            print(history.name, json.dumps(found), flush=True)
            lines += [f"\n=== {history.name}"]
            for day, turns in history.days:
                lines += [f"--- {day}", *(f"{role}: {text!r}" for role, text in turns)]
            lines += [f"{history.name} | ? | {text}" for text in texts]
            for key, value in found.items():
                if isinstance(value, list):
                    before = total.get(key, [0, 0])
                    total[key] = [before[0] + value[0], before[1] + value[1]]
                else:
                    total[key] = total.get(key, 0) + value
    shares = {f"{key}_recall": share(*total[key]) for key in ("keep", "safety", "ask")}
    if given.write is not None:
        given.write.write_text("\n".join(lines), encoding="utf-8")
    print("EVAL_HISTORIES " + json.dumps({**total, **shares, "verdicts": verdicts}))


if __name__ == "__main__":
    main()
