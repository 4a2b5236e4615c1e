"""The web app: its files, and signing in with a cookie. Everything else it asks of the other services over HTTP."""

from services.web import pages, session

ROUTERS = (session.router, pages.router)
