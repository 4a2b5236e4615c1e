"""What a deployment keeps, for how long, and with whose consent: one YAML file, checked at startup (FC-13)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self, get_args

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    ByteSize,
    ConfigDict,
    Field,
    StrictBool,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from shared.consent.rules.policy import ConsentPolicy, Permitted
from shared.contexts.rules.fields import RISK_PREFERENCES
from shared.contexts.rules.personalization import Arranging
from shared.contexts.rules.slices import ROUTES, SLICES, Route, RouteSlices, Slice, SlicePolicy
from shared.conversations.rules.summaries import SummarySchedule
from shared.drift.rules import DriftPolicy, ObjectType
from shared.erasure.rules.scopes import UNDO_SECONDS_MAX
from shared.kernel.sensitivity import PolicyName
from shared.memories.rules.archiving import ArchivePolicy
from shared.portability.packages.limits import DEFAULT, MIB, Limits
from shared.runtime.lengths import Length, written

SCHEMA_ID: Final = "urn:memory-center-policy:1"

PACKAGED: Final = Path(__file__).parents[2] / "deploy" / "policies" / "default.yaml"
"""What holds where nobody named another file. It lies beside this package in a checkout, a wheel and an image."""

VARIABLE: Final = "MEMORY_CENTER_POLICY_FILE"

CANNOT_BE_OBEYED: Final = 2
"""What a process exits with whose policy file is refused, as for other wrong settings."""

Messages = Annotated[int, Field(strict=True, ge=1, le=1000)]


def _bounded(size: ByteSize) -> ByteSize:
    if not MIB <= size <= 16 * 1024 * MIB:
        raise PydanticCustomError("size", "must be from 1MiB to 16GiB")
    return size


Size = Annotated[ByteSize, AfterValidator(_bounded)]
Name = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[a-z][a-z0-9_]*$")]
Words = list[Annotated[str, Field(min_length=1, max_length=40)]]


class PolicyRefused(Exception):
    """A policy file cannot be obeyed; each of `faults` says in a line where and why."""

    def __init__(self, path: Path, faults: list[str]) -> None:
        super().__init__("\n".join(f"{path}: {fault}" for fault in faults))
        self.faults = faults


class _Section(BaseModel):
    """Nothing has a default here: a file says everything, and nothing that is not known."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Windows(_Section):
    """What an assistant reads as it was said (MC-02, MC-03)."""

    messages: Messages = Field(description="So many of a conversation's newest messages; older ones are summarised.")
    summary_every: Messages = Field(description="A summary is written anew once in so many messages at most.")


class Archive(_Section):
    """When memories go to the archive (LT-10)."""

    unused: Annotated[timedelta, Length("1h", "36500d")] = Field(
        description="Nothing happened to it for so long, and it is neither confirmed, important nor a taboo."
    )
    superseded: Annotated[timedelta, Length("1h", "36500d")] = Field(
        description="A newer one took its place so long ago, whatever it is."
    )


class Undo(_Section):
    """How long a forget can be undone (X-08)."""

    # The web app offers eight seconds everywhere.
    longest: Annotated[timedelta, Length("8s", f"{UNDO_SECONDS_MAX}s")] = Field(
        description="Whoever asks for more is refused."
    )


class Exports(_Section):
    """Packages people take with them (MC-12)."""

    # Long enough to download a large one over a slow line.
    kept: Annotated[timedelta, Length("10min", "30d")] = Field(description="For so long after it is ready.")


class Imports(_Section):
    """Packages people bring along (X-09)."""

    package: Size = Field(description="The largest upload.")
    unpacked: Size = Field(description="What it may hold, all files together.")
    kept: Annotated[timedelta, Length("1h", "30d")] = Field(
        description="A package that could not be imported for so long is given up."
    )


class Requests(_Section):
    """What is kept of requests: ids and numbers, no content."""

    answers: Annotated[timedelta, Length("10s", "30d")] = Field(
        description="Repeating an Idempotency-Key within this time gets the same answer."
    )
    records: Annotated[timedelta, Length("1min", "30d")] = Field(
        description="What a request did, for the assistant's developers (MC-01)."
    )


class Erased(_Section):
    """What was erased, and is still in data files."""

    purged_every: Annotated[timedelta, Length("10s", "30d")] = Field(
        description="It is taken out of data files once in so long, if there is any."
    )


class Consent(_Section):
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


