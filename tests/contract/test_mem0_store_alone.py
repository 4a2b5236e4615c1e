"""mem0 in a process of its own: one that only erases, and one that must leave nothing behind."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from shared.stores.mem0 import Mem0Store
from shared.stores.mem0_library import DIRECTORY
from tests.contract.conftest import Milvus
from tests.support.mem0_stores import entities, ignored, seed_entity
from tests.support.milvus_servers import LiteServer

REPOSITORY = Path(__file__).parents[2]

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

LIVE_ALONE = """
import json, logging, sys, threading
from contextlib import contextmanager
from uuid import UUID
logging.basicConfig(level=logging.DEBUG)
from shared.stores.mem0 import Mem0Store
from shared.stores.port import ErasureTarget
from tests.support.mem0_stores import WordEmbedder, nearest
logging.getLogger().setLevel(logging.DEBUG)
guard = threading.Lock()
@contextmanager
def lock(_name):
    with guard:
        yield
asked = json.load(sys.stdin)
namespace, canary = UUID(asked["namespace"]), asked["canary"]
def announce(items, kind, links): pass
store = Mem0Store(asked["uri"], token="", flavour="lite", lock=lock, visible=set, embedder=WordEmbedder(), timeout=15)
store.ensure()
store.remember(namespace, canary + " remembered", announce=announce)
assert len(nearest(store, namespace, canary, limit=5)) == 1
store.erase([ErasureTarget(namespace=namespace, whole_namespace=True)])
sys.modules["mem0.memory.telemetry"].capture_event("mem0.add", store._memory, {})
assert sys.modules["mem0.memory.telemetry"]._oss_telemetry_instance is None
assert not [t for t in threading.enumerate() if "posthog" in type(t).__module__ or "onsumer" in type(t).__name__]
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


def test_nothing_people_wrote_reaches_a_file_or_a_log(own_lite: LiteServer, namespace: UUID, tmp_path: Path) -> None:
    canary = f"canary{uuid4().hex}"
    home = tmp_path / "home"
    home.mkdir()
    asked = {"uri": own_lite.uri, "namespace": str(namespace), "canary": canary}

    told = run_python(LIVE_ALONE, asked, cwd=home, env={"HOME": str(home), "TMPDIR": str(home), "PATH": "/usr/bin"})

    assert canary not in told.stdout + told.stderr
    assert [path for path in home.rglob("*") if path.is_file()] == []
    assert not Path(DIRECTORY).exists()


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
