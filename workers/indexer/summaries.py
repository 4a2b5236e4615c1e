"""Messages that slide out of the window become the conversation's summary (MC-03)."""

from __future__ import annotations

from collections.abc import Callable

from shared.conversations.summarise import (
    MESSAGE_CHARACTERS,
    RollPlan,
    SummariesOff,
    SummaryOvertaken,
    confirm_roll,
    may_be_shown,
    plan_roll,
)
from shared.language.sensitivity import mask
from shared.language.summarizer import ModelRefuses, ModelUnavailable, Spoken
from shared.outbox.sql.outbox import Lease
from shared.stores.port import StoreMisconfigured, StoreUnavailable
from workers.leases import Postponed
from workers.process import process

SWITCHED_OFF_SECONDS = 300.0
"""How long a summary that must be written again waits before it looks whether the person turned summaries on."""


def roll(lease: Lease) -> None:
    """Plan, mask, summarise and confirm one version.

    The summarizers are made first: between looking at the messages and asking a model nothing slow may stand.
    """
    database, defaults = process().database, process().defaults
    _ = process().summarizers
    try:
        plan = database.transact(lambda tx: plan_roll(tx, lease, defaults=defaults, rhythm=process().rhythm))
        if plan is None:
            return
        text, method = summarise(plan, mask=lambda said: mask(said, process().sensitivity))
        database.transact(lambda tx: confirm_roll(tx, plan, text=text, method=method, defaults=defaults))
    except SummariesOff:
        raise Postponed("switched_off", SWITCHED_OFF_SECONDS) from None
    except SummaryOvertaken:
        raise Postponed("context_changed", 0.0) from None


def summarise(plan: RollPlan, *, mask: Callable[[str], str]) -> tuple[str, str]:
    """Return the next version and how it was made: the model's words, or where it has none, the best sentences.

    Args:
        mask: replaces what is sensitive. No summarizer sees it, and whatever one writes goes through it once more.

    Raises:
        SummaryOvertaken: something of the prompt was forgotten before it left.
        StoreUnavailable, StoreMisconfigured: the model's endpoint does not answer, or never will.
    """
    previous = plan.previous.text if plan.previous else ""
    spoken = [Spoken(role=one.role, text=mask(one.text)[:MESSAGE_CHARACTERS]) for one in plan.messages]
    text, method = "", ""
    for summarizer in process().summarizers:
        method = summarizer.method
        if summarizer.asks_elsewhere:
            process().database.transact(lambda tx: may_be_shown(tx, plan))
        try:
            text = mask(summarizer.summarize(previous, spoken))
        except ModelUnavailable:
            raise StoreUnavailable("mem0-llm") from None
        except ModelRefuses:
            raise StoreMisconfigured("mem0-llm", "the language model's endpoint rejects the request") from None
        if text:
            break
    return text, method
