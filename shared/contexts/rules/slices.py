"""Slices of a person's context that each route is given (FC-04, FC-06). Everything else is never loaded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final, Literal, TypeAlias, get_args

from shared.contexts.rules.fields import Fields, reduced_language

Slice: TypeAlias = Literal["S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9"]
SLICES: Final[tuple[Slice, ...]] = get_args(Slice)
Route: TypeAlias = Literal[
    "snapshot",
    "thread_refresh",
    "risk_challenge",
    "pre_execution",
    "evidence_audit",
    "narrative_mapper",
    "event_impact_reader",
]
ROUTES: Final[tuple[Route, ...]] = get_args(Route)
Count: TypeAlias = Callable[[str], int]
"""Counts the tokens of a text."""

NAMES: Final[Mapping[Slice, str]] = {
    "S1": "language",
    "S2": "research_depth",
    "S3": "risk_prompt_preference",
    "S4": "focus",
    "S5": "research_style",
    "S6": "recent_threads",
    "S7": "stated_position",
    "S8": "constraints",
    "S9": "changes_of_view_in_30_days",
}
DEFAULTS: Final[Mapping[Slice, str]] = {"S1": "en", "S2": "standard", "S3": "balanced"}
"""For a person without preferences; only where the route needs the slice (cold start)."""

_FIELD: Final[Mapping[Slice, str]] = {
    "S1": "language_preference",
    "S2": "research_depth",
    "S3": "risk_prompt_preference",
    "S4": "user_focus_reason",
    "S5": "research_style",
}
"""Slice → the field it shows. A research style is a thread's (or the task's own), never the profile's."""
THREADS_MAX: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteSlices:
    """What one route is given: always, and if there is a reason."""

    required: tuple[Slice, ...]
    optional: tuple[Slice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SlicePolicy:
    """The matrix of a deployment.

    Args:
        limits: each slice has fewer tokens.
        my_thread: phrases that ask for the person's threads, in lower case.
    """

    limits: Mapping[Slice, int]
    routes: Mapping[Route, RouteSlices]
    my_thread: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is stored of a person and may be loaded, by scope, and what their consent keeps from being loaded.

    Args:
        titles: of the newest active threads, with what each is about.
        drifts: the number of changes of view; None if it may not be loaded.
        blocked: the fields that are stored where consent forbids loading.
        blocked_titles: whether there are threads that may not be named.
        is_given: whether the person lets assistants have anything that is kept.
    """

    task: Fields = field(default_factory=dict)
    thread: Fields = field(default_factory=dict)
    profile: Fields = field(default_factory=dict)
    titles: Sequence[str] = ()
    drifts: int | None = None
    blocked: frozenset[str] = frozenset()
    blocked_titles: bool = False
    is_given: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What a prompt is given, and the trace of it.

    Args:
        values: each slice's text, in the order of the block.
        defaulted: loaded with the default of a cold start.
        cut: shortened to their size.
    """

    values: Mapping[Slice, str]
    defaulted: tuple[Slice, ...]
    skipped_missing: tuple[Slice, ...]
    blocked_by_consent: tuple[Slice, ...]
    cut: tuple[Slice, ...]
    tokens: int

    @property
    def block(self) -> str:
        """The text before the newest message; empty if there is nothing to tell."""
        lines = "".join(f"{NAMES[name]}: {value}\n" for name, value in self.values.items())
        return f"<user_context>\n{lines}</user_context>\n" if lines else ""


def load(route: Route, known: Known, policy: SlicePolicy, *, question: str, count: Count) -> Loaded:
    """Return the slices of a route: required ones, and optional ones for which there is a reason.

    A task's own words win over the thread's, those over the profile's. What is missing is skipped; S1 to S3 fall back
    to their defaults.
    """
    wanted = policy.routes[route]
    values: dict[Slice, str] = {}
    defaulted: list[Slice] = []
    missing: list[Slice] = []
    blocked: list[Slice] = []
    cut: list[Slice] = []
    for name in sorted({*wanted.required, *_asked_for(wanted, known, policy, question)}):
        value = _value(name, known)
        if value is None and _is_blocked(name, known):
            blocked.append(name)
        if value is None and name in DEFAULTS and name in wanted.required:
            value = DEFAULTS[name]
            defaulted.append(name)
        if value is None:
            if name not in blocked:
                missing.append(name)
            continue
        values[name], shortened = _fitted(f"{NAMES[name]}: ", _one_line(value), policy.limits[name], count)
        if shortened:
            cut.append(name)
    loaded = Loaded(
        values=values,
        defaulted=tuple(defaulted),
        skipped_missing=tuple(missing),
        blocked_by_consent=tuple(blocked),
        cut=tuple(cut),
        tokens=0,
    )
    return Loaded(
        values=values,
        defaulted=loaded.defaulted,
        skipped_missing=loaded.skipped_missing,
        blocked_by_consent=loaded.blocked_by_consent,
        cut=loaded.cut,
        tokens=count(loaded.block),
    )


def asks_for_threads(question: str, policy: SlicePolicy) -> bool:
    """Return whether a question mentions the person's own threads."""
    text = " ".join(question.lower().split())
    return any(_mentions(phrase, text) for phrase in policy.my_thread)


def _mentions(phrase: str, text: str) -> bool:
    # Words of languages with spaces are whole words; "my threads" is not found in "dummy threads".
    before = r"(?<!\w)" if phrase[0].isascii() else ""
    after = r"(?!\w)" if phrase[-1].isascii() else ""
    return re.search(before + re.escape(phrase) + after, text) is not None


def _asked_for(wanted: RouteSlices, known: Known, policy: SlicePolicy, question: str) -> Iterator[Slice]:
    for name in wanted.optional:
        if name == "S6":
            if asks_for_threads(question, policy):
                yield name
        elif name == "S5" and "research_style" not in known.thread:
            if _is_blocked(name, known):  # optional for what comes from a thread
                yield name
        elif _value(name, known) is not None or _is_blocked(name, known):
            yield name


def _value(name: Slice, known: Known) -> str | None:
    match name:
        case "S6":
            return " | ".join(_one_line(title) for title in known.titles[:THREADS_MAX]) or None
        case "S7":
            return known.task.get("user_stated_position_context")
        case "S8":
            told = [known.task.get("constraints"), known.task.get("time_horizon")]
            return "; ".join(one for one in told if one) or None
        case "S9":
            return str(known.drifts) if known.drifts else None
        case _:
            value = _first(_FIELD[name], known)
            return reduced_language(value) if value is not None and name == "S1" else value


def _first(name: str, known: Known) -> str | None:
    for fields in (known.task, known.thread, known.profile):
        if value := fields.get(name):
            return value
    return None


def _is_blocked(name: Slice, known: Known) -> bool:
    return known.blocked_titles if name == "S6" else _FIELD.get(name) in known.blocked


def _one_line(text: str) -> str:
    """Return a text that cannot end the block or imitate a line of it."""
    return escape(" ".join(text.split()), quote=False)


def _fitted(label: str, text: str, limit: int, count: Count) -> tuple[str, bool]:
    """Return a text with fewer than `limit` tokens together with its label, and whether it was cut."""
    if count(f"{label}{text}\n") < limit:
        return text, False
    low, high = 0, len(text)
    while low < high:  # the longest beginning that fits
        middle = (low + high + 1) // 2
        if count(f"{label}{text[:middle]}…\n") < limit:
            low = middle
        else:
            high = middle - 1
    # A cut must not leave half an entity.
    return re.sub(r"&[a-z]{0,3}$", "", text[:low]) + "…", True
