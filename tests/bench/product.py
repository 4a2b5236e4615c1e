"""`memory-center up` on servers that run already, with our own gateway, scheduler and worker."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Final

from deploy.embedded.data_directory import DataDirectory
from deploy.embedded.launcher import PRODUCTS, Options, Product
from services.cli.up import run

REPLACED: Final = {
    "services.gateway": "tests.bench.gateway",
    "workers": "tests.bench.worker",
    "workers.scheduler": "tests.bench.scheduler",
}


def ours(product: Product) -> Product:
    """Return a process of the product as the benchmark runs it."""
    *how, module = product.argv
    return replace(product, argv=(*how, REPLACED.get(module, module)))


def main() -> int:
    directory = DataDirectory(Path(sys.argv[1]))
    return run(Options(directory=directory, stack="external", stop_with_parent=True), [ours(one) for one in PRODUCTS])


if __name__ == "__main__":
    sys.exit(main())
