"""Intake: conversations, messages, feedback, clear."""

from services.conversations.routes import conversations, debugging, feedback, forgetting, messages

BODY_LIMITS = {**messages.BODY_LIMITS, **feedback.BODY_LIMITS}

ROUTERS = (conversations.router, messages.router, feedback.router, forgetting.router, debugging.router)
