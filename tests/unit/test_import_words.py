"""Every reason why a file cannot be imported is said in plain words, in every language of the web app."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest

from shared.portability.packages.refusals import Code

UI = Path(__file__).parents[2] / "services/web/ui/src"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_refusal_has_its_words(language: str) -> None:
    texts = json.loads((UI / f"locales/{language}/data.json").read_text())["refused"]
    assert {name for name in texts if name.startswith("package_")} == set(get_args(Code))


def test_every_refusal_is_asked_for() -> None:
    asked = (UI / "screens/data/import/refusals.ts").read_text()
    assert [code for code in get_args(Code) if f"data:refused.{code}" not in asked] == []
