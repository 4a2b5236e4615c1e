"""A bucket and how to reach it. Imports no S3 client, because most installations have no bucket."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketPlace:
    """A bucket of an S3-compatible server.

    Args:
        prefix: start of all object names; empty, or ending with a slash.
        endpoint: the server's URL; None means AWS.
        timeout: seconds for a whole call, its second attempt included.
    """

    bucket: str
    access_key: str
    secret_key: str = field(repr=False)
    prefix: str = ""
    endpoint: str | None = None
    region: str = "us-east-1"
    timeout: float = 4.0
