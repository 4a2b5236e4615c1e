"""Forget everything learned from a person's feedback (CN-06)."""

from __future__ import annotations

from shared.erasure.accept import ForgetRequest
from shared.erasure.forget import forget_together
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.locks import close_fence
from shared.kernel.subjects import Subject
from shared.preferences.sql import support


def clear_preferences(tx: Transaction, subject: Subject, request: ForgetRequest) -> None:
    """Forget every learned preference, the signals behind it, and the feedback that gave those signals.

    The feedback is erased too, because its evidence contains the text of the preferences.

    Raises:
        SubjectBusy: the fence could not be taken in time.
    """
    close_fence(tx, subject.id)
    subject = subjects.again(tx, subject)
    forget_together(tx, subject, support.everything(tx, subject), request)
