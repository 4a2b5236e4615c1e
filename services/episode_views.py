"""Episodes in the API."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from services.api import Caller
from shared.conversations.sql.episodes import Episode
from shared.runtime.body import Body as Body  # noqa: PLC0414  # what routes build their bodies from


class EpisodeOut(Body):
    """One turn of a conversation with both of its sides (MC-18)."""

    id: UUID
    user_message_id: UUID | None
    assistant_message_id: UUID | None
    similarity: float | None = Field(
        default=None,
        description="Cosine similarity with the question; null if there was no question or it was found by words only.",
    )
    spoken_at: datetime = Field(description="When the turn began.")
    created_at: datetime = Field(description="When the episode was created.")
    user_message: str | None = Field(
        description="Sensitive fragments are replaced by their category, such as `[credential]`."
    )
    assistant_message: str | None
    found_by: Literal["meaning", "words"] = Field(
        default="words", description="words: it has no vector yet, or cannot have one."
    )


def episode_out(found: Episode, caller: Caller, *, similarity: float | None = None) -> EpisodeOut:
    """Return an episode for output, with secrets masked."""
    shown = {name: value for name, value in asdict(found).items() if name != "conversation_id"}
    sides = {name: caller.masked(shown[name]) for name in ("user_message", "assistant_message")}
    return EpisodeOut(**{**shown, **sides, "similarity": similarity})
