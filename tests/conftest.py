"""Fixtures every tier may use: real servers once per run, a database of its own for each test."""

from __future__ import annotations

import gc
import itertools
import os
import signal
import tempfile
import threading
from collections import defaultdict
from collections.abc import Generator, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
import structlog
from hypothesis import settings

from shared.items import register_kinds
from shared.kernel.database import Database
from tests.e2e.conftest import Stack, running_installation
from tests.support.backing import Backing, backing_servers
from tests.support.bucket_servers import BucketServer
from tests.support.bucket_servers import bucket_server as running_bucket_server
from tests.support.embedding_once import each_text_once
from tests.support.noisy import sitecustomize
from tests.support.recycling import Recycled
from tests.support.workbench import Workbench

register_kinds()

FAILED = pytest.StashKey[bool]()

# How long an example takes says how busy the machine is, not whether the code is right.
settings.register_profile("usual", settings(), deadline=None)
settings.register_profile("deep", settings(), deadline=None, max_examples=1_000)
settings.load_profile("usual")

# A traceback drawn with its source and its locals takes seconds of a processor.
structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ]
)

# With MEMORY_CENTER_TEST_NOISE=1e-6 every vector is a little off, here and in the processes that tests start.
if os.environ.get("MEMORY_CENTER_TEST_NOISE"):
    noisy = str(Path(sitecustomize.__file__).parent)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (noisy, os.environ.get("PYTHONPATH"))))

# A run started in the background ignores Ctrl-C, and so would every process it starts, also where a test presses it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def _vectors() -> Iterator[None]:
    with nullcontext() if os.environ.get("MEMORY_CENTER_TEST_NOISE") else each_text_once():
        yield


@pytest.fixture(scope="session")
def backing() -> Iterator[Backing]:
    # Not below pytest's own directory: PostgreSQL runs as another user, and a second session would lock it out.
    with (
        tempfile.TemporaryDirectory(prefix="memory-center-tests-", ignore_cleanup_errors=True) as directory,
        backing_servers(Path(directory)) as servers,
    ):
        yield servers


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    """One running installation for all tests of a process; they use people of their own.

    It waits for meaning however busy the machine is: answers and screens look different without.
    """
    with running_installation(MEMORY_CENTER_RECALL_PATIENCE_SECONDS="5") as running:
        yield running


@pytest.fixture(scope="session")
def bucket_server() -> Iterator[BucketServer]:
    with running_bucket_server() as server:
        yield server


@pytest.fixture(scope="session")
def recycled(backing: Backing) -> Iterator[Recycled]:
    used_in_turn = Recycled(backing)
    yield used_in_turn
    used_in_turn.close()


@pytest.fixture
def database_url(recycled: Recycled, request: pytest.FixtureRequest) -> Iterator[str]:
    """A database as new, which other tests had before; who needs one of its own asks `backing.cloned_database()`."""
    opens_its_own = request.node._fixtureinfo.name2fixturedefs.get("bench", [None])[-1]
    if opens_its_own is not None and opens_its_own.baseid != "tests":
        recycled.close_product()
    yield recycled.url()
    if request.node.stash.get(FAILED, False):
        recycled.close()
    recycled.renew()


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = Database(database_url, application="test")
    yield opened
    opened.close()


@pytest.fixture
def bench(recycled: Recycled, database_url: str) -> Workbench:
    """The product on `database_url`, with the settings tests usually have."""
    assert recycled.url() == database_url
    return recycled.bench()


@pytest.fixture
def working(bench: Workbench) -> Iterator[None]:
    """Workers that go on beside the test."""
    stop = threading.Event()

    def work() -> None:
        while not stop.wait(0.05):
            bench.work()

    thread = threading.Thread(target=work)
    thread.start()
    yield
    stop.set()
    thread.join()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def slow_tests() -> set[str]:
    """Return the lines of `slow.txt`, which says what they are."""
    lines = (Path(__file__).parent / "slow.txt").read_text(encoding="utf-8").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave most variants of a test that has very many to `make test-full`, and slow tests to `make test-slow`."""
    slow = slow_tests()
    for item in items:
        file, _, test = item.nodeid.partition("::")
        if slow & {file, f"{file}::{test.partition('[')[0]}", item.nodeid}:
            item.add_marker("slow")
    variants: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("few"):
            variants.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for together in variants.values():
        [count] = together[0].get_closest_marker("few").args  # type: ignore[union-attr]
        usual = {round(number * (len(together) - 1) / max(1, count - 1)) for number in range(count)}
        for number, item in enumerate(together):
            if number not in usual:
                item.add_marker("full")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how long the tests of each tier took, all processes together."""
    spent: defaultdict[str, float] = defaultdict(float)
    for report in itertools.chain.from_iterable(terminalreporter.stats.values()):
        if isinstance(report, pytest.TestReport):
            spent["/".join(report.nodeid.split("/")[:2])] += report.duration
    terminalreporter.section("seconds of tests")
    for tier, seconds in spent.items():
        terminalreporter.write_line(f"{seconds:7.0f} {tier}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note which tests failed: nobody is given what they used."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report
