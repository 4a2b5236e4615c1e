"""The item kinds of conversations: conversation, summary, episode and message."""

from __future__ import annotations

from typing import Final

from shared.conversations.sql import episodes, summaries, tables
from shared.kernel.items import ItemKind

CONVERSATION: Final = ItemKind(
    name="conversation",
    record="conversation",
    table=tables.conversations,
    visible=tables.visible_conversations,
    fate="goes with the person",
    holds_words=(tables.conversation_contents, tables.conversations),
    recorded=True,
)
SUMMARY: Final = ItemKind(
    name="summary",
    record="summary",
    table=tables.summaries,
    visible=tables.visible_summaries,
    contents=(tables.summary_contents.c.summary_id,),
    in_conversation=tables.summaries.c.covered_from,
    in_lineage=True,
    summary=summaries.AS_DERIVED,
)
EPISODE: Final = ItemKind(
    name="episode",
    record="episode",
    table=tables.episodes,
    visible=tables.visible_episodes,
    in_conversation=tables.episodes.c.first_seq,
    in_lineage=True,
    summary=episodes.AS_DERIVED,
)
MESSAGE: Final = ItemKind(
    name="message",
    record="message",
    table=tables.messages,
    visible=tables.visible_messages,
    contents=(tables.message_contents.c.message_id, tables.message_terms.c.message_id, tables.withheld.c.message_id),
    in_conversation=tables.messages.c.seq,
    tombstone=tables.erased_messages,
    in_lineage=True,
    selectable=True,
)
