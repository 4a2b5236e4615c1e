"""Reads the words of an answer as it passes by; what passes is not changed."""

from __future__ import annotations

import json
from typing import Any, Final

READ_MAX: Final = 4_000_000
"""Bytes of an answer that is not a stream which are read for its words."""


class Words:
    """Collects what an assistant says, from a stream of events or from one document."""

    def __init__(self, *, streamed: bool) -> None:
        self._streamed = streamed
        self._rest = b""
        self._said: list[str] = []
        self.complete = False
        """Whether the answer came to its end."""

    def see(self, chunk: bytes) -> None:
        """Look at bytes that pass by."""
        if len(self._rest) > READ_MAX:
            return
        self._rest += chunk
        if self._streamed:
            *lines, self._rest = self._rest.split(b"\n")
            for line in lines:
                self._see_line(line.strip())

    def end(self) -> str:
        """Return all that was said."""
        if not self._streamed:
            answer = _document(self._rest)
            for choice in _choices(answer)[:1]:
                self._add(choice.get("message"))
                self.complete = True
        return "".join(self._said)

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

    def _add(self, part: Any) -> None:
        content = part.get("content") if isinstance(part, dict) else None
        if isinstance(content, str):
            self._said.append(content)


def _document(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _choices(document: Any) -> list[dict[str, Any]]:
    choices = document.get("choices") if isinstance(document, dict) else None
    return [one for one in choices if isinstance(one, dict)] if isinstance(choices, list) else []
