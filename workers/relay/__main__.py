"""The relay process."""

from __future__ import annotations

import signal
import sys
import threading

from shared.persistence.database import Database
from shared.persistence.wakeups import Listener
from shared.runtime import logging, telemetry
from shared.runtime.readiness import announce_ready
from shared.runtime.settings import settings
from workers.celery_app import app, use_broker
from workers.relay.publishing import Relay, WakeUp, forever


def publish(wake_up: WakeUp) -> None:
    """Send one wake-up; the message holds outbox ids and nothing else."""
    app.send_task(f"{wake_up.worker}.run", kwargs={"outbox_ids": list(wake_up.ids)}, queue=wake_up.queue, retry=False)


def main() -> int:
    configuration = settings()
    logging.configure(configuration.log_level, "relay")
    telemetry.serve_metrics_if_wanted(configuration)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    use_broker(configuration)
    url = configuration.database_url.get_secret_value()
    database = Database(url, application="memory-center relay", pool_size=2)
    announce_ready()
    with Listener(url) as listener:
        forever(Relay(database, publish), listener.wait, stop.is_set)
    database.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
