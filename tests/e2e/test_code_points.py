"""Characters of every kind come in by each of the five doors, and no process dies of any."""

from __future__ import annotations

import random
import unicodedata

import httpx
import psutil
import pytest

from tests.e2e.conftest import Stack, wait_for
from tests.e2e.test_waiting import Somebody
from tests.support.foreign_exports import remembered

AT_ONCE = 20
REPEATED = 20
SECONDS = 120.0


def chosen(every: int) -> list[str]:
    """Return one of `every` assigned characters, and all that become more than eight when they are normalised."""
    assigned = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) not in ("Cn", "Cs", "Co")]
    growing = [one for one in assigned if len(unicodedata.normalize("NFKC", one)) > 8]
    characters = sorted({*growing, *assigned[::every]} - {"\0"})
    random.Random(1).shuffle(characters)
    return characters


def texts(characters: list[str]) -> list[str]:
    """Return them each repeated, a few together."""
    pieces = [one * REPEATED for one in characters]
    return [f"I like {''.join(pieces[start : start + AT_ONCE])}." for start in range(0, len(pieces), AT_ONCE)]


@pytest.mark.parametrize("every", [3_000, pytest.param(100, marks=pytest.mark.full)])
def test_no_process_dies_of_a_character_by_whichever_door_it_comes(stack: Stack, every: int) -> None:
    before = {name: stack.pid(name) for name in ("gateway", "worker", "eraser", "scheduler", "embedder")}
    children = {child.pid for child in psutil.Process(before["embedder"]).children()}
    with stack.client() as api:
        somebody = Somebody(api)
        hostile = texts(chosen(every))
        for text in hostile:
            somebody.says(text)
            for answer in through_other_doors(api, somebody.id, text):
                assert answer.status_code < 500 or answer.json()["code"] == "took_too_long", answer.text
        somebody.says("I live in Lyon.")
        wait_for(lambda: somebody.knows("Lyon"), seconds=SECONDS, what="what was said after them")
    assert {name: stack.pid(name) for name in before} == before
    assert {child.pid for child in psutil.Process(before["embedder"]).children()} == children


def through_other_doors(api: httpx.Client, person: str, text: str) -> list[httpx.Response]:
    """Write it by hand, search for it, describe it, and import it."""
    who = {"user_id": person}
    return [
        api.post("/api/v1/memory/long_term", json={**who, "content": text[:500], "content_type": "fact"}),
        api.post("/api/v1/memory/search", json={**who, "query": text[:1_000]}),
        api.post("/api/v1/memory/forget/find", json={**who, "description": text[:1_000]}),
        api.post(
            "/api/v1/memory/import",
            params=who,
            json={"results": [remembered(random.randrange(10**12), text[:500])]},
        ),
    ]
