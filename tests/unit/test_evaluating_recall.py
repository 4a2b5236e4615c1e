"""How `make eval-recall` reads conversations and counts what was found."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.evaluation.locomo import Asked, evidence_recall, samples
from tests.evaluation.recall import Floor, Found, Judged, figures, main, missed

TALK = {
    "speaker_a": "Ada",
    "speaker_b": "Bo",
    "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_1": [
        {"speaker": "Bo", "dia_id": "D1:1", "text": "Hi!"},
        {"speaker": "Ada", "dia_id": "D1:2", "text": "Look.", "blip_caption": "a photo of a cat"},
    ],
    "session_2_date_time": "12:05 am on 1 June, 2023",
    "session_2": [{"speaker": "Ada", "dia_id": "D2:1", "text": "Bye."}],
    "session_3_date_time": "9:00 am on 2 June, 2023",
}
QUESTIONS = [
    {"question": "What does Ada show?", "category": 4, "evidence": ["D1:2", "D1:2"]},
    {"question": "What does Bo show?", "category": 5, "evidence": ["D1:2"]},
    {"question": "Who?", "category": 3, "evidence": []},
    {"question": "What does Ada show?", "category": 5, "evidence": ["D1:2"]},
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.json"
    path.write_text(json.dumps([{"sample_id": "conv-1", "conversation": TALK, "qa": QUESTIONS}]))
    return path


def test_a_sample_is_one_conversation_of_the_first_speaker(data: Path) -> None:
    (sample,) = samples(data)
    assert (sample.id, sample.user) == ("conv-1", "Ada")
    assert [[(one.dia_id, one.role, one.text) for one in session] for session in sample.sessions] == [
        [("D1:1", "assistant", "Hi!"), ("D1:2", "user", "Look. [shares a photo of a cat]")],
        [("D2:1", "user", "Bye.")],
    ]
    assert [one.at for one in sample.sessions[0]] == [
        datetime(2023, 5, 8, 13, 56, tzinfo=UTC),
        datetime(2023, 5, 8, 13, 57, tzinfo=UTC),
    ]
    assert sample.sessions[1][0].at == datetime(2023, 6, 1, 0, 5, tzinfo=UTC)


def test_only_answerable_questions_with_evidence_are_scored(data: Path) -> None:
    (sample,) = samples(data)
    assert sample.questions == (Asked(text="What does Ada show?", category=4, evidence=frozenset({"D1:2"})),)
    assert sample.unscored == ("What does Bo show?", "Who?")  # no warm-up question is a scored one


@pytest.mark.parametrize(
    ("found", "at", "share"),
    [
        ([], 5, 0.0),
        (["a", "b"], 5, 1.0),
        (["x", "a", "b"], 2, 0.5),
        (["x", "x", "a", "b"], 2, 0.5),  # what was found twice takes one place
        (["x", "y", "a", "b"], 2, 0.0),
    ],
)
def test_evidence_recall_is_the_share_among_the_first(found: list[str], at: int, share: float) -> None:
    assert evidence_recall(found, frozenset({"a", "b"}), at=at) == share


def _judged(found: list[str], milliseconds: float) -> Judged:
    return Judged(
        Asked(text="?", category=4, evidence=frozenset({"a"})),
        ours=Found(found, milliseconds, by_meaning=bool(found)),
        mem0=Found(["x"] * 10 + ["a"], 50.0),
        floor=Floor(one_search=10.0, both_searches=12.0),
    )


def test_figures_are_means_and_percentiles_of_all_questions() -> None:
    results = figures([_judged(["a"], 12.0), _judged([], 8.0)])
    assert (results["recall@5"], results["recall@20"], results["questions"]) == (0.5, 0.5, 2)
    assert (results["mem0_recall@5"], results["mem0_recall@10"]) == (1.0, 1.0)
    assert (results["p50_ms"], results["p95_ms"], results["p95_ratio"]) == (8.0, 12.0, 1.2)
    assert results["p95_ratio_both_searches"] == 1.0
    assert results["without_vectors"] == 1
    assert results["gain@10"] == -0.5


def test_each_target_is_judged() -> None:
    met = {"recall@10": 0.78, "gain@10": 0.18, "p95_ratio": 1.3, "p95_ms": 10.0, "mem0_p95_ms": 11.0}
    assert missed(met) == []
    assert missed({**met, "recall@10": 0.77}) == ["recall@10"]
    assert missed({**met, "gain@10": 0.17}) == ["gain@10"]
    assert missed({**met, "p95_ratio": 1.31}) == ["p95_ratio"]
    assert missed({**met, "p95_ms": 11.0}) == ["mem0_p95_ms"]


@pytest.mark.parametrize("arguments", [[], ["nowhere.json"]])
def test_without_data_it_says_so_in_one_line(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["recall", *arguments])
    assert main() == 2
    assert len(capsys.readouterr().out.splitlines()) == 1
