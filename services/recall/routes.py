"""Search in memories and episodes."""

from __future__ import annotations

from fastapi import BackgroundTasks, Request

from services.api import CurrentCaller
from services.episode_views import EpisodeOut, episode_out
from services.recall.debugging import of_episodes, of_search, recorded
from services.recall.schemas import EpisodeSearchIn, MemorySearchIn, SearchOut
from services.recall.search import search, search_episodes
from services.screening import check_filter
from shared.kernel import readers
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1/memory", tags=["recall"])


@router.post("/search", name="search_memory")
def search_memory(body: MemorySearchIn, request: Request, caller: CurrentCaller, later: BackgroundTasks) -> SearchOut:
    """Search a person's memories and episodes; send the question in the body."""
    user_id = caller.user(body.user_id)
    check_filter(body.metadata, caller.sensitivity)
    state = request.app.state

    if body.learned_in is not None:
        readers.find(state.recall_database, user_id, body.learned_in)
    reader, database = readers.find(state.recall_database, user_id, body.conversation_id)
    found = search(
        database,
        state.stores,
        reader,
        body,
        terms=caller.terms,
        sensitivity=caller.sensitivity,
    )
    later.tasks.append(recorded(caller, user_id, "search_memory", of_search(found), body.conversation_id))
    return found


@router.post("/episodes/search", name="search_episodes")
def find_episodes(
    body: EpisodeSearchIn, request: Request, caller: CurrentCaller, later: BackgroundTasks
) -> list[EpisodeOut]:
    """Search a conversation's episodes, best first, each with its similarity to the question (MC-18)."""
    user_id = caller.user(body.user_id)
    state = request.app.state

    reader, database = readers.find(state.recall_database, user_id, body.conversation_id)
    near = search_episodes(database, state.stores, reader, body, terms=caller.terms)
    found = [episode_out(episode, caller, similarity=similarity) for episode, similarity in near]
    later.tasks.append(recorded(caller, user_id, "search_episodes", of_episodes(found), body.conversation_id))
    return found
