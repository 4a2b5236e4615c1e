"""The size of a context."""

from __future__ import annotations

import json
from collections.abc import Mapping

from shared.contexts.rules.fields import BYTES_MAX
from shared.kernel.errors import ContextTooLarge


def checked(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a context.

    Raises:
        ContextTooLarge: they have more than 8 KiB.
    """
    if len(json.dumps(dict(fields), ensure_ascii=False).encode()) > BYTES_MAX:
        raise ContextTooLarge
    return dict(fields)
