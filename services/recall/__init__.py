"""Everything that searches."""

from services.recall.routes import router

ROUTERS = (router,)
