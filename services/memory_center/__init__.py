"""What a person sees and controls."""

from services.memory_center.routes import forgetting, operations, remembering, settings

ROUTERS = (settings.router, remembering.router, forgetting.router, operations.router)
