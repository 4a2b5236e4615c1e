"""Check the operator's configuration: the policy file, the language model."""

from __future__ import annotations

import os
from collections.abc import Iterator

from services.cli.doctor.finding import Finding
from services.cli.doctor.network import connects
from services.cli.doctor.patient import Patient


def policy(_patient: Patient) -> Iterator[Finding]:
    """Read the policy file as a starting process would; a finding for each fault."""
    from shared.runtime.policies import PolicyRefused, named_file, policy_at  # slow to import

    path = named_file()
    try:
        policy_at(path)
        yield Finding("ok", "policy", f"{path}")
    except PolicyRefused as refused:
        for fault in refused.faults:
            yield Finding("fail", "policy", f"{path}: {fault}", "mend it; docs/retention.md says what is allowed")


def llm(_patient: Patient) -> Iterator[Finding]:
    """Check whether the configured language model, if any, accepts connections."""
    base = os.environ.get("MEMORY_CENTER_LLM_BASE_URL")
    if not base:
        yield Finding("ok", "language model", "none configured: rules extract memories")
    elif not os.environ.get("MEMORY_CENTER_LLM_MODEL"):
        yield Finding("warn", "language model", f"{base}, but no model", "set MEMORY_CENTER_LLM_MODEL")
    elif connects(base):
        yield Finding("ok", "language model", f"{base} answers")
    else:
        yield Finding("warn", "language model", f"{base} does not answer", "check MEMORY_CENTER_LLM_BASE_URL")
