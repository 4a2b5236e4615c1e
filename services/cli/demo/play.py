"""The demo from start to end: talk, show, forget three times, and prove it in every store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from services.cli.demo import proof
from services.cli.demo.api import Api, Known, Wire
from services.cli.demo.evidence import Recorded, must_go, must_stay
from services.cli.demo.proof import MUST_HAVE_HELD, PLACES, Expected, Forgotten, Outcome, Place, Row
from services.cli.demo.screen import Screen
from services.cli.demo.script import (
    ADA,
    AT_HOME,
    COOKING,
    FORGOTTEN_TURN,
    LIN,
    LISBON,
    PREFERENCE,
    SLEEP,
    STAYS_KNOWN,
    TALKS,
    Person,
    Talk,
)
from services.cli.demo.stack import DemoFailed, Stack, wait_until
from services.cli.demo.stores import Counts, Stores

CONFIRMATION: Final = "FORGET EVERYTHING"
_LEARNED_WITHIN_SECONDS: Final = 90.0
_ERASED_WITHIN_SECONDS: Final = 60.0
_PEOPLE: Final = (ADA, LIN)


@dataclass(frozen=True, slots=True)
class Act:
    """One forget: the request, the turns it removes, those that must remain, and whether Milvus is down.

    `whole` are ids of items forgotten entirely: a conversation's, or a person's namespace.
    """

    name: str
    person: Person
    request: Wire
    gone: tuple[Recorded, ...]
    stay: tuple[Recorded, ...]
    whole: tuple[str, ...] = ()
    without_milvus: bool = False


@dataclass(frozen=True, slots=True)
class Proof:
    """The result of one forget: the copies before, and those found right after it, by place."""

    name: str
    thing: Forgotten
    before: Counter[Place]
    after: Counter[Place]


def play(stack: Stack, screen: Screen, outcome: Outcome, *, stop_milvus: bool = False) -> None:
    """Run the demo on a running installation; `outcome` is updated even if it fails.

    Raises:
        DemoFailed: it could not continue.
    """
    with closing(Api(stack.url, stack.secrets)) as api, closing(Stores(stack)) as stores:
        _Play(stack, screen, outcome, api, stores, stop_milvus=stop_milvus).run()


@dataclass
class _Play:
    """One run, with the results so far."""

    _stack: Stack
    _screen: Screen
    _outcome: Outcome
    _api: Api
    _stores: Stores
    stop_milvus: bool
    _recorded: list[Recorded] = field(default_factory=list)
    _conversations: dict[str, str] = field(default_factory=dict)
    _proofs: list[Proof] = field(default_factory=list)

    def run(self) -> None:
        self._talk()
        self._show()
        for act in (self._one_message, self._one_conversation):
            self._forget(act())
        self._consent()
        self._forget(self._one_person())
        self._prove()

    def _talk(self) -> None:
        turns = sum(len(talk.turns) for talk in TALKS)
        self._screen.heading(f"1 · Two people talk to an assistant: {turns} turns in {len(TALKS)} conversations")
        for talk in TALKS:
            conversation_id = self._api.open_conversation(talk.person, talk.title)
            self._conversations[talk.title] = conversation_id
            for turn in talk.turns:
                self._recorded.append(Recorded(talk, turn, self._api.record(talk.person, conversation_id, turn)))
                self._outcome.turns += 1
            self._screen.example(f"{talk.person.name} · {talk.title} · “{talk.turns[0].said}”")
        self._settle()
        self._screen.good("every turn is indexed and learned from; nothing is queued any more")

    def _show(self) -> None:
        self._screen.heading("2 · What is remembered now")
        said = {message: one.turn.said for one in self._recorded for message in one.message_ids[:1]}
        for person in _PEOPLE:
            memories = self._api.memories(person)
            self._outcome.memories += len(memories)
            self._screen.memories(person.name, memories, said)
            self._screen.say("")
        self._screen.heading("3 · Where it is kept: rows in each store, read directly")
        self._show_where()

    def _show_where(self) -> None:
        counts = self._stores.counts()
        people = [counts[person.user_id] for person in _PEOPLE]
        lines = [
            *((f"PostgreSQL · {name}", _of_table(name)) for name in ("messages", "episodes", "memories")),
            *((f"PostgreSQL · vector keys in {name}", _of_table(name)) for name in ("milvus", "mem0")),
            *((f"Milvus · {name}", _of_collection(name)) for name in ("episodes",)),
            *((f"mem0 · {name}", _of_collection(name)) for name in ("mem0_memories", "mem0_entities")),
        ]
        rows = [(where, *(str(count(one)) for one in people)) for where, count in lines]
        self._screen.table(("where", *(person.name for person in _PEOPLE)), rows)

    def _one_message(self) -> Act:
        self._screen.heading("4 · Ada forgets one message, with its answer")
        gone = self._of(LISBON)[FORGOTTEN_TURN]
        self._screen.say(f"“{gone.turn.said}”")
        stay = tuple(one for one in self._recorded if one is not gone)
        request = {"scope": "message", "message_id": gone.message_ids[0], "cascade": True}
        return Act("Ada's message", ADA, request, (gone,), stay)

    def _one_conversation(self) -> Act:
        self._screen.heading(f"5 · 小林 forgets one conversation: {SLEEP.title}")
        stay = (*self._kept_of_ada(), *self._of(COOKING))
        conversation_id = self._conversations[SLEEP.title]
        request = {"scope": "conversation", "conversation_id": conversation_id}
        return Act(
            "小林's conversation",
            LIN,
            request,
            self._of(SLEEP),
            stay,
            whole=(conversation_id,),
            without_milvus=self.stop_milvus,
        )

    def _one_person(self) -> Act:
        self._screen.heading("7 · Ada forgets everything")
        self._screen.say(f"She types {CONFIRMATION}; the server checks the phrase.")
        request = {"scope": "user", "confirmation": CONFIRMATION}
        whole = (self._stores.namespace(ADA), *(self._conversations[talk.title] for talk in (LISBON, AT_HOME)))
        gone = (*self._of(LISBON), *self._of(AT_HOME))
        return Act("all of Ada", ADA, request, gone, self._of(COOKING), whole=whole)

    def _forget(self, act: Act) -> None:
        thing, expected = must_go(self._stores, act.gone, act.whole), must_stay(self._stores, act.stay)
        before = self._stores.everything()
        self._must_be_provable(act, before, thing, expected)
        known = self._known(act)
        served_before = self._api.served(act.person, known).holding(_canaries(act))
        if act.without_milvus:
            self._stack.kill("milvus")
            self._screen.say("The search index was just killed (SIGKILL). Forgetting is accepted all the same.")
        operation_id = self._api.forget(act.person, act.request)
        self._must_not_be_served(act, known, served_before)
        operation = self._screen.follow(self._api.follow(act.person, operation_id, seconds=_ERASED_WITHIN_SECONDS))
        self._outcome.operations += 1
        self._close(operation)
        self._settle()
        rows = self._stores.everything()
        held = [proof.by_place(proof.copies(found, thing)) for found in (before, rows)]
        self._proofs.append(Proof(act.name, thing, *held))
        self._search_for_all(rows, expected)

    def _consent(self) -> None:
        """Let 小林 agree to a profile, use it, and withdraw that while the search index is down."""
        self._screen.heading("6 · 小林 lets the assistant keep a preference, and withdraws that")
        thing = Forgotten(frozenset({PREFERENCE}))
        consent_id = self._api.consent(LIN, f"想吃{PREFERENCE}的河鲜")
        if PREFERENCE not in self._api.prompt_of_task(LIN):
            raise DemoFailed("the preference was never given to a task, so nothing can be proven about it")
        self._screen.say("She agrees that her preferences are kept; the next task is given them.")
        before = proof.by_place(proof.copies(self._stores.everything(), thing))
        self._stack.kill("milvus")
        self._screen.say("The search index was just killed (SIGKILL). She withdraws all the same.")
        operation_id, receipt_id = self._api.withdraw(LIN, consent_id)
        if PREFERENCE in self._api.prompt_of_task(LIN):
            self._outcome.residue += 1
            self._screen.bad("202, but the next task is still given it")
        else:
            self._screen.good("202 · the next task starts cold")
        operation = self._screen.follow(self._api.follow(LIN, operation_id, seconds=_ERASED_WITHIN_SECONDS))
        self._outcome.operations += 1
        self._close(operation)
        if self._api.is_proven(receipt_id):
            self._screen.good("the receipt says which scopes ended, and that every store was searched")
        else:
            self._outcome.unfinished += 1
            self._screen.bad("the receipt proves nothing yet")
        self._settle()
        rows = self._stores.everything()
        self._proofs.append(Proof("小林's profile", thing, before, proof.by_place(proof.copies(rows, thing))))
        self._search_for_all(rows, must_stay(self._stores, self._of(COOKING)))

    def _must_be_provable(self, act: Act, rows: Sequence[Row], thing: Forgotten, expected: Sequence[Expected]) -> None:
        """Fail if an item was never in a store: its absence would prove nothing."""
        held = proof.by_place(proof.copies(rows, thing))
        if never := [place for place in MUST_HAVE_HELD if not held[place]]:
            raise DemoFailed(f"{act.name} was never in {', '.join(never)}, so nothing can be proven there")
        if absent := proof.missing(rows, expected):
            raise DemoFailed(f"{len(absent)} rows that should stay are missing already, the first in {absent[0].part}")

    def _must_not_be_served(self, act: Act, known: Known, before: int) -> None:
        served = self._api.served(act.person, known)
        found = served.holding(_canaries(act))
        if not before:
            raise DemoFailed(f"{act.name} was never served, so nothing can be proven about it")
        if found:
            self._outcome.residue += found
            self._screen.bad(f"202, but {found} of the API's {len(served.answers)} answers still hold it")
            return
        self._screen.good(
            f"202 · hidden: before, {before} of the API's {len(served.answers)} answers held it; now none"
        )
        if "deterministic" in served.modes:
            self._screen.say("  (answered in fixed order: the search index is unavailable)")

    def _close(self, operation: Mapping[str, Any]) -> None:
        if operation["status"] != "succeeded":
            self._outcome.unfinished += 1
            self._screen.bad(f"not erased within {_ERASED_WITHIN_SECONDS:.0f} s: {operation['status']}")
            return
        took = datetime.fromisoformat(operation["erased_at"]) - datetime.fromisoformat(operation["unrecallable_at"])
        retries = f", after {operation['retry_count']} retries" if operation["retry_count"] else ""
        self._screen.good(f"erased and verified {took.total_seconds() * 1000:.0f} ms after it was hidden{retries}")

    def _search_for_all(self, rows: Sequence[Row], expected: Sequence[Expected]) -> None:
        """Search for everything forgotten so far, and for everything that must remain."""
        residue = proof.count_copies(rows, (one.thing for one in self._proofs))
        lost = proof.missing(rows, expected)
        self._outcome.residue += residue
        self._outcome.lost += len(lost)
        if residue:
            self._screen.bad(f"{residue} copies of what was forgotten are still in the stores")
        if lost:
            self._screen.bad(f"{len(lost)} of {len(expected)} rows that must stay are gone: {_where(lost)}")
        if not (residue or lost):
            self._screen.good(
                f"{len(rows)} rows searched: no copy left; all {len(expected)} rows that must stay are there"
            )

    def _prove(self) -> None:
        self._screen.heading("8 · The proof, from each store directly: copies before → after")
        lines = [(place, *(f"{one.before[place]} → {one.after[place]}" for one in self._proofs)) for place in PLACES]
        self._screen.table(("copies in", *(one.name for one in self._proofs)), lines)
        rows = self._stores.everything()
        # Usually counted already; more only if something reappeared meanwhile.
        self._outcome.residue = max(
            self._outcome.residue, proof.count_copies(rows, (one.thing for one in self._proofs))
        )
        for one in self._proofs:
            if parts := proof.by_part(proof.copies(rows, one.thing)):
                self._screen.bad(f"{one.name}: {parts.total()} copies now, in {_parts(parts)}")
        self._screen.heading("9 · What is left")
        self._show_where()
        self._show_what_stays()
        self._outcome.proven = True

    def _show_what_stays(self) -> None:
        memories = [str(memory["content"]) for memory in self._api.memories(LIN)]
        for text in memories:
            self._screen.say(f"小林 · {text}")
        if any(STAYS_KNOWN in text for text in memories):
            self._screen.good(f"{STAYS_KNOWN}: said in both conversations, so it is still known from the other one")

    def _known(self, act: Act) -> Known:
        return Known(
            conversation_ids=tuple({self._conversations[one.talk.title]: None for one in act.gone}),
            message_ids=tuple(message for one in act.gone for message in one.message_ids),
            questions=tuple(one.turn.canary for one in act.gone),
        )

    def _of(self, talk: Talk) -> tuple[Recorded, ...]:
        return tuple(one for one in self._recorded if one.talk is talk)

    def _kept_of_ada(self) -> tuple[Recorded, ...]:
        lisbon = self._of(LISBON)
        return (*lisbon[:FORGOTTEN_TURN], *lisbon[FORGOTTEN_TURN + 1 :], *self._of(AT_HOME))

    def _settle(self) -> None:
        """Wait until the workers have no work left."""

        def why() -> str:
            left = self._stores.unfinished()
            reason = f" ({left.reason})" if left.reason else ""
            return f"{left.waiting} pieces of work and {left.without_episode} episodes are still missing{reason}"

        wait_until(lambda: not self._stores.unfinished(), _LEARNED_WITHIN_SECONDS, why)


def _of_table(name: str) -> Callable[[Counts], int]:
    return lambda counts: counts.tables[name]


def _of_collection(name: str) -> Callable[[Counts], int]:
    return lambda counts: counts.collections[name]


def _canaries(act: Act) -> list[str]:
    return [one.turn.canary for one in act.gone]


def _where(lost: Sequence[Expected]) -> str:
    return ", ".join(sorted({f"{one.place} {one.part}" for one in lost}))


def _parts(held: Counter[tuple[Place, str]]) -> str:
    return ", ".join(f"{place} {part} ({count})" for (place, part), count in sorted(held.items()))
