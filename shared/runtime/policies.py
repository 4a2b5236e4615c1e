"""What a deployment keeps, for how long, and with whose consent: one YAML file, checked at startup (FC-13)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, Self, get_args, get_origin

import yaml
from pydantic import (
    BaseModel,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from shared.consent.rules.policy import ConsentPolicy, Permitted
from shared.contexts.rules.fields import RISK_PREFERENCES
from shared.contexts.rules.personalization import Arranging
from shared.contexts.rules.slices import ROUTES, SLICES, RouteSlices, SlicePolicy
from shared.conversations.rules.summaries import SummarySchedule
from shared.drift.rules import DriftPolicy, ObjectType
from shared.memories.rules.archiving import ArchivePolicy
from shared.portability.packages.limits import DEFAULT, Limits
from shared.runtime.lengths import written
from shared.runtime.policy_sections import (
    Archive,
    Arranged,
    Consent,
    Contexts,
    Drift,
    Erased,
    Exports,
    Imports,
    Kept,
    Memories,
    Permitting,
    Requests,
    Section,
    Traits,
    Undo,
    Windows,
)
from shared.traits.catalogue import Entry, faults_of

SCHEMA_ID: Final = "urn:memory-center-policy:1"

PACKAGED: Final = Path(__file__).parents[2] / "deploy" / "policies" / "default.yaml"
"""What holds where nobody named another file. It lies beside this package in a checkout, a wheel and an image."""

VARIABLE: Final = "MEMORY_CENTER_POLICY_FILE"

CANNOT_BE_OBEYED: Final = 2
"""What a process exits with whose policy file is refused, as for other wrong settings."""


class PolicyRefused(Exception):
    """A policy file cannot be obeyed; each of `faults` says in a line where and why."""

    def __init__(self, path: Path, faults: list[str]) -> None:
        super().__init__("\n".join(f"{path}: {fault}" for fault in faults))
        self.faults = faults


class RetentionPolicy(Section):
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
    traits: Traits

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
        yield from (f"traits.behaviors.{key}: {why}" for key, why in faults_of(self.added_behaviors))
        for route, row in self.contexts.routes.items():
            if twice := set(row.required) & set(row.optional):
                yield f"contexts.routes.{route}: {', '.join(sorted(twice))} is both required and optional"

    @property
    def added_behaviors(self) -> Sequence[Entry]:
        """Behaviors that this deployment adds to the catalogue."""
        return [
            Entry(
                key=key,
                subtype="behavior",
                en=one.en,
                zh=one.zh,
                parents=tuple(one.parents),
                opposite=one.opposite,
                evidence=one.evidence,
                added=True,
                mood=one.mood,
            )
            for key, one in self.traits.behaviors.items()
        ]

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
        raise PolicyRefused(path, [f"must have {_listed(RetentionPolicy, required=True)}"])
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
            text = f"must have {_listed(_section(fault['loc']), required=True)}"
        case "length" | "size":
            text = fault["msg"]
        case "byte_size":
            text = f"must be a size such as 256MiB or 1GiB, not {fault['input']!r}"
        case _:
            text = f"{fault['msg'].replace('Input should be', 'must be')}, not {fault['input']!r}"
    return f"{key}: {text}"


def _section(loc: tuple[int | str, ...]) -> type[BaseModel]:
    found: Any = RetentionPolicy
    for name in loc:
        # A section, or a table of sections, whose keys are anything.
        found = get_args(found)[1] if get_origin(found) is dict else found.model_fields[str(name)].annotation
    section: type[BaseModel] = found
    return section


def _listed(section: type[BaseModel], *, required: bool = False) -> str:
    """Return the members of a section, or those it must have."""
    return ", ".join(name for name, one in section.model_fields.items() if one.is_required() or not required)
