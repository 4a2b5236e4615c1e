"""`memory-center token`: credentials for trying the API from a shell on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from services.cli.exit_codes import Refusal
from services.cli.installation import DEFAULT_DATA_DIR, AsJson, DataDir, secret
from services.cli.manual import DIRECTORY, manual
from services.cli.terminal import print_json

HELP = manual(
    [
        ("token --user ada", "ada's token, good for an hour"),
        ("token --service", "the key of the assistant's backend"),
    ],
    exits={0: "done", 2: "wrong usage, or there are no secrets yet"},
    environment={
        **DIRECTORY,
        "MEMORY_CENTER_SIGNING_KEY": "signs people's tokens; without it the data directory's",
        "MEMORY_CENTER_SERVICE_KEY": "the service key; without it the data directory's",
    },
    notes="Whoever has a token is that person until it expires. Give it to commands as MEMORY_CENTER_TOKEN.",
)

User = Annotated[str | None, typer.Option("--user", help="Whose token.")]
Minutes = Annotated[int, typer.Option(min=1, max=7 * 24 * 60, help="How long it is valid.")]
Service = Annotated[bool, typer.Option("--service", help="Print the service key instead, which may act for everybody.")]


def token(
    user: User = None,
    minutes: Minutes = 60,
    service: Service = False,
    data_dir: DataDir = DEFAULT_DATA_DIR,
    as_json: AsJson = False,
) -> None:
    """Print a bearer token for one person, or the service key."""
    if service == (user is not None):
        raise Refusal("name either --user or --service", 2)
    if user is None:
        found = secret("service_key", data_dir)
    else:
        found = person_token(secret("signing_key", data_dir), user, minutes)
    if as_json:
        print_json({"token": found, "user": user, "minutes": minutes if user is not None else None})
        return
    print(found)


def person_token(signing_key: str, user: str, minutes: int) -> str:
    """Return a person's token.

    Raises:
        Refusal: `user` is not a valid user id, or the key is too short (exit code 2).
    """
    from shared.runtime.authentication import UserIdInvalid, mint_person_token  # 0.3 s

    try:
        return mint_person_token(signing_key, user, minutes=minutes)
    except UserIdInvalid:
        raise Refusal("--user must be 1 to 200 characters, none of them control characters, and not `*`", 2) from None
    except ValueError as problem:
        raise Refusal(str(problem), 2) from None
