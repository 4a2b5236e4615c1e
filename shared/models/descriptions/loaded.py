"""Loads the rules and their tables: for a process others are forked from."""

from __future__ import annotations

from datetime import UTC, datetime

from shared.models.descriptions.said import Said
from shared.models.descriptions.searching import Correcting, Search

_SAMPLE = "My sister Anna lives in Rome, and she likes tea. 我妹妹小雨住在上海,她喜欢喝茶。"

_now = datetime(2026, 1, 1, tzinfo=UTC)
for _description in ("everything about my sister Anna", "我妹妹小雨住在哪里"):
    _search = Search(_description, _now)
    _search.learn([Said(text=_SAMPLE, at=_now)])
    _search.memories([Said(text=_SAMPLE, at=_now)])
    _correcting = Correcting(_description, _now)
    _correcting.add([_SAMPLE])
    _correcting.resolve(_SAMPLE)
