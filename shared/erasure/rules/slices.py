"""What a comparison with the stores is about: a slice of all people, by their namespaces, or the namespaces named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

KEYS_A_SLICE: Final = 200_000
"""About so many keys are compared at a time."""
SLICES_MAX: Final = 128
"""One an hour: a full circle takes less than a week."""
_ALL: Final = 1 << 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """Part `part` of `of` parts; namespaces are random, so that all parts are of about the same size."""

    part: int = 0
    of: int = 1

    @property
    def low(self) -> UUID:
        """The first namespace."""
        return UUID(int=_ALL * self.part // self.of)

    @property
    def high(self) -> UUID:
        """The last namespace, included."""
        return UUID(int=_ALL * (self.part + 1) // self.of - 1)

    @property
    def ranges(self) -> tuple[tuple[UUID, UUID], ...]:
        """The namespaces, first and last."""
        return ((self.low, self.high),)


EVERYTHING: Final = Slice()


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Namespaces in which something was forgotten."""

    namespaces: tuple[UUID, ...]

    @property
    def ranges(self) -> tuple[tuple[UUID, UUID], ...]:
        """As of a slice."""
        return tuple((one, one) for one in self.namespaces)


def slice_after(last: Slice | None, keys: int) -> Slice:
    """Return the slice to compare next, of an installation with about so many keys.

    The number of parts is a power of two. Where it changed, the circle goes on at the same place.
    """
    of = 1
    while of < SLICES_MAX and keys > of * KEYS_A_SLICE:
        of *= 2
    if last is None:
        return Slice(part=0, of=of)
    return Slice(part=((last.part + 1) * of // last.of) % of, of=of)