class Permitting(_Section):
    """What the installation does with what it remembers; one switch for each prohibition (FC-13)."""

    vector_search_over_user_memory: StrictBool = Field(description="Memories and turns are embedded and searched.")
    llm_summarizer: StrictBool = Field(description="A language model may word summaries and memories.")
    clustering: StrictBool = Field(description="Behaviors are grouped into preferences and core traits.")
    inferred_profile: StrictBool = Field(description="Traits, and preferences from feedback, are inferred.")
    admin_edits: StrictBool = Field(description="A service may change what is remembered about a person.")
    reinforcement: StrictBool = Field(description="What was recalled grows stronger.")
    evidence_personalization: StrictBool = Field(description="A request for evidence may be given memories.")


class Memories(_Section):
    """What is done about sensitive fragments, and which memories are given (FC-10, decision 9)."""

    sensitivity: PolicyName = Field(description="`finclaw` refuses names, addresses and wallets too.")
    confirmed_only: StrictBool = Field(description="Of preferences and constraints, only confirmed ones always given.")
    confirmed_for_routes: StrictBool = Field(description="A recall with a route is given confirmed memories only.")


class RouteRow(_Section):
    """One route's row of the matrix (FC-04)."""

    required: list[Slice]
    optional: list[Slice]


class Contexts(_Section):
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


class Arranged(_Section):
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


class Drift(_Section):
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


class Kept(_Section):
    """What is never removed: without content, and part of what proves a forget."""

    kept: Literal["forever"]


class RetentionPolicy(_Section):
    """A whole policy file; docs/retention.md and docs/consent.md say what each value does."""

    version: Literal[1]
    windows: Windows
    archive: Archive
    undo: Undo
    exports: Exports
    imports: Imports
    requests: Requests
    erased: Erased
    operations: Kept
    receipts: Kept
    consent: Consent
    permitted: Permitting
    memories: Memories
    contexts: Contexts
    arranging: Arranged
    drift: Drift

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        undo = written(self.undo.longest)
        for key, value, why in (
            ("requests.answers", self.requests.answers, "its answer is there while it can be undone"),
            ("erased.purged_every", self.erased.purged_every, "it is not erased while it can be undone"),
        ):
            if value < self.undo.longest:
                told = {"key": key, "value": written(value), "undo": undo, "why": why}
                text = "{key}: must not be shorter than undo.longest ({undo}), not {value}: {why}"
                raise PydanticCustomError("order", text, told)
        if self.imports.unpacked < self.imports.package:
            text = "imports.unpacked: must not be less than imports.package"
            raise PydanticCustomError("order", text)
        for fault in self._incomplete():
            raise PydanticCustomError("order", fault)
        return self

    def _incomplete(self) -> Iterator[str]:
        """Yield what a table of the policy lacks, or has too much of."""
        tables: tuple[tuple[str, Mapping[Any, object], Sequence[str]], ...] = (
            ("consent.texts", self.consent.texts, ("en", "zh")),
            ("contexts.slices", self.contexts.slices, SLICES),
            ("contexts.routes", self.contexts.routes, ROUTES),
            ("arranging.advisors", self.arranging.advisors, RISK_PREFERENCES),
            ("arranging.skills", self.arranging.skills, get_args(ObjectType)),
            ("arranging.refresh_conditions", self.arranging.refresh_conditions, get_args(ObjectType)),
            ("arranging.examples", self.arranging.examples, ("en", "zh")),
        )
        for key, table, wanted in tables:
            if missing := [one for one in wanted if one not in table]:
                yield f"{key}: {', '.join(missing)} is missing"
        if len({frozenset(one) for one in self.arranging.advisors.values()}) > 1:
            yield "arranging.advisors: every order must have the same advisors"
        for route, row in self.contexts.routes.items():
            if twice := set(row.required) & set(row.optional):
                yield f"contexts.routes.{route}: {', '.join(sorted(twice))} is both required and optional"

    @property
    def consent_policy(self) -> ConsentPolicy:
        said = self.consent
        return ConsentPolicy(
            required=said.required,
            covers_memories=said.covers_memories,
            text_version=said.text_version,
            texts={str(language): text for language, text in said.texts.items()},
        )

    @property
    def permissions(self) -> Permitted:
        return Permitted(**self.permitted.model_dump())

    @property
    def slice_policy(self) -> SlicePolicy:
        return SlicePolicy(
            limits=dict(self.contexts.slices),
            routes={
                route: RouteSlices(required=tuple(row.required), optional=tuple(row.optional))
                for route, row in self.contexts.routes.items()
            },
            my_thread=tuple(phrase.lower() for phrase in self.contexts.my_thread),
        )

    @property
    def arrangements(self) -> Arranging:
        said = self.arranging
        return Arranging(
            advisors={str(risk): tuple(order) for risk, order in said.advisors.items()},
            always_first=dict(said.always_first),
            skills={str(kind): tuple(names) for kind, names in said.skills.items()},
            refresh_conditions={str(kind): tuple(names) for kind, names in said.refresh_conditions.items()},
            forbidden_execution_fields=tuple(said.forbidden_execution_fields),
            refresh_frequency=said.refresh_frequency,
            examples={str(language): text for language, text in said.examples.items()},
        )

    @property
    def drift_policy(self) -> DriftPolicy:
        said = self.drift
        return DriftPolicy(
            within=said.within,
            positive=tuple(said.positive),
            negative=tuple(said.negative),
            neither=tuple(said.neither),
            conflicts_needed=said.conflicts_needed,
            inferences=said.inferences,
            overlap=said.overlap,
            reopened_after=said.reopened_after,
            counted=said.counted,
            warn_within=said.warn_within,
            warn_signals=said.warn_signals,
            warn_conflicts=said.warn_conflicts,
        )

    @property
    def archiving(self) -> ArchivePolicy:
        day = timedelta(days=1)
        return ArchivePolicy(unused_days=self.archive.unused / day, superseded_days=self.archive.superseded / day)

    @property
    def limits(self) -> Limits:
        return replace(DEFAULT, package_bytes=self.imports.package, unpacked_bytes=self.imports.unpacked)

    @property
    def summary_schedule(self) -> SummarySchedule:
        return SummarySchedule(window_messages=self.windows.messages, every_messages=self.windows.summary_every)


