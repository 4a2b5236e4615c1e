"""The service that searches."""

from services.recall.chat_routes import router as chat_router
from services.recall.context_routes import router as context_router
from services.recall.finding_routes import router as finding_router
from services.recall.routes import router

BODY_LIMITS = {"/api/v1/recall": 200_000}
"""A question and what the person said for the task, every character escaped."""

ROUTERS = (
    context_router,
    chat_router,
    finding_router,
    router,
)
