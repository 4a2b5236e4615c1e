"""Settings of the buckets for packages and for the ledger. Without any, both are in the data directory; partial
settings are refused.
"""

from __future__ import annotations

from ipaddress import IPv6Address
from pathlib import Path
from typing import Annotated, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, model_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict

from shared.stores.sealed.bucket_place import BucketPlace

PREFIX: Final = "MEMORY_CENTER_"

_LABEL: Final = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ENDPOINT: Final = rf"^https?://({_LABEL}([.]{_LABEL})*|\[[0-9A-Fa-f:.]+\])(:[0-9]{{1,5}})?/?$"
"""Host names as boto3 accepts them: without underscores, which container names may contain."""
_HOST_MAX: Final = 255
_BUCKET: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$"
_REGION: Final = r"^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$"
_PREFIX: Final = r"^([A-Za-z0-9._-]+/)+$"


def _reachable(endpoint: str) -> str:
    parts = urlsplit(endpoint)
    host = parts.hostname or ""
    try:
        if ":" in host:
            IPv6Address(host)
        fits = len(host) <= _HOST_MAX and parts.port != 0
    except ValueError:
        fits = False
    if not fits:
        raise PydanticCustomError("endpoint", "there is no such host or port")
    return endpoint


def _sendable(key: SecretStr) -> SecretStr:
    told = key.get_secret_value()
    if not (told.isascii() and told.isprintable()) or " " in told:
        raise PydanticCustomError("key", "no key has such characters: a space, a line's end, or none of ASCII")
    return key


_NEEDED: Final = ("bucket", "access_key", "secret_key")

Key = Annotated[SecretStr, AfterValidator(_sendable)]


class BucketSettings(BaseSettings):
    """The bucket settings. An empty variable counts as unset, because compose passes unset variables as empty."""

    # Errors do not repeat the input, because settings may contain passwords.
    model_config = SettingsConfigDict(
        env_prefix=PREFIX, extra="ignore", frozen=True, env_ignore_empty=True, hide_input_in_errors=True
    )

    files_s3_bucket: Annotated[str, Field(pattern=_BUCKET)] | None = None
    """Bucket for encrypted packages; if unset, they are in the data directory."""
    files_s3_access_key: Key | None = None
    files_s3_secret_key: Key | None = None
    files_s3_endpoint: Annotated[str, Field(pattern=_ENDPOINT), AfterValidator(_reachable)] | None = None
    """The server's URL; None means AWS."""
    files_s3_region: str = Field(default="us-east-1", pattern=_REGION)
    files_s3_prefix: str = Field(default="memory-center/", pattern=_PREFIX, max_length=500)
    """Prefix of object names in the bucket, reserved for this installation."""
    ledger_s3_bucket: Annotated[str, Field(pattern=_BUCKET)] | None = None
    """Bucket for the ledger that all hosts write; if unset, it is a file in the data directory, of one host."""
    ledger_s3_access_key: Key | None = None
    ledger_s3_secret_key: Key | None = None
    ledger_s3_endpoint: Annotated[str, Field(pattern=_ENDPOINT), AfterValidator(_reachable)] | None = None
    ledger_s3_region: str = Field(default="us-east-1", pattern=_REGION)
    ledger_s3_prefix: str = Field(default="memory-center-ledger/", pattern=_PREFIX, max_length=500)
    """Prefix of object names in the bucket, reserved for the ledger of this installation."""
    ledger_copy_dir: Path | None = None
    """A folder on another disk where a copy of the ledger is kept, so that a disk restored as a whole is noticed."""
    ledger_start: Literal["", "empty"] = ""
    """`empty`: begin the ledger outside the database anew from what the database says, although it had entries."""
    store_timeout_seconds: float = Field(default=4.0, gt=0, le=8)
    """Timeout of a call to Milvus or a bucket, a second attempt included. The last part of a package and its completion
    are two calls, each with a pause of up to a second: both must end within the deadline of their intent.
    """

    @model_validator(mode="after")
    def _all_or_nothing(self) -> Self:
        for which, what in (("files", "packages lie"), ("ledger", "the ledger lies")):
            needed = {f"{which}_s3_{one}": getattr(self, f"{which}_s3_{one}") for one in _NEEDED}
            if any(needed.values()) or getattr(self, f"{which}_s3_endpoint"):
                missing = ", ".join(f"{PREFIX}{name.upper()}" for name, value in needed.items() if not value)
                if missing:
                    raise PydanticCustomError(
                        "bucket", "{what} in a bucket only with {missing}", {"what": what, "missing": missing}
                    )
        return self

    @property
    def bucket(self) -> BucketPlace | None:
        """The bucket for packages; None means the data directory."""
        return self._place("files")

    @property
    def ledger_bucket(self) -> BucketPlace | None:
        """The bucket for the ledger; None means a file in the data directory."""
        return self._place("ledger")

    def _place(self, which: Literal["files", "ledger"]) -> BucketPlace | None:
        told = {name: getattr(self, f"{which}_s3_{name}") for name in (*_NEEDED, "prefix", "endpoint", "region")}
        if not all(told[name] for name in _NEEDED):
            return None
        keys = {name: told.pop(name).get_secret_value() for name in ("access_key", "secret_key")}
        return BucketPlace(**told, **keys, timeout=self.store_timeout_seconds)
