"""Code blocks of the documentation: found in the Markdown, played in a shell, and compared with what they promise.

A block of `sh` is played line by line. Lines of comments below a command are what it prints; a remark behind it, after
two spaces, may say `a moment later` (it is asked again until the answer is as shown) or `exit code 5`. A block of
`python` is run as a script, one of `json` is parsed. Any other block has a comment of one line right above it, which
only readers of the source see:

    <!-- not played: why it cannot be -->
    <!-- output of: make run -->           the test that runs this compares the block
    <!-- compared by: tests/….py -->       that test does
"""

from __future__ import annotations

import json
import os
import re
import select
import shlex
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

ROOT: Final = Path(__file__).parents[2]
PLAYED: Final = frozenset({"sh", "python", "json"})
SOON_SECONDS: Final = 30.0
COMMAND_SECONDS: Final = 90.0

_FENCE: Final = re.compile(r"^( *)```(\w*) *$")
_MARK: Final = re.compile(r"^ *<!-- (not played|output of|compared by): (.+) -->$")
_REMARK: Final = re.compile(r"  #\s+(.*)$")
_EXIT: Final = re.compile(r"exit code (\d+)")
_END: Final = "\x1e"
_ANSI: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_MASKED: Final = {
    "TIME": r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?",
    "KEY": r"\b[0-9a-f]{64}\b|\bkey (?:[0-9a-f]{4} )+…|\bkey (?:[0-9a-f]{4} ?){4,}",
    "SIZE": r"\b\d+(?:\.\d+)? (?:B|KiB|MiB|GiB|ms|s)\b",
    "ADDRESS": r"http://127\.0\.0\.1:\d+",
    "ROWS": r"\b\d+ (?:rows\b|→ 0)",
    "ANSWERS": r"\b\d+ of the API's \d+ answers\b",
    "ENTRY": r"\bentry \d+",
}
"""What differs from run to run, by what takes its place."""
_ID: Final = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-(?:…|[0-9a-f-]{22}\b)|\b(?=[a-f]*\d)[0-9a-f]{8}\b(?!-)")
"""An id in a document: whole, its beginning and `…`, or short."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a document.

    Args:
        line: of its opening fence, from 1.
        mark: `not played`, `output of`, `compared by`, or empty; `why` is what follows it.
    """

    document: Path
    line: int
    language: str
    text: str
    mark: str
    why: str

    def __str__(self) -> str:
        return f"{self.document.relative_to(ROOT)}:{self.line}"

    @property
    def fault(self) -> str | None:
        """What is wrong with how it is marked; None when nothing is."""
        if self.mark == "not played":
            return None if len(self.why.split()) > 1 else f"{self}: says in a word why it is not played"
        if self.mark == "compared by":
            test = ROOT / self.why
            is_compared = test.is_file() and self.document.name in test.read_text(encoding="utf-8")
            return None if is_compared else f"{self}: {self.why} does not read {self.document.name}"
        if self.mark == "output of":
            return None if self.why in ("make run", "make demo") else f"{self}: nobody records the output of {self.why}"
        return None if self.language in PLAYED else f"{self}: neither played nor marked with the reason why not"


@dataclass(frozen=True, slots=True)
class Step:
    """A command, and what it prints.

    Args:
        shown: None where the document does not show it.
        soon: whether that may take a moment.
    """

    command: str
    shown: str | None
    soon: bool
    exit_code: int


