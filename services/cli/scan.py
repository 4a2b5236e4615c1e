"""`memory-center scan`: check whether a text is still in any file of the installation."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from services.cli.byte_scan import LeftOut, Needles, Searched, search
from services.cli.doctor.network import connects
from services.cli.exit_codes import USAGE, Refusal
from services.cli.installation import DEFAULT_DATA_DIR, AsJson, DataDir, database_url
from services.cli.manual import DATABASE, manual
from services.cli.terminal import print_json, progress

_FOUND = 1

HELP = manual(
    [
        ("scan", "then type the texts, one a line, and Ctrl-D"),
        ("scan backup/ < texts.txt", "search another place"),
        ("scan --json < texts.txt", "for scripts"),
    ],
    exits={0: "nowhere", _FOUND: "found", USAGE: "something could not be searched"},
    environment=DATABASE,
    notes="Never give a text as an argument: every user of the machine can read those. Write-ahead logs and backups are"
    " left out; they age out.",
)


def scan(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Files and folders to search in place of the data directory.")
    ] = None,
    data_dir: DataDir = DEFAULT_DATA_DIR,
    as_json: AsJson = False,
) -> None:
    """Search all data and log files for the texts on standard input, one a line."""
    roots = paths or [data_dir.resolve()]
    if missing := [root for root in roots if not root.exists()]:
        raise Refusal(f"{missing[0]} does not exist", USAGE)
    needles = _needles()
    left_out = _written_down(data_dir)
    searched: list[Searched] = []
    files = size = 0
    with progress("searching", unit="bytes", quiet=as_json) as advance:
        for one in search(roots, needles):
            if isinstance(one, LeftOut):
                left_out.append(one)
                continue
            files, size = files + 1, size + one.size
            advance(size)
            if one.hits:
                searched.append(one)
    if as_json:
        print_json(_report(searched, left_out, files, size))
    else:
        for found in searched:
            print(f"{found.path}: {found.hits}")
        for skipped in left_out:
            print(f"Not searched: {skipped.path} ({skipped.why})")
        print(f"{len(searched)} of {files} files hold what was searched for ({size / 1024**2:.1f} MiB searched).")
    if searched:
        raise typer.Exit(_FOUND)
    if not all(skipped.harmless for skipped in left_out):
        raise Refusal("found nothing, but not everything could be searched", USAGE)


def _needles() -> Needles:
    if sys.stdin.isatty():
        sys.stderr.write("One text a line, then Ctrl-D:\n")
    try:
        lines = sys.stdin.buffer.read().decode().splitlines()
        texts = [line for line in lines if line.strip()]
        if not texts:
            raise Refusal("write what to search for to standard input, one text a line", USAGE)
        return Needles(texts)
    except UnicodeDecodeError:
        raise Refusal("standard input is not UTF-8", USAGE) from None
    except ValueError as problem:
        raise Refusal(str(problem), USAGE) from None


def _written_down(data_dir: Path) -> list[LeftOut]:
    """Make a running PostgreSQL write its buffers to disk; return what could not be written."""
    url = database_url(data_dir)
    if url is None:
        return []
    import psycopg  # slow to import

    try:
        with psycopg.connect(url, connect_timeout=5, autocommit=True) as connection:
            connection.execute("checkpoint")
    except psycopg.Error as problem:
        stopped = not connects(url)  # then it keeps nothing in memory
        return [LeftOut(Path("PostgreSQL's memory"), f"no checkpoint: {type(problem).__name__}", harmless=stopped)]
    return []


def _report(found: list[Searched], left_out: list[LeftOut], files: int, size: int) -> dict[str, object]:
    return {
        "found": [{"path": str(one.path), "count": one.hits} for one in found],
        "not_searched": [{"path": str(one.path), "why": one.why, "harmless": one.harmless} for one in left_out],
        "files": files,
        "bytes": size,
    }
