"""The fields in which a person says how to work for them, in every request that may hold them (FC-01, FC-10)."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from services.api import Body
from shared.contexts.rules.fields import FIELDS, reduced_language
from shared.kernel.sensitivity import POLICIES, Policy
from shared.language.sensitivity import mask, screen
from shared.runtime.problems import ApiProblem, ProblemKind

TEXT_MAX: Final = 800
"""Characters; every slice is shorter than that."""

NEVER_KEPT: Final = POLICIES["finclaw"]
"""Names, addresses, wallets, credentials: in what people say about how to work for them, with any policy (FC-10)."""

SENSITIVE_INPUT: Final = ProblemKind(
    status=422,
    code="sensitive_input",
    title="This contains something that is never kept: a name, an address, a wallet or a credential.",
    detail="`details.categories` lists the categories. Nothing was stored.",
)


def _language(tag: object) -> object:
    if tag is None:
        return None
    if not isinstance(tag, str) or not 2 <= len(tag) <= 35:  # noqa: PLR2004 # a language tag
        raise PydanticCustomError("language", "must be a language tag such as en or zh-CN")
    return reduced_language(tag)


Text = Annotated[str, Field(min_length=1, max_length=TEXT_MAX)]


class ContextFields(Body):
    """How the person wants to be worked for. Longer language tags are reduced to `en` or `zh`."""

    language_preference: Annotated[Literal["en", "zh"], BeforeValidator(_language)] | None = None
    research_depth: Literal["quick", "standard", "deep"] | None = None
    risk_prompt_preference: Literal["balanced", "counter_first", "risk_first"] | None = None
    research_style: Text | None = None
    user_focus_reason: Text | None = Field(default=None, description="Sensitive fragments in it are left out.")
    user_stated_position_context: Text | None = Field(default=None, description="Kept with its task or thread.")
    time_horizon: Text | None = None
    constraints: Text | None = None


def screened_texts(texts: dict[str, str], policy: Policy) -> dict[str, str]:
    """Return texts about a thread as they may be kept.

    Raises:
        ApiProblem: 422 `sensitive_input`: one contains what is never kept.
    """
    screened = {name: screen(text, policy) for name, text in texts.items()}
    if refused := {
        category for one in screened.values() for category, outcome in one.withheld if outcome == "rejected"
    }:
        raise ApiProblem(SENSITIVE_INPUT, details={"categories": sorted(refused)})
    return {name: one.text or "" for name, one in screened.items()}


def screened_fields(given: ContextFields | None) -> dict[str, str | None]:
    """Return the fields that were sent, without what must never be kept: whatever the deployment keeps elsewhere.

    Raises:
        ApiProblem: 422 `sensitive_input`: a field other than `user_focus_reason` contains such a thing.
    """
    if given is None:
        return {}
    fields = given.model_dump(include=given.model_fields_set & set(FIELDS))
    refused: set[str] = set()
    for name, value in fields.items():
        if not isinstance(value, str):
            continue
        if name == "user_focus_reason":
            fields[name] = mask(value, NEVER_KEPT)
            continue
        found = screen(value, NEVER_KEPT)
        if found.text is None:
            refused |= {category for category, outcome in found.withheld if outcome == "rejected"}
        else:
            fields[name] = found.text
    if refused:
        raise ApiProblem(SENSITIVE_INPUT, details={"categories": sorted(refused)})
    return fields
