"""What mem0 may do here, proven on Milvus Lite and on a real standalone server."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from shared.stores.mem0 import LanguageModel, Mem0Store
from shared.stores.mem0_calls import WriteCall, writing
from shared.stores.mem0_library import DIRECTORY
from shared.stores.port import ErasureTarget, FenceLost, StoreMisconfigured, StoreUnavailable
from tests.contract.conftest import Milvus, RecordingLock, Visibility, WordEmbedder
from tests.support.milvus_servers import LiteServer, wait_until
from tests.support.scripted_llm import ScriptedLlm

REPOSITORY = Path(__file__).parents[2]


class Announcements:
    """Takes every announcement; may refuse one kind."""

    def __init__(self, *, refuse: str | None = None) -> None:
        self.made: list[tuple[UUID, str, str]] = []
        self.links: dict[UUID, Sequence[UUID]] = {}
        self.calls = 0
        self._refuse = refuse

    def __call__(self, items: Sequence[tuple[UUID, str]], kind: str, links: Mapping[UUID, Sequence[UUID]]) -> None:
        self.calls += 1
        if kind == self._refuse:
            raise FenceLost
        self.made += [(key, text, kind) for key, text in items]
        self.links |= links


def ignored(items: Sequence[tuple[UUID, str]], kind: str, links: Mapping[UUID, Sequence[UUID]]) -> None:
    """Announce to nobody."""


def agreed(shown: Sequence[UUID]) -> None:
    """Let every prompt go out."""


def seed_entity(store: Mem0Store, namespace: UUID, name: str, memories: Sequence[UUID]) -> UUID:
    """Store an entity as mem0 would: without spaCy it extracts none itself."""
    key = uuid4()
    payload = {"data": name, "entity_type": "PROPER", "linked_memory_ids": sorted(map(str, memories))}
    with writing(WriteCall(namespace, ignored)):
        store._entities.insert([str(key)], [WordEmbedder().query(name)], [{**payload, "user_id": str(namespace)}])
    return key


def entities(store: Mem0Store, namespace: UUID) -> dict[str, list[str]]:
    """Return every entity's name with its links, as stored."""
    rows = store._milvus.query("mem0_entities", f'user_id == "{namespace}"', ["id", "metadata"])
    return {row["metadata"]["data"]: row["metadata"]["linked_memory_ids"] for row in rows}


def test_a_memory_is_announced_before_it_is_written(mem0: Mem0Store, namespace: UUID) -> None:
    stored_meanwhile: list[set[UUID]] = []
    announced = Announcements()

    def announce(items: Sequence[tuple[UUID, str]], kind: str, links: Mapping[UUID, Sequence[UUID]]) -> None:
        announced(items, kind, links)
        stored_meanwhile.append(mem0.keys(namespace))

    written = mem0.remember(namespace, "likes green tea", announce=announce)

    assert announced.made == [(written[0].key, "likes green tea", "memory")]
    assert stored_meanwhile == [set()]
    assert mem0.keys(namespace) == {written[0].key}
    assert written[0].text == "likes green tea"


def test_a_lost_fence_prevents_the_write(mem0: Mem0Store, namespace: UUID) -> None:
    with pytest.raises(FenceLost):
        mem0.remember(namespace, "never stored", announce=Announcements(refuse="memory"))

    assert mem0.keys(namespace) == set()


def test_a_lost_fence_ends_learning_although_mem0_would_try_each_memory(
    mem0: Mem0Store, namespace: UUID, llm: ScriptedLlm
) -> None:
    llm.will_extract("likes tea", "likes rain", "likes cats")
    announced = Announcements(refuse="memory")

    with pytest.raises(FenceLost):
        mem0.learn(namespace, [{"role": "user", "content": "tea rain cats"}], announce=announced, before_prompt=agreed)

    assert announced.calls == 1
    assert mem0.keys(namespace) == set()


