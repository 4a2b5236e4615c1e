"""What describing what to forget or correct costs, by how much was said; prints a table and writes a page.

    python -m tests.bench.describing [--quick]

Processor time in this process: of the words that are looked for, of which a search may use 2 seconds, and of the
reader, which in the product is asked in the embedder's process.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from services.memory_center.correcting import READ_MAX
from shared.language.corrections import to_correct
from shared.language.descriptions import Description, Said
from shared.language.meaning import meant_of
from tests.bench.report import machine
from tests.evaluation.bundled import bundled

PAGE: Final = Path(__file__).parents[2] / "docs" / "benchmarks-describing.md"
SIZES: Final = (1_000, 2_000, 4_000, 8_000, 16_000, 32_000)
NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
RUNS: Final = 2
"""Of each measurement; the quickest counts: the machine has other work."""
UNIT: Final = 200
"""Characters of a memory, where a text is given as memories."""

TERMS: Final = "everything about " + ", ".join(
    f"{name} {thing}"
    for name, thing in zip(
        ("Anna", "Frank", "Mia", "Hamid", "Lena", "Boris", "Carla", "Dmitri", "Elif", "Goran"),
        ("wedding", "allergy", "marathon", "mortgage", "puppy", "divorce", "surgery", "pottery", "visa", "tattoo"),
        strict=True,
    )
)
"""Twenty terms, the most there may be."""
TERMS_ZH: Final = "关于" + "、".join(
    "小雨 婚礼 花生 马拉松 房贷 小狗 离婚 手术 陶艺 签证 纹身 阿杰 老庞 面试 体检 搬家 钢琴 护照".split()
)


def _cycled(pattern: str, size: int) -> str:
    """Return a text of many different sentences; `#` stands for a number, which makes each one new."""
    pieces: list[str] = []
    length = place = 0
    while length < size:
        pieces.append(pattern.replace("#", str(place)))
        length += len(pieces[-1])
        place += 1
    return "".join(pieces)[:size]


TEXTS: Final[dict[str, Callable[[int], str]]] = {
    "English": lambda n: _cycled(
        "My sister Anna has # dogs, and she walks them on Sundays. I cook pasta with Frank. ", n
    ),
    "Chinese": lambda n: _cycled("我妹妹小雨有#只狗,她每天带它们去公园。我和阿杰周末一起做饭。", n),
    "without a full stop": lambda n: _cycled("Frank my boss and I said # it was fine, ", n),
    "Chinese without a mark": lambda n: _cycled("我姐姐小雨喜欢跑步然后回家吃饭", n),
    "only names": lambda n: _cycled("Anna Frank Mia Xavier# ", n),
    "only introductions": lambda n: _cycled("My friend Xavier# is called Bob#, my boss is Carl#. ", n),
    "only pronouns": lambda n: _cycled("Frank#. She is. He has it. ", n),
    "one word": lambda n: "A" * n,
    "only spaces": lambda n: "Frank" + " " * (n - 10) + "Frank",
    "only marks": lambda n: _cycled(",", n),
    "one identifier again and again": lambda n: _cycled("AB-1234 ", n),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write the page unless it was quick."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="small sizes, no page")
    chosen = options.parse_args(arguments)
    sizes = SIZES[:3] if chosen.quick else SIZES
    load = os.getloadavg()[0]
    _look(TERMS, TEXTS["English"](1_000))  # loads the dictionaries
    lines = list(_table(sizes))
    print("\n".join(lines))
    if not chosen.quick:
        PAGE.write_text(_page(lines, load), encoding="utf-8")


def _table(sizes: Sequence[int]) -> Iterator[str]:
    yield f"| what | {' | '.join(f'{size:,}' for size in sizes)} | growth, {sizes[-1] // sizes[0]} is in proportion |"
    yield "|---" * (len(sizes) + 2) + "|"
    for what, measure in (("look for words", _look), ("read a message", _read), ("correct", _correct)):
        for name, text in TEXTS.items():
            about = TERMS_ZH if "Chinese" in name else TERMS
            yield _row(f"{what}: {name}", sizes, [_seconds(measure, about, text(size)) for size in sizes])


def _row(what: str, sizes: Sequence[int], seconds: Sequence[float]) -> str:
    growth = seconds[-1] / seconds[0]
    return f"| {what} | {' | '.join(f'{one * 1000:.1f}' for one in seconds)} | {growth:.1f} |"


def _seconds(measure: Callable[[str, str], None], about: str, text: str) -> float:
    return min(_once(measure, about, text) for _ in range(RUNS))


def _once(measure: Callable[[str, str], None], about: str, text: str) -> float:
    begun = time.process_time()
    measure(about, text)
    return time.process_time() - begun


def _look(about: str, text: str) -> None:
    Description(about, NOW).share(text)


def _read(about: str, text: str) -> None:
    meant_of(Description(about, NOW), [Said(text=text, at=NOW)], bundled())


def _correct(about: str, text: str) -> None:
    memories = [text[start : start + UNIT] for start in range(0, len(text), UNIT)][:READ_MAX]
    to_correct(about, "My sister Anna has one dog.", memories, bundled())


def _page(lines: Sequence[str], load: float) -> str:
    return "\n".join(
        [
            "# Benchmark: describing what to forget or correct",
            "",
            "`make bench-describing` measured this and wrote this page; do not edit it. One run, one machine.",
            "",
            machine(load),
            "",
            "Milliseconds of processor time by the characters of what is read: one message, or for `correct`",
            f"memories of {UNIT} characters each. The description names as many things as it may, 20 (18 in Chinese).",
            "Words are looked for in all a person said, for 2,000 ms at most (503 `took_too_long`); the reader, in the",
            "embedder's process, is shown the pieces that hold some, of 100 memories and 100 turns, and 60 memories of",
            "a correction.",
            "",
            *lines,
            "",
        ]
    )


if __name__ == "__main__":
    main()
