"""A large installation is compared with its stores slice by slice."""

from __future__ import annotations

from itertools import pairwise
from uuid import UUID, uuid4

import pytest

from shared.erasure.rules.slices import EVERYTHING, KEYS_A_SLICE, SLICES_MAX, Slice, slice_after


@pytest.mark.parametrize("of", [1, 2, 8, SLICES_MAX])
def test_every_namespace_is_in_exactly_one_slice(of):
    slices = [Slice(part=part, of=of) for part in range(of)]
    assert (slices[0].low, slices[-1].high) == (UUID(int=0), UUID(int=2**128 - 1))
    for one, following in pairwise(slices):
        assert following.low.int == one.high.int + 1
    for _ in range(100):
        namespace = uuid4()
        assert sum(one.low <= namespace <= one.high for one in slices) == 1


def test_a_small_installation_is_compared_as_a_whole_each_time():
    assert slice_after(None, 0) == slice_after(EVERYTHING, KEYS_A_SLICE) == EVERYTHING


def test_a_large_one_goes_round_in_less_than_a_week():
    seen, last = set(), None
    for _ in range(7 * 24):
        last = slice_after(last, 10**9)
        seen.add(last.part)
    assert last is not None
    assert (last.of, seen) == (SLICES_MAX, set(range(SLICES_MAX)))


def test_who_grows_goes_on_at_the_same_place():
    grown = slice_after(Slice(part=2, of=4), 8 * KEYS_A_SLICE)
    assert (grown, grown.low) == (Slice(part=6, of=8), Slice(part=3, of=4).low)
    assert slice_after(Slice(part=7, of=8), 2 * KEYS_A_SLICE) == Slice(part=0, of=2)
