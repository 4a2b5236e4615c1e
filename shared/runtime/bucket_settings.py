"""Which bucket packages lie in, if not in the data directory: all of it is told, or nothing."""

from __future__ import annotations

from ipaddress import IPv6Address
from typing import Annotated, Final, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, model_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict

from shared.stores.sealed.bucket_place import BucketPlace

PREFIX: Final = "MEMORY_CENTER_"

_LABEL: Final = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ENDPOINT: Final = rf"^https?://({_LABEL}([.]{_LABEL})*|\[[0-9A-Fa-f:.]+\])(:[0-9]{{1,5}})?/?$"
"""Hosts as boto3 takes them: without an underscore, which names of containers may have."""
_HOST_MAX: Final = 255


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


Key = Annotated[SecretStr, AfterValidator(_sendable)]


class BucketSettings(BaseSettings):
    """The part of the settings that names a bucket. A variable that is empty counts as unset, as compose passes it."""

    # What is wrong is told without what was given: with other settings that is passwords.
    model_config = SettingsConfigDict(
        env_prefix=PREFIX, extra="ignore", frozen=True, env_ignore_empty=True, hide_input_in_errors=True
    )

    files_s3_bucket: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$")] | None = None
    """Where sealed packages are; without one they lie in the data directory."""
    files_s3_access_key: Key | None = None
    files_s3_secret_key: Key | None = None
    files_s3_endpoint: Annotated[str, Field(pattern=_ENDPOINT), AfterValidator(_reachable)] | None = None
    """The server's URL; AWS' own without one."""
    files_s3_region: str = Field(default="us-east-1", pattern=r"^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$")
    files_s3_prefix: str = Field(default="memory-center/", pattern=r"^([A-Za-z0-9._-]+/)+$", max_length=500)
    """What names in the bucket begin with: the part of it that is this installation's alone."""
    store_timeout_seconds: float = Field(default=4.0, gt=0, le=8)
    """Longest call to Milvus or a bucket, a second attempt included. The last part of a package and what completes it
    are two calls, with a pause of up to a second in each: both must end within the deadline of their intent."""

    @model_validator(mode="after")
    def _all_or_nothing(self) -> Self:
        needed = {
            name: getattr(self, name) for name in ("files_s3_bucket", "files_s3_access_key", "files_s3_secret_key")
        }
        if any(needed.values()) or self.files_s3_endpoint:
            missing = ", ".join(f"{PREFIX}{name.upper()}" for name, value in needed.items() if not value)
            if missing:
                raise PydanticCustomError(
                    "bucket", "packages lie in a bucket only with {missing}", {"missing": missing}
                )
        return self

    @property
    def bucket(self) -> BucketPlace | None:
        """Where packages are, if not in the data directory."""
        access, secret = self.files_s3_access_key, self.files_s3_secret_key
        if self.files_s3_bucket is None or access is None or secret is None:
            return None
        return BucketPlace(
            bucket=self.files_s3_bucket,
            prefix=self.files_s3_prefix,
            endpoint=self.files_s3_endpoint,
            region=self.files_s3_region,
            access_key=access.get_secret_value(),
            secret_key=secret.get_secret_value(),
            timeout=self.store_timeout_seconds,
        )
