"""The steps of a forget on the command line: every kind of request is shown before it is accepted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from services.cli.exit_codes import NOT_FOUND, UNCONFIRMED, Refusal
from services.cli.person.choosing import chosen
from services.cli.person.client import Center, Wire, is_whole, only_one
from services.cli.person.confirming import accepted_or_null, agreed, is_yes, need_somebody
from services.cli.person.following import follow, follow_receipt, succeeded
from services.cli.person.memories import standing, text_of
from services.cli.person.screen import Id, Screen, dim, named
from services.cli.person.words import word
from services.cli.terminal import ask, moment, said

FORGET: Final = "memory/forget"
_PHRASES: Final = frozenset({"FORGET EVERYTHING", "忘掉一切"})
_LIST_MAX: Final = 1_000


class ForgetRequest(ABC):
    """A request to forget something."""

    def __init__(self, center: Center) -> None:
        self._center = center

    @abstractmethod
    def look(self, screen: Screen) -> Wire:
        """Show what would be forgotten; return it as a document.

        Raises:
            Refusal: it does not exist, or nothing was found (4).
        """

    @abstractmethod
    def confirm(self, screen: Screen, *, yes: bool) -> None:
        """Ask for confirmation.

        Raises:
            Refusal: nobody can be asked (5), or they refused (1).
        """

    @abstractmethod
    def accept(self, undo_seconds: int) -> Wire:
        """Submit the request; return the API's answer."""

    def stay(self, accepted: Wire, screen: Screen) -> None:
        """Follow what was accepted until it ends.

        Raises:
            Refusal: it stopped or was cancelled (1), or the API is unreachable (3).
        """
        succeeded(follow(self._center, str(accepted["op_id"]), as_json=screen.as_json))


def run(request: ForgetRequest, screen: Screen, *, dry_run: bool, yes: bool, stay: bool, undo_seconds: int) -> None:
    """Show, ask, forget, and with `stay` follow the operation until it ends."""
    document = request.look(screen)
    if dry_run:
        screen.document({**document, "accepted": None})
        return
    with accepted_or_null(screen, document):
        request.confirm(screen, yes=yes)
    accepted = request.accept(undo_seconds)
    screen.document({**document, "accepted": accepted})
    _say_accepted(screen, accepted, undo_seconds)
    if stay:
        request.stay(accepted, screen)
        screen.say(said("Erased everywhere, searched for, and proven.", "已从各处删除，逐一查证，并已出具凭证。"))


class Scoped(ForgetRequest):
    """Forget a conversation or a message.

    Args:
        target: the request's scope and ids.
    """

    def __init__(self, center: Center, target: Wire) -> None:
        super().__init__(center)
        self._target = target

    def look(self, screen: Screen) -> Wire:
        preview: Wire = self._center.post(f"{FORGET}/dry-run", self._target)
        show_counts(screen, preview)
        return {"preview": preview}

    def confirm(self, screen: Screen, *, yes: bool) -> None:
        agreed(screen, said("Forget it?", "忘掉吗？"), nothing=_nothing(), yes=yes)

    def accept(self, undo_seconds: int) -> Wire:
        accepted: Wire = self._center.post(FORGET, {**self._target, "undo_seconds": undo_seconds})
        return accepted


class Everything(Scoped):
    """Forget everything about a person; this needs a phrase, --yes is not enough."""

    def __init__(self, center: Center, *, close_account: bool, phrase: str | None) -> None:
        super().__init__(center, {"scope": "user", "close_account": close_account})
        self._close_account = close_account
        self._phrase = phrase

    def confirm(self, screen: Screen, *, yes: bool) -> None:  # noqa: ARG002 # see the class
        screen.say()
        screen.say(
            said(
                "This cannot be undone. `memory-center export -o FILE` takes it along first.",
                "这无法撤销。可以先用 `memory-center export -o 文件` 带走一份。",
            )
        )
        if self._phrase is None:
            need_somebody(screen, nothing=_nothing(), option="--phrase 'FORGET EVERYTHING'")
            self._phrase = ask(said("Type FORGET EVERYTHING to continue: ", "输入「忘掉一切」继续："))
        if self._phrase not in _PHRASES:
            raise Refusal(said("that is not the phrase; ", "短语不符，") + _nothing(), UNCONFIRMED)

    def accept(self, undo_seconds: int) -> Wire:
        accepted: Wire = self._center.post(
            FORGET, {**self._target, "undo_seconds": undo_seconds, "confirmation": self._phrase}
        )
        return accepted

    def stay(self, accepted: Wire, screen: Screen) -> None:
        if self._close_account:  # in the end the operation belongs to nobody; its receipt stays
            follow_receipt(self._center, str(accepted["receipt_id"]))
        else:
            super().stay(accepted, screen)


class Memories(Scoped):
    """Forget several memories together."""

    def __init__(self, center: Center, ids: Sequence[str]) -> None:
        self._ids = list(dict.fromkeys(ids))
        super().__init__(center, {"scope": "selection", "ids": self._ids})

    def look(self, screen: Screen) -> Wire:
        found: list[Wire] = [self._center.get(f"memory/long_term/{one}") for one in self._ids]
        screen.table(
            (said("memory", "记忆"), said("type", "类型"), said("standing", "状态"), "id"),
            [(one["content"], named(one["content_type"]), standing(one), Id(one["id"])) for one in found],
        )
        return {"memories": found, **super().look(screen)}


