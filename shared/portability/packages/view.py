"""The human-readable view of a package: Markdown in the person's language; their texts are escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from shared.portability.packages.records import Conversation, Memory, Message, Receipt, Summary, SwitchStates
from shared.portability.packages.words import WORDS, Words

_PUNCTUATION: Final = re.compile(r"([!-/:-@\[-`{-~])")
"""ASCII punctuation. CommonMark shows any of it literally after a backslash; this also disables HTML and links."""
_CONTROLS: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]")
"""Characters that could reorder or hide neighbouring text."""


def escaped(text: str) -> str:
    """Return text as one line of Markdown that is displayed literally."""
    return _PUNCTUATION.sub(r"\\\1", _CONTROLS.sub("�", text)).replace("\n", " ").strip()


def quoted(text: str) -> str:
    """Return text as a block quote that keeps its lines."""
    lines = text.replace("\r\n", "\n").replace("\t", " ").split("\n")
    return "\\\n".join(f"> {escaped(one)}" for one in lines) + "\n"


class View:
    """Writes the parts of the view as text.

    Args:
        language: of the headings.
    """

    def __init__(self, language: str) -> None:
        self.words: Words = WORDS[language]

    def beginning(self, scope: str, *, alone: bool) -> str:
        """Return the heading.

        Args:
            alone: whether the view is the only file.
        """
        introduction = self.words.introduction_alone if alone else self.words.introduction
        return f"# {self.words.title[scope]}\n\n{introduction}\n"

    def settings(self, switches: SwitchStates) -> str:
        lines = [f"- {label}: {self._state(getattr(switches, name))}" for name, label in self.words.switches.items()]
        return f"\n## {self.words.settings}\n\n" + "\n".join(lines) + "\n"

    def memories(self, memories: Iterator[Memory]) -> Iterator[str]:
        """Yield every memory with its sources."""
        yield f"\n## {self.words.memories}\n"
        anything = False
        for memory in memories:
            anything = True
            marks = [self.words.types.get(memory.content_type, escaped(memory.content_type))]
            if memory.validity != "active":
                marks.append(self.words.validities[memory.validity])
            marks += [word for name, word in self.words.marks.items() if getattr(memory, name)]
            yield f"\n- **{escaped(memory.content)}** ({self.words.comma.join(marks)})\n"
            for source in memory.provenance:
                where = self.words.said_on.format(time=_time(source.spoken_at))
                yield f"  - {where}" + (f": {escaped(source.quote)}\n" if source.quote else "\n")
        if not anything:
            yield f"\n{self.words.nothing}\n"

    def conversations(self) -> str:
        return f"\n## {self.words.conversations}\n"

    def conversation(self, conversation: Conversation) -> str:
        title = escaped(conversation.title) if conversation.title else self.words.untitled
        began = self.words.began.format(time=_time(conversation.created_at))
        return f"\n### {title}\n\n{began}\n" + ("" if conversation.remember else f"\n{self.words.excluded}\n")

    def summary(self, summary: Summary) -> str:
        return f"\n**{self.words.summary}**\n\n{quoted(summary.text)}"

    def message(self, message: Message) -> str:
        who = self.words.roles[message.role] + (f" {escaped(message.name)}" if message.name else "")
        return f"\n**{who}** · {_time(message.spoken_at)}\n\n{quoted(message.content)}"

    def receipts(self, receipts: Iterator[Receipt]) -> Iterator[str]:
        """Yield the receipts of earlier forgets, which never contain what was forgotten."""
        began = False
        for receipt in receipts:
            if not began:
                yield f"\n## {self.words.receipts}\n\n"
            began = True
            when = _time(receipt.unrecallable_at) if receipt.unrecallable_at else "–"
            what = self.words.forgets.get(receipt.scope, escaped(receipt.scope))
            yield f"- {when} · {what} · `{receipt.receipt_id}`\n"

    def _state(self, value: bool | int | str | None) -> str:  # noqa: FBT001 # a switch's value
        if isinstance(value, bool):
            return self.words.on if value else self.words.off
        return "–" if value is None else escaped(str(value))


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"