def named_file() -> Path:
    """Return the policy file the environment names, else the packaged one."""
    return Path(os.environ.get(VARIABLE) or PACKAGED)


@cache
def policy_at(path: Path) -> RetentionPolicy:
    """Return the policy of a file, read once.

    Raises:
        PolicyRefused: there is no such file, or it cannot be obeyed.
    """
    try:
        with path.open(encoding="utf-8") as file:
            found = yaml.load(file, _Once)  # noqa: S506 # a safe loader
    except OSError as problem:
        raise PolicyRefused(path, [f"cannot be read: {problem.strerror}"]) from None
    except UnicodeDecodeError:
        raise PolicyRefused(path, ["is not UTF-8"]) from None
    except yaml.MarkedYAMLError as problem:
        line = f"line {problem.problem_mark.line + 1}: " if problem.problem_mark else ""
        raise PolicyRefused(path, [f"{line}{problem.problem}"]) from None
    except yaml.YAMLError as problem:
        raise PolicyRefused(path, [" ".join(str(problem).split())]) from None
    if not isinstance(found, Mapping):
        raise PolicyRefused(path, [f"must have {_listed(RetentionPolicy)}"])
    try:
        return RetentionPolicy.model_validate(found)
    except ValidationError as problem:
        raise PolicyRefused(path, [_told(fault) for fault in problem.errors()]) from None


def schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a policy file, for editors and for whoever writes one."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        **RetentionPolicy.model_json_schema(),
    }


class _Once(yaml.SafeLoader):  # type: ignore[misc]  # yaml has no types
    """Refuses a key that is there twice; YAML's usual readers take the last one silently."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002 # theirs
        found: dict[Any, Any] = super().construct_mapping(node, deep)
        if len(found) < len(node.value):
            raise yaml.constructor.ConstructorError(None, None, "a key is there twice", node.start_mark)
        return found


def _told(fault: ErrorDetails) -> str:
    """Return one fault as `key: what is wrong and what is allowed`."""
    key = ".".join(map(str, fault["loc"]))
    match fault["type"]:
        case "order":
            return fault["msg"]
        case "missing":
            text = f"is missing; {PACKAGED} has one to copy"
        case "extra_forbidden":
            text = f"is unknown; here may be {_listed(_section(fault['loc'][:-1]))}"
        case "model_type":
            text = f"must have {_listed(_section(fault['loc']))}"
        case "length" | "size":
            text = fault["msg"]
        case "byte_size":
            text = f"must be a size such as 256MiB or 1GiB, not {fault['input']!r}"
        case _:
            text = f"{fault['msg'].replace('Input should be', 'must be')}, not {fault['input']!r}"
    return f"{key}: {text}"


def _section(loc: tuple[int | str, ...]) -> type[BaseModel]:
    found: type[BaseModel] = RetentionPolicy
    for name in loc:
        inner = found.model_fields[str(name)].annotation
        assert isinstance(inner, type)  # noqa: S101 # sections alone have keys
        found = inner
    return found


def _listed(section: type[BaseModel]) -> str:
    return ", ".join(section.model_fields)
