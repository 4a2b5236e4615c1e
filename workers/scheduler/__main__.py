"""The scheduler process: publishes due work, runs periodic jobs, and starts a quarantine worker when needed.

Each has its own thread and does not wait for the others.
"""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import suppress
from functools import partial

from shared.kernel.database_errors import DatabaseUnavailable
from shared.outbox.job_kinds import QUARANTINE
from shared.outbox.wakeups import Listener
from shared.runtime import logging, telemetry
from shared.runtime.databases import database_of, refuse_wrong_connections
from shared.runtime.installation import watch_of
from shared.runtime.readiness import announce_ready
from shared.runtime.settings import settings
from shared.runtime.start_signal import wait_for_start
from workers.celery_app import app, use_broker
from workers.scheduler.periodic import PeriodicJobs, own_parts
from workers.scheduler.publishing import Publisher, WakeUp, forever
from workers.scheduler.quarantine import QuarantineWorker

SWITCH_SECONDS = 0.0005
"""Thread switch interval, short so that periodic work does not delay publishing."""
STOP_SECONDS = 4.0
"""How long the periodic round and (twice) the child may take to end; the launcher kills after 10 s."""


def publish(wake_up: WakeUp, *, quarantine: QuarantineWorker) -> None:
    """Send one message with outbox ids and nothing else."""
    app.send_task(f"{wake_up.worker}.run", kwargs={"outbox_ids": list(wake_up.ids)}, queue=wake_up.queue, retry=False)
    if wake_up.queue == QUARANTINE:
        quarantine.want()


def main() -> int:
    configuration = settings()
    logging.configure(configuration.log_level, "scheduler")
    telemetry.serve_metrics_if_wanted(configuration)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    sys.setswitchinterval(SWITCH_SECONDS)
    use_broker(configuration)
    wait_for_start()
    refuse_wrong_connections(configuration, "memory-center scheduler")
    watch = watch_of(configuration)
    database = database_of(configuration, application="memory-center scheduler", pool_size=2, validate=watch.validate)
    quarantine = QuarantineWorker()
    periodic = PeriodicJobs(partial(own_parts, configuration, watch.validate), may_work=watch.check)
    quarantine.start()
    periodic.start()
    announce_ready()
    with Listener(configuration.direct_url) as listener:
        publisher = Publisher(database, partial(publish, quarantine=quarantine))
        forever(publisher, listener.wait, stop.is_set, may_work=watch.check)
        with suppress(DatabaseUnavailable):
            publisher.stop()
    quarantine.stop(patience=STOP_SECONDS)
    periodic.stop(patience=STOP_SECONDS)
    database.close()
    watch.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
