"""Intake: conversations, messages, feedback, clear."""

from services.conversations.routes import BODY_LIMITS as BODY_LIMITS  # of this service
from services.conversations.routes import router

ROUTERS = (router,)
