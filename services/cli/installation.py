"""The installation a command refers to, and how to reach its servers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from deploy.embedded.data_directory import DataDirectory, SecretsUnreadableError
from deploy.embedded.servers import PostgresServer
from services.cli.exit_codes import Refusal

DataDir = Annotated[
    Path,
    typer.Option("--data-dir", envvar="MEMORY_CENTER_DATA_DIR", help="Where everything is kept.", show_default="data"),
]
DEFAULT_DATA_DIR = Path("data")
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def secret(name: str, data_dir: Path) -> str:
    """Return `signing_key`, `service_key` or `ledger_key`, from the environment or the data directory.

    Raises:
        Refusal: neither has one (exit code 2).
    """
    if given := os.environ.get(f"MEMORY_CENTER_{name.upper()}"):
        return given
    try:
        known = DataDirectory(data_dir.resolve()).secrets()
    except SecretsUnreadableError as problem:
        raise Refusal(str(problem), 2) from None
    if known is None or not getattr(known, name):
        raise Refusal(f"{data_dir} has no secrets yet; run `memory-center up --data-dir {data_dir}` first", 2)
    return str(getattr(known, name))


def obey_policy() -> None:
    """Check the policy file, and let this process know the behaviors it adds.

    Raises:
        Refusal: the faults, one per line (exit code 2).
    """
    from shared.runtime.policies import CANNOT_BE_OBEYED, PolicyRefused, named_file, policy_at
    from shared.traits import catalogue

    try:
        catalogue.extend(policy_at(named_file()).added_behaviors)
    except PolicyRefused as refused:
        raise Refusal(str(refused), CANNOT_BE_OBEYED) from None


def check_bucket() -> None:
    """Check that the bucket's settings are complete and valid, like every process; does not contact the bucket.

    Raises:
        Refusal: the faults, one per line (exit code 2).
    """
    from pydantic import ValidationError

    from shared.runtime.bucket_settings import BucketSettings
    from shared.runtime.policies import CANNOT_BE_OBEYED
    from shared.runtime.settings import faults

    try:
        BucketSettings()
    except ValidationError as wrong:
        raise Refusal("\n".join(faults(wrong)), CANNOT_BE_OBEYED) from None


def database_url(data_dir: Path) -> str | None:
    """Return the address of PostgreSQL itself, from the environment or the running installation; None without either.

    What commands do takes long, so it goes past a pooler.
    """
    named = os.environ.get("MEMORY_CENTER_DATABASE_DIRECT_URL") or os.environ.get("MEMORY_CENTER_DATABASE_URL")
    return named or running_database_url(data_dir)


def running_database_url(data_dir: Path) -> str | None:
    """Return the embedded PostgreSQL's URL while it is running, else None."""
    directory = DataDirectory(data_dir.resolve())
    run, secrets = directory.run(), directory.secrets()
    if run is None or secrets is None or "postgres" not in run.ports or not directory.is_held():
        return None
    port = run.ports["postgres"]
    return PostgresServer(directory.postgres, password=secrets.postgres_password, port=port).url()
