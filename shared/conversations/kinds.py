"""The item kinds of conversations: conversation, summary, episode and message."""

from __future__ import annotations

from typing import Final

from shared.kernel.items import ItemKind

CONVERSATION: Final = ItemKind(
    name="conversation",
    record="conversation",
    table="conversations",
    visible="visible_conversations",
    fate="goes with the person",
    holds_words=("conversation_contents", "conversations"),
    recorded=True,
)
SUMMARY: Final = ItemKind(
    name="summary",
    record="summary",
    table="summaries",
    visible="visible_summaries",
    contents=(("summary_contents", "summary_id"),),
    in_conversation="covered_from",
    in_lineage=True,
    summary="select id, 'version ' || version as label, text as content, updated_at as made_at from visible_summaries",
)
EPISODE: Final = ItemKind(
    name="episode",
    record="episode",
    table="episodes",
    visible="visible_episodes",
    in_conversation="first_seq",
    in_lineage=True,
    summary="select id, 'turn ' || turn as label, null as content, created_at as made_at from visible_episodes",
)
MESSAGE: Final = ItemKind(
    name="message",
    record="message",
    table="messages",
    visible="visible_messages",
    contents=(("message_contents", "message_id"), ("message_terms", "message_id"), ("withheld", "message_id")),
    in_conversation="seq",
    tombstone="""
      insert into erased_messages (id, subject_id, generation, conversation_id, seq, turn, client_key)
      select id, subject_id, generation, conversation_id, seq, turn, client_key from doomed_messages
      on conflict do nothing
    """,
    in_lineage=True,
    selectable=True,
)
