"""What a person sees and controls."""

from services.memory_center.routes import (
    cleanups,
    explaining,
    exporting,
    forgetting,
    live,
    long_term,
    operations,
    overview,
    preferences,
    receipts,
    remembering,
    settings,
)

ROUTERS = (
    settings.router,
    remembering.router,
    long_term.router,
    overview.router,
    explaining.router,
    preferences.router,
    forgetting.router,
    exporting.router,
    operations.router,
    live.router,
    receipts.router,
    cleanups.router,
)
