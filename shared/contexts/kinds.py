"""The item kinds of contexts: tasks, contexts, and candidates for training."""

from __future__ import annotations

from typing import Final

from shared.contexts.packages import CANDIDATES, CONTEXTS, TASKS
from shared.contexts.sql import tables
from shared.kernel.items import ItemKind

CANDIDATE: Final = ItemKind(
    name="candidate",
    record="candidate",
    table=tables.training_candidates,
    visible=tables.visible_candidates,
    contents=(tables.training_candidate_contents.c.candidate_id,),
    in_conversation=tables.training_candidates.c.at_seq,
    recorded=True,
    in_packages=CANDIDATES,
)
CONTEXT: Final = ItemKind(
    name="context",
    record="context",
    table=tables.user_contexts,
    visible=tables.visible_contexts,
    contents=(tables.context_contents.c.context_id,),
    in_conversation=tables.user_contexts.c.at_seq,
    selectable=True,
    recorded=True,
    in_packages=CONTEXTS,
)
TASK: Final = ItemKind(
    name="task",
    record="task",
    table=tables.tasks,
    visible=tables.visible_tasks,
    fate="goes with the person",
    recorded=True,
    in_packages=TASKS,
)
