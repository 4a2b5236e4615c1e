"""Makes the derived parts of the clients: `schemas.py` from the API's document, the codes of errors from the documents,
`_sync` from `_async`.

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
CODES = {
    "glossary.md": r"^\| `([a-z][a-z0-9_]*)` \| (?:[45]\d\d|any) \|",
    "import.md": r"^\| `(package_[a-z_]+)` \|",
    "documents.md": r"^\| `(document_[a-z_]+)` \|",
}
"""Where the rows that explain a `code` are, and how they look."""
TYPESCRIPT_CODES = HERE.parent / "typescript" / "src" / "codes.ts"
DERIVED = ("schemas.py", "codes.py", "_sync")

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
        TYPESCRIPT_CODES.write_text(typescript_codes(codes()))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / PACKAGE.name
        shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", *DERIVED))
        make(copy)
        stale = sorted(_texts(copy).items() ^ _texts(PACKAGE).items())
    names = {path for path, _ in stale}
    if TYPESCRIPT_CODES.read_text() != typescript_codes(codes()):
        names.add(TYPESCRIPT_CODES.name)
    for path in sorted(names):
        print(f"{path} is not what generate.py makes: run `make client`", file=sys.stderr)
    return 1 if names else 0


def codes() -> list[str]:
    """Return every `code` of an answer that refuses a request."""
    texts = {name: (DOCUMENT.parent / name).read_text(encoding="utf-8") for name in CODES}
    return sorted({code for name, row in CODES.items() for code in re.findall(row, texts[name], re.MULTILINE)})


def python_codes(named: list[str]) -> str:
    """Return the module that names them."""
    members = "".join(f'    {code.upper()} = "{code}"\n' for code in named)
    return (
        '"""Every `code` of an error; made by generate.py from the documents that say when each is given."""\n\n'
        f"from enum import StrEnum\n\n\nclass Code(StrEnum):\n{members}"
    )


def typescript_codes(named: list[str]) -> str:
    """Return the same for TypeScript."""
    members = "".join(f'\n  | "{code}"' for code in named)
    return (
        "// Made by ../python/generate.py from the documents that say when each is given.\n\n"
        f"/** Every `code` of an error. */\nexport type Code ={members};\n"
    )


def make(package: Path) -> None:
    """Write the derived parts of a package."""
    schemas, sync = package / "schemas.py", package / "_sync"
    command = [sys.executable, "-m", "datamodel_code_generator", f"--input={DOCUMENT}", f"--output={schemas}", *CODEGEN]
    subprocess.run(command, check=True)
    (package / "codes.py").write_text(python_codes(codes()))
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