class Described(ForgetRequest):
    """Forget what a description means, among all messages and memories."""

    def __init__(self, center: Center, description: str, *, only: Sequence[str] | None, project: str | None) -> None:
        super().__init__(center)
        self._description = description
        self._project = project
        self._ids = list(only) if only else None
        self._candidates: list[Wire] = []
        self._token = ""

    def look(self, screen: Screen) -> Wire:
        body = {"description": text_of(self._description), "project_id": self._project, "limit": _LIST_MAX}
        found: Wire = self._center.post(f"{FORGET}/find", body)
        if not found["candidates"]:
            screen.document({"candidates": [], "nothing": found["nothing"], "accepted": None})
            why = word(found["nothing"] or "nothing_matches")
            raise Refusal(f"{why}. " + said("Nothing was forgotten.", "什么都没有忘掉。"), NOT_FOUND)
        self._candidates, self._token = found["candidates"], found["token"]
        if self._ids is not None:
            there = [str(one["id"]) for one in self._candidates]
            self._ids = [only_one([one for one in there if _is_part(part, one)], part) for part in self._ids]
        _show_candidates(screen, self._candidates)
        if found["more"]:
            screen.say(said("There is more; find again afterwards.", "还有更多；忘掉这些后请再查找一次。"))
        return {"candidates": self._candidates, "more": found["more"], "preview": self._preview(screen)}

    def confirm(self, screen: Screen, *, yes: bool) -> None:
        if yes:
            return
        need_somebody(screen, nothing=_nothing(), option="--yes")
        question = said(
            "Forget all of it? yes, no, or the numbers to forget, like 1 3-5: ",
            "全部忘掉吗？输入 yes、no，或要忘掉的编号，例如 1 3-5：",
        )
        while True:
            answer = ask(question)
            if is_yes(answer):
                return
            picked = chosen(answer, len(self._candidates))
            if not picked:
                raise Refusal(_nothing())
            self._ids = [self._candidates[place - 1]["id"] for place in picked]
            self._preview(screen)
            question = said("Forget these? yes, no, or other numbers: ", "忘掉这些吗？输入 yes、no，或其他编号：")

    def accept(self, undo_seconds: int) -> Wire:
        body = {"scope": "selection", "token": self._token, "ids": self._ids, "undo_seconds": undo_seconds}
        accepted: Wire = self._center.post(FORGET, body)
        return accepted

    def _preview(self, screen: Screen) -> Wire:
        preview: Wire = self._center.post(f"{FORGET}/preview", {"token": self._token, "ids": self._ids})
        show_counts(screen, preview)
        return preview


def show_counts(screen: Screen, preview: Wire) -> None:
    """Show what a forget would remove, by store."""
    screen.heading(said("What goes", "会消失的"))
    rows = [
        (word(part), word(store), count)
        for store, parts in preview["counts"].items()
        for part, count in parts.items()
        if count
    ]
    screen.table((said("what", "内容"), said("where", "位置"), said("count", "数量")), rows, numbers=[2])
    if not rows:
        screen.say("  " + said("nothing that is stored", "没有存储的内容"))
    if again := preview["turns_learned_again"]:
        screen.say(
            said(
                f"What {again} other places still say is learned from again, without it.",
                f"另外 {again} 处仍然说到的内容，会去掉这些后重新整理。",
            )
        )


def _show_candidates(screen: Screen, candidates: Sequence[Wire]) -> None:
    screen.table(
        ("#", said("what", "内容"), said("kind", "种类"), said("why", "原因"), said("when", "时间"), "id"),
        [
            (
                place,
                _goes(one),
                named(one["content_type"] or one["role"] or one["kind"]),
                "; ".join(why["words"] for why in one["reasons"]),
                dim(moment(one["said_at"])),
                Id(one["id"]),
            )
            for place, one in enumerate(candidates, start=1)
        ],
        numbers=[0],
        texts=(1, 3),
    )


def _goes(candidate: Wire) -> str:
    """Return the text of a candidate that would be forgotten: all of it, or its parts separated by dots."""
    parts: list[Any] | None = candidate["parts"]
    if parts is None:
        return str(candidate["content"])
    return "… " + " … ".join(part["text"] for part in parts) + " …"


def _is_part(given: str, id_: str) -> bool:
    if is_whole(given):
        return id_ == str(UUID(given))
    return id_.startswith(given.lower()) or id_.endswith(given.lower())


def _nothing() -> str:
    return said("nothing was forgotten", "什么都没有忘掉")


def _say_accepted(screen: Screen, accepted: Wire, undo_seconds: int) -> None:
    screen.say()
    screen.say(said("Hidden: nothing of it is served from now on.", "已隐藏：从现在起不再提供。"))
    rows = [(said("operation", "操作"), Id(accepted["op_id"]))]
    if accepted["receipt_id"]:
        rows.append((said("receipt", "凭证"), Id(accepted["receipt_id"])))
    screen.table(("", ""), rows)
    if undo_seconds:
        screen.say(
            said(f"For {undo_seconds} s it can be undone: ", f"{undo_seconds} 秒内可以撤销：")
            + f"memory-center undo {screen.id(accepted['op_id'])}"
        )
