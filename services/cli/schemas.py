"""`memory-center schemas`: JSON Schemas of package records and of the policy file, as committed in docs/schemas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer


def schemas(folder: Annotated[Path, typer.Argument(help="Where to write them.")]) -> None:
    """Write the JSON Schemas of a package's records, one file for each kind, and of a policy file."""
    from shared.items import register_kinds
    from shared.portability.packages.manifest import schemas as of_records
    from shared.runtime.policies import schema as of_policy

    register_kinds()
    for name, schema in {
        "policy": of_policy(),
        **{f"export/{kind}": one for kind, one in of_records().items()},
    }.items():
        path = folder / f"{name}.schema.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(schema, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
        path.write_text(text, encoding="utf-8")
