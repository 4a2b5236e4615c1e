"""What a person sees and controls."""

from services.memory_center.routes import (
    cleanups,
    explaining,
    exporting,
    forgetting,
    importing,
    live,
    long_term,
    operations,
    overview,
    preferences,
    receipts,
    remembering,
    settings,
)

LARGER_BODIES = importing.LARGER_BODIES

ROUTERS = (
    settings.router,
    remembering.router,
    long_term.router,
    overview.router,
    explaining.router,
    preferences.router,
    forgetting.router,
    exporting.router,
    importing.router,
    operations.router,
    live.router,
    receipts.router,
    cleanups.router,
)
