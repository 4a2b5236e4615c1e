"""Which bucket packages lie in, if not in the data directory: all of it is told, or nothing."""

from __future__ import annotations

from typing import Annotated, Final, Self

from pydantic import Field, SecretStr, model_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict

from shared.packages.bucket_place import BucketPlace

PREFIX: Final = "MEMORY_CENTER_"


class BucketSettings(BaseSettings):
    """The part of the settings that names a bucket. A variable that is empty counts as unset, as compose passes it."""

    # What is wrong is told without what was given: with other settings that is passwords.
    model_config = SettingsConfigDict(
        env_prefix=PREFIX, extra="ignore", frozen=True, env_ignore_empty=True, hide_input_in_errors=True
    )

    files_s3_bucket: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$")] | None = None
    """Where sealed packages are; without one they lie in the data directory."""
    files_s3_access_key: SecretStr | None = None
    files_s3_secret_key: SecretStr | None = None
    files_s3_endpoint: Annotated[str, Field(pattern=r"^https?://[^/?#@\s]+/?$")] | None = None
    """The server's URL; AWS' own without one."""
    files_s3_region: str = Field(default="us-east-1", pattern=r"^[a-z0-9-]{1,40}$")
    files_s3_prefix: str = Field(default="memory-center/", pattern=r"^([A-Za-z0-9._-]+/)+$", max_length=500)
    """What names in the bucket begin with: the part of it that is this installation's alone."""
    store_timeout_seconds: float = Field(default=4.0, gt=0, le=10)
    """Longest single call to Milvus, longest wait for a bucket's next bytes."""

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
