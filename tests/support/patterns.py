"""Which regular expressions some Pythons match wrongly, and whether the product has one of them.

A possessive quantifier over more than one character is safe nowhere. Python 3.11.0 to 3.11.4 match too much or too
little with it: `(?:ab?c)*+` matches "a". Also later ones fail where it holds groups: with `((x)|y|z)*+`, 3.11.7, 3.12.1
and 3.13.0 raise SystemError. Over a single character, `[ \\t]*+`, all are right, and so they are with the atomic
group that means the same, `(?>(?:ab?c)*)`.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from re import _constants, _parser
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDERS = ("deploy", "services", "shared", "workers")
_ONE_CHARACTER = {_constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.IN}
_WRITTEN = re.compile(r"\)(?:[*+?]|\{\d*,?\d*\})\+")


def is_unsafe(pattern: str) -> bool:
    """Tell whether a possessive quantifier in `pattern` repeats more than one character."""
    return _is_unsafe(_parser.parse(pattern))


def written_unsafely(source: str) -> list[str]:
    """Return the strings of a module's source in which a group has a possessive quantifier, whenever compiled."""
    return [text for text in _strings(ast.parse(source)) if _WRITTEN.search(text)]


def sources() -> dict[str, str]:
    """Return the source of every module of the product, by module name."""
    paths = (path.relative_to(ROOT) for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    modules = {".".join(path.with_suffix("").parts): path for path in sorted(paths) if "node_modules" not in path.parts}
    return {module: (ROOT / path).read_text(encoding="utf-8") for module, path in modules.items()}


def _is_unsafe(parsed: Iterable[tuple[Any, Any]]) -> bool:
    return any(
        (operator is _constants.POSSESSIVE_REPEAT and not _is_one_character(operand[2])) or _holds_unsafe(operand)
        for operator, operand in parsed
    )


def _holds_unsafe(operand: Any) -> bool:
    """Look into whatever an operator holds: a part of a pattern, or parts among other values."""
    if isinstance(operand, _parser.SubPattern):
        return _is_unsafe(operand)
    return isinstance(operand, list | tuple) and any(map(_holds_unsafe, operand))


def _is_one_character(parsed: Any) -> bool:
    return len(parsed) == 1 and parsed[0][0] in _ONE_CHARACTER


def _strings(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):  # what is filled in counts as a group
            yield "".join(part.value if isinstance(part, ast.Constant) else "()" for part in node.values)


def _judge_what_importing_compiles() -> int:
    """Let all patterns be compiled; print the unsafe ones, return how many there are in all."""
    parse, compiled = _parser.parse, 0

    def judged(pattern: Any, *arguments: Any) -> Any:
        nonlocal compiled
        parsed = parse(pattern, *arguments)
        frame = sys._getframe(1)
        while frame.f_back and frame.f_globals["__name__"].split(".")[0] == "re":
            frame = frame.f_back
        if frame.f_globals["__name__"].split(".")[0] in FOLDERS:
            compiled += 1
            if _is_unsafe(parsed):
                print(f"{frame.f_globals['__name__']}: {pattern[:200]}")
        return parsed

    _parser.parse = judged
    for module, source in sources().items():
        if re.search(r"^import re$|\b(?:phrase|rule)\(", source, re.MULTILINE):
            importlib.import_module(module)
    return compiled


if __name__ == "__main__":
    print(_judge_what_importing_compiles(), file=sys.stderr)
