"""Which bucket, and how to reach it. Nothing is imported for it, because most installations have none."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketPlace:
    """A bucket of an S3-compatible server.

    Args:
        prefix: what every name in it begins with; empty, or with a slash at its end.
        endpoint: the server's URL; AWS' own without one.
        timeout: in seconds, of a whole call, its second attempt included.
    """

    bucket: str
    access_key: str
    secret_key: str = field(repr=False)
    prefix: str = ""
    endpoint: str | None = None
    region: str = "us-east-1"
    timeout: float = 4.0
