"""Celery delivers messages that carry outbox ids only; PostgreSQL owns every retry."""

from __future__ import annotations

from celery import Celery, signals
from kombu.transport import virtual

from shared.runtime import logging
from shared.runtime.settings import Settings

virtual.QoS.restore_at_shutdown = False
"""The scheduler publishes unfinished rows again, so kombu must not save them to a file when the broker is gone."""

app = Celery("memory-center")
app.conf.update(
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_transport_options={
        # PostgreSQL owns every retry. With kombu's acknowledgements, a failed one keeps its prefetch slot forever: a
        # worker whose threads were all busy when the broker was killed would never listen to it again.
        "ack_emulation": False,
        "socket_timeout": 5,
        "socket_connect_timeout": 2,
        "health_check_interval": 10,
        "socket_keepalive": True,
    },
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_ignore_result=True,
    task_store_errors_even_if_ignored=False,
    task_serializer="json",
    accept_content=["json"],
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    worker_redirect_stdouts=False,
    worker_send_task_events=False,
    worker_enable_remote_control=False,
    enable_utc=True,
    result_backend=None,
)


def use_broker(settings: Settings) -> Celery:
    """Point Celery at the broker from the settings."""
    app.conf.broker_url = settings.broker_url.get_secret_value()
    return app


@signals.setup_logging.connect  # type: ignore[untyped-decorator]  # celery has no types
def keep_our_logging(**_: object) -> None:
    """Stop Celery from configuring logging: its log lines quote task arguments."""
    logging.take_over_library_loggers()
