"""What `make chaos` changes in the product is still called so: it runs too seldom to notice by itself."""

from __future__ import annotations

from tests.chaos.preparing import CHANGES


def test_what_chaos_changes_is_there() -> None:
    assert [name for module, name, _ in CHANGES if not hasattr(module, name)] == []
