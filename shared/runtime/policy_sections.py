"""The sections of a policy file; docs/retention.md and docs/consent.md say what each value does (FC-13)."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ByteSize, ConfigDict, Field, StrictBool
from pydantic_core import PydanticCustomError

from shared.contexts.rules.slices import Route, Slice
from shared.drift.rules import ObjectType
from shared.erasure.rules.undo_window import UNDO_SECONDS_MAX
from shared.kernel.sensitivity import PolicyName
from shared.portability.packages.limits import MIB
from shared.runtime.lengths import Length

Messages = Annotated[int, Field(strict=True, ge=1, le=1000)]


def _bounded(size: ByteSize) -> ByteSize:
    if not MIB <= size <= 16 * 1024 * MIB:
        raise PydanticCustomError("size", "must be from 1MiB to 16GiB")
    return size


Size = Annotated[ByteSize, AfterValidator(_bounded)]
Name = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[a-z][a-z0-9_]*$")]
Sentence = Annotated[str, Field(max_length=160, pattern=r"\S")]
Words = list[Annotated[str, Field(min_length=1, max_length=40)]]


class Section(BaseModel):
    """Nothing has a default here: a file says everything, and nothing that is not known."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Windows(Section):
    """What an assistant reads as it was said (MC-02, MC-03)."""

    messages: Messages = Field(description="So many of a conversation's newest messages; older ones are summarised.")
    summary_every: Messages = Field(description="A summary is written anew once in so many messages at most.")


class Archive(Section):
    """When memories go to the archive (LT-10)."""

    unused: Annotated[timedelta, Length("1h", "36500d")] = Field(
        description="Nothing happened to it for so long, and it is neither confirmed, important nor a taboo."
    )
    superseded: Annotated[timedelta, Length("1h", "36500d")] = Field(
        description="A newer one took its place so long ago, whatever it is."
    )


class Undo(Section):
    """How long a forget can be undone (X-08)."""

    # The web app offers eight seconds everywhere.
    longest: Annotated[timedelta, Length("8s", f"{UNDO_SECONDS_MAX}s")] = Field(
        description="Whoever asks for more is refused."
    )


class Exports(Section):
    """Packages people take with them (MC-12)."""

    # Long enough to download a large one over a slow line.
    kept: Annotated[timedelta, Length("10min", "30d")] = Field(description="For so long after it is ready.")


class Imports(Section):
    """Packages people bring along (X-09)."""

    package: Size = Field(description="The largest upload.")
    unpacked: Size = Field(description="What it may hold, all files together.")
    kept: Annotated[timedelta, Length("1h", "30d")] = Field(
        description="A package that could not be imported for so long is given up."
    )


class Requests(Section):
    """What is kept of requests: ids and numbers, no content."""

    answers: Annotated[timedelta, Length("10s", "30d")] = Field(
        description="Repeating an Idempotency-Key within this time gets the same answer."
    )
    records: Annotated[timedelta, Length("1min", "30d")] = Field(
        description="What a request did, for the assistant's developers (MC-01)."
    )


class Erased(Section):
    """What was erased, and is still in data files."""

    purged_every: Annotated[timedelta, Length("10s", "30d")] = Field(
        description="It is taken out of data files once in so long, if there is any."
    )


class Consent(Section):
    """Whether people are asked before anything of theirs is kept (FC-02, FC-14)."""

    required: StrictBool = Field(description="No task before consent.")
    covers_memories: StrictBool = Field(
        description="Long-term memories need `save_to_profile`, and go when it is withdrawn."
    )
    hint_every: Annotated[timedelta, Length("1min", "36500d")] = Field(
        description="People are told at most once in so long that preferences can be set."
    )
    text_version: Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[\w.\-]+$")] = Field(
        description="Of the wording; a new one asks everybody again."
    )
    texts: dict[Literal["en", "zh"], Annotated[str, Field(min_length=1, max_length=4000)]] = Field(
        description="The wording by language."
    )


class Permitting(Section):
    """What the installation does with what it remembers; one switch for each prohibition (FC-13)."""

    vector_search_over_user_memory: StrictBool = Field(description="Memories and turns are embedded and searched.")
    llm_summarizer: StrictBool = Field(description="A language model may word summaries and memories.")
    clustering: StrictBool = Field(description="Behaviors are grouped into preferences and core traits.")
    inferred_profile: StrictBool = Field(description="Traits, and preferences from feedback, are inferred.")
    admin_edits: StrictBool = Field(description="A service may change what is remembered about a person.")
    reinforcement: StrictBool = Field(description="What was recalled grows stronger.")
    evidence_personalization: StrictBool = Field(description="A request for evidence may be given memories.")


