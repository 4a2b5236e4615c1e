"""`python -m tests.chaos`: play seeds, measure how soon work resumes, and say in one line what happened.

Exit code 1: an invariant was violated; its seed, its name and the steps up to it are printed, no content.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from tests.chaos import lanes, real, resuming
from tests.chaos.breaking import BREAKAGES
from tests.chaos.invariants import Violated
from tests.chaos.run import Played

SEEDS, STEPS, VICTIMS, REAL_STEPS = 20, 1_000, 104, 250
TRAIL_SHOWN = 400


def main() -> int:
    options = _options()
    seeds = [options.seed + number for number in range(options.seeds)]
    print(f"chaos: {options.seeds} seeds from {options.seed}, {options.steps} steps each", flush=True)
    started = time.monotonic()
    total: dict[str, float] = dict.fromkeys(("runs", "steps", "kills", "stops", "server_faults", "violations"), 0)
    boundaries: dict[str, int] = {}
    for played in lanes.play(seeds, steps=options.steps, lanes=options.lanes, breaking=options.breaking):
        _add(total, played)
        for name, count in played.counts.kills_by_boundary.items():
            boundaries[name] = boundaries.get(name, 0) + count
        _show(played)
        if played.violation and options.breaking:
            break
    print(f"kills by boundary: {dict(sorted(boundaries.items(), key=lambda one: -one[1]))}")
    result: dict[str, float | None] = {**total, "resume_p99_s": None}
    if not options.breaking:
        if options.real_steps:
            # In a process of its own: it uses gRPC, after which nothing may fork.
            [played] = lanes.side_by_side([partial(real.play, options.seed, steps=options.real_steps)], lanes=1)
            _add(total, played)
            _show(played)
        if options.victims:
            result["resume_p99_s"], killed = _measure(options.victims, options.seed)
            total["kills"] += killed
    result |= {name: int(value) for name, value in total.items()}
    print(f"took {time.monotonic() - started:.0f} s")
    print(f"CHAOS {json.dumps(result)}", flush=True)
    return 1 if total["violations"] else 0


def _add(total: dict[str, float], played: Played) -> None:
    total["runs"] += 1
    total["violations"] += played.violation is not None
    for name in ("steps", "kills", "stops", "server_faults"):
        total[name] += getattr(played.counts, name)


def _show(played: Played) -> None:
    said = played.counts
    words = f"{said.steps} steps, {said.kills} kills, {said.stops} stops, {said.server_faults} server faults"
    print(f"{played.name}: {words}, {played.seconds:.0f} s", flush=True)
    more = f"{said.closed} accounts closed, {said.undone} undone, {said.orphans} orphans, {said.losses} losses"
    print(f"  {more}, {said.restores} restores, {said.done_again} forgets done again", flush=True)
    print(f"  {said.reflections} reflections, {said.traits} traits", flush=True)
    if played.violation:
        print(*played.trail[-TRAIL_SHOWN:], sep="\n")
        print(f"{played.name} VIOLATED {played.violation}", flush=True)


def _measure(victims: int, seed: int) -> tuple[float | None, int]:
    with tempfile.TemporaryDirectory(prefix="memory-center-chaos-", ignore_cleanup_errors=True) as directory:
        root = Path(directory)
        root.chmod(0o755)
        try:
            waited = resuming.measure(victims, seed=seed, directory=root)
        except Violated as error:
            print(f"resuming VIOLATED {error}")
            return None, 0
    p50, p99 = resuming.percentile(waited, 0.5), resuming.percentile(waited, 0.99)
    print(f"resumed after {p50:.1f} s (median), {p99:.1f} s (p99), {waited[-1]:.1f} s (longest of {len(waited)} kills)")
    return round(p99, 2), len(waited)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="how many")
    parser.add_argument("--seed", type=int, default=int(time.time()) % 1_000_000, help="the first; default: the clock")
    parser.add_argument("--steps", type=int, default=STEPS, help="of each seed")
    parser.add_argument("--lanes", type=int, default=2, help="seeds played at once")
    parser.add_argument("--victims", type=int, default=VICTIMS, help="workers killed to measure resuming; 0 for none")
    parser.add_argument("--real-steps", type=int, default=REAL_STEPS, help="of the run in real processes; 0 for none")
    parser.add_argument("--break", dest="breaking", choices=sorted(BREAKAGES), help="break the product: must be found")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
