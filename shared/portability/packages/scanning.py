"""A JSON document read value by value: of a large one never more is held than its largest single value.

The bytes are looked at as Latin-1, in which each is a character: so places in the text are places in the file, and
what stands in strings, which alone may hold others than ASCII, does not matter for where a value ends.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NoReturn

from shared.portability.packages.archives import CHUNK, Read
from shared.portability.packages.refusals import PackageRefused

_FIRST_CHUNK: Final = 4096
_SPACE: Final = re.compile(r"[ \t\r\n]*+")
BYTES_PER_PART: Final = 16
"""A JSON object or array takes at least this much of what is sent honestly; read, it takes some 60 bytes."""

_NEAR_END: Final = 16
"""So many characters before the end a value may only be cut off: `\\ud83d\\ude0` is, `fals` is."""


class _NotJson(Exception):
    """JSON has no such value; Python would have taken it."""


def _refused(*_anything: object) -> NoReturn:
    raise _NotJson


def _distinct(members: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(members)
    if len(document) != len(members):
        raise _NotJson
    return document


_framing: Final = json.JSONDecoder(parse_constant=_refused)
_strict: Final = json.JSONDecoder(parse_constant=_refused, object_pairs_hook=_distinct)


def parsed(raw: bytes) -> Any:
    """Return what one JSON text says.

    Raises:
        PackageRefused: it is not JSON in UTF-8, names a member twice, or is nested too deeply.
    """
    try:
        return _strict.decode(raw.decode())
    except RecursionError:
        raise PackageRefused("package_record_too_large") from None
    except (ValueError, _NotJson):
        raise PackageRefused("package_malformed") from None


class Scanner:
    """Walks through a JSON document.

    Args:
        read: where it comes from.
        value_bytes: the longest value that `value` takes.

    Every method raises `PackageRefused` where the document is not what was asked for.
    """

    def __init__(self, read: Read, *, value_bytes: int) -> None:
        self._read = read
        self._value_bytes = value_bytes
        self._text = ""
        self._at = 0
        self._before = 0
        self._chunk = _FIRST_CHUNK
        self._ended = False

    def peek(self) -> str:
        """Return the next character that is not space; none at the end."""
        while True:
            if space := _SPACE.match(self._text, self._at):
                self._at = space.end()
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def take(self, *characters: str) -> None:
        """Go past characters that must come next, with any space between them."""
        for character in characters:
            if not self.took(character):
                raise PackageRefused("package_malformed")

    def took(self, character: str) -> bool:
        """Go past a character if it comes next."""
        if self.peek() != character:
            return False
        self._at += 1
        return True

    def place(self) -> int:
        """Return where the next value begins, from where reading began."""
        self.peek()
        return self._before + self._at

    def end(self) -> None:
        """Check that nothing follows."""
        if self.peek():
            raise PackageRefused("package_malformed")

    def key(self) -> str:
        """Return the name of a member and go past its colon."""
        if self.peek() != '"':
            raise PackageRefused("package_malformed")
        name: str = parsed(self.value())
        self.take(":")
        return name

    def members(self) -> Iterator[bytes]:
        """Yield the values of a list, each as it is written."""
        self.take("[")
        if self.took("]"):
            return
        yield self.value()
        while self.took(","):
            yield self.value()
        self.take("]")

    def value(self, most: int | None = None) -> bytes:
        """Return the next value, of any type, as it is written.

        Args:
            most: the longest it may be, if not as usual.
        """
        most = most or self._value_bytes
        self.peek()
        while True:
            end = self._value_end()
            if end is not None and (end < len(self._text) or self._ended):
                break
            held = len(self._text) - self._at
            if held > most:
                raise PackageRefused("package_record_too_large")
            # Twice as much each time: a long value is not looked at too often.
            if not self._more(min(held, most + 1 - held)) and end is None:
                raise PackageRefused("package_malformed")
            self._check_parts(most)
        if end - self._at > most:
            raise PackageRefused("package_record_too_large")
        raw = self._text[self._at : end].encode("latin-1")
        self._at = end
        return raw

    def _value_end(self) -> int | None:
        """Return where the value ends; None when the rest of it has not been read."""
        try:
            return _framing.raw_decode(self._text, self._at)[1]
        except json.JSONDecodeError as error:
            if not error.msg.startswith("Unterminated string") and error.pos < len(self._text) - _NEAR_END:
                raise PackageRefused("package_malformed") from None
            return None
        except RecursionError:
            raise PackageRefused("package_record_too_large") from None
        except (ValueError, _NotJson):  # a number too long, or none
            raise PackageRefused("package_malformed") from None

    def _check_parts(self, most: int) -> None:
        parts = self._text.count("{", self._at) + self._text.count("[", self._at)
        if parts > most // BYTES_PER_PART:
            raise PackageRefused("package_record_too_large")

    def _more(self, size: int = 0) -> bool:
        """Read on, so much or a chunk; False at the end."""
        if self._ended:
            return False
        data = self._read(max(self._chunk, size))
        self._chunk = min(2 * self._chunk, CHUNK)
        self._before += self._at
        self._text = self._text[self._at :] + data.decode("latin-1")
        self._at = 0
        self._ended = not data
        return bool(data)
