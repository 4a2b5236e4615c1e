"""Celery as a wake-up service: messages carry outbox ids, PostgreSQL owns every retry."""

from __future__ import annotations

from celery import Celery, signals
from kombu.transport import virtual

from shared.runtime import logging
from shared.runtime.settings import Settings

virtual.QoS.restore_at_shutdown = False
"""What a worker has of a broker that is gone is published again; kombu would write it to a file."""

app = Celery("memory-center")
app.conf.update(
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_transport_options={
        # PostgreSQL owns every retry. With kombu's acknowledgements, one that fails keeps its prefetch slot for ever:
        # a broker killed while all threads worked was never listened to again.
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
    """Point Celery at the broker this process was told of."""
    app.conf.broker_url = settings.broker_url.get_secret_value()
    return app


@signals.setup_logging.connect  # type: ignore[untyped-decorator]  # celery has no types
def keep_our_logging(**_: object) -> None:
    """Stop Celery from configuring logging: its lines quote task arguments."""
    logging.take_over_library_loggers()
