"""`memory-center mem0`: for programs that use a client of mem0."""

from __future__ import annotations

from typing import Annotated

import typer

from services.cli.installation import DEFAULT_DATA_DIR, DataDir
from services.cli.manual import SERVED, manual
from services.cli.person.options import Url

HELP = manual(
    [("mem0 --http 8772", "then: MemoryClient(host='http://127.0.0.1:8772', api_key=TOKEN)")], environment=SERVED
)

Http = Annotated[int, typer.Option("--http", metavar="PORT", min=1, max=65_535, help="Serve here.")]


def mem0(http: Http = 8772, url: Url = None, data_dir: DataDir = DEFAULT_DATA_DIR) -> None:
    """Serve mem0's REST API, for its unmodified clients; their api_key is a person's token or the service key."""
    import uvicorn

    from services.cli.person.connecting import place
    from services.compat.mem0.app import mem0_app

    uvicorn.run(mem0_app(place(url, data_dir)), host="127.0.0.1", port=http, log_level="warning", access_log=False)