class Memories(Section):
    """What is done about sensitive fragments, and which memories are given (FC-10, decision 9)."""

    sensitivity: PolicyName = Field(description="`finclaw` refuses names, addresses and wallets too.")
    confirmed_only: StrictBool = Field(description="Of preferences and constraints, only confirmed ones always given.")
    confirmed_for_routes: StrictBool = Field(description="A recall with a route is given confirmed memories only.")


class RouteRow(Section):
    """One route's row of the matrix (FC-04)."""

    required: list[Slice]
    optional: list[Slice]


class Contexts(Section):
    """What is said for a task, and what each route is given (FC-01, FC-04)."""

    task_kept: Annotated[timedelta, Length("1min", "30d")] = Field(description="After the end of a task.")
    tasks_exported: Annotated[timedelta, Length("1h", "365d")] = Field(description="In the layout `finclaw`.")
    slices: dict[Slice, Annotated[int, Field(strict=True, ge=5, le=4000)]] = Field(
        description="Each slice has fewer tokens than this."
    )
    routes: dict[Route, RouteRow] = Field(description="What each route is given: always, and if there is a reason.")
    my_thread: list[Annotated[str, Field(min_length=2, max_length=100)]] = Field(
        description="Phrases with which a question asks for the person's threads."
    )


class Arranged(Section):
    """What may be arranged for a person (FC-07)."""

    advisors: dict[Literal["balanced", "counter_first", "risk_first"], list[Name]] = Field(
        description="The order by risk preference; each has the same advisors."
    )
    always_first: dict[Route, Name] = Field(description="The advisor that begins a route, whoever asks.")
    skills: dict[ObjectType, list[Name]] = Field(description="By what they are about, in the order for everybody.")
    refresh_conditions: dict[ObjectType, list[Name]] = Field(description="By what a thread is about.")
    forbidden_execution_fields: list[Name] = Field(
        description="What a task before execution must not contain: the same for everybody."
    )
    refresh_frequency: Literal["manual"] = Field(description="Threads are refreshed when their person asks.")
    examples: dict[Literal["en", "zh"], Annotated[str, Field(min_length=1, max_length=300)]] = Field(
        description="A first question by language."
    )


class Drift(Section):
    """Signs that a person's view changed (FC-08)."""

    within: Annotated[timedelta, Length("1h", "3650d")] = Field(description="Opposing signals are no further apart.")
    positive: Words = Field(description="Words of comments, in lower case; a longer one counts instead of those in it.")
    negative: Words
    neither: Words = Field(description="Words that contain one of them and are on no side.")
    conflicts_needed: Annotated[int, Field(strict=True, ge=2, le=100)] = Field(description="Opposing comments.")
    inferences: Annotated[int, Field(strict=True, ge=0, le=1000)] = Field(description="More of them changed.")
    overlap: Annotated[float, Field(ge=0, le=1)] = Field(description="Less of the thesis in common is a flip.")
    reopened_after: Annotated[timedelta, Length("0s", "30d")] = Field(description="A reopened question waits.")
    counted: Annotated[timedelta, Length("1h", "3650d")] = Field(description="For slice S9.")
    warn_within: Annotated[timedelta, Length("1min", "365d")]
    warn_signals: Annotated[int, Field(strict=True, ge=1, le=1000)] = Field(description="Within `warn_within`.")
    warn_conflicts: Annotated[int, Field(strict=True, ge=1, le=1000)] = Field(description="Ever.")


class AddedBehavior(Section):
    """A behavior beside those of the catalogue; only a language model can find it (TR-09)."""

    en: Sentence = Field(description="What the person reads about themself.")
    zh: Sentence
    evidence: Annotated[str, Field(max_length=400, pattern=r"\S")] = Field(description="What messages must show.")
    parents: list[str] = Field(description="Preferences of the catalogue that it speaks for.")
    opposite: str | None = Field(description="Another added behavior that it contradicts, and that names this one.")
    mood: Annotated[bool, Field(strict=True)] = Field(
        default=False, description="It is how somebody feels: as a trend it is watched for 14 days, and never at work."
    )


class Traits(Section):
    """What may be inferred about a person (TR-01)."""

    behaviors: dict[Annotated[str, Field(pattern=r"^[a-z]+(-[a-z]+)*$", max_length=60)], AddedBehavior] = Field(
        description="By id, which must never change its meaning."
    )
    emotions: Annotated[bool, Field(strict=True)] = Field(
        default=False, description="Whether a trait says how its person felt about what it rests on; never at work."
    )


class Kept(Section):
    """What is never removed: without content, and part of what proves a forget."""

    kept: Literal["forever"]
