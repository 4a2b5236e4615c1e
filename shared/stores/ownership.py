"""One Milvus belongs to one installation; another one would treat everything in it as orphans."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from pymilvus import DataType, MilvusClient

from shared.stores.milvus_client import MilvusConnection
from shared.stores.milvus_errors import STORE
from shared.stores.port import CollectionLock, StoreMisconfigured

MARK: Final = "memory_center_of_"
"""Prefix of an empty collection whose name contains the owning installation's id."""


def own(milvus: MilvusConnection, installation: UUID, *, lock: CollectionLock) -> None:
    """Mark an unmarked Milvus as this installation's; does nothing if it already is.

    The id is stored in the database: a restored backup has the same id, a new database another one.

    Raises:
        StoreMisconfigured: it belongs to another installation.
        StoreUnavailable: as every call.
    """
    mark = f"{MARK}{installation.hex}"
    with lock(MARK):
        marks = [name for name in milvus.collections() if name.startswith(MARK)]
        if not marks:
            schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
            schema.add_field("id", DataType.VARCHAR, max_length=36, is_primary=True)
            schema.add_field("nobody", DataType.VARCHAR, max_length=36, is_partition_key=True)
            schema.add_field("nothing", DataType.FLOAT_VECTOR, dim=2)
            milvus.create(mark, schema, [])
        elif marks != [mark]:
            raise StoreMisconfigured(STORE, "it belongs to another installation")
