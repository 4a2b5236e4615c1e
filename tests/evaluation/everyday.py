"""What is remembered of sixty everyday chats, and what careful readers say of it: useful, harmless, embarrassing.

    python -m tests.evaluation.everyday                the shares
    python -m tests.evaluation.everyday --write FILE   every memory beside its chat, to be judged

Two authors wrote the chats without a thought of memory. Verdicts are in `data/everyday`, by chat and text, of two
readers; a memory nobody judged yet is counted as such.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Final

from shared.language.candidates import Utterance
from shared.language.extraction import ReaderExtractor
from tests.evaluation.authors import DATA, Session
from tests.evaluation.bundled import bundled
from tests.evaluation.natural import verdicts_in
from tests.evaluation.scoring import share

FOLDER: Final = DATA / "everyday"
AUTHORS: Final = ("mango", "neem")
VERDICTS: Final = ("verdicts.txt", "verdicts_second.txt")
"""Of two readers who did not know of each other."""


def chats() -> list[Session]:
    """Return all chats."""
    found: list[Session] = []
    for author in AUTHORS:
        for line in filter(str.strip, (FOLDER / f"{author}.txt").read_text(encoding="utf-8").splitlines()):
            if line.startswith("==="):
                language, _, register = line.removeprefix("=== ").partition(" | ")
                name = f"{author}-{sum(one.author == author for one in found) + 1}"
                found.append(Session(id=name, author=author, language=language, register=register))
            else:
                role = "user" if line[0] == "u" else "assistant"
                found[-1].turns.append((role, line[2:].strip().replace("⏎", "\n")))
    return found


def remembered(chat: Session, extractor: ReaderExtractor) -> list[str]:
    """Return what would be remembered of a chat, each thing once."""
    found: list[str] = []
    for place, (role, text) in enumerate(chat.turns):
        if role == "user":
            found += [
                one.text for one in extractor.extract([Utterance(role="user", text=text)], before=chat.turns[:place])
            ]
    return list(dict.fromkeys(one.replace("\n", "⏎") for one in found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    extractor, known = ReaderExtractor(bundled()), [verdicts_in(FOLDER / name) for name in VERDICTS]
    counts: list[Counter[str]] = [Counter() for _ in known]
    lines: list[str] = []
    for chat in chats():
        texts = remembered(chat, extractor)
        for verdicts, count in zip(known, counts, strict=True):
            count.update(verdicts.get((chat.id, text), "not judged") for text in texts)
        lines += [f"\n=== {chat.id} | {chat.language}"]
        lines += [f"{'PERSON' if role == 'user' else 'assistant'}: {text!r}" for role, text in chat.turns]
        lines += [f"{chat.id} | ? | {text}" for text in texts]
    if given.write is not None:
        given.write.write_text("\n".join(lines), encoding="utf-8")
    shares = [
        {name: round(share(number, count.total()), 3) for name, number in sorted(count.items())} for count in counts
    ]
    print("EVAL_EVERYDAY " + json.dumps({"chats": len(chats()), "memories": counts[0].total(), "verdicts": shares}))


if __name__ == "__main__":
    main()
