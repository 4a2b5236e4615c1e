"""Reads the words of an answer as it passes by; what passes is not changed."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Final

READ_MAX: Final = 4_000_000
"""Bytes of a document, or of one line of a stream, that are read for their words."""
SAID_MAX: Final = 320_000
"""Characters of an answer that are kept at most."""
_LINE_END: Final = re.compile(rb"\r\n|\n|\r")


class Words(ABC):
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
            self.read(_document(rest))
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
        self.hear(_document(data))

    @abstractmethod
    def read(self, document: Mapping[str, Any]) -> None:
        """Read a whole answer."""

    @abstractmethod
    def hear(self, event: Mapping[str, Any]) -> None:
        """Read an event of a stream."""

    def add(self, text: Any) -> None:
        """Keep something that was said."""
        if isinstance(text, str) and self._characters < SAID_MAX:
            self._said.append(text)
            self._characters += len(text)


class ChatWords(Words):
    """The words of a chat completion: of its first choice."""

    def read(self, document: Mapping[str, Any]) -> None:
        for choice in _dicts(document.get("choices"))[:1]:
            self.add(_dict(choice.get("message")).get("content"))
            self.complete = True

    def hear(self, event: Mapping[str, Any]) -> None:
        for choice in _dicts(event.get("choices")):
            if choice.get("index", 0) == 0:
                self.add(_dict(choice.get("delta")).get("content"))
                self.complete |= choice.get("finish_reason") is not None


class ResponseWords(Words):
    """The words of a response: the text of its messages."""

    def read(self, document: Mapping[str, Any]) -> None:
        for item in _dicts(document.get("output")):
            for part in _dicts(item.get("content")) if item.get("type") == "message" else []:
                self.add(part.get("text") if part.get("type") == "output_text" else None)
        self.complete = document.get("status") == "completed"

    def hear(self, event: Mapping[str, Any]) -> None:
        if event.get("type") == "response.output_text.delta":
            self.add(event.get("delta"))
        self.complete |= event.get("type") == "response.completed"


def _document(data: bytes) -> Mapping[str, Any]:
    try:
        return _dict(json.loads(data))
    except (ValueError, RecursionError):
        return {}


def _dict(found: Any) -> Mapping[str, Any]:
    return found if isinstance(found, dict) else {}


def _dicts(found: Any) -> list[dict[str, Any]]:
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
