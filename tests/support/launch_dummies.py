"""`memory-center up` with real servers and dummy products: `launch_dummies.py DATA_DIR PRODUCT=KIND…`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from deploy.embedded.data_directory import DataDirectory
from deploy.embedded.launcher import Options, Product
from services.cli import up
from services.cli.exit_codes import Refusal

DUMMY = Path(__file__).with_name("dummy_product.py")


def dummy(name: str, kind: str) -> Product:
    ready = "http" if kind == "http" else "exit" if kind == "exit" else "file"
    after = ("postgres",) if kind == "exit" else ("migration", "valkey", "milvus")
    return Product(name=name, argv=(sys.executable, str(DUMMY), kind), after=after, ready=ready, forked=False)


def main() -> int:
    products = [dummy("migration", "exit")]
    products += [dummy(*argument.split("=")) for argument in sys.argv[2:]]
    options = Options(
        directory=DataDirectory(Path(sys.argv[1]).resolve()),
        stack="external" if os.environ.get("MEMORY_CENTER_STACK") == "external" else "embedded",
        stop_with_parent="MEMORY_CENTER_STOP_WITH_PARENT" in os.environ,
    )
    try:
        return up.run(options, products)
    except Refusal as refusal:
        sys.stderr.write(f"{refusal}\n")
        return refusal.exit_code


if __name__ == "__main__":
    sys.exit(main())
