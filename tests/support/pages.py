"""Walking through a list page by page, as a client does: by following the Link header."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.support.workbench import Person


def pages(person: Person, path: str, **query: Any) -> Iterator[list[Any]]:
    """Yield each page of a list until no further one is announced."""
    url, wanted = path, query or None
    while True:
        answer = person.bench.api.get(url, params=wanted, headers=person.headers)
        assert answer.status_code == 200, (answer.status_code, answer.text)
        yield answer.json()
        if "next" not in answer.links:
            return
        url, wanted = answer.links["next"]["url"], None
