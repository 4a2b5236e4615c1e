"""docs/benchmarks-export.md, from one full run."""

from __future__ import annotations

from pathlib import Path
from string import Template
from typing import Any, Final

from tests.bench.installation import REPOSITORY
from tests.bench.measuring import significant
from tests.bench.memory import MIB
from tests.bench.report import machine

TARGET_MIB: Final = 200.0

PAGE: Final = REPOSITORY / "docs" / "benchmarks-export.md"
WORDING: Final = Path(__file__).with_name("exporting.md")

Results = dict[str, Any]


def largest_peak(results: Results) -> float:
    """Return the most memory above idle of any process that exported or imported, in MiB."""
    exports = [one["above_idle_mib"] for sizes in results["export"].values() for one in sizes.values()]
    return float(max(*exports, *results.get("import", {}).get("above_idle_mib", {}).values()))


def write(results: Results) -> None:
    """Write the page anew."""
    peak = largest_peak(results)
    PAGE.write_text(
        Template(WORDING.read_text()).substitute(
            machine=machine(results["load_before"], "mem0ai"),
            peak=f"{peak:g}",
            verdict="met" if peak <= TARGET_MIB else "**not met**",
            **{name: f"{held:.0f}" for name, held in results["idle_mib"].items()},
            exports="\n".join(
                _export(kind, messages, one)
                for kind, sizes in results["export"].items()
                for messages, one in sizes.items()
            ),
            growth="\n".join(_growth(kind, sizes) for kind, sizes in results["export"].items()),
            peers="\n".join(_peers(results)),
            imports=_import(results["import"]) if "import" in results else _row("zip", "not measured in this run"),
        )
    )


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _export(kind: str, messages: str, one: Results) -> str:
    return _row(
        f"{kind}, {int(messages):,} messages",
        f"{one['records']:,}",
        f"{one['seconds']:g} s",
        f"{one['records_per_s']:,.0f}",
        f"{one['mib']:g} MiB",
        f"{one['unpacked_mib']:g} MiB",
        f"{one['unpacked_mib_per_s']:g}",
        f"{one['above_idle_mib']:g} MiB",
        f"{one['download_mib_per_s']:g}",
        f"{one['download_above_idle_mib']:g} MiB",
    )


def _growth(kind: str, sizes: Results) -> str:
    few, many = (sizes[messages] for messages in sorted(sizes, key=int))
    took = [one["seconds"] / one["records"] for one in (few, many)]
    return _row(
        kind, f"{took[1] / took[0]:.2f}", f"{round(many['above_idle_mib'] - few['above_idle_mib'], 1) + 0.0:+.1f} MiB"
    )


def _peers(results: Results) -> list[str]:
    ours = {kind: sizes[max(sizes, key=int)] for kind, sizes in results["export"].items()}
    rows = [
        _row(
            f"{kind}, ours",
            f"{one['seconds']:g} s",
            f"{one['mib']:g} MiB",
            f"{one['records_per_s']:,.0f} records",
            "",
        )
        for kind, one in ours.items()
    ]
    psql, theirs = results["psql"], results["mem0"]
    longer = ", ".join(
        f"{kind} takes {one['seconds'] / psql['seconds']:.1f} times as long" for kind, one in ours.items()
    )
    rate = f"{ours['zip']['records'] / psql['seconds']:,.0f} records"
    rows.append(
        _row("`psql`, `\\copy` of the same rows", f"{psql['seconds']:g} s", f"{psql['mib']:g} MiB", rate, longer)
    )
    what = f"mem0's `get_all` of {theirs['asked_for']:,} memories"
    if theirs["raised"]:
        return [*rows, _row(what, "", "", "", f"raised {theirs['raised']}")]
    speed = theirs["memories"] / theirs["seconds"]
    faster = ", ".join(f"{kind} writes {one['records_per_s'] / speed:.1f} times as many" for kind, one in ours.items())
    took = f"{significant(theirs['seconds'], 3):g} s"
    written = f"{significant(theirs['bytes'] / MIB, 3):g} MiB"
    return [*rows, _row(what, took, written, f"{speed:,.0f} memories", f"{faster} records a second")]


def _import(found: Results) -> str:
    above = found["above_idle_mib"]
    return _row(
        f"zip, {found['records']:,} records",
        f"{found['dry_run_s']:g} s",
        f"{found['accepted_s']:g} s",
        f"{found['seconds']:g} s",
        f"{found['records_per_s']:,.0f}",
        f"{found['unpacked_mib_per_s']:g}",
        f"{above['gateway']:g} MiB",
        f"{above['worker']:g} MiB",
    )
