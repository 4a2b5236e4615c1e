"""What a person sees and controls."""

from services.memory_center.routes import cleanups, forgetting, operations, receipts, remembering, settings

ROUTERS = (settings.router, remembering.router, forgetting.router, operations.router, receipts.router, cleanups.router)
