"""Podman as the tests use it: a storage of its own, and settings that also suit a machine without systemd."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
STATE = ROOT / "build" / "containers"
"""Images stay here between runs: the stand-ins must never be taken for the real images of this machine."""

_PACKAGES = {
    "podman": "podman",
    "runc": "runc",
    "buildah": "buildah",
    "podman-compose": "podman-compose",
    "catatonit": "catatonit",
    "iptables": "iptables",
    "debootstrap": "debootstrap",
    "/usr/lib/podman/netavark": "netavark",
    "/usr/lib/podman/aardvark-dns": "aardvark-dns",
}
_LIMITS = """[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
compat_api_enforce_docker_hub = false
[network]
network_backend = "netavark"
[containers]
default_ulimits = ["nofile={files}:{files}", "nproc={processes}:{processes}"]
"""
_STORAGE = """[storage]
driver = "overlay"
graphroot = "{state}/storage"
runroot = "/run/memory-center-tests"
"""


def missing() -> str:
    """Say in one line what this machine lacks; empty when nothing."""
    if os.geteuid() != 0:
        return "make test-compose must run as root: it makes images with debootstrap"
    packages = [package for program, package in _PACKAGES.items() if not shutil.which(program)]
    return f"make test-compose needs the Debian packages: {' '.join(packages)}" if packages else ""


def wait_for(condition: Callable[[], object], *, seconds: float, what: str) -> None:
    """Poll until `condition` holds; fail naming `what` after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} was not reached within {seconds:.0f} s")
        time.sleep(0.25)


@dataclass
class Podman:
    """Podman, Buildah and podman-compose with the tests' settings."""

    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Write the settings. What a container may have is no more than this account may: it cannot raise limits."""
        STATE.mkdir(parents=True, exist_ok=True)
        files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        most = int(Path("/proc/sys/kernel/pid_max").read_text())
        processes = min(resource.getrlimit(resource.RLIMIT_NPROC)[1] % (1 << 63), most)
        (STATE / "containers.conf").write_text(_LIMITS.format(files=files, processes=processes))
        (STATE / "storage.conf").write_text(_STORAGE.format(state=STATE))
        self.environment = {
            **{
                name: value
                for name, value in os.environ.items()
                if not name.startswith(("MEMORY_CENTER_", "MAKE", "MFLAGS"))
            },
            "CONTAINERS_CONF": str(STATE / "containers.conf"),
            "CONTAINERS_STORAGE_CONF": str(STATE / "storage.conf"),
        }

    def run(
        self, *command: str, check: bool = True, stdin: str = "", cwd: Path = ROOT, umask: int = -1, **more: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a command with these settings; its output is shown when it fails and `check`."""
        done = subprocess.run(
            command,
            cwd=cwd,
            env={**self.environment, **more},
            input=stdin,
            capture_output=True,
            text=True,
            timeout=3600,
            umask=umask,
            check=False,
        )
        assert done.returncode == 0 or not check, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        return done

    def says(self, *command: str) -> str:
        """Return what `podman …` printed."""
        return self.run("podman", *command).stdout.strip()

    def image_megabytes(self, image: str) -> float:
        return int(self.says("image", "inspect", "--format", "{{.Size}}", image)) / 1e6

    @contextmanager
    def service(self) -> Iterator[Mapping[str, str]]:
        """Serve Docker's API on a socket; yield the environment Docker's clients need."""
        socket = STATE / "podman.sock"
        socket.unlink(missing_ok=True)
        served = subprocess.Popen(
            ["podman", "system", "service", "--time=0", f"unix://{socket}"],  # noqa: S607 - whichever is installed
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_for(socket.exists, seconds=20, what="podman's socket")
            # Ports are published here, also where testcontainers takes this machine for a container.
            yield {
                "DOCKER_HOST": f"unix://{socket}",
                "TESTCONTAINERS_RYUK_DISABLED": "true",
                "TESTCONTAINERS_HOST_OVERRIDE": "127.0.0.1",
                "TESTCONTAINERS_CONNECTION_MODE": "docker_host",
            }
        finally:
            served.terminate()
            served.wait(20)
