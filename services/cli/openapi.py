"""`memory-center openapi`: the API's OpenAPI document, as committed in docs/openapi.json."""

from __future__ import annotations

import json

from services.cli.manual import manual

HELP = manual([("openapi > openapi.json", "for generators of clients")], exits={0: "done"})


def openapi() -> None:
    """Print the OpenAPI document of the gateway."""
    from pydantic import SecretStr  # slow to import

    from services.gateway.app import app  # same
    from shared.runtime.openapi import build  # same
    from shared.runtime.settings import Settings  # same

    unused = SecretStr("0" * 43)  # the document does not depend on addresses and keys
    settings = Settings(
        database_url=SecretStr("postgresql://nowhere/none"),
        broker_url=SecretStr("redis://nowhere"),
        milvus_uri="http://nowhere:1",
        signing_key=unused,
        service_key=unused,
    )
    print(json.dumps(build(app(settings)), indent=2, ensure_ascii=False, sort_keys=True))
