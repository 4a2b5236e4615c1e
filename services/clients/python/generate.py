"""Makes the derived parts of the client: `schemas.py` from the API's document, `_sync` from `_async`.

`python services/clients/python/generate.py [--check]`; with `--check` nothing is written, and a difference is an error.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import unasync

HERE = Path(__file__).parent
PACKAGE = HERE / "memory_center_client"
DOCUMENT = HERE.parents[2] / "docs" / "openapi.json"
DERIVED = ("schemas.py", "_sync")

CODEGEN = (
    "--input-file-type=openapi",
    "--openapi-scopes=schemas",
    "--output-model-type=typing.TypedDict",
    "--no-use-closed-typed-dict",
    "--target-python-version=3.11",
    "--use-standard-collections",
    "--use-union-operator",
    "--enum-field-as-literal=all",
    "--disable-timestamp",
    "--formatters=builtin",
    '--custom-file-header="""What the API takes and answers; made from docs/openapi.json by generate.py."""',
)
LIBRARIES = {
    "aclose": "close",
    "acurrent": "current",
    "aiter_bytes": "iter_bytes",
    "anyio": "time",
    "aread": "read",
    "AbstractAsyncContextManager": "AbstractContextManager",
    "AsyncBaseTransport": "BaseTransport",
    "AsyncClient": "Client",
    "_async": "_sync",
}


def main() -> int:
    """Write what is derived, or compare it with what there is."""
    if "--check" not in sys.argv[1:]:
        make(PACKAGE)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / PACKAGE.name
        shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", *DERIVED))
        make(copy)
        stale = sorted(_texts(copy).items() ^ _texts(PACKAGE).items())
    for path in sorted({path for path, _ in stale}):
        print(f"{path} is not what generate.py makes: run `make client`", file=sys.stderr)
    return 1 if stale else 0


def make(package: Path) -> None:
    """Write the derived parts of a package."""
    schemas, sync = package / "schemas.py", package / "_sync"
    command = [sys.executable, "-m", "datamodel_code_generator", f"--input={DOCUMENT}", f"--output={schemas}", *CODEGEN]
    subprocess.run(command, check=True)
    shutil.rmtree(sync, ignore_errors=True)
    sources = sorted((package / "_async").glob("*.py"))
    classes = {name for source in sources for name in re.findall(r"\bAsync[A-Z]\w*", source.read_text())}
    names = {name: name.removeprefix("Async") for name in classes} | LIBRARIES
    names["AsyncIterator"] = "Iterator"
    rule = unasync.Rule(fromdir="/_async/", todir="/_sync/", additional_replacements=names)
    unasync.unasync_files([str(source) for source in sources], [rule])
    for source in sync.glob("*.py"):
        source.write_text("# Made from _async by generate.py.\n" + source.read_text())
    ruff = (sys.executable, "-m", "ruff")
    # Not the project's settings: they leave these files alone, and depend on where the files are.
    usual = ("--isolated", "--quiet", "--line-length=120", "--target-version=py311")
    ours = '--config=lint.isort.known-first-party=["memory_center_client"]'
    subprocess.run([*ruff, "check", *usual, ours, "--fix", "--select=I,F401", str(schemas), str(sync)], check=True)
    subprocess.run([*ruff, "format", *usual, str(schemas), str(sync)], check=True)


def _texts(package: Path) -> dict[str, str]:
    return {str(path.relative_to(package)): path.read_text() for path in package.rglob("*.py")}


if __name__ == "__main__":
    sys.exit(main())