def documents() -> list[Path]:
    """Return the documents whose blocks are played."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(document: Path) -> list[Block]:
    """Return the blocks of a document, in order."""
    found: list[Block] = []
    lines = document.read_text(encoding="utf-8").splitlines()
    at = 0
    while at < len(lines):
        opened = _FENCE.match(lines[at])
        if opened is None:
            at += 1
            continue
        indent = len(opened[1])
        mark = _MARK.match(lines[at - 1]) if at else None
        end = next(n for n in range(at + 1, len(lines)) if lines[n].strip() == "```")
        text = "\n".join(line[indent:] for line in lines[at + 1 : end])
        found.append(Block(document, at + 1, opened[2], text, mark[1] if mark else "", mark[2] if mark else ""))
        at = end + 1
    return found


def steps(text: str) -> Iterator[Step]:
    """Yield the commands of a block of `sh` with what is shown below them."""
    command, shown = "", list[str]()
    for line in [*text.splitlines(), ""]:
        is_whole = not command or _is_whole(command)
        if is_whole and command and line.startswith("#"):
            shown.append(line.removeprefix("#").removeprefix(" "))
        elif is_whole:
            if command:
                yield _step(command, shown)
            command, shown = ("" if line.startswith("#") else line.strip()), []
        else:
            command += f"\n{line}"


def _is_whole(command: str) -> bool:
    try:
        shlex.split(command, comments=True)
    except ValueError:  # a quotation goes on
        return False
    return not command.endswith("\\")


def _step(command: str, shown: list[str]) -> Step:
    remark = found[1] if (found := _REMARK.search(command)) else ""
    code = int(found[1]) if (found := _EXIT.search(remark)) else 0
    return Step(command, "\n".join(shown) if shown else None, "a moment later" in remark, code)


def ids_if_as_shown(shown: str, printed: str, known: Mapping[str, str]) -> dict[str, str] | None:
    """Compare what a command printed with what is shown, where `…` stands for anything.

    Spaces do not count, nor what differs each time. An id of the document stands for one of the product, everywhere
    for the same.

    Args:
        known: ids of the document → ids of the product.

    Returns:
        The ids with those that this shows first; None where something else was printed.
    """
    new: dict[str, str] = {}  # id of the document → name of its group

    def pattern_of(id_: str) -> str:
        if id_ in known:
            return re.escape(known[id_])
        if id_ in new:
            return f"(?P={new[id_]})"
        new[id_] = f"id{len(new)}"
        return f"(?P<{new[id_]}>{'[0-9a-f-]{36}' if '-' in id_ else '[0-9a-f]{8}'})"

    pattern, at = "", 0
    for found in _ID.finditer(shown):
        pattern += _pattern(shown[at : found.start()]) + pattern_of(found[0])
        at = found.end()
    matched = re.fullmatch(pattern + _pattern(shown[at:]), _masked(printed), re.DOTALL)
    return {**known, **{id_: matched[group] for id_, group in new.items()}} if matched else None


def untrue(command: str, printed: str) -> list[str]:
    """Return where the documents show output of a command that it did not print; at least one must show some."""
    shown = [one for path in documents() for one in blocks(path) if (one.mark, one.why) == ("output of", command)]
    assert shown, f"no document shows the output of {command}"
    return [str(one) for one in shown if ids_if_as_shown(f"…{one.text}…", printed, {}) is None]


def _pattern(shown: str) -> str:
    return ".*?".join(re.escape(part) for part in _masked(shown).split("…"))


def _masked(text: str) -> str:
    text = _ANSI.sub("", text)
    for name, pattern in _MASKED.items():
        text = re.sub(pattern, f"<{name}>", text)
    return "".join(text.split())


class Shell:
    """A bash that plays commands one after the other, and keeps what they set.

    Args:
        folder: where it stands; its home too.
        environment: beside what every shell has.
        address: what takes the place of the address in the documents.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str], *, address: str) -> None:
        self._address = address
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("MEMORY_CENTER_", "MAKE"))}
        looks = {"LC_ALL": "C.UTF-8", "FORCE_COLOR": "1", "NO_COLOR": "1", "COLUMNS": "110"}  # tables, as at a terminal
        self._bash = subprocess.Popen(
            ["/bin/bash", "--norc"],
            cwd=folder,
            env={**kept, **looks, "HOME": str(folder), **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self._ids: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._bash.kill()
        self._bash.communicate()

    def play(self, block: Block) -> None:
        """Play a block; what is not as the document says fails, naming the place."""
        if block.language == "json":
            json.loads(block.text)
        elif block.language == "python":
            code, printed = self.run(f".venv/bin/python - <<'END_OF_SCRIPT'\n{block.text}\nEND_OF_SCRIPT")
            assert code == 0, f"{block}: {printed}"
        else:
            for step in steps(block.text):
                self._play(block, step)

    def _play(self, block: Block, step: Step) -> None:
        deadline = time.monotonic() + (SOON_SECONDS if step.soon else 0)
        command = _ID.sub(lambda found: self._ids.get(found[0], found[0]), step.command)
        while True:
            code, printed = self.run(command)
            ids = ids_if_as_shown("…" if step.shown is None else step.shown, printed, self._ids)
            is_right = code == step.exit_code and ids is not None
            if is_right or time.monotonic() > deadline:
                break
            time.sleep(0.1)
        ended = f"exit code {code}, the document says {step.exit_code}"
        assert is_right, f"{block}\n{command}\n{ended}\nprinted:\n{printed}\nthe document says:\n{step.shown}"
        self._ids = ids or {}

    def run(self, command: str) -> tuple[int, str]:
        """Run one command; return its exit code and all it printed."""
        assert self._bash.stdin
        command = command.replace("http://127.0.0.1:8765", self._address)
        self._bash.stdin.write(f"{{ {command}\n}} </dev/null\nprintf '\\036%s\\036' $?\n".encode())
        self._bash.stdin.flush()
        printed = self._read()
        text, _, code = printed.removesuffix(_END).rpartition(_END)
        return int(code), text

    def _read(self) -> str:
        assert self._bash.stdout
        deadline, read = time.monotonic() + COMMAND_SECONDS, b""
        while read.count(_END.encode()) < 2:  # one on each side of the exit code
            assert time.monotonic() < deadline, f"no end after {COMMAND_SECONDS:.0f} s: {read.decode(errors='replace')}"
            if select.select([self._bash.stdout], [], [], 0.2)[0]:
                chunk = os.read(self._bash.stdout.fileno(), 65536)
                assert chunk, f"bash ended: {read.decode(errors='replace')}"
                read += chunk
        return read.decode()
