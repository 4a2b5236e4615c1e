"""No regular expression of the product is one that a Python it runs on matches wrongly."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.patterns import ROOT, is_unsafe, sources, written_unsafely


def test_every_pattern_compiled_at_import_is_safe_on_all_pythons():
    """In a process of its own: in this one most of them are compiled already."""
    judged = subprocess.run(
        [sys.executable, "-m", "tests.support.patterns"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert judged.stdout == ""
    assert int(judged.stderr) > 300


def test_no_pattern_compiled_later_is_written_unsafely():
    assert {module: found for module, source in sources().items() if (found := written_unsafely(source))} == {}


@pytest.mark.parametrize(
    "pattern",
    [
        "(?:ab?c)*+",
        "(?:ab){2,3}+",
        "((x)|y|z)++",
        "x(?:(?!C).)?+",
        "(?=(?:ab)*+)",
        "(a)?(?(1)(?:bc)*+|d)",
        "(?>(?:ab)*+)",
    ],
)
def test_unsafe_patterns_are_found(pattern: str):
    assert is_unsafe(pattern)
    assert written_unsafely(f"re.compile(r{pattern!r})")
    assert written_unsafely(f"re.compile(rf'{{x}}{pattern.replace('{', '{{').replace('}', '}}')}')")


@pytest.mark.parametrize("pattern", [r"[ \t]*+a", "a++", ".?+", "[^a]{2,3}+", r"(?:ab)+\+", "(?>(?:ab?c)*)"])
def test_safe_patterns_are_not(pattern: str):
    assert not is_unsafe(pattern)
    assert not written_unsafely(f"re.compile(r{pattern!r})")


def test_a_possessive_quantifier_after_a_filled_in_part_is_found():
    assert written_unsafely("re.compile(rf'{ADVERB}*+')")
    assert not written_unsafely("re.compile(rf'{ADVERB}+')")
