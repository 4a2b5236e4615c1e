"""Whatever is handed to a logger, no line ever holds what people said."""

from __future__ import annotations

import ast
import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import structlog
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.runtime import logging as content_free
from tests.support.log_lines import LogLines, captured_log

CANARY = "my-secret-is-Quokka"
OP_ID = "01890a5d-ac96-774b-bcce-b302099a8057"


@pytest.fixture
def lines() -> Iterator[LogLines]:
    with captured_log() as written:
        yield written


def a_failure() -> BaseException:
    nothing: dict[str, BaseException] = {}
    try:
        try:
            return nothing[CANARY]
        except KeyError:
            int(CANARY)
    except ValueError as error:
        return error
    raise AssertionError


def test_names_ids_counts_and_words_are_kept(lines: LogLines) -> None:
    structlog.get_logger().info(
        "erasure.verified", op_id=UUID(OP_ID), store="milvus", attempt=2, duration_ms=1.5, outbox_ids=[1, 2]
    )

    assert (
        lines.last.items()
        >= {
            "event": "erasure.verified",
            "op_id": OP_ID,
            "store": "milvus",
            "attempt": 2,
            "duration_ms": 1.5,
            "outbox_ids": [1, 2],
            "process": "test",
            "level": "info",
        }.items()
    )
    assert "dropped" not in lines.last


def test_unknown_fields_leave_their_name_only(lines: LogLines) -> None:
    structlog.get_logger().info("message.recorded", content=CANARY, user_id=CANARY, quote=[CANARY], count=1)

    assert lines.last["dropped"] == ["content", "quote", "user_id"]
    assert lines.last["count"] == 1
    assert CANARY not in lines.text


@pytest.mark.parametrize(
    "fields",
    [
        {"op_id": CANARY},
        {"memory_id": f"{OP_ID} {CANARY}"},
        {"outbox_ids": [1, CANARY]},
        {"count": CANARY},
        {"status": f"she said {CANARY}"},
        {"reason": {"why": CANARY}},
        {"kind": [f"{CANARY} and more"]},
        {"store": CANARY.encode()},
        {"code": f"{CANARY}\n"},
    ],
)
def test_a_known_field_with_another_kind_of_value_is_dropped(lines: LogLines, fields: dict[str, Any]) -> None:
    structlog.get_logger().info("step.done", **fields)

    assert lines.last["dropped"] == list(fields)
    assert CANARY not in lines.text


@pytest.mark.parametrize("event", [f"recorded {CANARY}", CANARY, "", "x" * 81, 7, None, "Über"])
def test_an_event_that_is_not_a_name_is_dropped(lines: LogLines, event: Any) -> None:
    structlog.get_logger().info(event)

    assert lines.last["event"] == "log.event_without_name"
    assert lines.last["dropped"] == ["event"]
    assert CANARY not in lines.text


def test_arguments_formatted_into_the_event_are_dropped(lines: LogLines) -> None:
    structlog.get_logger().warning("recorded %s", CANARY)

    assert lines.last["event"] == "log.event_without_name"
    assert CANARY not in lines.text


def test_field_names_that_people_could_have_made_up_are_not_repeated(lines: LogLines) -> None:
    structlog.get_logger().info("payload.seen", **{CANARY: 1, "I love Quokkas": 2})

    assert lines.last["dropped"] == ["<unnamed>"]


def test_bound_context_passes_the_same_gate(lines: LogLines) -> None:
    structlog.contextvars.bind_contextvars(request_id="r-1", query=CANARY)

    structlog.get_logger().bind(text=CANARY).info("step.done")

    assert lines.last["request_id"] == "r-1"
    assert lines.last["dropped"] == ["query", "text"]
    assert CANARY not in lines.text


@pytest.mark.parametrize("how", ["error", "exc_info", "exception"])
def test_errors_are_classes_and_places(lines: LogLines, how: str) -> None:
    error = a_failure()
    log = structlog.get_logger()
    if how == "exception":
        try:
            raise error
        except ValueError:
            log.exception("step.failed")
    else:
        log.error("step.failed", **{how: error})

    assert lines.last["error_class"] == "ValueError"
    assert lines.last["error_chain"] == ["KeyError"]
    assert any("test_logging_is_content_free.py:" in frame for frame in lines.last["frames"])
    assert "dropped" not in lines.last
    assert CANARY not in lines.text


