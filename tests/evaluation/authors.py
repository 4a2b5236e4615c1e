"""Labelled text by independent authors, none of whom saw the product or another's text.

Every author has a folder in `data/authors` with what they wrote: `sessions.txt` (chats with what is worth remembering
of each turn), `pairs.txt` (two statements and how they relate), `forget.txt` (what was said and what somebody asks to
have forgotten or corrected), `questions.txt` (what is remembered of somebody, and which of it their questions need),
`timelines.txt` (what somebody said over months, and what each line does to those before it); of some, `second.txt` says
what another careful reader would keep. `data/histories` holds one person's weeks in each file, by authors who wrote
nothing else. `data/authors/README.md` says how the files are written, and who is only ever tested on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

DATA: Final = Path(__file__).with_name("data")
AUTHORS: Final = DATA / "authors"
TESTED_ONLY: Final = frozenset(
    {
        "campion", "cedar", "edelweiss", "foxglove", "geranium", "ginkgo", "heather", "jacaranda", "kauri", "larkspur",
        "lavender", "quamash", "umbra",
    }
)  # fmt: skip
"""Nothing was ever trained or chosen by what these wrote."""
CHOSEN_BY: Final = frozenset({"erica", "gentian", "hawthorn", "jessamine", "juniper", "saffron", "tamarind"})
"""Nothing was trained on what these wrote; thresholds and versions were chosen by it."""
OURS: Final = "house"
"""What we wrote ourselves: it is only learned from."""
APART: Final = "apart"
"""How two statements relate of which it is only known that they are not the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A piece of a turn worth remembering; `replaces` is the place among its session's of one that holds no more."""

    turn: int
    quote: str
    type: str
    safety: bool
    about: str
    time: str
    wording: str
    replaces: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """A piece of a turn that is sensitive (`label` is its category) or must not be remembered (why)."""

    turn: int
    quote: str
    label: str


@dataclass(slots=True, kw_only=True)
class Session:
    """A chat: (role, text) of each turn, and what a careful reader makes of it."""

    id: str
    author: str
    language: str
    register: str
    turns: list[tuple[str, str]] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)
    never: list[Marked] = field(default_factory=list)
    sensitive: list[Marked] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two statements of one person; `relation` is what the later does to the earlier."""

    id: str
    author: str
    language: str
    relation: str
    family: str
    earlier: str
    later: str


@dataclass(slots=True, kw_only=True)
class Request:
    """What was said, and what its person asks: to forget `asked`, or to correct it to `statement`.

    `go` and `stay` are pieces of what was said: of what must be gone, and of what must still be there.
    """

    id: str
    author: str
    language: str
    family: str
    said: list[str] = field(default_factory=list)
    asked: str = ""
    statement: str | None = None
    go: list[str] = field(default_factory=list)
    stay: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A message, or a note left with feedback, and what it shows of its writer.

    `keys` are behaviors of the catalogue of traits. `form` is told, stated, contrary, feedback or none; `why` says of
    none why it does not count. `context` is work, personal, social, learning or general, None if it is not known.
    `contrary` is the behavior that it shows the contrary of.
    """

    author: str
    language: str
    text: str
    keys: tuple[str, ...]
    form: str
    context: str | None = None
    why: str | None = None
    contrary: str | None = None


@dataclass(slots=True, kw_only=True)
class Asked:
    """What somebody says, and the places of the memories an answer needs, and of those that help a little."""

    question: str
    needs: frozenset[int] = frozenset()
    helps: frozenset[int] = frozenset()


@dataclass(slots=True, kw_only=True)
class Remembered:
    """What is remembered of somebody, and what they ask."""

    author: str
    language: str
    memories: list[str] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)


def authors(file: str) -> list[str]:
    """Return who wrote such a file, in order, and `OURS`."""
    return sorted(folder.name for folder in AUTHORS.iterdir() if (folder / file).is_file())


def sessions(author: str) -> list[Session]:
    """Return an author's sessions."""
    found: list[Session] = []
    for line in lines_of(AUTHORS / author / "sessions.txt"):
        if line.startswith("==="):
            language, _, register = line.removeprefix("=== ").partition(" | ")
            name = f"{author}-s{len(found) + 1}"
            found.append(Session(id=name, author=author, language=language, register=register))
            continue
        session, turn = found[-1], len(found[-1].turns) - 1
        sign, rest = line[:3].rstrip(), line[2:].strip()
        if sign in ("u:", "a:"):
            session.turns.append(("user" if sign == "u:" else "assistant", line[3:].replace("⏎", "\n")))
            continue
        label, quote, *more = (part.strip() for part in rest.split(" | "))
        quote = quote.replace("⏎", "\n")
        if line[0] == "+":
            kind, about, time = label.split()
            before = [one.quote for one in session.kept]
            kept = Kept(
                turn=turn,
                quote=quote,
                type=kind.rstrip("!"),
                safety=kind.endswith("!"),
                about=about,
                time=time,
                wording=more[0],
                replaces=before.index(more[1]) if more[1:] else None,
            )
            session.kept.append(kept)
        else:
            marked = session.never if line[0] == "-" else session.sensitive
            marked.append(Marked(turn=turn, quote=quote, label=label))
    return found


