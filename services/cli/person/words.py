"""Display names in a person's commands, in English and Chinese (X-12)."""

from __future__ import annotations

from typing import Final

from services.cli.terminal import clean, said

PAIRS: Final = {
    # steps of operations
    "ledger": ("noted", "登记"),
    "postgres": ("records", "记录"),
    "milvus": ("search index", "检索库"),
    "mem0": ("long-term memory", "长期记忆"),
    "files": ("files", "文件"),
    "rederive": ("learned again", "重新整理"),
    "verify": ("proof", "核验"),
    "receipt": ("receipt", "凭证"),
    "package": ("package", "数据包"),
    "apply": ("import", "导入"),
    # operations
    "forget_message": ("forgetting a message", "忘掉一条消息"),
    "forget_conversation": ("forgetting a conversation", "忘掉一次会话"),
    "forget_selection": ("forgetting what was picked", "忘掉选中的内容"),
    "forget_clear": ("clearing a conversation", "清空一次会话"),
    "forget_user": ("forgetting everything", "忘掉一切"),
    "export_user": ("exporting everything", "导出全部"),
    "export_conversation": ("exporting a conversation", "导出一次会话"),
    "export_selection": ("exporting what was picked", "导出选中的内容"),
    "import": ("importing", "导入"),
    "consent_grant": ("recording consent", "登记同意"),
    "consent_revocation": ("withdrawing consent", "撤回同意"),
    "context_block": ("ending the use of what was said about a topic", "停用就某个话题说的内容"),
    "context_expiry": ("erasing what expired", "删除到期内容"),
    # their states
    "pending": ("waiting", "等待中"),
    "running": ("running", "进行中"),
    "succeeded": ("done", "已完成"),
    "failed": ("stopped", "已停下"),
    "cancelled": ("undone", "已撤销"),
    "withdrawn": ("withdrawn", "已撤回"),
    "given_up": ("given up", "已放弃"),
    # why work waits
    "learning": ("still learning", "还在学习"),
    "milvus_unavailable": ("Could not reach the search index", "暂时连不上检索库"),
    "mem0_unavailable": ("Could not reach the long-term memory", "暂时连不上长期记忆"),
    "embedder_unavailable": ("Waiting for the search model", "正在等待检索模型"),
    "database_unavailable": ("Could not reach the records", "暂时连不上记录"),
    "model_unavailable": ("Could not reach the language model", "暂时连不上语言模型"),
    "collection_busy": ("The search index is busy", "检索库正忙"),
    "store_misconfigured": (
        "A store refuses this installation; its operator must look",
        "存储拒绝了本系统的访问，需要管理员处理",
    ),
    "residue_found": ("Copies were left after deleting; deleting again", "删除后仍有残留，继续删除"),
    "waiting_for_writes": ("Something written earlier may still arrive", "之前的写入可能还会到达，届时再核对"),
    "undo_possible": ("Another forget can still be undone; waiting for it", "另一次忘掉还能撤销，先等它"),
    "ledger_unavailable": ("The log of proofs could not be written", "暂时写不进存证日志"),
    "files_unavailable": ("Could not reach the files", "暂时连不上文件"),
    "replay_needed": (
        "A backup was restored; its forgets must be repeated first",
        "系统恢复过备份，要先重做其中的遗忘",
    ),
    "still_erasing": ("What was forgotten before is still being erased", "之前忘掉的内容仍在删除"),
    "worker_lost": ("The work broke off several times", "处理过程多次中断"),
    "internal_error": ("Something unexpected went wrong", "出现了意外"),
    # why nothing was found
    "nothing_named": ("The description names nothing to look for", "描述里没有可以查找的内容"),
    "everything": ("That means everything: use --everything", "这是指全部内容：请用 --everything"),
    "nothing_matches": ("Nothing remembered matches", "没有匹配的记忆"),
    # kinds of items, singular and plural
    "conversation": ("conversations", "会话"),
    "conversations": ("conversations", "会话"),
    "message": ("messages", "消息"),
    "messages": ("messages", "消息"),
    "erased_conversation": ("forgotten conversations", "已忘掉的会话"),
    "erased_message": ("forgotten messages", "已忘掉的消息"),
    "edge": ("links to sources", "来源关系"),
    "event": ("history", "历史"),
    "memory": ("memories", "记忆"),
    "memories": ("memories", "记忆"),
    "episode": ("earlier moments", "过往片段"),
    "episodes": ("earlier moments", "过往片段"),
    "summary": ("summaries", "摘要"),
    "summaries": ("summaries", "摘要"),
    "feedback": ("feedback", "反馈"),
    "signal": ("preference signals", "偏好信号"),
    "preference_signal": ("preference signals", "偏好信号"),
    "preference_signals": ("preference signals", "偏好信号"),
    "trait_observations": ("observed habits", "观察到的习惯"),
    "traits": ("impressions", "印象"),
    "observation": ("observed habits", "观察到的习惯"),
    "trait": ("impressions", "印象"),
    "user_contexts": ("contexts", "上下文"),
    "context": ("contexts", "上下文"),
    "persona_drift": ("changes of view", "看法变化"),
    "drift": ("changes of view", "看法变化"),
    "thread_notes": ("notes about topics", "话题记录"),
    "thread_note": ("notes about topics", "话题记录"),
    "training_candidates": ("training candidates", "训练候选"),
    "candidate": ("training candidates", "训练候选"),
    "profile_consents": ("consents", "同意记录"),
    "consent": ("consents", "同意记录"),
    "tasks": ("tasks", "任务"),
    "task": ("tasks", "任务"),
    "settings": ("settings", "设置"),
    "history": ("history", "历史"),
    "lineage": ("links to sources", "来源关系"),
    "receipts": ("receipts", "凭证"),
    "keys": ("copies", "副本"),
    "conversation_contents": ("titles", "会话标题"),
    "debug_records": ("traces", "调试记录"),
    "events": ("history", "历史"),
    "exports": ("packages", "数据包"),
    "idempotency_keys": ("keys of requests", "请求编号"),
    # counts of steps
    "erased": ("erased", "删除"),
    "residue": ("left", "残留"),
    "bytes": ("bytes", "字节"),
    "new": ("new", "新的"),
    "present": ("here already", "已有"),
    # types of memories
    "preference": ("preference", "偏好"),
    "fact": ("fact", "事实"),
    "constraint": ("constraint", "约束"),
    "note": ("note", "笔记"),
    "episodic": ("moment", "片段"),
    "document": ("document", "文档"),
    "task_outcome": ("task result", "任务结果"),
    "tool_experience": ("tool experience", "工具经验"),
    # origins of memories
    "stated": ("said or written by the person", "本人说过或写下"),
    "extracted": ("noticed in conversations", "从会话中整理"),
    "learned": ("learned from feedback", "从反馈中学到"),
    "imported": ("imported", "导入"),
    # status of memories
    "superseded": ("replaced by a newer one", "已被新的取代"),
    "contradicted": ("contradicted", "有矛盾"),
    "disabled": ("paused", "已暂停"),
    "archived": ("archived", "已归档"),
    "confirmed": ("confirmed", "已确认"),
    "longterm_off": ("long-term memory is off", "长期记忆已关闭"),
    "injection_off": ("nothing is handed to the assistant", "不向助手提供记忆"),
    "withheld": ("withheld as sensitive", "因敏感不提供"),
    # why a search is not by meaning
    "episodic_off": ("earlier moments are off", "过往片段已关闭"),
    "empty_query": ("there is nothing to search for", "没有要检索的内容"),
    "vectors_prohibited": ("memories are not searched by meaning here", "本系统不按语义检索记忆"),
    "embedder_failed": ("the embedding model failed", "嵌入模型出错"),
    # roles of speakers
    "user": ("person", "本人"),
    "assistant": ("assistant", "助手"),
    "tool": ("tool", "工具"),
    "system": ("system", "系统"),
    # how evidence supports a memory
    "text_from": ("its wording comes from there", "措辞来自这里"),
    "supported_by": ("said there again", "在这里再次说到"),
    # sources of an import
    "from_memory-center": ("a package of Memory Center", "Memory Center 的数据包"),
    "from_mem0": ("an export of mem0", "mem0 的导出文件"),
    "from_chatgpt": ("an export of ChatGPT", "ChatGPT 的导出文件"),
    "from_claude": ("an export of Claude", "Claude 的导出文件"),
}


def word(name: str) -> str:
    """Return the display name of an API name; an unknown one is shown without underscores."""
    pair = PAIRS.get(name)
    return said(*pair) if pair else clean(name).replace("_", " ")


def state(operation_type: str, status: str) -> str:
    """Return the status of an operation or step; only a cancelled forget is called undone."""
    if status == "cancelled" and not operation_type.startswith("forget_"):
        return word("withdrawn" if operation_type.startswith("export_") else "given_up")
    return word(status)


def reason(last_error: str | None) -> str:
    """Return the reason in an error of the form `code: sentence`."""
    code, _, sentence = (last_error or "").partition(": ")
    return word(code) if code in PAIRS else clean(sentence.rstrip(".") or code)
