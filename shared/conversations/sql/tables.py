"""The tables of this capability, and its views, which leave out forgotten rows."""

from __future__ import annotations

from shared.kernel.tables import table, view

conversation_contents = table("conversation_contents", uuid="conversation_id", text="title", bigint="at_seq")
conversations = table(
    "conversations",
    uuid="id subject_id",
    integer="generation session summary_version",
    text="project_id external_id",
    bigint="next_seq turn cleared_through",
    boolean="turn_open turn_has_user remember",
    timestamptz="created_at updated_at erased_at",
)
episodes = table(
    "episodes",
    uuid="id subject_id conversation_id user_message_id assistant_message_id",
    integer="generation",
    bigint="turn first_seq",
    timestamptz="created_at",
)
erased_messages = table(
    "erased_messages",
    uuid="id subject_id conversation_id",
    integer="generation",
    bigint="seq turn",
    bytea="client_key",
    timestamptz="erased_at",
)
message_contents = table(
    "message_contents",
    uuid="message_id subject_id",
    integer="version",
    text="text name task_hint client_message_id",
    jsonb="metadata",
)
message_terms = table("message_terms", uuid="message_id subject_id", bigint="seq", bigints="terms")
messages = table(
    "messages",
    uuid="id subject_id conversation_id",
    integer="generation session",
    bigint="seq turn",
    text="role",
    boolean="completed summarize index_episode learn names_task",
    bytea="client_key",
    timestamptz="spoken_at recorded_at",
)
summaries = table(
    "summaries",
    uuid="id subject_id conversation_id",
    integer="generation version covered_message_count",
    bigint="covered_from covered_through",
    text="method",
    timestamptz="updated_at",
)
summary_contents = table("summary_contents", uuid="summary_id", text="text")
withheld = table(
    "withheld",
    uuid="message_id subject_id conversation_id",
    text="category outcome",
    integer="count generation",
    bigint="seq",
)
visible_conversations = view(
    "visible_conversations",
    uuid="id subject_id",
    integer="generation session",
    text="project_id title external_id",
    bigint="next_seq cleared_through",
    timestamptz="created_at updated_at",
    boolean="remember",
)
visible_episodes = view(
    "visible_episodes",
    uuid="id subject_id conversation_id user_message_id assistant_message_id",
    integer="generation",
    bigint="turn first_seq",
    timestamptz="created_at",
)
visible_messages = view(
    "visible_messages",
    uuid="id subject_id conversation_id",
    integer="generation session",
    bigint="seq turn",
    text="role text name task_hint client_message_id",
    boolean="completed summarize index_episode learn names_task",
    timestamptz="spoken_at recorded_at",
    jsonb="metadata",
)
visible_summaries = view(
    "visible_summaries",
    uuid="id subject_id conversation_id",
    integer="generation version covered_message_count",
    bigint="covered_from covered_through",
    timestamptz="updated_at",
    text="text method",
)
visible_withheld = view(
    "visible_withheld", uuid="message_id subject_id conversation_id", text="category outcome", integer="count"
)
