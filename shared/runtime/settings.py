"""Configuration of one process, read once from the environment and its policy file; there are no default secrets."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from shared.consent.rules.policy import Terms
from shared.consent.rules.switches import Switches
from shared.kernel.sensitivity import PolicyName
from shared.runtime.bucket_settings import PREFIX, BucketSettings
from shared.runtime.policies import CANNOT_BE_OBEYED, PACKAGED, PolicyRefused, RetentionPolicy, policy_at
from shared.traits import catalogue


class EmbedderSettings(BaseSettings):
    """What the embedder's process is told, which needs no URL and no key."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True, env_ignore_empty=True)

    data_dir: Path = Path("data")
    embedder_dir: Path | None = None
    """Where the embedder's sockets are; in the data directory unless it is told."""
    embedder_processes: int = Field(default=2, ge=1, le=64)
    """How many embed questions at the same time, and as many passages; half as many read what people say."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @property
    def embedder_folder(self) -> Path:
        """Where the embedder's sockets are."""
        return self.embedder_dir or self.data_dir / "embedder"


class ModelSettings(BaseSettings):
    """What the process is told that serves a language model from a file of this machine."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True, env_ignore_empty=True)

    llm_file: Path
    llm_port: int = Field(ge=1, le=65535)
    llm_api_key: SecretStr
    llm_threads: int = Field(default=os.cpu_count() or 1, ge=1, le=1024)
    llm_context_tokens: int = Field(default=8192, ge=1024, le=1_000_000)
    """Most tokens of a question and its answer together: their memory is set aside at once."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"


