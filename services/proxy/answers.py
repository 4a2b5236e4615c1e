"""Reads the words of an answer as it passes by; what passes is not changed."""

from __future__ import annotations

import json
import re
from typing import Any, Final

READ_MAX: Final = 4_000_000
"""Bytes of a document, or of one line of a stream, that are read for their words."""
SAID_MAX: Final = 40_000
"""Characters of an answer that are kept at most."""
_LINE_END: Final = re.compile(rb"\r\n|\n|\r")


class Words:
    """Collects what an assistant says, from a stream of events or from one document."""

    def __init__(self, *, streamed: bool) -> None:
        self._streamed = streamed
        self._held: list[bytes] = []
        """The beginning of a line, or of the document."""
        self._size = 0
        self._said: list[str] = []
        self._characters = 0
        self.complete = False
        """Whether the answer came to its end."""

    def see(self, chunk: bytes) -> None:
        """Look at bytes that pass by."""
        if not self._streamed:
            self._hold(chunk)
            return
        first, *lines = _LINE_END.split(chunk)
        self._hold(first)
        for line in lines:
            self._see_line(self._taken())
            self._hold(line)

    def end(self) -> str:
        """Return all that was said."""
        rest = self._taken()
        if self._streamed:
            self._see_line(rest)
        else:
            for choice in _choices(_document(rest))[:1]:
                self._add(choice.get("message"))
                self.complete = True
        return "".join(self._said)

    def _hold(self, piece: bytes) -> None:
        if self._size <= READ_MAX:
            self._held.append(piece)
            self._size += len(piece)

    def _taken(self) -> bytes:
        line = b"".join(self._held) if self._size <= READ_MAX else b""
        self._held, self._size = [], 0
        return line

    def _see_line(self, line: bytes) -> None:
        if not line.startswith(b"data:"):
            return
        data = line.removeprefix(b"data:").strip()
        if data == b"[DONE]":
            self.complete = True
            return
        for choice in _choices(_document(data)):
            if choice.get("index", 0) == 0:
                self._add(choice.get("delta"))
                self.complete |= choice.get("finish_reason") is not None

    def _add(self, part: Any) -> None:
        content = part.get("content") if isinstance(part, dict) else None
        if isinstance(content, str) and self._characters < SAID_MAX:
            self._said.append(content)
            self._characters += len(content)


def _document(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _choices(document: Any) -> list[dict[str, Any]]:
    choices = document.get("choices") if isinstance(document, dict) else None
    return [one for one in choices if isinstance(one, dict)] if isinstance(choices, list) else []
