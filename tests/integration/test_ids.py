"""Short ids are looked up among one person's own things, and only those they can see."""

from __future__ import annotations

from tests.support.every_operation import some_ids
from tests.support.workbench import Workbench

IDS = "/api/v1/memory/ids"


def test_a_part_of_an_id_finds_the_things_of_one_person_that_begin_or_end_so(bench: Workbench) -> None:
    ada, bob = bench.person(), bench.person()
    made = some_ids(ada)
    [operation] = [one for one in ada.get("/api/v1/memory/ops") if one["id"] == made.operation]
    named = {
        "memory": made.memory,
        "message": made.message,
        "conversation": made.conversation,
        "operation": made.operation,
        "receipt": operation["receipt_id"],
    }

    for kind, id_ in named.items():
        for part in (id_, id_[-8:], id_[-8:].upper(), id_[:-1]):
            assert {"kind": kind, "id": id_} in ada.get(IDS, part=part), (kind, part)
        assert ada.get(IDS, part=id_[-8:], kind=kind) == [{"kind": kind, "id": id_}]
        assert ada.get(IDS, part=id_[9:18], kind=kind) == [], "neither its beginning nor its end"
        assert bob.get(IDS, part=id_[-8:]) == []

    ada.forget("conversation", conversation_id=made.conversation)
    for kind in ("memory", "message", "conversation"):
        assert ada.get(IDS, part=named[kind]) == [], "hidden at once"


def test_what_is_no_part_of_an_id_is_refused(bench: Workbench) -> None:
    ada = bench.person()
    for part in ("", "abc", "%%%%", "____", "ab' or 1=1", "a" * 37):
        answer = bench.api.get(IDS, params={"part": part}, headers=ada.headers)
        assert (answer.status_code, answer.json()["code"]) == (422, "validation_failed"), part
