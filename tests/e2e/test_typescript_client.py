"""The TypeScript client on the real thing, and beside the Python client: the same names do the same."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from memory_center_client import MemoryCenter
from tests.e2e.conftest import Stack

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "services/clients/typescript"
NODE = Path(sys.executable).with_name("node")
OTHERWISE = {"whose", "for_user", "close", "receipt", "transport"}


def node(*arguments: str, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    whole = {**os.environ, **(environment or {})}
    told = [str(NODE), *arguments]
    return subprocess.run(told, cwd=CLIENT, env=whole, capture_output=True, text=True, check=False, timeout=120)


def test_a_memory_is_lived_through(stack: Stack) -> None:
    key = subprocess.run(
        [sys.executable, "-m", "services.cli.main", "receipt-key", "--data-dir", str(stack.data_dir)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    told = node("test/played.ts", stack.url, stack.secrets["service_key"], key)
    assert (told.returncode, told.stdout) == (0, "PLAYED\n"), told.stderr


def test_the_example_of_its_page_does_what_it_says(stack: Stack, tmp_path: Path) -> None:
    [example] = re.findall(r"```ts\n(.*?)```", (ROOT / "docs/client.md").read_text(encoding="utf-8"), re.DOTALL)
    token = subprocess.run(
        [sys.executable, "-m", "services.cli.main", "token", "--user", "tess", "--data-dir", str(stack.data_dir)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    file = tmp_path / "example.mts"
    here = example.replace('"memory-center"', f'"{CLIENT / "src/index.ts"}"')
    file.write_text(here.replace("http://127.0.0.1:8765", stack.url), encoding="utf-8")
    told = node(str(file), environment={"MEMORY_CENTER_TOKEN": token})
    assert (told.returncode, told.stdout) == (0, "succeeded\ntrue\n"), told.stderr


def methods_of(thing: Any) -> set[str]:
    return {name for name in vars(type(thing)) if not name.startswith("_")}


def test_both_clients_have_the_same_resources_and_methods() -> None:
    script = """
      import { MemoryCenter } from "./src/index.ts";
      const of = (one) => Object.getOwnPropertyNames(Object.getPrototypeOf(one));
      const memory = new MemoryCenter("http://127.0.0.1:1");
      const parts = Object.entries(memory).filter(([name]) => name !== "transport");
      const methods = Object.fromEntries(parts.map(([name, part]) => [name, of(part)]));
      console.log(JSON.stringify({ "": of(memory), ...methods }));
    """
    told = node("--input-type=module-typescript", "--eval", script)
    assert told.returncode == 0, told.stderr
    theirs: dict[str, list[str]] = json.loads(told.stdout)
    ours = MemoryCenter("http://127.0.0.1:1")
    parts = {name: part for name, part in vars(ours).items() if not name.startswith("_") and name != "transport"}
    assert set(theirs) == {"", *parts}
    for name, part in {"": ours, **parts}.items():
        camel = {re.sub(r"_(\w)", lambda found: found[1].upper(), one) for one in methods_of(part) - OTHERWISE}
        assert camel <= set(theirs[name]), name
