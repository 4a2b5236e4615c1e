"""The item kinds of contexts: tasks, contexts, and candidates for training."""

from __future__ import annotations

from typing import Final

from shared.contexts.packages import CANDIDATES, CONTEXTS, TASKS
from shared.kernel.items import ItemKind

CANDIDATE: Final = ItemKind(
    name="candidate",
    record="candidate",
    table="training_candidates",
    visible="visible_candidates",
    contents=(("training_candidate_contents", "candidate_id"),),
    in_conversation="at_seq",
    recorded=True,
    in_packages=CANDIDATES,
)
CONTEXT: Final = ItemKind(
    name="context",
    record="context",
    table="user_contexts",
    visible="visible_contexts",
    contents=(("context_contents", "context_id"),),
    in_conversation="at_seq",
    selectable=True,
    recorded=True,
    in_packages=CONTEXTS,
)
TASK: Final = ItemKind(
    name="task",
    record="task",
    table="tasks",
    visible="visible_tasks",
    fate="goes with the person",
    recorded=True,
    in_packages=TASKS,
)
