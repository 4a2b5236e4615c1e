"""What a person sees and controls."""

from services.memory_center.routes import (
    cleanups,
    explaining,
    forgetting,
    long_term,
    operations,
    preferences,
    receipts,
    remembering,
    settings,
)

ROUTERS = (
    settings.router,
    remembering.router,
    long_term.router,
    explaining.router,
    preferences.router,
    forgetting.router,
    operations.router,
    receipts.router,
    cleanups.router,
)
