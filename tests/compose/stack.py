"""The stack of docker-compose.yml, started by podman-compose from a checkout, as an operator would."""

from __future__ import annotations

import os
import signal
import subprocess
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import yaml

from tests.compose.podman import Podman, wait_for

ADDRESS = ("127.0.0.1", 8765)
URL = "http://127.0.0.1:8765"
PROJECT = "memory-center-test"
_READY_SECONDS = 900.0  # what a machine with 2 cores and much else to do may need


@dataclass
class Stack:
    """One running project, and what the file says about it."""

    podman: Podman
    checkout: Path
    services: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.services = yaml.safe_load((self.checkout / "docker-compose.yml").read_text())["services"]

    # --- What the file says

    @property
    def stores(self) -> list[str]:
        """The services whose image is not built here."""
        return [name for name, service in self.services.items() if "build" not in service]

    @property
    def processes(self) -> list[str]:
        """Our long-running processes."""
        return [
            name
            for name, service in self.services.items()
            if service["image"] == "memory-center:local" and service["restart"] == "unless-stopped"
        ]

    @property
    def workers(self) -> list[str]:
        return [name for name in self.processes if self.services[name]["command"][2].startswith("workers")]

    # --- Starting and stopping

    def compose(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.podman.run("podman-compose", "--project-name", PROJECT, *words, cwd=self.checkout)

    def up(self) -> None:
        """Create everything from the file, and start it in the order of its conditions.

        Debian's podman-compose knows no `depends_on: {condition: …}`, so the order is kept here: a service without a
        health check has to complete, the others to be healthy by the file's own check.
        """
        self.compose("up", "--no-start", "--no-build")
        deadline = time.monotonic() + _READY_SECONDS
        started: set[str] = set()
        reached: set[str] = set()
        while reached < set(self.services):
            for name in self.services.keys() - started:
                if set(self.services[name].get("depends_on", {})) <= reached:
                    self.podman.says("start", self.container(name))
                    started.add(name)
            for name in started - reached:
                asked = self.is_healthy if "healthcheck" in self.services[name] else self.has_completed
                if asked(name):
                    reached.add(name)
            waiting = sorted(self.services.keys() - reached)
            assert time.monotonic() < deadline, f"not ready: {waiting}\n{self.says_everything()}"
            time.sleep(0.25)

    def down(self) -> None:
        self.compose("down", "--volumes")
        self.podman.run("podman", "network", "rm", "--force", f"{PROJECT}_inside", f"{PROJECT}_outside", check=False)

    # --- Looking and meddling

    def container(self, service: str) -> str:
        return f"{PROJECT}_{service}_1"

    def state(self, service: str, what: str) -> str:
        return self.podman.says("inspect", "--format", f"{{{{.{what}}}}}", self.container(service))

    def has_completed(self, service: str) -> bool:
        return self.state(service, "State.Status") == "exited" and self.state(service, "State.ExitCode") == "0"

    def is_healthy(self, service: str) -> bool:
        """Run the file's own health check in the container."""
        kind, *test = self.services[service]["healthcheck"]["test"]
        command = ["/bin/sh", "-c", test[0].replace("$$", "$")] if kind == "CMD-SHELL" else test
        return self.podman.run("podman", "exec", self.container(service), *command, check=False).returncode == 0

    def inside(self, service: str, *command: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command in a service's container; nothing is checked."""
        return self.podman.run("podman", "exec", "-i", self.container(service), *command, stdin=stdin, check=False)

    def crash(self, service: str) -> None:
        """End a container's first process as the kernel would when memory runs out."""
        os.kill(int(self.state(service, "State.Pid")), signal.SIGKILL)

    def restarts(self, service: str) -> int:
        return int(self.state(service, "RestartCount"))

    def says_everything(self) -> str:
        """Return the last lines of every container, for a failure's message."""
        told = []
        for name in self.services:
            logs = self.podman.run("podman", "logs", "--tail", "15", self.container(name), check=False)
            told.append(f"--- {name}\n{logs.stdout}{logs.stderr}")
        return "\n".join(told)


@dataclass
class Person:
    """Somebody who talks to the stack through its published port."""

    stack: Stack
    name: str
    api: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        token = self.stack.inside("conversations", "memory-center", "token", "--user", self.name).stdout.strip()
        assert token.count(".") == 2, token
        self.api = httpx.Client(base_url=f"{URL}/api/v1", headers={"Authorization": f"Bearer {token}"}, timeout=20)

    def _ask(self, method: str, path: str, body: object, key: str) -> httpx.Response | None:
        try:
            answer = self.api.request(method, path, json=body, headers={"Idempotency-Key": key})
        except httpx.TransportError:
            return None
        return answer if answer.status_code < httpx.codes.INTERNAL_SERVER_ERROR else None

    def ask(self, method: str, path: str, body: object = None, *, status: int = 200, seconds: float = 180) -> Any:
        """Return an answer's JSON; what answers 5xx or not at all is asked again for so long, under one key.

        Without the key a forget whose answer was lost would be a 404 when it is repeated.
        """
        key = str(uuid.uuid4())
        answers: list[httpx.Response] = []

        def answered() -> bool:
            answer = self._ask(method, path, body, key)
            if answer is not None:
                answers.append(answer)
            return bool(answers)

        wait_for(answered, seconds=seconds, what=f"an answer of {path}")
        assert answers[0].status_code == status, answers[0].text
        return answers[0].json()

    def tell(self, text: str) -> str:
        """Say something in a new conversation; return the message's id."""
        conversation = self.ask("POST", "/conversations", {}, status=201)["id"]
        said = [{"role": "user", "content": text}, {"role": "assistant", "content": "Noted."}]
        told = self.ask("POST", "/messages", {"conversation_id": conversation, "messages": said}, status=201)
        return str(told["messages"][0]["id"])

    def remembers(self, word: str) -> bool:
        return any(word in memory["content"] for memory in self.ask("GET", "/memory/long_term"))

    def finds(self, query: str, word: str) -> tuple[bool, str]:
        """Search; return whether something with `word` was found, and how was searched."""
        found = self.ask("POST", "/memory/search", {"query": query})
        return any(word in item["content"] for item in found["items"]), found["mode"]

    def forget(self, message: str) -> dict[str, Any]:
        wish = {"scope": "message", "message_id": message, "cascade": True}
        accepted: dict[str, Any] = self.ask("POST", "/memory/forget", wish, status=202)
        return accepted

    def operation(self, op_id: str) -> dict[str, Any]:
        found: dict[str, Any] = self.ask("GET", f"/memory/ops/{op_id}")
        return found