def test_a_fence_lost_between_memory_and_entity_surfaces(
    mem0: Mem0Store, namespace: UUID, llm: ScriptedLlm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mem0.memory.main.extract_entities_batch", lambda texts: [[("PROPER", "Kyoto")] for _ in texts])
    llm.will_extract("moved to Kyoto")
    announced = Announcements(refuse="entity")

    with pytest.raises(FenceLost):
        mem0.learn(
            namespace, [{"role": "user", "content": "I moved to Kyoto"}], announce=announced, before_prompt=agreed
        )

    # What was written before was announced, so the eraser knows its key.
    assert mem0.keys(namespace) == {key for key, _, _ in announced.made}
    assert entities(mem0, namespace) == {}


def test_an_error_of_the_announcement_itself_surfaces(mem0: Mem0Store, namespace: UUID, llm: ScriptedLlm) -> None:
    llm.will_extract("a", "b")

    def broken(_items: object, _kind: str, _links: object) -> None:
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        mem0.learn(namespace, [{"role": "user", "content": "a b"}], announce=broken, before_prompt=agreed)

    assert mem0.keys(namespace) == set()


def test_learning_stores_what_the_model_extracts(
    mem0: Mem0Store, namespace: UUID, llm: ScriptedLlm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mem0.memory.main.extract_entities_batch", lambda texts: [[("PROPER", "Kyoto")] for _ in texts])
    llm.will_extract("lives in Kyoto", "爱喝绿茶")
    announced = Announcements()

    written = mem0.learn(
        namespace, [{"role": "user", "content": "I live in Kyoto, 爱喝绿茶"}], announce=announced, before_prompt=agreed
    )

    assert [one.text for one in written] == ["lives in Kyoto", "爱喝绿茶"]
    assert [(text, kind) for _, text, kind in announced.made] == [
        ("lives in Kyoto", "memory"),
        ("爱喝绿茶", "memory"),
        ("Kyoto", "entity"),
    ]
    assert entities(mem0, namespace) == {"Kyoto": sorted(str(one.key) for one in written)}
    assert announced.links == {announced.made[2][0]: sorted(one.key for one in written)}
    assert mem0.keys(namespace) == {key for key, _, _ in announced.made}
    assert llm.authorizations == ["Bearer key"]


def test_a_known_entity_is_linked_to_the_new_memory(
    mem0: Mem0Store, namespace: UUID, llm: ScriptedLlm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mem0.memory.main.extract_entities_batch", lambda texts: [[("PROPER", "Kyoto")] for _ in texts])
    old = mem0.remember(namespace, "born in Kyoto", announce=ignored)[0].key
    seed_entity(mem0, namespace, "Kyoto", [old])
    llm.will_extract("works in Kyoto")

    written = mem0.learn(
        namespace, [{"role": "user", "content": "I work in Kyoto"}], announce=ignored, before_prompt=agreed
    )

    assert entities(mem0, namespace) == {"Kyoto": sorted([str(old), str(written[0].key)])}


def test_an_entity_erased_while_mem0_thinks_stays_gone(mem0: Mem0Store, namespace: UUID) -> None:
    old = mem0.remember(namespace, "born in Kyoto", announce=ignored)[0].key
    entity = seed_entity(mem0, namespace, "Kyoto", [old])
    mem0.erase([ErasureTarget(namespace=namespace, keys=(old,))])
    new = str(uuid4())
    call = WriteCall(namespace, ignored)
    call.announced["memory"].add(new)

    with writing(call):
        payload = {"data": "Kyoto", "linked_memory_ids": [str(old), new], "user_id": str(namespace)}
        mem0._entities.update(str(entity), vector=None, payload=payload)

    assert entities(mem0, namespace) == {}


@pytest.mark.parametrize("wildcard", ["*", "", None, "not a uuid"])
def test_a_write_or_read_without_a_real_namespace_is_refused(
    mem0: Mem0Store, namespace: UUID, wildcard: str | None
) -> None:
    announced = Announcements()
    payload = {"data": "text", "user_id": wildcard} if wildcard is not None else {"data": "text"}
    vector = WordEmbedder().query("text")

    with writing(WriteCall(namespace, announced)), pytest.raises(StoreMisconfigured):
        mem0._memories.insert([str(uuid4())], [vector], [payload])
    assert announced.made == []
    for read in (
        lambda filters: mem0._memories.search("q", vector, filters=filters),
        lambda filters: mem0._memories.list(filters=filters),
    ):
        with pytest.raises(StoreMisconfigured):
            read({"user_id": wildcard} if wildcard is not None else None)


def test_mem0_may_not_write_unannounced_nor_drop_or_rewrite_anything(mem0: Mem0Store, namespace: UUID) -> None:
    key = mem0.remember(namespace, "stays", announce=ignored)[0].key

    for forbidden in (
        lambda: mem0._memory.add("unannounced", user_id=str(namespace), infer=False),
        lambda: mem0._memory.update(str(key), "rewritten"),
        mem0._memory.reset,
        mem0._memories.delete_col,
        mem0._entities.reset,
    ):
        with pytest.raises(StoreMisconfigured):
            forbidden()
    assert mem0.keys(namespace) == {key}


def test_only_visible_memories_are_found_and_hidden_ones_take_no_place(
    mem0: Mem0Store, namespace: UUID, visibility: Visibility
) -> None:
    for n in range(70):
        visibility.hidden.add(mem0.remember(namespace, f"tea tea tea {n}", announce=ignored)[0].key)
    visible = mem0.remember(namespace, "something about tea and more words here", announce=ignored)[0].key

    hits = mem0.search(namespace, "tea", limit=3)

    assert [hit.key for hit in hits] == [visible]
    assert 0 < hits[0].score <= 1
    assert mem0._memories.get(str(next(iter(visibility.hidden)))) is None


def test_nobody_finds_another_persons_memories(mem0: Mem0Store, namespace: UUID) -> None:
    stranger = uuid4()
    mine = mem0.remember(namespace, "likes tea", announce=ignored)[0].key
    mem0.remember(stranger, "likes tea", announce=ignored)

    assert [hit.key for hit in mem0.search(namespace, "likes tea", limit=10)] == [mine]
    assert mem0.search(namespace, "  ", limit=10) == []


def test_a_hidden_memory_or_message_never_enters_the_extraction_prompt(
    mem0: Mem0Store, namespace: UUID, visibility: Visibility, llm: ScriptedLlm
) -> None:
    hidden = mem0.remember(namespace, "tea canary-hidden", announce=ignored)[0].key
    mem0.remember(namespace, "tea canary-visible", announce=ignored)
    mem0.remember(uuid4(), "tea canary-stranger", announce=ignored)
    visibility.hidden.add(hidden)
    llm.will_extract("tea canary-learned")
    mem0.learn(namespace, [{"role": "user", "content": "tea canary-earlier"}], announce=ignored, before_prompt=agreed)

    mem0.learn(
        namespace,
        [{"role": "user", "content": "tea canary-said"}],
        announce=ignored,
        before_prompt=agreed,
        recent_messages=lambda: [{"role": "user", "content": "canary-recent"}],
    )

    prompt = llm.prompts[-1]
    present = {
        word for word in ("hidden", "visible", "stranger", "earlier", "said", "recent") if f"canary-{word}" in prompt
    }
    assert present == {"visible", "said", "recent"}


def test_two_threads_announce_to_their_own_callers(mem0: Mem0Store) -> None:
    people = [(uuid4(), Announcements()) for _ in range(4)]

    def remember(namespace: UUID, announce: Announcements) -> None:
        for n in range(5):
            mem0.remember(namespace, f"{namespace} {n}", announce=announce)

    threads = [threading.Thread(target=remember, args=one) for one in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for namespace, announced in people:
        assert [text for _, text, _ in announced.made] == [f"{namespace} {n}" for n in range(5)]
        assert mem0.keys(namespace) == {key for key, _, _ in announced.made}


def test_an_erased_memory_leaves_no_vector_and_no_entity_only_it_supported(mem0: Mem0Store, namespace: UUID) -> None:
    gone, stays = (mem0.remember(namespace, text, announce=ignored)[0].key for text in ("gone", "stays shared"))
    seed_entity(mem0, namespace, "only-gone", [gone])
    seed_entity(mem0, namespace, "shared", [gone, stays])
    seed_entity(mem0, namespace, "only-stays", [stays])
    target = ErasureTarget(namespace=namespace, keys=(gone,))
    assert mem0.residue([target])[0].found == {"vectors": 1, "entities": 2}

    mem0.erase([target])
    mem0.erase([target])

    assert mem0.residue([target])[0].found == {"vectors": 0, "entities": 0}
    assert entities(mem0, namespace) == {"shared": [str(stays)], "only-stays": [str(stays)]}
    # Found through the partition key after it was written again.
    assert mem0._entities.list(filters={"user_id": str(namespace)})[0][0].payload["linked_memory_ids"] == [str(stays)]


def test_an_entity_keeps_no_text_for_memories_that_were_never_stored(mem0: Mem0Store, namespace: UUID) -> None:
    gone = mem0.remember(namespace, "gone", announce=ignored)[0].key
    seed_entity(mem0, namespace, "half-dangling", [gone, uuid4()])
    dangling = seed_entity(mem0, namespace, "dangling", [uuid4()])
    target = ErasureTarget(namespace=namespace, keys=(gone, dangling))
    assert mem0.residue([target])[0].found == {"vectors": 1, "entities": 2}

    mem0.erase([target])

    assert entities(mem0, namespace) == {}
    assert mem0.residue([target])[0].total == 0


def test_an_announced_entity_stays_while_another_memory_supports_it(mem0: Mem0Store, namespace: UUID) -> None:
    gone, stays = (mem0.remember(namespace, text, announce=ignored)[0].key for text in ("gone", "stays shared"))
    entity = seed_entity(mem0, namespace, "shared", [gone, stays])
    target = ErasureTarget(namespace=namespace, keys=(gone, entity))

    mem0.erase([target])

    assert entities(mem0, namespace) == {"shared": [str(stays)]}
    assert mem0.residue([target])[0].total == 0


def test_a_whole_namespace_goes_and_no_other(mem0: Mem0Store, namespace: UUID) -> None:
    stranger = uuid4()
    for one in (namespace, stranger):
        key = mem0.remember(one, "likes tea", announce=ignored)[0].key
        seed_entity(mem0, one, "tea", [key])
    target = ErasureTarget(namespace=namespace, whole_namespace=True)
    assert mem0.residue([target])[0].found == {"vectors": 1, "entities": 1}

    mem0.erase([target])

    assert mem0.residue([target])[0].total == 0
    assert mem0.keys(namespace) == set()
    assert len(mem0.keys(stranger)) == 2


def test_more_than_a_thousand_entities_are_unlinked(mem0: Mem0Store, namespace: UUID) -> None:
    texts = ("gone", "stays with name 0, name 1, name 2, name 3 and name 4")
    gone, stays = (mem0.remember(namespace, text, announce=ignored)[0].key for text in texts)
    ids = [str(uuid4()) for _ in range(1100)]
    payloads = [
        {"data": f"name {n}", "linked_memory_ids": [str(gone)] + [str(stays)] * (n < 5), "user_id": str(namespace)}
        for n in range(1100)
    ]
    with writing(WriteCall(namespace, ignored)):
        for start in (0, 550):
            part = slice(start, start + 550)
            mem0._entities.insert(ids[part], [WordEmbedder().query("name")] * 550, payloads[part])
    target = ErasureTarget(namespace=namespace, keys=(gone,))
    assert mem0.residue([target])[0].found == {"vectors": 1, "entities": 1100}

    mem0.erase([target])

    assert mem0.residue([target])[0].total == 0
    assert entities(mem0, namespace) == {f"name {n}": [str(stays)] for n in range(5)}


ERASE_ALONE = """
import json, sys, threading
from contextlib import contextmanager
from uuid import UUID
from shared.stores.mem0 import Mem0Store
from shared.stores.port import ErasureTarget
guard = threading.Lock()
@contextmanager
def lock(_name):
    with guard:
        yield
asked = json.load(sys.stdin)
store = Mem0Store(asked["uri"], token=asked["token"], flavour=asked["flavour"], lock=lock,
                  visible=lambda keys: set(), embedder=None, timeout=15)
target = ErasureTarget(namespace=UUID(asked["namespace"]), keys=tuple(map(UUID, asked["keys"])))
store.erase([target])
print(json.dumps(store.residue([target])[0].found))
"""


def test_a_process_that_never_learned_erases_completely(mem0: Mem0Store, milvus: Milvus, namespace: UUID) -> None:
    gone, stays = (mem0.remember(namespace, text, announce=ignored)[0].key for text in ("gone", "stays shared"))
    seed_entity(mem0, namespace, "only-gone", [gone])
    seed_entity(mem0, namespace, "shared", [gone, stays])
    asked = {"uri": milvus.uri, "token": milvus.token, "flavour": milvus.flavour}

    told = run_python(ERASE_ALONE, {**asked, "namespace": str(namespace), "keys": [str(gone)]}, cwd=REPOSITORY)

    assert json.loads(told.stdout) == {"vectors": 0, "entities": 0}
    assert mem0.keys(namespace) & {gone} == set()
    assert entities(mem0, namespace) == {"shared": [str(stays)]}


def run_python(
    script: str, stdin: dict[str, Any], *, cwd: Path, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    told = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps(stdin),
        text=True,
        capture_output=True,
        timeout=120,
        cwd=cwd,
        env={"PYTHONPATH": str(REPOSITORY), **(env or {})},
        check=False,
    )
    assert told.returncode == 0, told.stderr[-2000:]
    return told


LIVE_ALONE = """
import json, logging, sys, threading
from contextlib import contextmanager
from uuid import UUID
logging.basicConfig(level=logging.DEBUG)
from shared.stores.mem0 import LanguageModel, Mem0Store
from shared.stores.port import ErasureTarget
from tests.contract.conftest import WordEmbedder
logging.getLogger().setLevel(logging.DEBUG)
guard = threading.Lock()
@contextmanager
def lock(_name):
    with guard:
        yield
asked = json.load(sys.stdin)
namespace, canary = UUID(asked["namespace"]), asked["canary"]
def announce(items, kind, links): pass
store = Mem0Store(asked["uri"], token="", flavour="lite", lock=lock, visible=set, embedder=WordEmbedder(), timeout=15,
                  llm=LanguageModel(base_url=asked["llm"], model="scripted", api_key="key"))
store.ensure()
store.remember(namespace, canary + " remembered", announce=announce)
written = store.learn(namespace, [{"role": "user", "content": canary + " said"}], announce=announce,
                      before_prompt=lambda shown: None,
                      recent_messages=[{"role": "user", "content": canary + " before"}])
assert len(written) == 1
assert len(store.search(namespace, canary, limit=5)) == 2
store.erase([ErasureTarget(namespace=namespace, whole_namespace=True)])
sys.modules["mem0.memory.telemetry"].capture_event("mem0.add", store._memory, {})
assert sys.modules["mem0.memory.telemetry"]._oss_telemetry_instance is None
assert not [t for t in threading.enumerate() if "posthog" in type(t).__module__ or "onsumer" in type(t).__name__]
"""


def test_nothing_people_wrote_reaches_a_file_or_a_log(
    own_lite: LiteServer, namespace: UUID, llm: ScriptedLlm, tmp_path: Path
) -> None:
    canary = f"canary{uuid4().hex}"
    llm.will_extract(f"{canary} extracted")
    home = tmp_path / "home"
    home.mkdir()
    asked = {"uri": own_lite.uri, "namespace": str(namespace), "canary": canary, "llm": llm.base_url}

    told = run_python(LIVE_ALONE, asked, cwd=home, env={"HOME": str(home), "TMPDIR": str(home), "PATH": "/usr/bin"})

    assert canary not in told.stdout + told.stderr
    assert [path for path in home.rglob("*") if path.is_file()] == []
    assert not Path(DIRECTORY).exists()


def test_mem0_logs_nothing_at_any_level(
    mem0: Mem0Store, namespace: UUID, llm: ScriptedLlm, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    llm.answers = ["this is not JSON canary-answer"]

    mem0.remember(namespace, "canary-text", announce=ignored)
    assert (
        mem0.learn(namespace, [{"role": "user", "content": "canary-said"}], announce=ignored, before_prompt=agreed)
        == []
    )

    assert "canary" not in caplog.text


def test_without_a_language_model_nothing_is_learned(
    mem0_ready: RecordingLock, milvus: Milvus, lock: RecordingLock, visibility: Visibility, namespace: UUID
) -> None:
    store = Mem0Store(
        milvus.uri, token=milvus.token, flavour=milvus.flavour, lock=lock, visible=visibility, embedder=WordEmbedder()
    )

    with pytest.raises(StoreMisconfigured, match="language model"):
        store.learn(namespace, [{"role": "user", "content": "tea"}], announce=ignored, before_prompt=agreed)


@pytest.mark.parametrize(
    ("status", "expected"), [(500, StoreUnavailable), (429, StoreUnavailable), (401, StoreMisconfigured)]
)
def test_a_failing_language_model_is_told_apart_without_quoting_it(
    mem0: Mem0Store, namespace: UUID, llm: ScriptedLlm, status: int, expected: type[Exception]
) -> None:
    llm.status = status

    with pytest.raises(expected, match="mem0-llm") as caught:
        mem0.learn(namespace, [{"role": "user", "content": "canary"}], announce=ignored, before_prompt=agreed)

    assert "scripted" not in str(caught.value)
    assert len(llm.prompts) == 1


def test_a_slow_language_model_ends_at_its_timeout(
    mem0_ready: RecordingLock, milvus: Milvus, lock: RecordingLock, namespace: UUID, llm: ScriptedLlm
) -> None:
    llm.delay = 3
    store = Mem0Store(
        milvus.uri,
        token=milvus.token,
        flavour=milvus.flavour,
        lock=lock,
        visible=set,
        embedder=WordEmbedder(),
        llm=LanguageModel(base_url=llm.base_url, model="scripted", api_key="key", timeout=0.5),
    )
    started = time.monotonic()

    with pytest.raises(StoreUnavailable, match="mem0-llm"):
        store.learn(namespace, [{"role": "user", "content": "tea"}], announce=ignored, before_prompt=agreed)

    assert time.monotonic() - started < 2


def test_a_frozen_server_is_reported_within_one_timeout_even_while_learning(
    own_lite: LiteServer, lock: RecordingLock, namespace: UUID, llm: ScriptedLlm
) -> None:
    store = Mem0Store(
        own_lite.uri,
        flavour="lite",
        lock=lock,
        visible=set,
        embedder=WordEmbedder(),
        timeout=1,
        llm=LanguageModel(base_url=llm.base_url, model="scripted", api_key="key"),
    )
    store.ensure()
    key = store.remember(namespace, "likes tea", announce=ignored)[0].key
    llm.will_extract("a", "b", "c")
    target = ErasureTarget(namespace=namespace, keys=(key,))

    def freeze(_items: object, _kind: str, _links: object) -> None:
        own_lite.freeze()

    try:
        for call in (
            lambda: store.learn(namespace, [{"role": "user", "content": "tea"}], announce=freeze, before_prompt=agreed),
            lambda: store.remember(namespace, "more", announce=ignored),
            lambda: store.search(namespace, "tea", limit=3),
            lambda: store.erase([target]),
            lambda: store.residue([target])[0],
        ):
            started = time.monotonic()
            with pytest.raises(StoreUnavailable):
                call()
            assert time.monotonic() - started < 2
    finally:
        own_lite.thaw()

    wait_until(lambda: store.erase([target]) == [1], seconds=20, what="an erasure")
    assert store.residue([target])[0].total == 0


def test_keywords_count_where_the_server_can_and_hidden_rows_stay_hidden(
    mem0: Mem0Store, milvus: Milvus, namespace: UUID, visibility: Visibility
) -> None:
    hidden = mem0.remember(namespace, "rare wombat", announce=ignored)[0].key
    shown = mem0.remember(namespace, "another rare wombat", announce=ignored)[0].key
    mem0.remember(namespace, "nothing alike", announce=ignored)
    visibility.hidden.add(hidden)

    rows = mem0._memories.keyword_search("wombat", top_k=5, filters={"user_id": str(namespace)})

    if milvus.flavour == "server":
        assert rows is None  # 2.3.5 predates BM25
    else:
        assert rows is not None
        assert [row.id for row in rows] == [str(shown)]
