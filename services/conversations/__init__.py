"""Intake: conversations, messages, feedback, clear."""

from services.conversations.routes import router

ROUTERS = (router,)
