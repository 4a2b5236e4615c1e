"""`memory-center sign-in`: a link that opens the web app as one person."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

import typer

from deploy.embedded.data_directory import DataDirectory
from services.cli.exit_codes import Refusal
from services.cli.installation import DEFAULT_DATA_DIR, AsJson, DataDir, secret
from services.cli.manual import DIRECTORY, manual
from services.cli.terminal import print_json
from services.cli.token import Minutes, person_token

WORKDAY_MINUTES = 12 * 60
LOCAL_PERSON = "me"

HELP = manual(
    [("sign-in", "open it in a browser"), ("sign-in --user ada --minutes 60", "ada's, for an hour")],
    exits={0: "done", 2: "nothing runs there, or there are no secrets yet"},
    environment=DIRECTORY,
)

Url = Annotated[str | None, typer.Option(help="Where it runs.", show_default="here")]
User = Annotated[str, typer.Option("--user", help="Whose memory.")]


def sign_in(
    user: User = LOCAL_PERSON,
    minutes: Minutes = WORKDAY_MINUTES,
    url: Url = None,
    data_dir: DataDir = DEFAULT_DATA_DIR,
    as_json: AsJson = False,
) -> None:
    """Print a link that signs one person in to the web app. Whoever has it is that person until it expires."""
    directory = DataDirectory(data_dir.resolve())
    if url is None:
        run = directory.run() if directory.is_held() else None
        if run is None:
            raise Refusal(f"nothing runs on {data_dir}; start it, or say where it runs with --url", 2)
        url = run.url
    address = link(url, person_token(secret("signing_key", data_dir), user, minutes))
    if as_json:
        print_json({"url": address, "user": user, "minutes": minutes})
        return
    print(address)


def link(url: str, token: str) -> str:
    """Return the sign-in link; the part after `#` stays in the browser and is in no server's log."""
    return f"{url.rstrip('/')}/#token={quote(token)}"
