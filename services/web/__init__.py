"""The web app: its files, and signing in with a cookie. It uses the other services over HTTP."""

from services.web import pages, session

BODY_LIMITS = session.BODY_LIMITS

ROUTERS = (session.router, pages.router)
