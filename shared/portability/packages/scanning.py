"""Reads a JSON document value by value; memory holds at most its largest single value.

Bytes are decoded as Latin-1, one character per byte, so positions in the text are positions in the file. Non-ASCII
bytes occur only in strings, where they do not affect the end of a value.
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
"""Minimum input bytes per JSON object or array in an honest document; parsed, each takes about 60 bytes."""

_NEAR_END: Final = 16
"""Within this many characters of the end, an invalid value may just be truncated: `\\ud83d\\ude0`, `fals`."""


class _NotJson(Exception):
    """A value that Python accepts but JSON does not define."""


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
    """Parse one JSON text.

    Raises:
        PackageRefused: it is not JSON in UTF-8, has a duplicate member, or is nested too deeply.
    """
    try:
        return _strict.decode(raw.decode())
    except RecursionError:
        raise PackageRefused("package_record_too_large") from None
    except (ValueError, _NotJson):
        raise PackageRefused("package_malformed") from None


class Scanner:
    """Reads a JSON document step by step.

    Args:
        read: the source.
        value_bytes: maximum size of a value returned by `value`.

    Every method raises `PackageRefused` if the document has something else than requested.
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
        """Return the next character that is not white space; empty at the end."""
        while True:
            if space := _SPACE.match(self._text, self._at):
                self._at = space.end()
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def take(self, *characters: str) -> None:
        """Skip characters that must come next, with white space between them."""
        for character in characters:
            if not self.took(character):
                raise PackageRefused("package_malformed")

    def took(self, character: str) -> bool:
        """Skip a character if it comes next."""
        if self.peek() != character:
            return False
        self._at += 1
        return True

    def place(self) -> int:
        """Return the position of the next value, relative to the start of reading."""
        self.peek()
        return self._before + self._at

    def end(self) -> None:
        """Check that nothing follows."""
        if self.peek():
            raise PackageRefused("package_malformed")

    def key(self) -> str:
        """Return the name of a member and skip its colon."""
        if self.peek() != '"':
            raise PackageRefused("package_malformed")
        name: str = parsed(self.value())
        self.take(":")
        return name

    def members(self) -> Iterator[bytes]:
        """Yield the raw values of a list."""
        self.take("[")
        if self.took("]"):
            return
        yield self.value()
        while self.took(","):
            yield self.value()
        self.take("]")

    def value(self, most: int | None = None) -> bytes:
        """Return the next value of any type as raw bytes.

        Args:
            most: maximum size, if not the default.
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
            # Doubling the size keeps repeated parsing of a long value cheap.
            if not self._more(min(held, most + 1 - held)) and end is None:
                raise PackageRefused("package_malformed")
            self._check_parts(most)
        if end - self._at > most:
            raise PackageRefused("package_record_too_large")
        raw = self._text[self._at : end].encode("latin-1")
        self._at = end
        return raw

    def _value_end(self) -> int | None:
        """Return the end of the value; None if it has not been read completely."""
        try:
            return _framing.raw_decode(self._text, self._at)[1]
        except json.JSONDecodeError as error:
            if not error.msg.startswith("Unterminated string") and error.pos < len(self._text) - _NEAR_END:
                raise PackageRefused("package_malformed") from None
            return None
        except RecursionError:
            raise PackageRefused("package_record_too_large") from None
        except (ValueError, _NotJson):  # a number too long or invalid
            raise PackageRefused("package_malformed") from None

    def _check_parts(self, most: int) -> None:
        parts = self._text.count("{", self._at) + self._text.count("[", self._at)
        if parts > most // BYTES_PER_PART:
            raise PackageRefused("package_record_too_large")

    def _more(self, size: int = 0) -> bool:
        """Read at least `size` bytes or a chunk more; False at the end."""
        if self._ended:
            return False
        data = self._read(max(self._chunk, size))
        self._chunk = min(2 * self._chunk, CHUNK)
        self._before += self._at
        self._text = self._text[self._at :] + data.decode("latin-1")
        self._at = 0
        self._ended = not data
        return bool(data)
