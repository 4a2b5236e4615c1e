"""JSON log lines on stdout that cannot contain people's texts.

Log an event name and ids: `log.info("erasure.verified", op_id=op_id, store="milvus")`. A value that is not known to be
safe is dropped and only its name is kept, so a mistake costs a field and never somebody's privacy.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
from collections.abc import Callable, Mapping, MutableMapping
from types import TracebackType
from typing import Any, Final, TextIO
from uuid import UUID

import structlog

LEVELS: Final = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}

# Ids we generate: UUIDs and integers. User ids are excluded on purpose (FC-12).
ID_KEYS: Final = frozenset({
    "consent_id", "conversation_id", "episode_id", "event_id", "export_id", "lease_id", "memory_id", "message_id",
    "op_id", "outbox_id", "outbox_ids", "receipt_id", "step_id", "trait_id",
})  # fmt: skip
NUMBER_KEYS: Final = frozenset({
    "attempt", "attempts", "bytes", "count", "deaths", "duration_ms", "exit_code", "failed", "generation", "items",
    "kept", "lag_seconds", "leased", "limit", "pid", "port", "position", "ready", "removed", "repaired", "residue",
    "retry_in_seconds", "seconds", "signal", "total",
})  # fmt: skip
# Words of our own vocabulary; their form is checked too, so a sentence never passes.
WORD_KEYS: Final = frozenset({
    "call", "code", "direction", "error_chain", "error_class", "frames", "kind", "kinds", "lane", "level", "logger",
    "method", "mode", "model", "op", "part", "process", "queue", "reason", "request_id", "result", "revision",
    "route", "scope", "service", "signal_kind", "stage", "state", "status", "step", "store", "stream", "timestamp",
    "to_state", "version",
})  # fmt: skip

# Libraries whose warnings are logged with the logger's name; for all others the name is left out.
LIBRARIES: Final = frozenset({
    "alembic", "amqp", "asyncio", "celery", "concurrent", "deploy", "fastapi", "grpc", "httpx", "kombu", "mem0",
    "milvus_lite", "multiprocessing", "onnxruntime", "openai", "psycopg", "py", "pymilvus", "redis", "services",
    "shared", "sqlalchemy", "uvicorn", "workers",
})  # fmt: skip

_WORD: Final = re.compile(r"[A-Za-z0-9_.:/{}<>+\-]{1,160}")
_EVENT: Final = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*")
_KEY: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
_EVENT_MAX_LENGTH: Final = 80
_LIST_MAX_LENGTH: Final = 100
_FRAMES_MAX: Final = 30
_FIXED_KEYS: Final = frozenset({"event", "dropped"})

Event = MutableMapping[str, Any]

_configured = threading.Event()


def configure(level: str, process: str, *, stream: TextIO | None = None) -> None:
    """Send every log line of this process through the allow-list. Safe to repeat.

    Args:
        level: `debug`, `info`, `warning` or `error`.
        process: the name of this process, added to every line.
        stream: target of the lines; default is the value of `sys.stdout` when a line is written.
    """

    def add_process(_logger: object, _method: str, event: Event) -> Event:
        event["process"] = process
        return event

    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            add_process,
            errors_without_their_text,
            only_what_is_safe,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=lambda *_names: _Lines(stream),
        cache_logger_on_first_use=False,  # loggers created during imports must use this configuration too
    )
    root = logging.getLogger()
    root.handlers = [_ContentFreeHandler(logging.WARNING)]
    root.setLevel(logging.WARNING)
    logging.captureWarnings(capture=True)
    sys.excepthook = _log_crash
    threading.excepthook = _log_thread_crash
    sys.unraisablehook = _log_unraisable
    _configured.set()
    take_over_library_loggers()


def is_configured() -> bool:
    """Return whether this process called `configure`."""
    return _configured.is_set()


def take_over_library_loggers() -> None:
    """Remove handlers that libraries added to their loggers, because they print messages, which may contain content.

    Does nothing before `configure`. Call it again after importing a library that configures logging.
    """
    if not _configured.is_set():
        return
    for logger in list(logging.root.manager.loggerDict.values()):
        if isinstance(logger, logging.Logger):
            logger.handlers = [handler for handler in logger.handlers if isinstance(handler, logging.NullHandler)]
            logger.propagate = True
    logging.getLogger("uvicorn.access").disabled = True  # it logs URLs; telemetry logs route templates


def failure(error: BaseException) -> dict[str, Any]:
    """Return what may be logged about `error`: class names and `file:line` frames, never texts or values."""
    chain: list[str] = []
    cause: BaseException | None = error.__cause__ or error.__context__
    while cause is not None and len(chain) < _FRAMES_MAX:
        chain.append(_class_name(type(cause)))
        cause = cause.__cause__ or cause.__context__
    facts: dict[str, Any] = {"error_class": _class_name(type(error)), "frames": _frames(error.__traceback__)}
    if chain:
        facts["error_chain"] = chain
    return facts


def errors_without_their_text(_logger: object, _method: str, event: Event) -> Event:
    """Replace `exc_info` and exception objects by the result of `failure`; drop stack dumps."""
    info = event.pop("exc_info", None)
    event.pop("stack_info", None)
    if info is True:
        info = sys.exc_info()
    error = info[1] if isinstance(info, tuple) else info
    if not isinstance(error, BaseException):
        error = event.get("error")
    if isinstance(error, BaseException):
        event.pop("error", None)
        event.update(failure(error))
    return event


def only_what_is_safe(_logger: object, _method: str, event: Event) -> Event:
    """Keep the event's name and known, well-formed keys; list the names of the rest under `dropped`."""
    kept: dict[str, Any] = {}
    dropped: set[str] = set()
    for key, value in event.items():
        if key in _FIXED_KEYS:
            continue
        if _is_safe(key, value):
            kept[key] = _plain(value)
        else:
            dropped.add(key if _KEY.fullmatch(key) else "<unnamed>")
    name = event.get("event")
    if isinstance(name, str) and len(name) <= _EVENT_MAX_LENGTH and _EVENT.fullmatch(name):
        kept["event"] = name
    else:
        kept["event"] = "log.event_without_name"
        dropped.add("event")
    if dropped:
        kept["dropped"] = sorted(dropped)
    return kept


