"""Rules for preferences from feedback: noise, signal kinds, thresholds and wording (CN-06). Pure functions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

Action: TypeAlias = Literal["accept", "reject", "partial"]
Language: TypeAlias = Literal["en", "zh"]
Label: TypeAlias = Literal[
    "format", "length", "depth", "tone", "language", "wording", "examples", "sources", "topic", "other"
]
Reason: TypeAlias = Literal[
    "too_long",
    "too_short",
    "too_detailed",
    "too_shallow",
    "wrong_format",
    "wrong_tone",
    "wrong_language",
    "wrong_wording",
    "needs_examples",
    "needs_sources",
    "off_topic",
    "other",
]
"""Reasons that can be picked from a list; each determines a label."""
REASONS: Final = frozenset(get_args(Reason))
RatingWord: TypeAlias = Literal["thumbs_up", "not_helpful", "agree", "disagree"]
"""A rating in words."""
Outcome: TypeAlias = Literal["ignored", "counted", "learned", "off"]

IGNORED: Final = "ignored"
"""The label of evidence that says too little; it is only counted."""

UNLABELLED: Final = "other"
"""The label of evidence that fits no other label. It teaches its quote, and nothing without one."""

LETTERS_MIN, HAN_MIN = 3, 2
"""The minimum number of letters or Han characters in meaningful evidence."""

EVIDENCE_MAX: Final = 200
"""Maximum length of evidence, in characters."""

_LABEL_OF_REASON: Final[dict[Reason, Label]] = {
    "too_long": "length",
    "too_short": "length",
    "too_detailed": "depth",
    "too_shallow": "depth",
    "wrong_format": "format",
    "wrong_tone": "tone",
    "wrong_language": "language",
    "wrong_wording": "wording",
    "needs_examples": "examples",
    "needs_sources": "sources",
    "off_topic": "topic",
    "other": "other",
}

_ENGLISH: Final[dict[Label, str]] = {
    "format": """bullet* list lists table* tabular heading* header* markdown format* layout paragraph* numbered column*
        structure* emoji* bold plain_text code_block*""",
    "length": "short* long* brief* concis* terse length* verbos* wordy succinct one_liner* compact*",
    "depth": """detail* deep* depth shallow thorough* overview high_level step_by_step beginner* expert* advanced simpl*
        technical""",
    "language": """english chinese mandarin cantonese german french spanish japanese korean language* bilingual
        translat*""",
    "tone": """tone tones formal* informal* casual* friend* polite* humor* humour* funny joke* serious* warm* direct*
        blunt* encourag* professional* playful* style*""",
    "examples": "example* sample* analog* metaphor* demo* illustrat* case_stud* code",
    "sources": "source* citation* cite* citing reference* link links evidence footnote*",
    "wording": """word words wording phras* jargon term terms terminology spelling synonym* vocabulary expression*
        cliche*""",
    "topic": "topic* subject* theme* about off_topic focus* content*",
}
_CHINESE: Final[dict[Label, str]] = {
    "format": "要点 列表 清单 表格 标题 格式 排版 分段 段落 编号 条列 结构 分点 表情 加粗 纯文本 代码块",
    "length": "短 长 简洁 精简 啰嗦 罗嗦 冗长 篇幅 字数 简明 精炼",
    "depth": "详细 细节 深入 深度 浅 概览 概述 一步一步 逐步 分步 入门 专业 通俗 简单 技术性",
    "language": "英文 英语 中文 汉语 普通话 粤语 德语 法语 西班牙语 日语 日文 韩语 语言 双语 翻译",
    "tone": "语气 口吻 正式 随意 友好 礼貌 幽默 玩笑 严肃 温和 直接 委婉 鼓励 活泼 风格 亲切",
    "examples": "例子 举例 示例 类比 比喻 案例 演示 代码",
    "sources": "来源 引用 出处 参考 链接 证据 脚注 文献",
    "wording": "措辞 用词 词语 术语 行话 说法 表达 拼写 同义词 词汇 套话 字眼",
    "topic": "话题 主题 题目 题材 关于 跑题 内容 方向 重点",
}
"""Words for each label; the first matching label applies. `*` stands for any ending, `_` for a space."""


def _english(words: str) -> re.Pattern[str]:
    alternatives = "|".join(word.replace("_", " ").replace("*", "[a-z]*") for word in words.split())
    # Not \b: within Chinese text, words in Latin letters are not surrounded by spaces.
    return re.compile(rf"(?<![a-z])(?:{alternatives})(?![a-z])")


_SPEAKS_OF: Final = {
    label: (_english(words), re.compile("|".join(_CHINESE[label].split()))) for label, words in _ENGLISH.items()
}
_HAN: Final = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_BETWEEN_HAN: Final = re.compile(rf"(?<={_HAN.pattern}) | (?={_HAN.pattern})")
_SEPARATORS: Final = re.compile(r"[\W_]+")

_LABELS_IN_CHINESE: Final[dict[str, str]] = {
    "format": "格式",
    "length": "篇幅",
    "depth": "深度",
    "tone": "语气",
    "language": "语言",
    "wording": "措辞",
    "examples": "例子",
    "sources": "来源",
    "topic": "话题",
}
_STANCES: Final[dict[Language, dict[Action, str]]] = {
    "en": {"accept": "Prefers: ", "reject": "Dislikes: ", "partial": "Partly prefers: "},
    "zh": {"accept": "偏好：", "reject": "不喜欢：", "partial": "部分偏好："},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """A meaningful piece of evidence.

    Args:
        topic: signals with the same topic and action are counted together: the reason if one was picked, else the
            text without case and punctuation.
        label: an abstract label from a closed list.
        quote: the evidence on one line; None in privacy mode, or if there is none.
        language: Chinese if it contains any Han character, else English.
    """

    topic: tuple[str, str]
    label: Label
    quote: str | None
    language: Language


def read_evidence(evidence: str | None, reason: Reason | None = None, *, private: bool) -> Signal | None:
    """Return the signal in a piece of evidence; None if it is noise: empty, too short, only punctuation or emoji.

    A reason from the list says enough by itself. If only a label may be kept, evidence that fits no label is noise too
    (decision 26).

    Args:
        evidence: a short text or a label in any language.
        reason: the reason, if the person picked one from the list.
        private: whether only the abstract label may be kept.
    """
    quote = " ".join((evidence or "").split())
    plain = unicodedata.normalize("NFKC", quote).casefold()
    han = len(_HAN.findall(plain))
    letters = sum(unicodedata.category(character).startswith("L") for character in plain) - han
    is_noise = letters < LETTERS_MIN and han < HAN_MIN
    listed = reason if reason != "other" else None
    if is_noise and listed is None:
        return None
    said = _BETWEEN_HAN.sub("", _SEPARATORS.sub(" ", plain).strip())
    label = _LABEL_OF_REASON[reason] if reason else _label(said)
    if private and label == UNLABELLED:
        return None
    return Signal(
        topic=("reason", listed) if listed else ("label", label) if private else ("text", said),
        label=label,
        quote=None if private or is_noise else quote,
        language="zh" if han else "en",
    )


def wording(action: Action, *, label: str, quote: str | None, language: Language) -> str | None:
    """Return the sentence of a learned preference in the language of its evidence, from the quote or else the label.

    None if there is no quote and the label is `other`.
    """
    if quote is None and label not in _LABELS_IN_CHINESE:
        return None
    abstract = label if language == "en" else _LABELS_IN_CHINESE.get(label)
    return f"{_STANCES[language][action]}{quote or abstract}"


def stance(counts: Mapping[Action, int], threshold: int, *, current: Action | None = None) -> Action | None:
    """Return the action that the signals of one topic support; None if none does yet.

    An action is supported once its signals reach the threshold and outnumber those of every other action. In a tie the
    current action is kept.

    Args:
        counts: number of signals by action.
        threshold: the number of signals needed.
        current: the action of the current preference.
    """
    most = max(counts.values(), default=0)
    if most < threshold:
        return None
    leading = [action for action, count in counts.items() if count == most]
    if len(leading) == 1:
        return leading[0]
    return current if current in leading else None


def _label(said: str) -> Label:
    for label, patterns in _SPEAKS_OF.items():
        if any(pattern.search(said) for pattern in patterns):
            return label
    return "other"
