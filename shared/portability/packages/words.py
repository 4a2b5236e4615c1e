"""The texts of the view, in each language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    title: Mapping[str, str]
    introduction: str
    introduction_alone: str
    settings: str
    switches: Mapping[str, str]
    on: str
    off: str
    memories: str
    types: Mapping[str, str]
    validities: Mapping[str, str]
    marks: Mapping[str, str]
    comma: str
    said_on: str
    nothing: str
    conversations: str
    untitled: str
    began: str
    excluded: str
    summary: str
    roles: Mapping[str, str]
    receipts: str
    forgets: Mapping[str, str]


WORDS: Final[Mapping[str, Words]] = {
    "en": Words(
        title={
            "user": "What is remembered about you",
            "conversation": "A conversation",
            "selection": "What you chose",
        },
        introduction="This page is for reading. The other files hold the same, and more, for programs; "
        "`manifest.json` lists them, and `sha256sum -c SHA256SUMS` checks them. All times are in UTC.",
        introduction_alone="All times are in UTC.",
        settings="Your settings",
        switches={
            "summary_enabled": "Summaries of conversations",
            "episodic_enabled": "Earlier moments of conversations",
            "longterm_enabled": "Long-term memories",
            "injection_enabled": "Giving the assistant what is remembered",
            "preference_learning_enabled": "Learning preferences from feedback",
            "privacy_mode_enabled": "Privacy mode",
            "preference_learning_threshold": "Signals that make a preference",
            "traits_enabled": "Forming an impression of you",
            "time_zone": "Your time zone",
        },
        on="on",
        off="off",
        memories="Long-term memories",
        types={
            "preference": "preference",
            "fact": "fact",
            "note": "note",
            "constraint": "constraint",
            "episodic": "event",
        },
        validities={"superseded": "no longer holds", "contradicted": "may be contradicted"},
        marks={
            "taboo": "safety",
            "confirmed": "confirmed by you",
            "disabled": "not used",
            "archived": "archived",
        },
        comma=", ",
        said_on="said on {time}",
        nothing="Nothing.",
        conversations="Conversations",
        untitled="Without a title",
        began="Began on {time}.",
        excluded="Nothing is remembered of what is said here.",
        summary="Summary",
        roles={"user": "You", "assistant": "Assistant", "tool": "Tool", "system": "System"},
        receipts="What was forgotten",
        forgets={
            "message": "a message",
            "conversation": "a conversation",
            "clear": "what a conversation held",
            "selection": "chosen memories",
            "user": "everything",
        },
    ),
    "zh": Words(
        title={"user": "关于你的记忆", "conversation": "一段对话", "selection": "你选择的内容"},
        introduction="本页供阅读。其他文件以程序可读的形式保存同样的内容以及更多信息：`manifest.json` 列出所有文件，"
        "用 `sha256sum -c SHA256SUMS` 可以校验。所有时间均为 UTC。",
        introduction_alone="所有时间均为 UTC。",
        settings="你的设置",
        switches={
            "summary_enabled": "对话摘要",
            "episodic_enabled": "过往片段",
            "longterm_enabled": "长期记忆",
            "injection_enabled": "把记忆提供给助手",
            "preference_learning_enabled": "从反馈中学习偏好",
            "privacy_mode_enabled": "隐私模式",
            "preference_learning_threshold": "形成一条偏好所需的信号数",
            "traits_enabled": "形成对你的印象",
            "time_zone": "你的时区",
        },
        on="开",
        off="关",
        memories="长期记忆",
        types={"preference": "偏好", "fact": "事实", "note": "笔记", "constraint": "约束", "episodic": "事件"},
        validities={"superseded": "已不再成立", "contradicted": "可能有矛盾"},
        marks={"taboo": "安全", "confirmed": "你已确认", "disabled": "已停用", "archived": "已归档"},
        comma="，",
        said_on="说于 {time}",
        nothing="没有内容。",
        conversations="对话",
        untitled="无标题",
        began="开始于 {time}。",
        excluded="这里说的话不会被记住。",
        summary="摘要",
        roles={"user": "你", "assistant": "助手", "tool": "工具", "system": "系统"},
        receipts="已忘掉的内容",
        forgets={
            "message": "一条消息",
            "conversation": "一段对话",
            "clear": "一段对话的内容",
            "selection": "选定的记忆",
            "user": "全部",
        },
    ),
}
