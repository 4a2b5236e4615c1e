"""Import a package: accepted after a check, applied by a worker in one transaction (X-09)."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import uuid4

from shared.consent.rules.consents import restricted
from shared.consent.rules.policy import Terms
from shared.consent.rules.switches import Switches, chosen
from shared.consent.sql import consents, switches
from shared.kernel import event_log, items, subjects
from shared.kernel.database import Transaction
from shared.kernel.errors import ImportOvertaken, StillErasing, TooManyImports
from shared.kernel.events import ImportAccepted, ImportCompleted
from shared.kernel.ids import OperationId
from shared.kernel.locks import close_fence, enter_fence, one_at_a_time
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.ledger import forgotten
from shared.lineage.sql import vector_keys
from shared.lineage.sql.vector_keys import Intent
from shared.outbox.job_kinds import IMPORT_APPLY
from shared.outbox.sql import leasing, scheduling, steps
from shared.outbox.sql.leasing import Lease, LeaseLost
from shared.outbox.stages import close_step
from shared.portability.packages.package import Package
from shared.portability.packages.records import Settings, SwitchStates
from shared.portability.revoke import discard_package, queue_discard
from shared.portability.rules.imports import AT_ONCE, FATES, Fate
from shared.portability.sql import exports, import_events, import_resolution, import_staging, import_writing, imports
from shared.portability.sql.exports import File
from shared.portability.sql.import_ids import rename_taken
from shared.portability.sql.import_resolution import Returning
from shared.portability.sql.import_writing import ImportContext
from shared.portability.sql.imports import Import
from shared.portability.stage_import import ACTOR, Learnable, stage_import
from shared.traits.sql import refusals

KEY_BYTES = 32
"""AES-256."""
ERASING_SECONDS = 1.0

Counts = Mapping[Fate, Mapping[str, int]]
"""Fate → kind of record → number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A package being uploaded: the person, and a file of its own."""

    subject: Subject
    operation_id: OperationId
    file: File


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """One attempt to import a package."""

    lease: Lease
    imported: Import


def begin_upload(tx: Transaction, subject: Subject) -> Upload:
    """Announce a file for a package under a new key.

    Raises:
        TooManyImports: this person has the maximum number of waiting or incoming packages.
        SubjectBusy: the fence could not be entered in time.
    """
    one_at_a_time(tx, "upload", str(subject.id))  # of two concurrent uploads, the second counts the first
    subject = subjects.entered(tx, subject)
    if imports.count(tx, subject.id) + imports.coming(tx, subject.id) >= AT_ONCE:
        raise TooManyImports
    file = File(namespace=subject.namespace, file_key=uuid4(), encryption_key=secrets.token_bytes(KEY_BYTES))
    operation_id = OperationId(new_id())
    intent = Intent(pk=file.file_key, item_kind=imports.ITEM, item_id=operation_id)
    vector_keys.announce(tx, subject, exports.STORE, [intent], step_id=0)
    return Upload(subject=subject, operation_id=operation_id, file=file)


def keep_uploading(tx: Transaction, upload: Upload) -> None:
    """Extend the deadline of a package that is still being uploaded or checked.

    Raises:
        ImportOvertaken: the person forgot everything meanwhile, or the upload stalled so long that its key was given
            up.
    """
    _standing(tx, upload)
    if not vector_keys.prolong(tx, [upload.file.file_key]):
        raise ImportOvertaken


def forgot_everything(tx: Transaction, upload: Upload) -> bool:
    """Return whether the person ever forgot everything; a package may then contain some of it."""
    return forgotten.forgot_everything(tx, upload.subject)


def accept_import(
    tx: Transaction, upload: Upload, package: Package, *, size: int, restore_forgotten: bool, actor: str
) -> OperationId:
    """Queue the import of a checked package, and return its operation.

    Args:
        restore_forgotten: also import items that the person erased when they forgot everything; by default they stay
            erased.

    Raises:
        ImportOvertaken: as `keep_uploading`, or its key was given up.
        SubjectBusy: as `begin_upload`.
    """
    enter_fence(tx, upload.subject.id)
    subject = _standing(tx, upload)
    try:
        vector_keys.confirm(tx, [upload.file.file_key])
    except vector_keys.IntentsLost:
        raise ImportOvertaken from None
    imports.queue(
        tx,
        subject,
        upload.operation_id,
        upload.file,
        ImportAccepted(source=package.source, format=package.format),
        size=size,
        restore_forgotten=restore_forgotten,
        scope=package.content.scope if package.content else "user",
        kind=IMPORT_APPLY,
        actor=actor,
    )
    return upload.operation_id


def discard_upload(tx: Transaction, upload: Upload) -> None:
    """Queue the removal of a package that was not accepted; does nothing if it was."""
    if vector_keys.give_up(tx, [upload.file.file_key]):
        queue_discard(tx, upload.subject.id, upload.file)


def preview_import(
    tx: Transaction, subject: Subject, package: Package, *, learnable: Learnable, terms: Terms
) -> tuple[Counts, list[Returning]]:
    """Return what an import would do with each record now, without keeping anything.

    Counts assume `restore_forgotten`; the second value says how many records depend on it.
    """
    stage_import(tx, package, learnable=learnable, settings_id=subject.id)
    subject = subjects.again(tx, subject)
    decided = _decide(tx, subject, terms=terms, restore=True)
    return _counts(tx), decided.returning


def begin_import(tx: Transaction, lease: Lease) -> Assignment:
    """Return the package to import.

    Raises:
        LeaseLost: another worker holds the row now, or the package was withdrawn.
        StillErasing: the person forgot everything, and the erasure has not finished.
    """
    enter_fence(tx, lease.subject_id)
    assert lease.operation_id is not None  # noqa: S101 # every row of this kind has its operation
    imported = imports.read(tx, lease.operation_id)
    if imported is None or not leasing.still_held(tx, [lease]):
        raise LeaseLost
    if imports.waits_for_erasure(tx, lease.subject_id):
        raise StillErasing(ERASING_SECONDS)
    return Assignment(lease=lease, imported=imported)


def keep_importing(tx: Transaction, assignment: Assignment, counts: Mapping[str, int]) -> None:
    """Record how far a package was read.

    Raises:
        LeaseLost: it was withdrawn: stop.
    """
    if not imports.is_wanted(tx, assignment.imported.operation_id):
        raise LeaseLost
    if assignment.lease.step_id is not None:
        steps.note(tx, assignment.lease.step_id, counts)


def apply_import(
    tx: Transaction, assignment: Assignment, package: Package, *, learnable: Learnable, terms: Terms
) -> None:
    """Import all new records in one transaction, which also destroys the package's key.

    The package is read first, so that other writers wait behind the closed fence only while the records are written.

    Raises:
        LeaseLost: as `begin_import`.
        SubjectBusy: the fence could not be closed in time.
        PackageRefused: the package differs from the one that was checked.
    """
    imported = assignment.imported
    stage_import(tx, package, learnable=learnable, settings_id=imported.subject_id)
    one_at_a_time(tx, "import")  # of two imports of the same ids, the second finds them taken
    one_at_a_time(tx, "settings", str(imported.subject_id))
    one_at_a_time(tx, "learning", str(imported.subject_id))
    close_fence(tx, imported.subject_id, bound=False)
    subject = subjects.read(tx, imported.subject_id)
    # The row is not locked, because the heartbeat of this process updates it during the import.
    wanted = imports.read(tx, imported.operation_id) is not None and leasing.is_held(tx, assignment.lease)
    if subject is None or not wanted:
        raise LeaseLost
    if imports.waits_for_erasure(tx, subject.id):
        raise StillErasing(ERASING_SECONDS)
    decided = _decide(tx, subject, terms=terms, restore=imported.restore_forgotten)
    counts = _counts(tx)
    import_writing.write(
        tx, ImportContext(subject=subject, operation_id=imported.operation_id, switches=decided.allowed)
    )
    import_events.queue(tx, subject, derive=package.content is None)
    import_events.tell(tx, subject, renamed=decided.renamed, actor=ACTOR)
    refusals.refuse(tx, subject, decided.refused_traits, operation_id=imported.operation_id)
    for kind in items.packed_kinds().values():
        if kind.in_packages is not None and kind.in_packages.after is not None:
            kind.in_packages.after(tx, subject)
    if decided.settings is not None:
        _restore(tx, subject, decided.settings, terms=terms)
    imports.delete(tx, [imported.operation_id])
    discard_package(tx, imported)
    completed = ImportCompleted(came=dict(counts["new"]))
    event_log.append(tx, subject, imported.operation_id, [completed], actor=ACTOR)
    others = {fate: sum(counts[fate].values()) for fate in FATES if fate != "new"}
    close_step(tx, assignment.lease, {**counts["new"], **{fate: count for fate, count in others.items() if count}})


def _standing(tx: Transaction, upload: Upload) -> Subject:
    subject = subjects.read(tx, upload.subject.id)
    if subject is None or subject.generation != upload.subject.generation:
        raise ImportOvertaken
    return subject


@dataclass(frozen=True, slots=True, kw_only=True)
class _Decided:
    """What an import does.

    Args:
        renamed: whether some records get other ids.
        allowed: the switches that apply to imported records.
        settings: the package's settings if they are restored: the person had chosen them and has chosen none here.
        refused_traits: what the person said is not so, there as here.
        returning: imported records that the person erased when they forgot everything.
    """

    renamed: bool
    allowed: Switches
    settings: Settings | None
    refused_traits: Sequence[str]
    returning: list[Returning]


def _decide(tx: Transaction, subject: Subject, *, terms: Terms, restore: bool) -> _Decided:
    saved = switches.read(tx, subject.id)
    set_down_settings = import_staging.settings(tx)
    told = Settings.model_validate(set_down_settings) if set_down_settings else None
    restored = told if told is not None and told.version and saved is None else None
    if restored is None:
        import_staging.set_fate(tx, "settings", "present")
    chosen_here = saved.switches if saved else Switches() if restored else terms.defaults
    consent = consents.current(tx, subject.id)
    allowed = restricted(chosen_here, consent, terms)
    renamed = rename_taken(tx, subject) > 0
    if consent is not None:
        import_resolution.leave_out_unconsented(tx, profile=consent.save_to_profile, threads=consent.save_to_thread)
    elif terms.consent.required:
        import_resolution.leave_out_unconsented(tx, profile=False, threads=False)
    returning = import_resolution.decide(tx, subject, allowed, restore=restore)
    return _Decided(
        renamed=renamed,
        allowed=allowed,
        settings=restored,
        refused_traits=told.refused_traits if told is not None else (),
        returning=returning,
    )


def _restore(tx: Transaction, subject: Subject, settings: Settings, *, terms: Terms) -> None:
    told = settings.model_dump(include=set(SwitchStates.model_fields))
    if not import_events.has_settings_history(tx):
        event_log.append(tx, subject, subject.id, [chosen(terms.defaults, told)], actor=ACTOR)
    restored = Switches(**told)
    switches.save(tx, subject, restored, version=settings.version, at=settings.updated_at)
    if restored.longterm_enabled or restored.summary_enabled:
        scheduling.make_due(tx, subject.id, code="switched_off")


def _counts(tx: Transaction) -> Counts:
    counts: dict[Fate, dict[str, int]] = {fate: {} for fate in FATES}
    for kind, fate, count in import_resolution.tally(tx):
        counts[fate][kind] = counts[fate].get(kind, 0) + count
    return counts
