"""`memory-center schemas`: the forms of a package's records, as committed in docs/schemas/export."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer


def schemas(folder: Annotated[Path, typer.Argument(help="Where to write them.")]) -> None:
    """Write the JSON Schemas of a package's records, one file for each kind."""
    from shared.packages.manifest import schemas as of_records

    folder.mkdir(parents=True, exist_ok=True)
    for kind, schema in of_records().items():
        text = json.dumps(schema, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
        (folder / f"{kind}.schema.json").write_text(text, encoding="utf-8")
