"""Messages that leave the context window are added to the conversation's summary (MC-03)."""

from __future__ import annotations

from collections.abc import Callable

from shared.conversations.summarise import (
    MESSAGE_CHARACTERS,
    RollPlan,
    SummaryOvertaken,
    confirm_roll,
    may_be_shown,
    plan_roll,
)
from shared.language.sensitivity import mask
from shared.language.summarizer import ModelRefuses, ModelUnavailable, Spoken
from shared.outbox.sql.leasing import Lease
from shared.stores.port import StoreMisconfigured, StoreUnavailable
from workers.leases import Postponed
from workers.process import process


def roll(lease: Lease) -> None:
    """Plan, mask, summarise and confirm one version.

    The summarizers are created first: nothing slow may run between reading the messages and asking a model.
    """
    database, terms = process().database.of(lease.subject_id), process().terms
    _ = process().summarizers
    try:
        plan = database.transact(
            lambda tx: plan_roll(tx, lease, terms=terms, summary_schedule=process().summary_schedule)
        )
        if plan is None:
            return
        text, method = summarise(plan, mask=lambda said: mask(said, process().sensitivity))
        database.transact(lambda tx: confirm_roll(tx, plan, text=text, method=method, terms=terms))
    except SummaryOvertaken:
        raise Postponed("context_changed", 0.0) from None


def summarise(plan: RollPlan, *, mask: Callable[[str], str]) -> tuple[str, str]:
    """Return the next version and its method: the model's text or, without one, the most important sentences.

    Args:
        mask: replaces sensitive content. It is applied to the input and again to the summary.

    Raises:
        SummaryOvertaken: part of the prompt was forgotten before it was sent.
        StoreUnavailable, StoreMisconfigured: the model's endpoint does not answer, or rejects the request.
    """
    previous = plan.previous.text if plan.previous else ""
    spoken = [Spoken(role=one.role, text=mask(one.text)[:MESSAGE_CHARACTERS]) for one in plan.messages]
    text, method = "", ""
    for summarizer in process().summarizers:
        method = summarizer.method
        if summarizer.asks_elsewhere:
            process().database.of(plan.subject.id).transact(lambda tx: may_be_shown(tx, plan))
        try:
            text = mask(summarizer.summarize(previous, spoken))
        except ModelUnavailable:
            raise StoreUnavailable("mem0-llm") from None
        except ModelRefuses:
            raise StoreMisconfigured("mem0-llm", "the language model's endpoint rejects the request") from None
        if text:
            break
    return text, method
