"""Id types. All are UUIDv7 except namespaces, which are random so that a restore cannot repeat them."""

from __future__ import annotations

from typing import NewType
from uuid import UUID

SubjectId = NewType("SubjectId", UUID)
ConversationId = NewType("ConversationId", UUID)
MessageId = NewType("MessageId", UUID)
EpisodeId = NewType("EpisodeId", UUID)
MemoryId = NewType("MemoryId", UUID)
FeedbackId = NewType("FeedbackId", UUID)
OperationId = NewType("OperationId", UUID)
Namespace = NewType("Namespace", UUID)
