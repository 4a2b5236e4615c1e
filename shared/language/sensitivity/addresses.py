"""E-mail addresses and full file paths."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from shared.language.sensitivity.context import HAN, clause_before, rule, trimmed
from shared.language.sensitivity.spans import Found
from shared.language.words import word_lists

_WORDS: Final = word_lists("addresses", han=HAN)

_EMAIL: Final = rule(_WORDS["email"])
_SPELT: Final = rule(_WORDS["spelt"], re.IGNORECASE)
_DOT: Final = rule(r"[\[({<]\s?dot|\sdot\s|[\[({<]\s?at\s?[\])}>]", re.IGNORECASE)
_TLD: Final = rule(r"(?:com|org|net|edu|gov|io|co|cn|tw|hk|uk|de|fr|jp|example|me|info|app|dev)", re.IGNORECASE)
_CALLED: Final = rule(r"e-?mail|邮箱|邮件|电邮", re.IGNORECASE)
_FILES: Final = rule(r".*\.(?:png|jpe?g|gif|svg|webp|ico|css|js|ts|py|md|json|ya?ml|sh)", re.IGNORECASE)
_NOBODY: Final = rule(_WORDS["nobody"], re.IGNORECASE)
_REMOTE: Final = rule(r"(?:\b(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id)\b[^\n,。]{0,40}|://\S{0,60})$", re.IGNORECASE)
_REPOSITORY: Final = rule(r":(?:[\w.~/-])")

_UNIX: Final = rule(_WORDS["unix"])
_WINDOWS: Final = rule(_WORDS["windows"])
_EVERYWHERE: Final = rule(_WORDS["everywhere"])


def emails(text: str) -> Iterator[Found]:
    """Find e-mail addresses, also spelt "name [at] host [dot] com", but not `git@host:repository` and `pkg@1.2`."""
    for found in _EMAIL.finditer(text):
        if _NOBODY.fullmatch(found[0]) or _FILES.fullmatch(found[0]) or _REPOSITORY.match(text, found.end()):
            continue
        if not _REMOTE.search(clause_before(text, found.start(), 60)):
            yield Found("email", *found.span())
    for found in _SPELT.finditer(text):
        last = re.split(r"[\s.\])}>]+", found[0])[-1]
        spelt = _DOT.search(found[0]) or ("#" in found[0] and _CALLED.search(clause_before(text, found.start(), 24)))
        if spelt and _TLD.fullmatch(last):
            yield Found("email", *found.span())


def paths(text: str) -> Iterator[Found]:
    """Find full paths; relative paths, and paths found on every machine, say nothing about a person."""
    for pattern in (_WINDOWS, _UNIX):
        for found in pattern.finditer(text):
            end = trimmed(text, *found.span())
            if not _EVERYWHERE.fullmatch(text[found.start() : end].removeprefix("file://")):
                yield Found("path", found.start(), end)
