"""One stack for all tests here: images from a checkout made under umask 077, started by podman-compose."""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.compose.authority import Authority
from tests.compose.podman import ROOT, STATE, Podman, missing
from tests.compose.stack import ADDRESS, Person, Stack

STAND_INS = ROOT / "deploy" / "docker" / "stand-ins"


@pytest.fixture(scope="session")
def podman() -> Podman:
    if lacking := missing():
        pytest.exit(lacking, returncode=1)
    return Podman()


@pytest.fixture(scope="session")
def authority(podman: Podman) -> Authority:
    """A company's certificate authority. It stays between runs, as what was built with it does."""
    return Authority(STATE)


@pytest.fixture(scope="session")
def checkout(podman: Podman) -> Iterator[Path]:
    """What git would check out for somebody whose files are nobody else's business."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607 - whichever git there is
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    with tempfile.TemporaryDirectory(prefix="memory-center-checkout-") as folder:
        before = os.umask(0o077)
        try:
            for name in filter(None, listed.stdout.decode().split("\0")):
                source, copy = ROOT / name, Path(folder, name)
                if source.is_file():
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(source, copy)  # with its time: a builder compares it
                    copy.chmod(0o700 if os.access(source, os.X_OK) else 0o600)
        finally:
            os.umask(before)
        subprocess.run([f"{folder}/deploy/docker/make-env"], check=True, capture_output=True)
        yield Path(folder)


@pytest.fixture(scope="session")
def images(podman: Podman, checkout: Path, authority: Authority) -> None:
    """Everything the compose file names: built as a user builds it, or a stand-in where nothing can be pulled."""
    services = yaml.safe_load((checkout / "docker-compose.yml").read_text())["services"].values()
    public = sorted({service["image"] for service in services if "build" not in service})
    _remove_older_stand_ins(podman, public)
    lent = {"MEMORY_CENTER_CA_FILE": str(authority.bundle), "PYTHON": sys.executable}
    podman.run("make", "image", "ARGS=", cwd=checkout, umask=0o077, **lent)
    podman.run("make", "image", f"ARGS={' '.join(public)}", cwd=checkout, umask=0o077, **lent)


def _remove_older_stand_ins(podman: Podman, public: list[str]) -> None:
    """An image that is there is taken as it is, so those of another recipe must go."""
    recipe = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(STAND_INS.iterdir()))).hexdigest()
    known = STATE / "recipe"
    if not known.exists() or known.read_text() != recipe:
        podman.run("podman", "rmi", "--force", *public, check=False)
        known.write_text(recipe)


@pytest.fixture(scope="session")
def stack(podman: Podman, checkout: Path, images: None) -> Iterator[Stack]:
    running = Stack(podman, checkout)
    running.down()  # what an interrupted run left
    with socket.socket() as probe:
        if probe.connect_ex(ADDRESS) == 0:
            pytest.exit(f"make test-compose needs port {ADDRESS[1]}, which the compose file publishes", returncode=1)
    try:
        running.up()
        yield running
    finally:
        running.down()


@pytest.fixture
def person(stack: Stack, request: pytest.FixtureRequest) -> Iterator[Person]:
    """Somebody new, named for the test."""
    somebody = Person(stack, f"person-{request.node.name.replace('[', '-').rstrip(']')[-40:]}")
    with somebody.api:
        yield somebody
