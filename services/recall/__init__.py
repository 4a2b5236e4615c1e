"""Everything that searches."""

from services.recall.context_routes import router as context_router
from services.recall.finding_routes import router as finding_router
from services.recall.routes import router

ROUTERS = (
    context_router,
    finding_router,
    router,
)