class Settings(BucketSettings, EmbedderSettings):
    """Everything a process may be told, as `MEMORY_CENTER_<NAME>`.

    URLs and keys have no default: a process without them stops with a clear error instead of
    talking to the wrong place.
    """

    database_url: SecretStr
    database_recall_url: SecretStr | None = None
    """For searches, with a login that may read visible rows only; unless it is set, `database_url`."""
    database_direct_url: SecretStr | None = None
    """PostgreSQL itself, where `database_url` leads to a pooler: for notifications and locks that outlive a
    transaction."""
    pooler: Literal["none", "transaction"] = "none"
    database_connections: int = Field(default=20, ge=4, le=1_000)
    """Most connections of a gateway for requests, and as many for searches."""
    broker_url: SecretStr
    milvus_uri: str
    milvus_token: SecretStr = SecretStr("")
    milvus_flavour: Literal["lite", "server"] = "server"

    signing_key: SecretStr
    service_key: SecretStr
    oidc_issuer: str | None = None
    oidc_audience: str | None = None
    """An OpenID Connect issuer whose tokens for this audience are good too; `sub` is the user id."""
    ledger_key: SecretStr | None = None
    """What the ledger is signed with; workers alone need it."""

    @model_validator(mode="after")
    def _knows_the_way_past_a_pooler(self) -> Settings:
        if self.pooler != "none" and self.database_direct_url is None:
            raise ValueError("MEMORY_CENTER_POOLER needs MEMORY_CENTER_DATABASE_DIRECT_URL: PostgreSQL itself")
        return self

    @property
    def direct_url(self) -> str:
        """The address of PostgreSQL itself."""
        return (self.database_direct_url or self.database_url).get_secret_value()

    @model_validator(mode="after")
    def _names_both_or_neither(self) -> Settings:
        if (self.oidc_issuer is None) != (self.oidc_audience is None):
            raise ValueError("MEMORY_CENTER_OIDC_ISSUER and MEMORY_CENTER_OIDC_AUDIENCE belong together")
        if self.oidc_issuer is not None:
            from shared.runtime.issuer import check_address  # noqa: PLC0415 # few need it

            check_address(self.oidc_issuer)
        return self

    @property
    def files_dir(self) -> Path:
        """Where files are that are not a server's own: the ledger's copy, exports."""
        return self.data_dir / "files"

    @property
    def exports_dir(self) -> Path:
        """Where sealed packages are, until they are forgotten or their time is over; unless there is a `bucket`."""
        return self.files_dir / "exports"

    host: str = "127.0.0.1"
    port: int = Field(default=8765, ge=1, le=65535)
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = Field(default=None, ge=1, le=65535)
    """Where a process without an HTTP API of its own serves its metrics; not at all without one."""
    allowed_hosts: str = ""
    """Names, beside the loopback's and `host`, under which browsers and clients reach this API; separated by commas."""
    connections: int = Field(default=512, ge=8, le=65_536)
    connections_per_address: int = Field(default=128, ge=4, le=65_536)
    """Behind a proxy every client has the proxy's address: then as many as `connections`."""
    person_requests_per_minute: int = Field(default=1_200, ge=0)
    service_requests_per_minute: int = Field(default=60_000, ge=0)
    """0: as many as they like."""
    max_body_bytes: int = Field(default=2_000_000, gt=0)
    """Of messages, the longest bodies but for packages; every other route takes less."""

    longterm_default: bool = True
    sensitivity_policy: PolicyName | None = None
    """What is done about sensitive fragments of what people write; what the policy file says unless this is set."""
    llm_base_url: str | None = None
    llm_model: str | None = None
    llm_api_key: SecretStr | None = None
    llm_timeout_seconds: float = Field(default=20.0, gt=0, le=120)
    """How long one answer of the language model is waited for while learning; then the bundled reader answers."""

    summary_max_characters: int = Field(default=1500, ge=200, le=20_000)
    """Longest summary."""
    context_tokens: int = Field(default=4000, ge=500, le=200_000)
    """Most tokens of what an assistant is given, unless it asks for another number."""

    worker_threads: int = Field(default=4, ge=1, le=64)
    lease_seconds: float = Field(default=12.0, gt=0)
    quarantine_idle_seconds: float = Field(default=60.0, gt=0)
    """A worker of quarantine ends itself when it had nothing to do for so long."""
    recall_patience_seconds: float = Field(default=0.2, gt=0, le=10)
    """How long recall waits for vectors; what was found by its words is given without them then (CN-08)."""
    learn_every_turns: int = Field(default=1, ge=1, le=1000)
    """So many completed turns of a conversation are learned from together; 1: each at once."""
    learn_idle_seconds: float = Field(default=300.0, gt=0, le=86_400)
    """Fewer are, once nothing was said in the conversation for so long."""
    session_idle_seconds: float = Field(default=1_800.0, ge=60, le=86_400)
    """A session whose last message nobody answered ends when nothing happened in its conversation for so long."""

    policy_file: Path = PACKAGED
    """Says how long things are kept."""

    @field_validator("policy_file", mode="before")
    @classmethod
    def _unset_where_empty(cls, given: object) -> object:
        return PACKAGED if given == "" else given

    @property
    def retention(self) -> RetentionPolicy:
        """What the policy file says.

        Raises:
            PolicyRefused: it cannot be obeyed.
        """
        return policy_at(self.policy_file)

    @property
    def sensitivity(self) -> PolicyName:
        """What is done about sensitive fragments of what people write."""
        return self.sensitivity_policy or self.retention.memories.sensitivity

    @property
    def terms(self) -> Terms:
        """What the deployment decides about everybody."""
        return Terms(
            defaults=Switches(longterm_enabled=self.longterm_default),
            consent=self.retention.consent_policy,
            permitted=self.retention.permissions,
            emotions=self.retention.traits.emotions,
        )


@cache
def settings() -> Settings:
    """Return this process's settings, read from the environment and the policy file on first use.

    Raises:
        SystemExit: a setting is missing or malformed, or the policy file cannot be obeyed; why is on standard error, a
            line each.
    """
    try:
        chosen = Settings()
        catalogue.extend(chosen.retention.added_behaviors)
    except ValidationError as wrong:
        sys.stderr.writelines(f"{line}\n" for line in faults(wrong))
    except PolicyRefused as refused:
        sys.stderr.write(f"{refused}\n")
    else:
        return chosen
    raise SystemExit(CANNOT_BE_OBEYED)


def faults(wrong: ValidationError) -> list[str]:
    """Say in a line each which variable is wrong and why, never what it was: some are secrets."""
    return [
        ": ".join([*(f"{PREFIX}{name}".upper() for name in fault["loc"]), fault["msg"]])
        for fault in wrong.errors(include_input=False, include_url=False, include_context=False)
    ]
