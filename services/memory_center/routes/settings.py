"""The switches (MC-06, CN-02)."""

from __future__ import annotations

from typing import Any

from services.api import Caller, CurrentCaller, UserIdQuery
from services.memory_center.schemas import SettingsOut, SettingsPatch, SettingsPut
from shared.consent.change_settings import change_settings
from shared.consent.sql import switches
from shared.kernel.database import Transaction
from shared.runtime import telemetry
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1/memory", tags=["settings"])


@router.get("/settings")
def get_settings(caller: CurrentCaller, user_id: UserIdQuery = None) -> SettingsOut:
    """Return all switches of a person."""
    return caller.transact(lambda tx: _settings(tx, caller, user_id))


@router.put("/settings")
def put_settings(body: SettingsPut, caller: CurrentCaller) -> SettingsOut:
    """Set Memory Center's three switches; return all."""
    caller.may_edit()
    return _change(caller, body.user_id, body.model_dump(exclude={"user_id"}))


@router.patch("/settings")
def patch_settings(body: SettingsPatch, caller: CurrentCaller) -> SettingsOut:
    """Change any of the switches; return all."""
    caller.may_edit()
    return _change(caller, body.user_id, body.model_dump(exclude={"user_id"}, exclude_unset=True))


def _change(caller: Caller, user_id: str | None, wanted: dict[str, Any]) -> SettingsOut:
    user = caller.user(user_id)

    def work(tx: Transaction) -> SettingsOut:
        change_settings(tx, user, wanted, terms=caller.terms, actor=caller.actor)
        return _settings(tx, caller, user)

    answer = caller.transact(work)
    telemetry.MEMORY_OP.labels(op="settings", scope="user").inc()
    return answer


def _settings(tx: Transaction, caller: Caller, user_id: str | None) -> SettingsOut:
    user = caller.user(user_id)
    subject = caller.known_subject(tx, user)
    saved = switches.read(tx, subject.id) if subject else None
    current = saved.switches if saved else caller.terms.defaults
    return SettingsOut(
        user_id=user,
        updated_at=saved.updated_at if saved else None,
        **{name: getattr(current, name) for name in switches.NAMES},
    )
