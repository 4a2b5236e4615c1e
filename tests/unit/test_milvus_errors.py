"""What Milvus refuses for good is told from what may be repeated, without its text."""

from __future__ import annotations

import pytest
from pymilvus import MilvusException

from shared.stores.milvus_errors import NotLoaded, translated
from shared.stores.port import StoreMisconfigured, StoreUnavailable

QUOTED = "canary"


@pytest.mark.parametrize(
    ("code", "message", "error"),
    [
        (1, "matmul: Input operand 1 has a mismatch in its core dimension 0 (size 8 is different)", StoreMisconfigured),
        (65535, "vector dimension mismatch, expected vector size(byte) 1536, actual 32", StoreMisconfigured),
        (6, "vector field 'vector' expected dim 8, got 384", StoreMisconfigured),
        (1400, "", StoreMisconfigured),
        (101, "", NotLoaded),
        (1, "collection not loaded", NotLoaded),
        (1, "timeout", StoreUnavailable),
        (65535, "", StoreUnavailable),
    ],
)
def test_each_failure_is_one_of_the_ports(code: int, message: str, error: type[Exception]) -> None:
    found = translated(MilvusException(code=code, message=f"{message} {QUOTED}"))

    assert type(found) is error
    assert QUOTED not in str(found)
