"""The service with which people see and control their memory."""

from services.memory_center.routes import (
    cleanups,
    consent,
    documents,
    explaining,
    exporting,
    forgetting,
    ids,
    importing,
    live,
    long_term,
    operations,
    overview,
    preferences,
    receipts,
    remembering,
    settings,
    tasks,
    traits,
)

BODY_LIMITS = {
    **importing.BODY_LIMITS,
    **forgetting.BODY_LIMITS,
    **exporting.BODY_LIMITS,
    **consent.BODY_LIMITS,
    **tasks.BODY_LIMITS,
    **documents.BODY_LIMITS,
}

ROUTERS = (
    settings.router,
    consent.router,
    tasks.router,
    remembering.router,
    long_term.router,
    documents.router,
    overview.router,
    traits.router,
    explaining.router,
    preferences.router,
    forgetting.router,
    exporting.router,
    exporting.of_users,
    importing.router,
    operations.router,
    ids.router,
    live.router,
    receipts.router,
    cleanups.router,
)
