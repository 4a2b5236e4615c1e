"""The task a message names, how it ended, and what a tool's answer teaches (LT-01, LT-06)."""

from __future__ import annotations

from shared.language.candidates import Extractor, Utterance
from shared.language.extraction import ReaderExtractor
from shared.language.rules.tasks import named_task, names_task, outcome_of
from tests.support.plain_readings import PlainReadings
from tests.support.tables import each

EXTRACTOR: Extractor = ReaderExtractor(PlainReadings())


@each(
    ("text", "task"),
    [
        ("接下来处理写文档", "写文档"),
        ("好的，接下来我们修登录的bug吧", "修登录的bug"),
        ("我要做 A", "做 A"),
        ("我要做妈妈了", None),
        ("I'm going to study medicine in Prague next year.", None),
        ("I'm going to book club on Mondays.", None),
        ("现在开始写周报。", "写周报"),
        ("我们来翻译这份合同", "翻译这份合同"),
        ("let's fix the login bug", "fix the login bug"),
        ("Ok, let’s work on the quarterly report now.", "the quarterly report"),
        ("I live in Berlin. Let's write the docs. Then let's book the flights.", "book the flights"),
        ("Next, we need to deploy the app.", "deploy the app"),
        ("I'm going to refactor the parser", "refactor the parser"),
        ("task: migrate the database", "migrate the database"),
        ("Task: complete the form", "complete the form"),
        ("任务：完成季度报告", "完成季度报告"),
        ("Great, the task is done.", None),
        ("The task is now complete!", None),
        ("任务是完成了，谢谢", None),
        ("Let's fix it?", None),
        ("Shall we fix the bug?", None),
        ("我们来看电影", None),
        ("我要吃饭", None),
        ("Let's see.", None),
        ("Let's go to the beach", None),
        ("I prefer short answers.", None),
        ("", None),
    ],
)
def test_a_task_is_named_outright_in_either_language(text: str, task: str | None) -> None:
    assert named_task(text) == task
    assert names_task("user", text, None) is (task is not None)
    assert not names_task("assistant", text, None)
    assert names_task("assistant", text, "a hint of its client")


@each(
    ("text", "said"),
    [
        ("Done!", "Done!"),
        ("I finished the fix yesterday.", "I finished the fix yesterday."),
        ("The login works.", "The login works."),
        ("I've just finished dinner.", None),
        ("My knee is not working.", None),
        ("The dinner is done.", None),
        ("饭做完了", None),
        ("Thanks. It works now, the cookie had expired. Bye.", "It works now, the cookie had expired."),
        ("搞定了，是 cookie 的问题。", "搞定了，是 cookie 的问题。"),
        ("That did not work.", "That did not work."),
        ("Is it done?", None),
        ("完成了吗？", None),
        ("I prefer tea.", None),
    ],
)
def test_a_message_says_how_a_task_ended(text: str, said: str | None) -> None:
    span = outcome_of(text, "fix the login bug")
    assert (text[slice(*span)] if span else None) == said


def test_the_end_of_a_task_is_learned_only_while_one_is_at_hand() -> None:
    said = [Utterance(role="user", text="Great. It works now, the cookie had expired.")]
    assert EXTRACTOR.extract(said) == []
    [outcome] = EXTRACTOR.extract(said, task="fix the login bug")
    assert outcome.content_type == "task_outcome"
    assert outcome.text == "fix the login bug: It works now, the cookie had expired."
    assert said[0].text[outcome.quote_start : outcome.quote_end] == "It works now, the cookie had expired."
    assert outcome.task_hint == "fix the login bug"


@each(
    ("name", "text", "learned"),
    [
        ("pytest", "collected 4 items\n3 passed, 1 failed in 2 s", "pytest: 3 passed, 1 failed in 2 s"),
        ("deploy", '{"ok": true, "url": "https://x.example"}', 'deploy: {"ok": true, "url": "https://x.example"}'),
        ("search", "Error: no API key for region EU", "search: Error: no API key for region EU"),
        (None, "上传失败：超时", "上传失败：超时"),
        (
            "run",
            "Traceback (most recent call last):\n  File x\nModuleNotFoundError: No module named 'numpy'",
            "run: ModuleNotFoundError: No module named 'numpy'",
        ),
        ("weather", '{"temperature": 21, "wind": 4}', None),
        ("weather", "", None),
        ("lint", '{"error": null, "rows": [1, 2]}', None),
    ],
)
def test_a_tool_teaches_whether_it_worked(name: str | None, text: str, learned: str | None) -> None:
    found = EXTRACTOR.extract([Utterance(role="tool", text=text, name=name)])
    assert [one.text for one in found] == ([learned] if learned else [])
    for one in found:
        assert one.content_type == "tool_experience"
        assert one.text.endswith(text[one.quote_start : one.quote_end])


@each(
    ("text", "label"),
    [
        ("I'm sad. I work at the zoo.", None),
        ("I'm sad because I live alone.", "sad"),
        ("I work at the zoo, and I'm proud of it.", "proud"),
        ("我住在海边，很开心。", "开心"),
        ("I prefer tea.", None),
        ("I'm not sad, I live alone.", None),
    ],
)
def test_a_feeling_that_is_named_belongs_to_what_is_told(text: str, label: str | None) -> None:
    found = EXTRACTOR.extract([Utterance(role="user", text=text)])
    assert (found[-1].emotion.label if found[-1].emotion else None) == label
