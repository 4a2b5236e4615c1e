"""The task a message names explicitly, and how a message says it ended (LT-06). Rules only, English and Chinese.

A named task applies to the turns after it, until another one is named or the session ends (decision 30). The list of
phrases is short on purpose: only openings with no other use count.
"""

from __future__ import annotations

import re
from typing import Final

from shared.language import terms
from shared.language.rules.phrases import phrase
from shared.language.words import word_lists

_WORDS: Final = word_lists("tasks")

LIMIT: Final = 80
"""Longest name of a task, in characters."""
_READ: Final = 4_000
"""Longest part of a message that is searched, in characters."""

_ENGLISH: Final = phrase(_WORDS["english"])
_DO: Final = _WORDS["do"]
_CHINESE: Final = re.compile(
    rf"""
    (?:^|(?<=[，。！？；：,.!?;:\n\ ]))(?:好的?|那么?|行|嗯|现在|首先|然后)?[，,\ ]*
    (?:
      (?:接下来|接着|下面|下一步)(?:，|,)?(?:我们?|咱们?)?(?:先|来|就|要|开始|继续)*(?P<next>{_DO}[^，。！？；,.!?;\n]{{1,200}})
      | (?:让)?(?:我们|咱们)(?:先|现在|一起)?(?:来|开始|要)(?P<lets>{_DO}[^，。！？；,.!?;\n]{{1,200}})
      | 我(?:现在|接下来|今天)?要(?:开始)?(?P<want>{_DO}[^，。！？；,.!?;\n]{{1,200}}(?<!了))(?=[，。！？；,.!?;\n]|$)
      | 现在(?:我们?|咱们?)?(?:来|开始|要)(?P<now>{_DO}[^，。！？；,.!?;\n]{{1,200}})
      | (?:当前|现在的?|新的?|下一个)?任务(?:是|：|:)(?!(?:已经?|都)?(?:完成|结束|搞定)了)\ *(?P<said>[^，。！？；,.!?;\n]{{2,200}})
    )
    """,
    re.VERBOSE,
)
_ONLY_HANDLES: Final = re.compile(r"^(?:处理|搞定?|弄|做|开始)(?=[\u4e00-\u9fffA-Za-z]{2,})")
"""Verbs without meaning of their own: "处理写文档" is the task "写文档"."""
_WORKS_ON: Final = re.compile(
    r"^(?:work on|handle|tackle|deal with|focus on|go over|get back to|sort out)\s+(?=\S{2,})", re.IGNORECASE
)
_TAIL: Final = re.compile(
    r"(?:[\s,，]*(?:now|next|first|today|please|together|then|吧|了|呢|哈|啦|好吗|一下))+$", re.IGNORECASE
)
_ASKS: Final = re.compile(r"\s*[?？]")

_ENDED: Final = phrase(_WORDS["ended"])
_OF_IT: Final = re.compile(r"\W*(?:it|that|this|everything|all)\b", re.IGNORECASE)
_DID: Final = re.compile(r"(?:i|we)\b", re.IGNORECASE)
_NAMED: Final = re.compile(r"the\b", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"[^.!?。！？\n]+(?:\.(?=\S)[^.!?。！？\n]+)*[.!?。！？]?")


def named_task(text: str) -> str | None:
    """Return the last task a message names explicitly, in its words; None if it names none.

    A question names none: "shall we fix the bug?".
    """
    read = text[:_READ]
    found: list[tuple[int, str]] = []
    for pattern in (_ENGLISH, _CHINESE):
        for match in pattern.finditer(read):
            said = next(group for group in match.groups() if group is not None)
            if not _ASKS.match(read, match.end()) and (task := _trimmed(said)):
                found.append((match.start(), task))
    return max(found)[1] if found else None


def names_task(role: str, text: str, hint: str | None) -> bool:
    """Return whether a message names a task for the turns after it, through its client or in the person's words."""
    return bool(hint) or (role == "user" and named_task(text) is not None)


def outcome_of(text: str, task: str) -> tuple[int, int] | None:
    """Return the span of the first sentence, not a question, that says how the task ended; None if there is none.

    What ended is the task if the sentence names nothing else, or something that the task's name has, too.
    """
    named = set(terms.words(task))
    for sentence in _SENTENCE.finditer(text[:_READ]):
        said = sentence.group()
        ended = _ENDED.search(said)
        if ended is None or said.rstrip().endswith(("?", "？", "吗", "么")):
            continue
        # "I finished dinner" and "my knee is not working" name something else; "it works now, the cookie was old" does not.
        before, after = terms.words(said[: ended.start()]), terms.words(said[ended.end() :])
        names_another = before or after if _DID.match(ended[0]) else before and not _OF_IT.match(ended[0])
        if (not names_another and not _NAMED.match(ended[0])) or not named.isdisjoint(terms.words(said)):
            start = sentence.start() + len(said) - len(said.lstrip())
            return start, start + len(said.strip())
    return None


def _trimmed(said: str) -> str | None:
    task = _TAIL.sub("", said.strip(" \t\"'“”‘’()（）"))
    for opening in (_ONLY_HANDLES, _WORKS_ON):
        task = opening.sub("", task).strip()
    task = " ".join(task.split())[:LIMIT].strip()
    return task if len(task) > 1 else None