def second(author: str) -> dict[tuple[str, int], list[str]]:
    """Return by (session, turn) what a second careful reader would keep who saw nothing of the author's labels."""
    found: dict[tuple[str, int], list[str]] = {}
    for line in lines_of(AUTHORS / author / "second.txt"):
        labels, _, quote = line.partition(" | ")
        number, turn, _grade, _type = labels.split()
        found.setdefault((f"{author}-s{number}", int(turn)), []).append(quote.replace("⏎", "\n"))
    return found


def pairs(author: str) -> list[Pair]:
    """Return an author's pairs."""
    found: list[Pair] = []
    for line in lines_of(AUTHORS / author / "pairs.txt"):
        labels, earlier, later = (part.strip() for part in line.split(" | "))
        language, relation, family = labels.split()
        one = Pair(
            id=f"{author}-p{len(found) + 1}",
            author=author,
            language=language,
            relation=relation,
            family=family,
            earlier=earlier,
            later=later,
        )
        found.append(one)
    return found


def requests(author: str) -> list[Request]:
    """Return an author's requests to forget and to correct."""
    found: list[Request] = []
    for line in lines_of(AUTHORS / author / "forget.txt"):
        if line.startswith("==="):
            _, language, family = line.split()
            name = f"{author}-f{len(found) + 1}"
            found.append(Request(id=name, author=author, language=language, family=family))
            continue
        key, _, value = line.partition(": ")
        request = found[-1]
        if key == "said":
            request.said.append(value)
        elif key == "forget":
            request.asked = value
        elif key == "correct":
            request.asked, _, request.statement = value.partition(" | ")
        else:
            (request.go if key == "go" else request.stay).append(value)
    return found


def questions(author: str) -> list[Remembered]:
    """Return what an author lets people be remembered for, and ask."""
    found: list[Remembered] = []
    for line in lines_of(AUTHORS / author / "questions.txt"):
        if line.startswith("==="):
            found.append(Remembered(author=author, language=line.removeprefix("=== ").partition(" | ")[0]))
        elif line.startswith("m:"):
            found[-1].memories.append(line[2:].strip())
        elif line.startswith("q:"):
            found[-1].asked.append(Asked(question=line[2:].strip()))
        else:
            places = frozenset(int(number) - 1 for number in line[1:].split())
            asked = found[-1].asked[-1]
            asked.needs, asked.helps = (places, asked.helps) if line[0] == "+" else (asked.needs, places)
    return found


def habits(author: str) -> list[Shown]:
    """Return what an author wrote about behaviors: `none.txt` and, of most, `habits.txt` and `feedback.txt`."""
    found: list[Shown] = []
    key = ""
    told = AUTHORS / author / "habits.txt"
    for line in lines_of(told) if told.exists() else ():
        if line.startswith("# "):
            key = line[2:].strip()
            continue
        (language, context, kind, *more), text = labelled(line)
        others = tuple(one.removeprefix("+") for one in more)
        form = {"p": "told", "s": "stated", "c": "contrary"}[kind]
        found.append(
            Shown(
                author=author,
                language=language,
                text=text,
                keys=others if kind == "c" else (key, *others),
                form=form,
                context="general" if context == "unclear" else context,
                contrary=key if kind == "c" else None,
            )
        )
    notes = AUTHORS / author / "feedback.txt"
    for line in lines_of(notes) if notes.exists() else ():
        (language, _, *keys), text = labelled(line)
        shown = tuple(one.removeprefix("+") for one in keys if one != "none")
        form, why = ("feedback", None) if shown else ("none", "feedback")
        found.append(Shown(author=author, language=language, text=text, keys=shown, form=form, why=why))
    for line in lines_of(AUTHORS / author / "none.txt"):
        (language, why, *_), text = labelled(line)
        found.append(Shown(author=author, language=language, text=text, keys=(), form="none", why=why))
    return found


def labelled(line: str) -> tuple[list[str], str]:
    """Return the labels before the bar, and the text after it."""
    labels, _, text = line.partition("|")
    return labels.split(), text.strip()


def lines_of(path: Path) -> Iterator[str]:
    """Yield the lines of a file that are not blank, without the space around them."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield line.strip()
