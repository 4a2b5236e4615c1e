"""How long a deployment keeps things: one YAML file, read and checked when a process starts (FC-13)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

import yaml
from pydantic import AfterValidator, BaseModel, ByteSize, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from shared.conversations.rules.summaries import SummarySchedule
from shared.erasure.rules.scopes import UNDO_SECONDS_MAX
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


class Kept(_Section):
    """What is never removed: without content, and part of what proves a forget."""

    kept: Literal["forever"]


class RetentionPolicy(_Section):
    """A whole policy file; docs/retention.md says what each value does."""

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
        return self

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
