"""This host of the installation: its id, its ledger, what it signs with, and the watch over all three."""

from __future__ import annotations

import hashlib
import os
from importlib import metadata
from pathlib import Path
from typing import Final
from uuid import UUID, uuid4

from shared.kernel.hosts import Host
from shared.ledger.book import Book, LedgerCopies, LedgerFile
from shared.ledger.record import Seal
from shared.runtime.bucket_settings import BucketSettings
from shared.runtime.restore_watch import RestoreWatch
from shared.runtime.settings import Settings
from shared.runtime.signing import Signer, is_signed
from shared.stores.sealed.bucket_place import BucketPlace

ID_FILE: Final = "host-id"


def ledger_book(settings: BucketSettings, files: Path) -> Book:
    """Return the ledger outside the database; nothing is accessed yet.

    Args:
        files: the directory of the ledger's file, if no bucket is configured.
    """
    book = _objects(settings.ledger_bucket) if settings.ledger_bucket else LedgerFile(files)
    if not settings.ledger_copy_dir:
        return book
    return LedgerCopies(book, LedgerFile(settings.ledger_copy_dir), copy_begins=settings.ledger_start == "empty")


def _objects(place: BucketPlace) -> Book:
    from shared.ledger.objects import LedgerObjects  # noqa: PLC0415 # as below
    from shared.stores.sealed.bucket_client import bucket_at  # noqa: PLC0415 # boto3 takes 0.3 s and 20 MB

    return LedgerObjects(bucket_at(place), f"{place.bucket}/{place.prefix} at {place.endpoint or 'AWS'}")


def this_host(settings: Settings) -> Host:
    """Return the host of this process; its data directory gets an id if it has none yet.

    Raises:
        OSError: the data directory cannot be written.
    """
    return Host(
        id=directory_id(settings.data_dir),
        version=_version(),
        ledger=_name(settings.ledger_bucket) or "file",
        packages=_name(settings.bucket) or "folder",
        vectors=settings.milvus_flavour,
    )


def watch_of(settings: Settings) -> RestoreWatch:
    """Return a watch over this installation's ledger, which has compared it once."""
    return RestoreWatch(
        settings.direct_url,
        ledger_book(settings, settings.files_dir),
        host=this_host(settings),
        start_empty=settings.ledger_start == "empty",
    )


def seal_with(secret: str) -> Seal:
    """Return what signs the ledger's entries with the key derived from a secret."""
    signer = Signer(secret)
    return Seal(
        sign=signer.sign,
        public_key=signer.public_key,
        is_ours=lambda entry: is_signed(entry.hash, entry.signature, signer.public_key),
    )


def directory_id(data_dir: Path) -> UUID:
    """Return the id of a data directory; of several processes that begin at once, one chooses it."""
    path = data_dir / ID_FILE
    while True:
        try:
            return UUID(path.read_text().strip())
        except FileNotFoundError:
            data_dir.mkdir(parents=True, exist_ok=True)
            chosen = path.with_name(f"{ID_FILE}.{uuid4().hex}")
            chosen.write_text(f"{uuid4()}\n")
            try:
                os.link(chosen, path)  # unlike a rename, it never replaces another process's choice
            except FileExistsError:
                pass
            finally:
                chosen.unlink()
        except ValueError:
            raise OSError(f"{path} holds no id") from None


def _version() -> str:
    try:
        return metadata.version("memory-center")
    except metadata.PackageNotFoundError:  # run from a folder that was never installed
        return "unknown"


def _name(place: BucketPlace | None) -> str | None:
    if place is None:
        return None
    told = "\n".join((place.endpoint or "", place.bucket, place.prefix))
    return f"bucket {hashlib.sha256(told.encode()).hexdigest()[:16]}"