def test_library_records_tell_who_warned_and_nothing_else(lines: LogLines) -> None:
    logger = logging.getLogger("sqlalchemy.engine")
    logger.info("INSERT %s", CANARY)
    assert lines.text == ""

    logger.error("INSERT %s failed", CANARY, exc_info=a_failure(), extra={"statement": CANARY})

    assert lines.last["event"] == "library.logged"
    assert lines.last["logger"] == "sqlalchemy.engine"
    assert lines.last["level"] == "error"
    assert lines.last["error_class"] == "ValueError"
    assert CANARY not in lines.text


def test_an_unlisted_library_is_not_named(lines: LogLines) -> None:
    logging.getLogger(f"{CANARY}.module").warning(CANARY)

    assert lines.last["logger"] == "other"
    assert CANARY not in lines.text


def test_a_library_with_its_own_handler_is_taken_over(lines: LogLines, capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.getLogger("kombu.late")
    logger.addHandler(logging.StreamHandler(sys.stderr))
    logger.propagate = False

    content_free.take_over_library_loggers()
    logger.warning(CANARY)

    assert lines.last["logger"] == "kombu.late"
    assert CANARY not in lines.text + "".join(capsys.readouterr())


def test_addresses_are_never_logged_by_uvicorn(lines: LogLines) -> None:
    logging.getLogger("uvicorn.access").error("GET /users/%s", CANARY)

    assert lines.text == ""


def test_the_level_is_honoured(lines: LogLines) -> None:
    content_free.configure("warning", "test", stream=lines.stream)

    structlog.get_logger().info("too.quiet")

    assert lines.text == ""


@pytest.mark.parametrize(
    ("crash", "event"),
    [
        ("raise ValueError(canary)", "process.crashed"),
        ("import threading; t = threading.Thread(target=int, args=(canary,)); t.start(); t.join()", "thread.crashed"),
        ("import warnings; warnings.warn(canary)", "library.logged"),
        ("class C:\n    def __del__(self): int(canary)\nC()", "finalizer.crashed"),
    ],
)
def test_a_crash_tells_no_text(crash: str, event: str) -> None:
    program = f"canary = {CANARY!r}\nfrom shared.runtime.logging import configure\nconfigure('info', 'doomed')\n{crash}"

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)

    assert json.loads(done.stdout.splitlines()[-1])["event"] == event
    assert CANARY not in done.stdout + done.stderr


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    event=st.sampled_from(["step.done", f"said {CANARY}"]),
    fields=st.dictionaries(
        st.sampled_from(sorted(content_free.ID_KEYS | content_free.NUMBER_KEYS))
        | st.text(min_size=1).filter(lambda key: key not in content_free.WORD_KEYS),  # those hold one word of ours
        st.recursive(
            st.sampled_from([CANARY, f"I said {CANARY}", 1, None]), lambda inner: st.lists(inner) | st.tuples(inner)
        ),
    ),
)
def test_no_mixture_of_fields_lets_content_through(lines: LogLines, event: str, fields: dict[str, Any]) -> None:
    fields.pop("event", None)
    structlog.get_logger().info(event, **fields)

    assert lines.last["process"] == "test"
    assert CANARY not in lines.text


def test_what_is_logged_is_allowed() -> None:
    """A key that is not allowed would only be named, and its value lost."""
    allowed = content_free.ID_KEYS | content_free.NUMBER_KEYS | content_free.WORD_KEYS
    lost = {
        f"{path}: {keyword.arg}"
        for folder in ("shared", "services", "workers", "deploy")
        for path in Path(folder).rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in ("debug", "info", "warning", "error")
        and call.args
        and isinstance(call.args[0], ast.Constant)
        and "." in str(call.args[0].value)
        for keyword in call.keywords
        if keyword.arg is not None and keyword.arg not in allowed
    }
    assert lost == set()
