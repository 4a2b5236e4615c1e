"""The task a message names explicitly, and how a message says it ended (LT-06). Rules only, English and Chinese.

A named task applies to the turns after it, until another one is named or the session ends (decision 30). The list of
phrases is short on purpose: only openings with no other use count.
"""

from __future__ import annotations

import re
from typing import Final

from shared.language.words import word_lists

_WORDS: Final = word_lists("tasks")

LIMIT: Final = 80
"""Longest name of a task, in characters."""
_READ: Final = 4_000
"""Longest part of a message that is searched, in characters."""

_WORK: Final = (
    r"(?:fix|debug|write|draft|edit|review|refactor|build|implement|add|design|plan|prepare|finish|test|deploy|migrate"
    r"|update|upgrade|translate|summari[sz]e|analy[sz]e|clean up|set up|organi[sz]e|book|create|make|rewrite|solve"
    r"|investigate|optimi[sz]e|document|publish|release|install|configure|learn|study|research|handle|work on|tackle"
    r"|tidy up|sort out|deal with|focus on|go over|get back to)"
).replace(" ", r"\ ")
_ENGLISH: Final = re.compile(
    rf"""
    (?:^|(?<=[.!?\n;:,]))[ \t"“'(]*
    (?:(?:ok(?:ay)?|alright|right|great|well|so|now|next(?:\ up)?|then|first|today|and)[, ]+)*
    (?:
      let(?:['’]s|\ us)\ (?:now\ |next\ |first\ |please\ )?(?P<lets>{_WORK}\b[^.!?;\n]{{2,200}})
      | (?:now|next|today)[, ]+(?:i|we)
        (?:['’]ll|\ will|['’]m|\ am|['’]re|\ are|\ want\ to|\ need\ to|\ have\ to|\ should)\ (?:going\ to\ |gonna\ )?
          (?P<next>{_WORK}\b[^.!?;\n]{{2,200}})
      | (?:i['’]m|i\ am|we['’]re|we\ are)\ (?:now\ )?(?:going\ to\ |gonna\ )(?P<going>{_WORK}\b[^.!?;\n]{{2,200}})
      | (?:let['’]s\ |we\ |i\ )?(?:switch|move\ on|turn)\ to\ (?P<switch>[^.!?;\n]{{3,200}})
      | (?:the\ )?(?:current\ |next\ |new\ )?task(?:\ is|:)
          (?!\ (?:now\ |all\ )*(?:done|finished|over|completed?(?!\ ))\b)\ *(?P<said>[^.!?;\n]{{3,200}})
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_DO: Final = _WORDS["do"]
_CHINESE: Final = re.compile(
    rf"""
    (?:^|(?<=[，。！？；：,.!?;:\n\ ]))(?:好的?|那么?|行|嗯|现在|首先|然后)?[，,\ ]*
    (?:
      (?:接下来|接着|下面|下一步)(?:，|,)?(?:我们?|咱们?)?(?:先|来|就|要|开始|继续)*(?P<next>{_DO}[^，。！？；,.!?;\n]{{1,200}})
      | (?:让)?(?:我们|咱们)(?:先|现在|一起)?(?:来|开始|要)(?P<lets>{_DO}[^，。！？；,.!?;\n]{{1,200}})
      | 我(?:现在|接下来|今天)?要(?:开始)?(?P<want>{_DO}[^，。！？；,.!?;\n]{{1,200}})
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

_ENDED: Final = re.compile(
    r"""
    \b(?:(?:it|that|this|everything|all|the\ \w+)(?:['’]s|\ is|\ are)?\ (?:now\ |finally\ |all\ )?
         (?:done|finished|fixed|solved|working|works|merged|deployed|shipped|passes)
       | (?:i|we)(?:['’]ve|\ have)?\ (?:just\ |finally\ |already\ |now\ )*
         (?:finished|completed|fixed|solved|resolved|shipped|deployed|merged|released|submitted
           |got\ it\ (?:working|done))
       | (?:doesn['’]t|does\ not|still\ not|didn['’]t|did\ not|isn['’]t|not)\ work(?:ing)?\b | gave\ up | giving\ up)
    | ^\W*(?:done|finished|fixed|solved|it\ works)\b
    | (?:搞定|完成|修好|解决|写完|做完|弄好|上线|提交|部署好|合并|成功)了 | 终于好了
    | 没(?:搞定|成功|修好|解决) | 放弃了
    """,
    re.IGNORECASE | re.VERBOSE,
)
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


def outcome_of(text: str) -> tuple[int, int] | None:
    """Return the span of the first sentence, not a question, that says how a task ended; None if there is none."""
    for sentence in _SENTENCE.finditer(text[:_READ]):
        said = sentence.group()
        if _ENDED.search(said) and not said.rstrip().endswith(("?", "？", "吗", "么")):
            start = sentence.start() + len(said) - len(said.lstrip())
            return start, start + len(said.strip())
    return None


def _trimmed(said: str) -> str | None:
    task = _TAIL.sub("", said.strip(" \t\"'“”‘’()（）"))
    for opening in (_ONLY_HANDLES, _WORKS_ON):
        task = opening.sub("", task).strip()
    task = " ".join(task.split())[:LIMIT].strip()
    return task if len(task) > 1 else None
