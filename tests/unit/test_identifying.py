"""What privacy mode does not let anybody learn: sentences that identify somebody (CN-02)."""

from __future__ import annotations

from shared.language.sensitivity.identifying import identifies
from tests.support.tables import each


@each(
    "text",
    [
        "My sister Anna loves tea.",
        "Anna is my sister.",
        "I live in Berlin.",
        "i live in berlin",
        "I work at Siemens.",
        "Call me on +44 20 7946 0958.",
        "My e-mail is ada@example.org.",
        "My name is ada.",
        "我住在上海，喜欢喝茶。",
        "我妹妹安娜喜欢茶。",
        "我在腾讯工作。",
        "我的老板是王伟。",
        "叫我小明。",
    ],
)
def test_a_name_a_place_an_organisation_or_a_contact_identifies(text: str) -> None:
    assert identifies(text)


@each(
    "text",
    [
        "I prefer short answers.",
        "Please always answer in English.",
        "I'm allergic to peanuts.",
        "I work best in the morning.",
        "Never call me before noon on Mondays.".replace("Mondays", "Monday"),
        "Give me the code as JSON first.",
        "The report should be in a table.",
        "我喜欢简洁的回答。",
        "我对花生过敏。",
        "请用表格回答。",
        "回答要先给结论。",
        "我每周末去爬山。",
    ],
)
def test_a_preference_without_names_does_not(text: str) -> None:
    assert not identifies(text)


def test_only_the_sentence_that_is_quoted_counts() -> None:
    text = "I met Anna today. I prefer tea."
    assert not identifies(text, text.index("I prefer"), len(text))
    assert identifies(text, 0, 5)
    assert identifies("My sister Anna drinks coffee, so I prefer tea.", 30, 46)
