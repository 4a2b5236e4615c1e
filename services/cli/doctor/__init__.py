"""`memory-center doctor`: one line per component, with what is wrong and what to do."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import Final

import typer

from services.cli.doctor import bucket, configured, database, installed, machine, running
from services.cli.doctor.finding import Finding, first_line
from services.cli.doctor.patient import Patient, admit
from services.cli.installation import DEFAULT_DATA_DIR, AsJson, DataDir
from services.cli.manual import DATABASE, manual
from services.cli.terminal import print_json, progress

HELP = manual(
    [("doctor", "one line per part; after → what to do"), ("doctor --json | jq '.findings[]'", "for scripts")],
    exits={0: "nothing needs repair", 1: "something does"},
    environment={**DATABASE, "MEMORY_CENTER_BROKER_URL, MEMORY_CENTER_MILVUS_URI": "servers that run elsewhere"},
)

_COLOURS: Final = {"ok": "green", "warn": "yellow", "fail": "red"}

Check = Callable[[Patient], Iterator[Finding]]
"""Checks one component; yields nothing if the installation does not have it. An exception also becomes a finding."""

CHECKS: Final[tuple[Check, ...]] = (
    machine.python,
    machine.disk,
    configured.policy,
    installed.programs,
    installed.embedder,
    installed.longterm,
    configured.llm,
    bucket.bucket,
    machine.ports,
    running.processes,
    database.database,
    running.broker,
    running.milvus,
    running.gateway,
)
"""The checks run in parallel; results are shown in this order."""


def doctor(data_dir: DataDir = DEFAULT_DATA_DIR, as_json: AsJson = False) -> None:
    """Check every part of the installation, and say what to do about what is wrong."""
    patient, first = admit(data_dir)
    found: list[list[Finding]] = []
    with (
        ThreadPoolExecutor(len(CHECKS)) as together,
        progress("examining", total=len(CHECKS), quiet=as_json) as advance,
    ):
        for each in together.map(lambda check: _examine(check, patient), CHECKS):
            found.append(each)
            advance(len(found))
    findings = [*first, *(finding for each in found for finding in each)]
    failures = sum(finding.level == "fail" for finding in findings)
    if as_json:
        print_json({"findings": [asdict(finding) for finding in findings], "failures": failures})
        raise typer.Exit(1 if failures else 0)
    for finding in findings:
        _show(finding)
    if failures:
        print(f"{failures} {'thing needs' if failures == 1 else 'things need'} repair.")
        raise typer.Exit(1)
    print("Nothing needs repair.")


def _show(finding: Finding) -> None:
    remedy = f" → {finding.remedy}" if finding.remedy else ""
    level = typer.style(f"{finding.level:<5}", fg=_COLOURS[finding.level])
    text = f"{level} {finding.part:<17} {finding.seen}{remedy}"
    typer.echo(text, color=False if os.environ.get("NO_COLOR") else None)


def _examine(check: Check, patient: Patient) -> list[Finding]:
    """Run one check; an unexpected exception becomes a finding."""
    try:
        return list(check(patient))
    except Exception as problem:  # noqa: BLE001  # a doctor that dies of what it finds helps nobody
        return [Finding("fail", check.__name__, f"{type(problem).__name__}: {first_line(problem)}")]
