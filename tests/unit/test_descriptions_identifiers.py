"""An identifier is the same however it is spelled, and never a part of another one (X-06)."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from shared.models.descriptions import Known, Said, decide, understand
from tests.support.tables import each

NOW = datetime(2026, 11, 22, tzinfo=UTC)
FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}

letters = st.text("ABCDEFGHKMNPQRSTUVWXYZ", min_size=2, max_size=4)
digits = st.text("0123456789", min_size=3, max_size=6)


def is_meant(ask: str, text: str) -> bool:
    wish = understand(ask, NOW)
    [meant] = decide(wish, Known(wish), [Said(text=text, at=NOW)])
    return meant is not None


@given(letters, digits, st.sampled_from(["", "-", " ", "_", ".", "/", " - "]), st.booleans(), st.booleans())
def test_every_spelling_is_the_same(head: str, tail: str, between: str, small: bool, wide: bool) -> None:
    spelled = f"{head}{between}{tail}"
    spelled = spelled.lower() if small else spelled
    spelled = spelled.translate(FULL_WIDTH) if wide else spelled
    assert is_meant(f"forget ticket {head}-{tail}", f"The ticket «{spelled}» is open.")
    assert is_meant(f"忘掉{head}{tail}", f"工单{spelled}还没处理。")


@given(letters, digits, st.text("0123456789ABCXYZ", min_size=1, max_size=3), st.sampled_from(["", "-", "_"]))
def test_one_that_goes_on_is_another(head: str, tail: str, more: str, between: str) -> None:
    assert not is_meant(f"forget ticket {head}-{tail}", f"The ticket {head}-{tail}{between}{more} is open.")
    assert not is_meant(f"forget ticket {head}-{tail}", f"The ticket {more}{between}{head}-{tail} is open.")


@given(letters, digits)
def test_another_number_is_another(head: str, tail: str) -> None:
    other = tail[:-1] + str((int(tail[-1]) + 1) % 10)
    assert not is_meant(f"forget ticket {head}-{tail}", f"The ticket {head}-{other} is open.")


@each(
    ("ask", "same", "others"),
    [
        (
            "version 2.1",
            ["Version 2.1 is out.", "version 2.1, finally"],
            ["Version 2.10", "version 12.1", "version 2.1.5"],
        ),
        ("apartment 12", ["Apartment 12 is empty."], ["Apartment 121", "Apartment 112", "12 apples"]),
        ("忘掉7路车", ["我坐7路车。"], ["我坐72路车。", "27路车来了。"]),
        ("'blue heron 02'", ['"blue-heron-02" is down', "Blue Heron 02"], ["blue-heron-03", "red-heron-02"]),
        ("the gate code 4471", ["The gate code is 4471."], ["The alarm code is 4417.", "4471 people came."]),
        ("card 4000 1234", ["Card 4000-1234 is lost."], ["Card 4000 1234 5678 is mine."]),
    ],
)
def test_short_numbers_need_what_they_number(ask: str, same: list[str], others: list[str]) -> None:
    assert [text for text in same if not is_meant(ask, text)] == []
    assert [text for text in others if is_meant(ask, text)] == []


def test_a_year_is_no_identifier() -> None:
    wish = understand("what I said in 2024 about the kitchen", NOW)
    assert [term.said for term in wish.terms] == ["kitchen"]