def _is_safe(key: str, value: object) -> bool:
    check: Callable[[object], bool]
    if key in ID_KEYS:
        check = _is_id
    elif key in NUMBER_KEYS:
        check = _is_number
    elif key in WORD_KEYS:
        check = _is_word
    else:
        return False
    if isinstance(value, list | tuple | set | frozenset):
        return len(value) <= _LIST_MAX_LENGTH and all(check(item) for item in value)
    return check(value)


def _is_number(value: object) -> bool:
    return value is None or isinstance(value, bool | int | float)


def _is_id(value: object) -> bool:
    if value is None or isinstance(value, UUID | int):
        return True
    try:
        return isinstance(value, str) and bool(UUID(value))
    except ValueError:
        return False


def _is_word(value: object) -> bool:
    return _is_number(value) or (isinstance(value, str) and _WORD.fullmatch(value) is not None)


def _plain(value: object) -> object:
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, UUID | str) else value


def _class_name(kind: type[BaseException]) -> str:
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _frames(traceback: TracebackType | None) -> list[str]:
    frames = []
    while traceback is not None:
        path = traceback.tb_frame.f_code.co_filename.replace("\\", "/")
        place = "/".join(path.split("/")[-3:])  # enough to find the line, without a home directory
        frames.append(f"{re.sub(r'[^A-Za-z0-9_./<>+-]', '_', place)[-120:]}:{traceback.tb_lineno}")
        traceback = traceback.tb_next
    return frames[-_FRAMES_MAX:]


def _log_crash(kind: type[BaseException], error: BaseException, _traceback: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    structlog.get_logger().error("process.crashed", **failure(error))


def _log_thread_crash(crash: threading.ExceptHookArgs) -> None:
    if crash.exc_value is not None and not issubclass(crash.exc_type, SystemExit):
        structlog.get_logger().error("thread.crashed", **failure(crash.exc_value))


def _log_unraisable(crash: sys.UnraisableHookArgs) -> None:
    if crash.exc_value is not None:
        structlog.get_logger().warning("finalizer.crashed", **failure(crash.exc_value))


class _ContentFreeHandler(logging.Handler):
    """Logs that a library warned and the class of its error, but not its message."""

    def emit(self, record: logging.LogRecord) -> None:
        known = record.name.partition(".")[0] in LIBRARIES
        facts: Mapping[str, Any] = {}
        if record.exc_info and record.exc_info[1] is not None:
            facts = failure(record.exc_info[1])
        method = "error" if record.levelno >= logging.ERROR else "warning"
        getattr(structlog.get_logger(), method)("library.logged", logger=record.name if known else "other", **facts)


class _Lines:
    """Writes one line per event."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    def msg(self, line: str) -> None:
        stream = self._stream or sys.stdout
        # One write per line, so that threads never mix parts of lines.
        stream.write(line + "\n")
        stream.flush()

    debug = info = warning = error = critical = exception = log = msg
