"""A Milvus that is another installation's is left alone: to us everything in it would be orphans."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from deploy.embedded.servers import MilvusLite
from shared.stores.milvus_client import connect
from shared.stores.ownership import own
from shared.stores.port import StoreMisconfigured


@contextmanager
def unlocked(_name: str) -> Iterator[None]:
    yield


def test_the_first_to_come_owns_it_and_any_other_is_refused(tmp_path: Path) -> None:
    ours, theirs = uuid4(), uuid4()
    with MilvusLite(tmp_path / "milvus") as server:
        milvus = connect(server.url())
        for _ in range(2):
            own(milvus, ours, lock=unlocked)
        before = milvus.collections()
        with pytest.raises(StoreMisconfigured):
            own(milvus, theirs, lock=unlocked)
        assert milvus.collections() == before
        milvus.close()
