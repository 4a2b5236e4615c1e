"""Builds the images that docker-compose.yml builds: `make image`. Needs Docker, or Podman with Buildah.

Whatever installs packages on this machine installs them in the build too: its certificate authorities and its
configuration of pip, uv and npm are lent to the build as secrets. Of these only the certificates stay in the image.

A base image that is neither here nor can be pulled gets a stand-in: Debian by `debootstrap` under Python's tag, and
what `stand-ins/Dockerfile` makes for the others. Only the standard library is used: this runs before `make setup`.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
HERE: Final = ROOT / "deploy" / "docker"
BASE: Final = "python:3.11-slim-bookworm"
IMAGES: Final = {"memory-center:local": HERE / "Dockerfile", "memory-center-proxy:local": HERE / "proxy.Dockerfile"}
STAND_INS: Final = HERE / "stand-ins" / "Dockerfile"
DEBIAN: Final = "bookworm"
_PACKAGES: Final = "ca-certificates,python3,python3-pip,python3-venv"
_NOT_FOR_THE_BUILD: Final = re.compile(r"^\s*(cafile|cache|prefix|nodedir)\s*=")


class ImageError(RuntimeError):
    """An image cannot be built here; the message says in a line what is missing."""


class Builder:
    """Docker or Buildah, whichever works here, and the secrets lent to every build."""

    def __init__(self, secrets: Mapping[str, Path]) -> None:
        """Find the engine.

        Raises:
            ImageError: there is none.
        """
        if shutil.which("docker") and _succeeds("docker", "info"):
            self._build, self._pull, self._find = (
                ["docker", "build"],
                ["docker", "pull"],
                ["docker", "image", "inspect"],
            )
        elif shutil.which("buildah"):
            # This isolation needs neither systemd nor an OCI runtime, so it works in virtual machines and containers.
            self._build = ["buildah", "bud", "--layers", "--isolation", "chroot", "--format", "docker"]
            self._pull, self._find = ["buildah", "pull", "--quiet"], ["buildah", "inspect", "--type", "image"]
        else:
            raise ImageError("no engine: start Docker, or install the packages podman and buildah")
        self._lent = [part for name, path in secrets.items() for part in ("--secret", f"id={name},src={path}")]
        if "ca" in secrets:
            self._lent += ["--build-arg", f"CA_DIGEST={hashlib.sha256(secrets['ca'].read_bytes()).hexdigest()}"]

    def has(self, image: str) -> bool:
        return _succeeds(*self._find, image)

    def build(self, image: str, dockerfile: Path, *options: str, context: Path = ROOT) -> None:
        """Build one image.

        Raises:
            ImageError: a step failed; the engine has said which.
        """
        command = [*self._build, *self._lent, *options, "--tag", image, "--file", str(dockerfile), str(context)]
        if subprocess.run(command, check=False, env={**os.environ, "DOCKER_BUILDKIT": "1"}).returncode != 0:
            raise ImageError(f"{image} could not be built")

    def need(self, image: str) -> None:
        """Have an image: what is here, what can be pulled, or a stand-in.

        Raises:
            ImageError: none of these.
        """
        if self.has(image) or _succeeds(*self._pull, image):
            return
        print(f"{image} cannot be pulled here; making a stand-in", flush=True)
        if image == BASE:
            self._debian(image)
        else:
            self.stand_in(image)

    def stand_in(self, image: str) -> None:
        """Build the stand-in for a public image; the last part of its name is the target's.

        Raises:
            ImageError: it could not be built.
        """
        self.need(BASE)
        self.build(image, STAND_INS, "--target", image.partition(":")[0].rpartition("/")[2])

    def _debian(self, image: str) -> None:
        """Make a Debian with Python in it; `python` and `pip` work as in the official image."""
        if os.geteuid() != 0 or not shutil.which("debootstrap"):
            raise ImageError(f"{image}: a stand-in needs root and the package debootstrap")
        with tempfile.TemporaryDirectory() as work:
            root, context = Path(work, "root"), Path(work, "context")
            context.mkdir()
            made = subprocess.run(
                ["debootstrap", "--variant=minbase", f"--include={_PACKAGES}", DEBIAN, str(root)],
                check=False,
                stdout=subprocess.DEVNULL,
            )
            if made.returncode != 0:
                raise ImageError(f"{image}: debootstrap failed")
            (root / "usr/bin/python").symlink_to("python3")
            (root / "usr/lib/python3.11/EXTERNALLY-MANAGED").unlink()
            shutil.rmtree(root / "var/cache/apt/archives")
            subprocess.run(
                ["tar", "-C", str(root), "--exclude=./dev/*", "-cf", str(context / "root.tar"), "."], check=True
            )
            dockerfile = context / "Dockerfile"
            dockerfile.write_text('FROM scratch\nADD root.tar /\nCMD ["python3"]\n')
            self.build(image, dockerfile, context=context)


def lent_secrets(directory: Path) -> dict[str, Path]:
    """Write what the build may borrow into `directory`; return the files by the name of their secret.

    `ca` is MEMORY_CENTER_CA_FILE's, else what SSL_CERT_FILE names. pip says what its files and variables amount to;
    uv gets the same registries unless it has a file of its own. A path of this machine would lead nowhere in a build.
    """
    lent: dict[str, Path] = {}
    if authorities := os.environ.get("MEMORY_CENTER_CA_FILE") or os.environ.get("SSL_CERT_FILE"):
        if not Path(authorities).is_file():
            raise ImageError(f"{authorities} is no file of certificates")
        lent["ca"] = Path(authorities)
    registries = _pip_registries()
    lent["pip"] = directory / "pip.conf"
    lent["pip"].write_text("[global]\n" + "".join(f"{name} = {' '.join(urls)}\n" for name, urls in registries.items()))
    lent["uv"] = directory / "uv.toml"
    own = _first(os.environ.get("UV_CONFIG_FILE"), Path.home() / ".config/uv/uv.toml", "/etc/uv/uv.toml")
    lent["uv"].write_text(own.read_text() if own else _uv_settings(registries))
    if npm := _first(os.environ.get("NPM_CONFIG_USERCONFIG"), Path.home() / ".npmrc"):
        lent["npm"] = directory / "npmrc"
        kept = (line for line in npm.read_text().splitlines(keepends=True) if not _NOT_FOR_THE_BUILD.match(line))
        lent["npm"].write_text("".join(kept))
    for name in ("pip", "uv", "npm"):
        if name in lent:
            lent[name].chmod(0o600)
    return lent


def _pip_registries() -> dict[str, list[str]]:
    asked = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False)
    found: dict[str, list[str]] = {}
    for name, value in re.findall(
        r"^[^.\n]+\.(index-url|extra-index-url|trusted-host)='(.*)'$", asked.stdout, re.MULTILINE
    ):
        urls = [url for url in value.replace("\\n", " ").split() if not url.startswith("file:")]
        if urls:
            found[name] = urls
    return found


def _uv_settings(registries: Mapping[str, list[str]]) -> str:
    settings: dict[str, object] = {}
    if default := os.environ.get("UV_DEFAULT_INDEX") or next(iter(registries.get("index-url", [])), ""):
        settings["index-url"] = default
    if more := registries.get("extra-index-url"):
        settings["extra-index-url"] = more
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items())  # JSON's are TOML's as well


def _first(*paths: str | Path | None) -> Path | None:
    return next((Path(path) for path in paths if path and Path(path).is_file()), None)


def _succeeds(*command: str) -> bool:
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


def main() -> None:
    """Build what was named on the command line, by default every image the compose file builds."""
    wanted = sys.argv[1:] or list(IMAGES)
    with tempfile.TemporaryDirectory() as directory:
        builder = Builder(lent_secrets(Path(directory)))
        for image in wanted:
            dockerfile = IMAGES.get(image)
            if dockerfile is None:
                builder.need(image)
                continue
            for base in {line.split()[1] for line in dockerfile.read_text().splitlines() if line.startswith("FROM ")}:
                if ":" in base:
                    builder.need(base)
            builder.build(image, dockerfile)


if __name__ == "__main__":
    try:
        main()
    except ImageError as problem:
        sys.exit(f"images: {problem}")
