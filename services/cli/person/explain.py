"""`memory-center explain`: why something is remembered, or what was made from a message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from services.cli.installation import DEFAULT_DATA_DIR, AsJson, DataDir
from services.cli.manual import of_person
from services.cli.person.memories import standing
from services.cli.person.options import Ids, Url, User
from services.cli.person.words import word
from services.cli.terminal import clean, moment, said

if TYPE_CHECKING:
    from services.cli.person.client import Wire
    from services.cli.person.screen import Screen

HELP = of_person(
    [
        ("explain a76213d6", "where a memory comes from, what it replaced, where it takes effect"),
        ("explain f1a27d81 --message", "what was made of a message"),
        ("explain a76213d6 --json", "the same as a document"),
    ]
)

Id = Annotated[str, typer.Argument(metavar="ID", help="A memory, as `memories` names it.")]
OfMessage = Annotated[bool, typer.Option("--message", help="ID is a message: show everything that was made of it.")]


def explain(
    item_id: Id,
    of_message: OfMessage = False,
    ids: Ids = False,
    as_json: AsJson = False,
    url: Url = None,
    user: User = None,
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Say why something is remembered: its quotes, what it replaced, what contradicts it, and where it takes effect."""
    from services.cli.person.connecting import connect  # slow to import
    from services.cli.person.screen import Screen  # same

    screen = Screen(as_json=as_json, ids=ids)
    with connect(url, user, data_dir) as center:
        whole = center.id_of(item_id, "message" if of_message else "memory")
        path = f"memory/messages/{whole}/derived" if of_message else f"memory/long_term/{whole}/explanation"
        found: Wire = center.get(path)
    screen.document(found)
    if as_json:
        return
    if of_message:
        _show_derived(screen, found)
    else:
        _show(screen, found)


def _show(screen: Screen, found: Wire) -> None:
    memory: Wire = found["memory"]
    screen.say(clean(memory["content"]), style="bold")
    about = [
        word(memory["content_type"]),
        word(memory["origin"]),
        said(f"importance {memory['importance']}", f"重要性 {memory['importance']}"),
        standing(memory),
    ]
    screen.say("  " + " · ".join(one for one in about if one))
    _show_evidence(screen, memory["evidence"])
    _show_judgements(screen, memory["judgements"])
    chain = [one for one in found["chain"] if one["id"] != memory["id"]]
    _show_others(screen, said("What it replaced, or what replaced it", "它取代的，或取代它的"), chain)
    against = [*([found["contradicts"]] if found["contradicts"] else []), *found["contradicted_by"]]
    _show_others(screen, said("What contradicts it", "与它矛盾的"), against)
    effect = found["effect"]
    screen.heading(said("Where it takes effect", "在哪里起作用"))
    if effect["given_now"]:
        screen.say("  " + said("An assistant is given it now.", "现在会提供给助手。"))
    else:
        why = ", ".join(word(one) for one in effect["reasons"])
        screen.say("  " + said(f"An assistant is not given it: {why}.", f"现在不会提供给助手：{why}。"))
    if not effect["searchable"]:
        screen.say("  " + said("It cannot be found by meaning yet.", "暂时还不能按语义找到。"))


def _show_evidence(screen: Screen, evidence: list[Wire]) -> None:
    from services.cli.person.screen import Id, dim  # slow to import

    if not evidence:
        return
    screen.heading(said("Where it comes from", "它从哪里来"))
    columns = (
        said("words", "原话"),
        said("who", "谁"),
        said("when", "时间"),
        said("conversation", "会话"),
        said("message", "消息"),
    )
    screen.table(
        columns,
        [
            (
                f"“{one['quote']}”" if one["quote"] else "",
                word(one["role"]),
                dim(moment(one["spoken_at"])),
                one["conversation_title"] or Id(one["conversation_id"]),
                Id(one["message_id"]),
            )
            for one in evidence
        ],
        texts=(0, 3),
    )


def _show_judgements(screen: Screen, judgements: list[Wire]) -> None:
    if not judgements:
        return
    screen.heading(said("The feedback it was learned from", "从这些反馈中学到"))
    columns = (said("feedback", "反馈"), said("about", "关于"), said("words", "原话"), said("when", "时间"))
    screen.table(
        columns,
        [(word(one["action"]), one["label"], one["quote"] or "", moment(one["given_at"])) for one in judgements],
        texts=(1, 2),
    )


def _show_others(screen: Screen, title: str, others: list[Wire]) -> None:
    from services.cli.person.screen import Id, dim, named  # slow to import

    if not others:
        return
    screen.heading(title)
    columns = (said("memory", "记忆"), said("standing", "状态"), said("since", "时间"), "id")
    screen.table(
        columns,
        [
            (
                one["content"],
                named(one["validity"], standing(one) or word(one["validity"])),
                dim(moment(one["created_at"])),
                Id(one["id"]),
            )
            for one in others
        ],
    )


def _show_derived(screen: Screen, found: Wire) -> None:
    from services.cli.person.screen import Id, dim  # slow to import

    if not (found["derived"] or found["withheld"] or found["awaited"]):
        screen.say(said("Nothing was made of it.", "没有由它产生任何内容。"))
    columns = (said("words", "内容"), said("what", "是什么"), said("made", "时间"), "id")
    screen.table(
        columns,
        [
            (one["content"] or one["label"], word(one["kind"]), dim(moment(one["made_at"])), Id(one["id"]))
            for one in found["derived"]
        ],
    )
    for one in found["withheld"]:
        screen.say(said("kept out as sensitive: ", "因敏感未记住：") + f"{one['count']} × {clean(one['category'])}")
    if found["awaited"]:
        screen.say(said("still to come: ", "尚在整理：") + ", ".join(word(one) for one in found["awaited"]))
