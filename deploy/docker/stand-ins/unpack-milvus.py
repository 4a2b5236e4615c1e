"""Unpack the Milvus server of its Python package into /milvus, where the official image has it, with its settings."""

import shutil
from pathlib import Path

import milvus

config = milvus.MilvusServerConfig(data_dir="/milvus")
config.resolve_storage()  # not `resolve()`, which looks for ports that are free on the machine that builds
config.write_config()
milvus._initialize_data_files("/milvus")  # noqa: SLF001 - the package offers no other way without starting it
etcd = Path("/milvus/configs/advanced/etcd.yaml")
etcd.parent.mkdir(parents=True)
etcd.write_text("auto-compaction-mode: periodic\nauto-compaction-retention: 1h\n")
shutil.rmtree("/milvus/data")
