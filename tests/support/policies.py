"""Policy files: the packaged one, with some values changed."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from shared.runtime.policies import PACKAGED

Policy = Mapping[str, Mapping[str, Any]]
"""Values by section and key, as the file has them."""


def policy_file(folder: Path, changes: Policy) -> Path:
    """Write a policy file of a name nobody had and return where it is."""
    policy: dict[str, Any] = yaml.safe_load(PACKAGED.read_text(encoding="utf-8"))
    for section, values in changes.items():
        policy[section] |= values
    path = folder / f"policy-{uuid.uuid4().hex[:8]}.yaml"
    path.write_text(yaml.safe_dump(policy), encoding="utf-8")
    return path
