"""What stands on the screen, by the names its texts have in the app: a test is written once, for every language."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

LOCALES = Path(__file__).parents[2] / "services/web/ui/src/locales"
_PLACEHOLDER = re.compile(r"\{\{[^}]*\}\}")


@dataclass(frozen=True)
class Words:
    """The texts of one language: `words("sees:question.ask")`."""

    language: str
    _texts: dict[str, Any] = field(repr=False)

    @property
    def locale(self) -> str:
        """What a browser of somebody who reads this language asks for."""
        return "zh-CN" if self.language == "zh" else "en-GB"

    def __call__(self, text_name: str, /, **values: object) -> str:
        """Return a text with its values put in; `count` chooses the plural's form."""
        text = self._find(text_name, values.get("count"))
        for placeholder, value in values.items():
            text = re.sub(rf"{{{{-?\s*{placeholder}\s*}}}}", str(value), text)
        assert "{{" not in text, f"{text_name} needs more values: {text}"
        return text

    def pattern(self, name: str, *, count: int = 2) -> re.Pattern[str]:
        """Return what a text looks like whatever its values are."""
        said = _PLACEHOLDER.split(self._find(name, count))
        return re.compile(".+".join(map(re.escape, said)))

    def _find(self, name: str, count: object) -> str:
        space, _, key = name.rpartition(":")
        found: Any = self._texts[space or "common"]
        *path, last = key.split(".")
        for part in path:
            found = found[part]
        if last not in found:
            last += "_one" if count == 1 and f"{last}_one" in found else "_other"
        text = found[last]
        assert isinstance(text, str), f"{name} is no text"
        return text


@cache
def words_in(language: str) -> Words:
    """Return all texts of a language."""
    files = (LOCALES / language).glob("*.json")
    return Words(language, {file.stem: json.loads(file.read_text()) for file in files})
