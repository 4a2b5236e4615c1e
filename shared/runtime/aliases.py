"""Tables of the names other products use for our paths and members; `services.aliases` has the entries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

_SEGMENT: Final = re.compile(r"\\\{\w+\\\}")
"""A placeholder in an escaped path."""


@dataclass(frozen=True, slots=True)
class Alias:
    """Another product's path.

    Args:
        method, path: as requested; `{name}` matches one segment.
        ours: our method and path; a `{name}` that `path` lacks is taken from the members. None: answered 501.
        names: its members that have another name here.
    """

    method: str
    path: str
    ours: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Aliases:
    """All alternative names; see `services.aliases`.

    Args:
        prefixes: path prefixes → our prefixes.
        channels: separate paths, answered in camel case.
        renamed: our paths with members that have a second name.
        planned: known paths that are not built, answered 501.
        streamed: prefixes of our paths whose bodies are streamed and never translated.
    """

    prefixes: Mapping[str, str] = field(default_factory=dict)
    channels: Sequence[Alias] = ()
    renamed: Sequence[Alias] = ()
    planned: Sequence[Alias] = ()
    streamed: tuple[str, ...] = ()

    @cached_property
    def _channels(self) -> _Patterns:
        return _Patterns(self.channels)

    @cached_property
    def _rules(self) -> _Patterns:
        return _Patterns((*self.renamed, *self.planned))

    def channel(self, method: str, path: str) -> Alias | None:
        """Return the channel of a path; colons are read as slashes: `/memory:create`."""
        return self._channels.find(method, path.replace(":", "/"))

    def rule(self, method: str, path: str) -> Alias | None:
        """Return the alias rule for one of our paths."""
        return self._rules.find(method, path)

    def ours(self, path: str) -> str:
        """Return our path for `path`, by its prefix."""
        if any(path.startswith(target) for target in self.prefixes.values()):
            return path
        beginning = next((prefix for prefix in self.prefixes if path.startswith(prefix)), None)
        return path if beginning is None else self.prefixes[beginning] + path.removeprefix(beginning)


class _Patterns:
    """Finds the alias of a path; `{name}` matches one segment."""

    def __init__(self, aliases: Iterable[Alias]) -> None:
        self._known = [(one, re.compile(_SEGMENT.sub("[^/]+", re.escape(one.path)))) for one in aliases]

    def find(self, method: str, path: str) -> Alias | None:
        return next((one for one, form in self._known if one.method == method and form.fullmatch(path)), None)
