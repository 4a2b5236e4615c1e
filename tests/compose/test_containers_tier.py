"""The tests of the embedded servers, run against containers of the images that the compose file names."""

from __future__ import annotations

import sys

import pytest

from tests.compose.podman import Podman

# Migrating, intake, learning, recall and forgetting; every kind of server is used.
TESTS = [
    "tests/integration/test_intake.py",
    "tests/integration/test_deriving.py",
    "tests/integration/test_forgetting.py",
    "tests/integration/test_recall_context.py",
    "tests/integration/test_migrations.py",
]


@pytest.mark.timeout(3600)
def test_the_integration_tests_pass_on_containers(podman: Podman, images: None) -> None:
    with podman.service() as client:
        ran = podman.run(
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS),
            check=False,
            MEMORY_CENTER_TEST_STACK="containers",
            MEMORY_CENTER_STORE_TIMEOUT_SECONDS="8",  # the most there may be, for a busy machine
            **client,
        )
    print(ran.stdout.splitlines()[-1])
    assert ran.returncode == 0, ran.stdout[-20000:] + ran.stderr[-2000:]
