"""Check the running parts: the launcher's processes, the broker, Milvus, the gateway."""

from __future__ import annotations

import contextlib
import http.client
import json
from collections.abc import Iterator
from urllib.parse import urlsplit

from deploy.embedded import launcher
from deploy.embedded.data_directory import is_alive
from deploy.embedded.servers import MilvusLite, PostgresServer, ValkeyServer
from deploy.embedded.supervision import FORKSERVER
from services.cli.doctor.finding import Finding, first_line
from services.cli.doctor.network import connects, place
from services.cli.doctor.patient import BROKER_URL, MILVUS_URI, Patient


def processes(patient: Patient) -> Iterator[Finding]:
    """List the processes the launcher should have started, and which of them are alive."""
    run = patient.run
    if run is None:
        return
    dead = [name for name, process in run.processes.items() if not is_alive(process)]
    expected = ["guardian", FORKSERVER]
    if run.stack == "embedded":
        expected += [server.name for server in (PostgresServer, ValkeyServer, MilvusLite)]
    expected += [product.name for product in launcher.PRODUCTS if product.ready != "exit"]
    for name in expected:
        if name not in run.processes or name in dead:
            yield Finding(
                "warn", name, "not running now", f"it is starting, waiting or being restarted; {patient.log(name)}"
            )
    alive = [name for name in run.processes if name not in dead]
    yield Finding("ok", "processes", ", ".join(alive))


def broker(patient: Patient) -> Iterator[Finding]:
    """Check that Valkey answers."""
    url = patient.urls.get(BROKER_URL)
    if url is None:
        return
    import redis  # slow to import

    try:
        client = redis.Redis.from_url(url, socket_connect_timeout=2, socket_timeout=2)
        client.ping()
        client.close()
        yield Finding("ok", "valkey", f"answers at {place(url)}")
    except (redis.RedisError, OSError) as problem:
        yield Finding("fail", "valkey", first_line(problem), patient.log("valkey"))


def milvus(patient: Patient) -> Iterator[Finding]:
    """Check that Milvus accepts connections."""
    url = patient.urls.get(MILVUS_URI)
    if url is None:
        return
    if connects(url):
        yield Finding("ok", "milvus", f"accepts connections at {place(url)}")
    else:
        yield Finding("fail", "milvus", f"does not answer at {place(url)}", patient.log("milvus"))


def gateway(patient: Patient) -> Iterator[Finding]:
    """Check that the API is ready."""
    if patient.run is None:
        return
    url = urlsplit(patient.run.url)
    connection = http.client.HTTPConnection(str(url.hostname), url.port, timeout=10)
    try:
        connection.request("GET", "/readyz")
        answer = connection.getresponse()
        text = answer.read(10_000).decode(errors="replace")
        with contextlib.suppress(ValueError):
            text = json.dumps(json.loads(text))
        if answer.status == http.HTTPStatus.OK:
            yield Finding("ok", "gateway", f"ready: {text}")
        else:
            yield Finding("fail", "gateway", f"not ready ({answer.status}): {text}", patient.log("gateway"))
    except (OSError, http.client.HTTPException) as problem:
        yield Finding("fail", "gateway", f"{patient.run.url}: {first_line(problem)}", patient.log("gateway"))
    finally:
        connection.close()
