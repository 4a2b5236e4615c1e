"""What a new statement does to the remembered ones: the promises around the rules."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.models.relations import Resolution, Statement, resolve
from tests.evaluation import conflicts, duplicates
from tests.evaluation.scoring import cases
from tests.support.depth import examples
from tests.support.tables import each

EARLIER = datetime(2026, 3, 1, tzinfo=UTC)
LATER = EARLIER + timedelta(days=30)


def _fact(text: str, said_at: datetime | None = None) -> Statement:
    return Statement(text, "fact", said_at)


class TestAnswers:
    """What comes back."""

    def test_nothing_remembered_leaves_everything_new(self) -> None:
        assert resolve(_fact("I live in Oslo."), []) == Resolution("new")

    def test_the_same_words_are_the_same_whatever_their_case_and_punctuation(self) -> None:
        said, remembered = _fact("i live in OSLO!!"), [_fact("I have a cat."), _fact("I live in Oslo.")]

        assert resolve(said, remembered) == Resolution("same", (1,))

    def test_everything_that_is_replaced_is_named(self) -> None:
        remembered = [_fact("I smoke."), _fact("I have a cat."), _fact("I drink wine.")]

        resolution = resolve(_fact("I quit smoking and drinking."), remembered)

        assert resolution == Resolution("replaces", (0, 2))

    def test_saying_it_again_counts_before_replacing(self) -> None:
        remembered = [_fact("我住在上海。"), _fact("我住在北京。")]

        assert resolve(_fact("I live in Beijing."), remembered) == Resolution("same", (1,))

    def test_what_is_certain_counts_before_what_is_doubtful(self) -> None:
        remembered = [_fact("I'm a vegetarian."), _fact("I don't eat fish.")]

        resolution = resolve(_fact("I eat fish again, and sometimes I eat chicken."), remembered)

        assert resolution == Resolution("replaces", (0, 1))


class TestOrder:
    """When something was said decides which statement is the newer one."""

    def test_a_statement_learned_late_does_not_replace_a_newer_one(self) -> None:
        remembered = [_fact("I live in Oslo.", LATER)]

        assert resolve(_fact("I live in Bergen.", EARLIER), remembered).outcome == "new"

    def test_a_statement_learned_late_may_still_say_the_same(self) -> None:
        remembered = [_fact("I live in Oslo.", LATER)]

        assert resolve(_fact("我住在奥斯陆。", EARLIER), remembered).outcome == "same"

    @each(("said", "held"), [(LATER, EARLIER), (EARLIER, EARLIER), (None, LATER), (EARLIER, None)])
    def test_otherwise_the_new_statement_is_the_newer_one(self, said: datetime | None, held: datetime | None) -> None:
        resolution = resolve(_fact("I live in Bergen.", said), [_fact("I live in Oslo.", held)])

        assert resolution == Resolution("replaces", (0,))


class TestWhatNobodyTaughtTheRules:
    """A wrong merge loses a memory: what the rules do not know stays apart."""

    @each(
        ("one", "other"),
        [
            ("I practise falconry.", "I do hawking."),
            ("I play the harmonica.", "我会吹口琴。"),
            ("I like falconry.", "I don't like falconry."),
            ("I own 3 gerbils.", "I own 4 gerbils."),
            ("My wife likes falconry.", "I like falconry."),
            ("I used to do falconry.", "I do falconry."),
            ("I might do falconry.", "I do hawking."),
            ("I prefer gerbils to ferrets.", "I prefer ferrets to gerbils."),
            ("我喜欢口琴。", "我不喜欢口琴。"),
        ],
    )
    def test_it_is_never_the_same(self, one: str, other: str) -> None:
        assert resolve(_fact(one), [_fact(other)]).outcome != "same"


class TestRobustness:
    """Whatever people write."""

    @settings(max_examples=examples(150), deadline=None)
    @given(
        said=st.text(max_size=80)
        | st.text(alphabet="我不没了在从比起,。12一二三十百千万点月日 inotprefermoved'\"?", max_size=60),
        held=st.text(max_size=80)
        | st.text(alphabet="我不没了在从比起,。12一二三十百千万点月日 inotprefermoved'\"?", max_size=60),
    )
    def test_any_text_gets_an_answer_and_always_the_same_one(self, said: str, held: str) -> None:
        remembered = [_fact(held)]

        first = resolve(_fact(said), remembered)

        assert set(first.of) <= {0}
        assert first == resolve(_fact(said), remembered)

    @each("piece", ["a,", "我", "not ", "I'm ", "抽", "比起", "((", " ", "9", "一", "从", "i prefer it to "])
    def test_a_very_long_text_is_read_no_further_than_its_beginning(self, piece: str) -> None:
        beginning = (piece * 1000)[:600]
        endless = beginning + piece * (200_000 // len(piece))

        assert resolve(_fact(endless), [_fact("I live in Oslo.")]) == resolve(
            _fact(beginning), [_fact("I live in Oslo.")]
        )


class TestLabelledCases:
    """By rules alone, without an embedder; the halves that were held out are scored elsewhere."""

    def test_conflicts_are_resolved_as_people_would(self) -> None:
        figures = conflicts.score(cases("conflicts", "open"))

        assert figures["correct"] >= 0.96

    def test_duplicates_are_told_from_neighbours(self) -> None:
        figures = duplicates.score(cases("duplicates", "open"))

        assert figures["f1"] >= 0.96
