"""The components of a worker process, built on first use."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any
from uuid import UUID

from shared.consent.rules.policy import Terms
from shared.conversations.rules.summaries import SummarySchedule
from shared.items import register_kinds
from shared.kernel import subjects
from shared.kernel.database import Database
from shared.kernel.database_errors import DatabaseUnavailable
from shared.kernel.locks import collection_lock
from shared.kernel.sensitivity import POLICIES, Policy
from shared.language.candidates import Extractor
from shared.language.embedding.bundled import Embedder
from shared.language.embedding.socket import SocketEmbedder
from shared.language.port import Readings
from shared.language.reader.socket import SocketReadings
from shared.language.summarizer import Summarizer
from shared.ledger.book import Book
from shared.ledger.record import Seal
from shared.lineage.sql import vector_keys
from shared.outbox.wakeups import Notifier
from shared.runtime import telemetry
from shared.runtime.databases import database_of, direct_database_of, lock_pool, worker_pool
from shared.runtime.installation import ledger_book, seal_with, watch_of
from shared.runtime.package_files import package_files
from shared.runtime.restore_watch import RestoreWatch
from shared.runtime.settings import Settings
from shared.stores.breaker import Breaker, guarded
from shared.stores.port import CollectionLock, ErasableStore, StoreMisconfigured
from shared.stores.sealed.files import SealedFiles
from workers.file_store import file_store
from workers.leases import LeasedWork

register_kinds()

if TYPE_CHECKING:  # a process that opens no store yet, as quarantine, pays for none: pymilvus and mem0 take 145 MiB
    from shared.language.model.readings import Endpoint
    from shared.stores.mem0 import Mem0Store
    from shared.stores.milvus import EpisodeStore


class Process:
    """The components of one worker process, shared by its threads."""

    def __init__(self, configuration: Settings, *, application: str) -> None:
        self.settings = configuration
        self._application = application
        self._building = threading.RLock()
        self.breaker = Breaker("milvus")
        """Circuit breaker of Milvus, which mem0 also uses."""

    @cached_property
    def notifier(self) -> Notifier:
        return Notifier(self.settings.direct_url)

    @cached_property
    def database(self) -> Database:
        return database_of(
            self.settings,
            application=self._application,
            pool_size=worker_pool(self.settings.worker_threads),
            after_commit=self.notifier.wake,
            validate=self.restore_watch.validate,
        )

    @cached_property
    def locks(self) -> Database:
        """Connections for what outlives a transaction, collection locks and purges: waiting there starves nobody."""
        return direct_database_of(
            self.settings,
            application=f"{self._application} locks",
            pool_size=lock_pool(self.settings.worker_threads),
        )

    @cached_property
    def terms(self) -> Terms:
        return self.settings.terms

    @cached_property
    def sensitivity(self) -> Policy:
        return POLICIES[self.settings.sensitivity]

    @cached_property
    def embedder(self) -> Embedder:
        return SocketEmbedder(self.settings.embedder_folder)

    @cached_property
    def extractor(self) -> Extractor:
        """Extracts facts with the bundled reader, for summaries. Turns are learned from with `readings_for`."""
        from shared.language.extraction import ReaderExtractor  # noqa: PLC0415 # only the learner pays for its tables

        return ReaderExtractor(self.reader)

    @cached_property
    def endpoint(self) -> Endpoint | None:
        """The language model's endpoint, if configured and permitted."""
        return self._endpoint()

    @cached_property
    def reflecting_endpoint(self) -> Endpoint | None:
        """The same with a circuit breaker of its own: long questions of reflections must not stop short ones."""
        return self._endpoint()

    def _endpoint(self) -> Endpoint | None:
        if not self.terms.permitted.llm_summarizer:
            return None
        if self.settings.llm_base_url is None or self.settings.llm_model is None:
            return None
        from shared.language.model.readings import Endpoint  # noqa: PLC0415 # only who has a model pays for its client

        key = self.settings.llm_api_key
        return Endpoint(
            base_url=self.settings.llm_base_url,
            model=self.settings.llm_model,
            api_key=key.get_secret_value() if key else "none",
            timeout=self.settings.llm_timeout_seconds,
        )

    @cached_property
    def reader(self) -> Readings:
        """The bundled reader, which runs in the embedder's process."""
        return SocketReadings(self.settings.embedder_folder)

    def readings_for(self, may_be_shown: Callable[[Sequence[str]], Sequence[bool]]) -> Readings:
        """Return the reader for what people say: the language model if configured, else the bundled reader.

        Args:
            may_be_shown: called before each model request; returns for each statement whether it may be included.
        """
        if self.endpoint is None:
            return self.reader
        from shared.language.model.readings import ModelReadings  # noqa: PLC0415 # see above

        return ModelReadings(
            self.endpoint,
            self.reader,
            agreed=may_be_shown,
            counted=lambda question, outcome: telemetry.READINGS.labels(question, outcome).inc(),
        )

    @cached_property
    def summary_schedule(self) -> SummarySchedule:
        return self.settings.retention.summary_schedule

    @cached_property
    def summarizers(self) -> tuple[Summarizer, ...]:
        """Summarizers in order of preference; each is used if the one before returns nothing."""
        from shared.language.summarizer.extractive import ExtractiveSummarizer  # noqa: PLC0415 # as `extractor`

        longest = self.settings.summary_max_characters
        extractive = ExtractiveSummarizer(self.extractor, max_characters=longest)
        permitted = self.terms.permitted.llm_summarizer
        if not permitted or self.settings.llm_base_url is None or self.settings.llm_model is None:
            return (extractive,)
        from shared.language.summarizer.language_model import ModelSummarizer  # noqa: PLC0415 # see above

        key = self.settings.llm_api_key
        model = ModelSummarizer(
            base_url=self.settings.llm_base_url,
            model=self.settings.llm_model,
            api_key=key.get_secret_value() if key else "none",
            max_characters=longest,
        )
        return (model, extractive)

    @cached_property
    def restore_watch(self) -> RestoreWatch:
        return watch_of(self.settings)

    def may_work(self) -> None:
        """Raise `NotServing` while the database is a restored backup, or hosts do not share what they must."""
        with suppress(DatabaseUnavailable):  # claiming will raise it, on a checked connection
            self.restore_watch.check()

    @cached_property
    def ledger_book(self) -> Book:
        return ledger_book(self.settings, self.settings.files_dir)

    @cached_property
    def ledger_seal(self) -> Seal:
        if self.settings.ledger_key is None:
            raise StoreMisconfigured("ledger", "MEMORY_CENTER_LEDGER_KEY is missing")
        return seal_with(self.settings.ledger_key.get_secret_value())

    @property
    def episodes(self) -> EpisodeStore:
        """The episode store in Milvus, opened once; raises while Milvus is down."""
        with self._building:
            store: EpisodeStore = self._opened("_episodes")
            return guarded(store, self.breaker)

    @property
    def mem0(self) -> Mem0Store:
        """The mem0 store of long-term memories, opened once; raises while Milvus is down."""
        with self._building:
            store: Mem0Store = self._opened("_mem0")
            return guarded(store, self.breaker)

    @cached_property
    def files(self) -> ErasableStore:
        return file_store(self.settings)

    @cached_property
    def packages(self) -> SealedFiles:
        return package_files(self.settings)

    def _opened(self, name: str) -> Any:
        if name not in self.__dict__:
            self.breaker.call(getattr, self, name)
        return self.__dict__[name]

    @cached_property
    def _owned(self) -> bool:
        """Checks that Milvus belongs to this installation; raises if it belongs to another."""
        from shared.stores.milvus_client import connect  # noqa: PLC0415 # see above
        from shared.stores.ownership import own  # noqa: PLC0415 # see above

        installation = self.database.transact(lambda tx: subjects.read(tx, subjects.INSTALLATION))
        assert installation is not None  # noqa: S101 # the migration made it
        milvus = connect(self.settings.milvus_uri, token=self.settings.milvus_token.get_secret_value())
        try:
            own(milvus, installation.namespace, lock=self._collection_lock)
        finally:
            milvus.close()
        return True

    @cached_property
    def _collection_lock(self) -> CollectionLock:
        return collection_lock(self.locks, exclusive=self.settings.milvus_flavour == "lite")

    @cached_property
    def _episodes(self) -> EpisodeStore:
        assert self._owned  # noqa: S101 # raises when it is not
        from shared.stores.milvus import EpisodeStore  # noqa: PLC0415 # see above

        store = EpisodeStore(
            self.settings.milvus_uri,
            token=self.settings.milvus_token.get_secret_value(),
            flavour=self.settings.milvus_flavour,
            lock=self._collection_lock,
            timeout=self.settings.store_timeout_seconds,
        )
        store.ensure()
        return store

    @cached_property
    def _mem0(self) -> Mem0Store:
        assert self._owned  # noqa: S101 # as above
        from shared.stores.mem0 import Mem0Store  # noqa: PLC0415 # see above

        store = Mem0Store(
            self.settings.milvus_uri,
            token=self.settings.milvus_token.get_secret_value(),
            flavour=self.settings.milvus_flavour,
            lock=self._collection_lock,
            timeout=self.settings.store_timeout_seconds,
            embedder=self.embedder,
            visible=self._visible_keys,
        )
        store.ensure()
        return store

    def close(self) -> None:
        if "restore_watch" in self.__dict__:
            self.restore_watch.close()
        self.notifier.close()
        self.database.close()
        self.locks.close()

    def _visible_keys(self, keys: Sequence[UUID]) -> set[UUID]:
        return set(self.database.transact(lambda tx: vector_keys.visible(tx, keys)))


_installed: list[tuple[Process, LeasedWork]] = []


def install(process_: Process) -> None:
    """Make a composition available to this process's tasks."""
    _installed[:] = [
        (
            process_,
            LeasedWork(
                process_.database,
                process_.breaker,
                lease_seconds=process_.settings.lease_seconds,
                may_work=process_.may_work,
            ),
        )
    ]


def uninstall() -> None:
    """Close the installed composition."""
    for process_, work in _installed:
        work.close()
        process_.close()
    _installed.clear()


def process() -> Process:
    """Return this worker process's components."""
    return _installed[0][0]


def leased_work() -> LeasedWork:
    """Return the component that claims rows and keeps their leases alive."""
    return _installed[0][1]
