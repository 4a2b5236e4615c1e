"""Intake: conversations, messages, feedback, clear."""

from services.conversations.routes import BODY_LIMITS as BODY_LIMITS  # re-exported
from services.conversations.routes import router

ROUTERS = (router,)
