"""The methods of a path, over all routes that match it."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter
from starlette.routing import Route


class Methods:
    """The methods of every path served by some routers."""

    def __init__(self, routers: Sequence[APIRouter]) -> None:
        self._routes = [route for router in routers for route in router.routes if isinstance(route, Route)]

    def of(self, path: str) -> list[str]:
        """Return the `Allow` list of a path; empty if the path is not served."""
        return _allowed(self._matching(path))

    def of_its_name(self, path: str) -> list[str]:
        """Return the methods of the most specific routes of a path: `…/confirm` precedes `…/{memory_id}`."""
        matching = self._matching(path)
        fewest = min((len(route.param_convertors) for route in matching), default=0)
        return _allowed([route for route in matching if len(route.param_convertors) == fewest])

    def _matching(self, path: str) -> list[Route]:
        return [route for route in self._routes if route.path_regex.match(path)]


def _allowed(routes: Sequence[Route]) -> list[str]:
    return sorted({method for route in routes for method in route.methods or ()} | ({"OPTIONS"} if routes else set()))
