"""All metrics of all processes. Labels come from our own vocabulary: no ids, no text, no URLs."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

import structlog
from opentelemetry import trace
from prometheus_client import CONTENT_TYPE_LATEST, Counter, Gauge, Histogram, generate_latest, start_http_server

from shared.runtime.settings import Settings

_FAST: Final = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_SLOW: Final = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3600.0)

# Names set by FC-12.
MEMORY_OP: Final = Counter("memory_op", "Changes of memories, by kind of change and scope.", ["op", "scope"])
PERSONA_DRIFT: Final = Counter(
    "persona_drift", "Drift signals, by kind and whether they raised an alert.", ["signal_kind", "triggers_alert"]
)
PROFILE_CONSENT_GRANTED: Final = Counter("profile_consent_granted", "Profile consents granted.")
ONBOARDING_STEP: Final = Counter("onboarding_step", "Onboarding steps completed.", ["step"])

PREFERENCE_SIGNALS: Final = Counter(
    "memory_center_preference_signals", "Feedback with an action, by what it taught.", ["outcome"]
)

HTTP_REQUESTS: Final = Counter(
    "memory_center_http_requests", "HTTP requests answered, by route template.", ["method", "route", "status"]
)
HTTP_REQUEST_SECONDS: Final = Histogram(
    "memory_center_http_request_seconds",
    "Time from a request's arrival to the start of its answer.",
    ["method", "route"],
    buckets=_FAST,
)

CONNECTIONS_ENDED: Final = Counter(
    "memory_center_connections_ended", "HTTP connections the server ended or refused, by why.", ["reason"]
)

OUTBOX_READY: Final = Gauge("memory_center_outbox_ready", "Outbox rows that are due and not leased.")
OUTBOX_OLDEST_SECONDS: Final = Gauge("memory_center_outbox_oldest_seconds", "Age of the oldest due outbox row.")
OUTBOX_LEASED: Final = Gauge("memory_center_outbox_leased", "Outbox rows a worker holds now.")
OUTBOX_FAILED: Final = Gauge(
    "memory_center_outbox_failed", "Outbox rows that gave up: tried again hourly, or when the person asks."
)
OUTBOX_QUARANTINED: Final = Gauge(
    "memory_center_outbox_quarantined", "Outbox rows that lost their worker three times in a row or more."
)
OUTBOX_STEPS: Final = Counter("memory_center_outbox_steps", "Attempts at outbox rows, by outcome.", ["kind", "result"])
CLAIM_SECONDS: Final = Histogram(
    "memory_center_claim_seconds", "Time an outbox row was due before it was claimed.", ["kind"], buckets=_SLOW
)
STEP_SECONDS: Final = Histogram(
    "memory_center_step_seconds",
    "Time an outbox row was worked on, with those it was taken with.",
    ["kind"],
    buckets=_FAST,
)

READINGS: Final = Counter(
    "memory_center_model_readings",
    "Questions to the language model about what people said, by what came of it: model, or unavailable or invalid, "
    "and the bundled reader answered.",
    ["question", "outcome"],
)
UNEMBEDDABLE: Final = Counter(
    "memory_center_unembeddable", "Texts stored without a vector: they killed the embedder twice."
)
REFLECTIONS: Final = Counter(
    "memory_center_reflections", "Reflections, by what started them and whether a trait changed.", ["trigger", "result"]
)
REFLECTION_SECONDS: Final = Histogram(
    "memory_center_reflection_seconds", "Time of a reflection on one person.", buckets=_FAST
)
TRAITS: Final = Gauge("memory_center_traits", "Traits of all people.", ["subtype", "stage"])
TRAIT_TRANSITIONS: Final = Counter(
    "memory_center_trait_transitions", "Changes of stage, by the change and the stage it led to.", ["change", "stage"]
)
TRAIT_REFUSED: Final = Counter(
    "memory_center_trait_refused",
    "Evidence that was dropped because it touches a sensitive matter, by which.",
    ["reason"],
)
ERASURE_RESIDUE: Final = Counter(
    "memory_center_erasure_residue", "Items a store still held after erasing them.", ["store"]
)
ORPHANS: Final = Counter(
    "memory_center_orphans", "Differences between PostgreSQL and a store.", ["store", "direction", "result"]
)
LEDGER_ALARMS: Final = Counter(
    "memory_center_ledger_alarms",
    "Times the ledger was found changed or removed by somebody else, by what.",
    ["damage"],
)
RECALL_SECONDS: Final = Histogram("memory_center_recall_seconds", "Time to assemble context.", ["mode"], buckets=_FAST)
RECALL_DEGRADED: Final = Counter(
    "memory_center_recall_degraded", "Recalls answered without everything they wanted.", ["reason"]
)


_tracer: Final = trace.get_tracer("memory-center")


@contextmanager
def span(name: str, **attributes: str | int | list[str]) -> Iterator[None]:
    """Trace some work if the deployment runs an OpenTelemetry SDK; attributes are codes and numbers, never text or ids.

    Names set by FC-12: context_built, profile_consent_grant, persona_drift_detected, memory_write, memory_delete.
    """
    with _tracer.start_as_current_span(name, attributes=dict(attributes), record_exception=False):
        yield


def memory_written(op: str, scope: str) -> None:
    """Count, trace and log that something of a context was written, or closed."""
    with span("memory_write", scope=scope):
        MEMORY_OP.labels(op=op, scope=scope).inc()
        structlog.get_logger().info("memory_write", op=op, scope=scope)


def memory_deleted(op: str, scope: str, count: int = 1) -> None:
    """Count, trace and log that an erasure was accepted."""
    with span("memory_delete", scope=scope):
        MEMORY_OP.labels(op=op, scope=scope).inc(count)
        structlog.get_logger().info("memory_delete", op=op, scope=scope, count=count)


class Signal(Protocol):
    """A signal of drift, for telemetry."""

    @property
    def signal_kind(self) -> str: ...
    @property
    def triggers_alert(self) -> bool: ...
    @property
    def drift_id(self) -> str: ...
    @property
    def warning(self) -> bool: ...


def drift_observed(signals: Iterable[Signal]) -> None:
    """Count and trace signals of drift, and warn operators; nobody else is told."""
    for one in signals:
        with span("persona_drift_detected", drift_id=one.drift_id, signal_kind=one.signal_kind):
            PERSONA_DRIFT.labels(signal_kind=one.signal_kind, triggers_alert=str(one.triggers_alert).lower()).inc()
        if one.warning:
            structlog.get_logger().warning("drift.warning", signal_kind=one.signal_kind)


EXPOSITION_SECONDS: Final = 1.0


class _Exposition:
    """This process's metrics as text, written at most once in `EXPOSITION_SECONDS`, however many ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._text = b""
        self._until = 0.0

    def text(self) -> bytes:
        if time.monotonic() < self._until:
            return self._text
        with self._lock:
            if time.monotonic() >= self._until:
                self._text = generate_latest()
                self._until = time.monotonic() + EXPOSITION_SECONDS
            return self._text


_exposition = _Exposition()


def exposition() -> tuple[bytes, str]:
    """Return this process's metrics in the Prometheus text format, at most a second old, and their media type."""
    return _exposition.text(), CONTENT_TYPE_LATEST


def serve_metrics(port: int, *, host: str = "127.0.0.1") -> threading.Thread:
    """Serve the metrics of a process without an HTTP API, from a daemon thread.

    Raises:
        OSError: the port is taken.
    """
    _server, thread = start_http_server(port, addr=host)
    return thread


def serve_metrics_if_wanted(settings: Settings) -> None:
    """Serve this process's metrics if the settings name a port."""
    if settings.metrics_port is not None:
        serve_metrics(settings.metrics_port, host=settings.metrics_host)
