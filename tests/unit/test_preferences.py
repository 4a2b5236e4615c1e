"""What a piece of evidence says, and what signals add up to (CN-06)."""

from __future__ import annotations

from shared.preferences.rules import Action, read_evidence, stance, wording
from tests.support.tables import each


@each(
    "evidence",
    [None, "", "   ", "ok", "ok!", "A 4", "12345", "...", "👍👍👍", "！？。", "好", " 好。 ", "短\n", "5 星", "好 ok"],
)
def test_evidence_that_says_too_little_is_noise(evidence: str | None) -> None:
    assert read_evidence(evidence, private=False) is None
    assert read_evidence(evidence, "other", private=True) is None


@each("evidence", ["yes", "短点", "更 短", "Öde", "  abc  ", "ｓｈｏｒｔ", "好 fine"])
def test_three_letters_or_two_han_characters_say_something(evidence: str) -> None:
    assert read_evidence(evidence, private=False) is not None


@each(
    ("one", "other", "alike"),
    [
        ("concise-bullets", "Concise bullets.", True),
        ("concise_bullets", "ｃｏｎｃｉｓｅ　ｂｕｌｌｅｔｓ", True),
        ("更短一点", "更短 一点。", True),
        ("更短一点！", "「更短一点」", True),
        ("concise bullets", "concise", False),
        ("更短一点", "更长一点", False),
        ("sharp", "s harp", False),
    ],
)
def test_case_width_and_punctuation_make_no_other_topic(one: str, other: str, alike: bool) -> None:
    topics = [signal.topic for text in (one, other) if (signal := read_evidence(text, private=False))]
    assert len(topics) == 2
    assert (topics[0] == topics[1]) is alike


@each(
    ("evidence", "label"),
    [
        ("bullet points", "format"),
        ("用表格", "format"),
        ("用bullet列出来", "format"),
        ("much shorter", "length"),
        ("太啰嗦了", "length"),
        ("step by step", "depth"),
        ("再详细点", "depth"),
        ("less formal", "tone"),
        ("口吻太生硬", "tone"),
        ("answer in German", "language"),
        ("请说中文", "language"),
        ("no jargon please", "wording"),
        ("少用术语", "wording"),
        ("more examples", "examples"),
        ("多举例", "examples"),
        ("cite papers", "sources"),
        ("给出处", "sources"),
        ("off topic", "topic"),
        ("跑题了", "topic"),
        ("my cat Bella", "other"),
        ("小白猫", "other"),
        ("whitelist", "other"),
    ],
)
def test_labels_come_from_a_closed_list_in_both_languages(evidence: str, label: str) -> None:
    signal = read_evidence(evidence, private=False)
    assert signal is not None
    assert (signal.label, signal.quote) == (label, evidence)
    private = read_evidence(evidence, private=True)
    if label == "other":
        assert private is None, "without a label there is nothing to learn from"
    else:
        assert private is not None
        assert (private.label, private.quote, private.topic) == (label, None, ("label", label))


def test_no_preference_says_other() -> None:
    assert read_evidence("nothing on the list", "other", private=True) is None
    for language in ("en", "zh"):
        assert wording("accept", label="other", quote=None, language=language) is None
        assert wording("accept", label="other", quote="先给结论", language=language) is not None


def test_a_picked_reason_decides_the_label() -> None:
    signal = read_evidence("my cat Bella", "too_long", private=False)
    assert signal is not None
    assert (signal.label, signal.quote) == ("length", "my cat Bella")


def test_answers_refused_for_one_reason_are_of_one_kind_whatever_was_said_of_it() -> None:
    said = ("the middle part", "the end", "", None)
    signals = [read_evidence(evidence, "too_long", private=private) for private in (False, True) for evidence in said]
    assert {signal.topic for signal in signals if signal} == {("reason", "too_long")}
    assert None not in signals
    assert read_evidence("", "other", private=False) is None


@each(
    ("action", "evidence", "open_text", "private_text"),
    [
        ("accept", "concise-bullets", "Prefers: concise-bullets", "Prefers: format"),
        ("reject", " too \n long ", "Dislikes: too long", "Dislikes: length"),
        ("partial", "more examples", "Partly prefers: more examples", "Partly prefers: examples"),
        ("accept", "更短一点", "偏好：更短一点", "偏好：篇幅"),
        ("reject", "语气太正式", "不喜欢：语气太正式", "不喜欢：语气"),
        ("partial", "加点例子", "部分偏好：加点例子", "部分偏好：例子"),
    ],
)
def test_a_preference_speaks_the_language_of_its_evidence(
    action: Action, evidence: str, open_text: str, private_text: str
) -> None:
    for private, text in ((False, open_text), (True, private_text)):
        signal = read_evidence(evidence, private=private)
        assert signal is not None
        assert wording(action, label=signal.label, quote=signal.quote, language=signal.language) == text


@each(
    ("counts", "current", "held"),
    [
        ({}, None, None),
        ({"accept": 2}, None, None),
        ({"accept": 3}, None, "accept"),
        ({"accept": 2, "partial": 2, "reject": 2}, None, None),
        ({"accept": 3, "reject": 3}, None, None),
        ({"accept": 3, "reject": 3}, "accept", "accept"),
        ({"accept": 3, "reject": 3}, "partial", None),
        ({"accept": 3, "reject": 4}, "accept", "reject"),
        ({"partial": 9, "reject": 4}, "reject", "partial"),
        ({"accept": 2}, "accept", None),
    ],
)
def test_a_majority_that_reaches_the_threshold_holds(
    counts: dict[Action, int], current: Action | None, held: Action | None
) -> None:
    assert stance(counts, 3, current=current) == held
