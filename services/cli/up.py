"""`memory-center up`: run everything on this machine until Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from deploy.embedded.data_directory import AlreadyRunning, DataDirectory, SecretsUnreadableError
from deploy.embedded.launcher import PRODUCTS, Launcher, LaunchRefusedError, Options, Product
from services.cli.exit_codes import Refusal
from services.cli.installation import DEFAULT_DATA_DIR, DataDir, check_bucket, obey_policy, secret
from services.cli.manual import manual
from services.cli.sign_in import LOCAL_PERSON, WORKDAY_MINUTES, link
from services.cli.token import person_token

ALREADY_RUNNING = 3

HELP = manual(
    [
        ("up", "start in ./data, and print where it can be opened"),
        ("up --data-dir /srv/memory --port 8901", "somewhere else"),
        ("up --stack external", "with servers of your own"),
    ],
    exits={
        0: "stopped as asked",
        1: "something did not start",
        2: "settings are missing or wrong, or the policy file is refused",
        ALREADY_RUNNING: "already running",
        4: "a port is taken",
    },
    environment={"MEMORY_CENTER_…": "every setting of docs/configuration.md; the options name theirs"},
)

_MEBIBYTE = 1024 * 1024

Port = Annotated[
    int | None,
    typer.Option(min=1, max=65535, envvar="MEMORY_CENTER_PORT", help="HTTP port.", show_default="8765, or a free one"),
]
PostgresPort = Annotated[int | None, typer.Option(envvar="MEMORY_CENTER_POSTGRES_PORT", show_default="a free one")]
ValkeyPort = Annotated[int | None, typer.Option(envvar="MEMORY_CENTER_VALKEY_PORT", show_default="a free one")]
StopWithParent = Annotated[
    bool | None,
    typer.Option(
        "--stop-with-parent/--outlive-parent",
        envvar="MEMORY_CENTER_STOP_WITH_PARENT",
        help="Stop when the process that started this one is gone.",
        show_default="only under make",
    ),
]
StackOption = Annotated[
    Literal["embedded", "external"],
    typer.Option(envvar="MEMORY_CENTER_STACK", help="Start the servers here, or take their URLs from the environment."),
]


def up(
    *,
    data_dir: DataDir = DEFAULT_DATA_DIR,
    port: Port = None,
    stack: StackOption = "embedded",
    postgres_port: PostgresPort = None,
    valkey_port: ValkeyPort = None,
    stop_with_parent: StopWithParent = None,
) -> None:
    """Start everything on this machine and keep it running until Ctrl-C."""
    obey_policy()
    check_bucket()
    chosen = {"postgres": postgres_port, "valkey": valkey_port}
    options = Options(
        directory=DataDirectory(data_dir.resolve()),
        stack=stack,
        port=port,
        server_ports={name: number for name, number in chosen.items() if number is not None},
        stop_with_parent="MAKELEVEL" in os.environ if stop_with_parent is None else stop_with_parent,
    )
    raise typer.Exit(run(options))


def run(options: Options, products: Sequence[Product] | None = None) -> int:
    """Run a launcher with output to this terminal; return its exit code.

    Raises:
        Refusal: nothing was started.
    """
    say = _speaker()
    this = Launcher(
        options=options,
        say=say,
        greet=lambda started, seconds: _greet(started, seconds, say),
        products=PRODUCTS if products is None else products,
    )
    try:
        return this.run()
    except AlreadyRunning as other:
        raise Refusal(str(other), ALREADY_RUNNING) from None
    except LaunchRefusedError as refused:
        raise Refusal(str(refused), refused.exit_code) from None
    except SecretsUnreadableError as damaged:
        raise Refusal(str(damaged), 2) from None
    except OSError as problem:
        raise Refusal(f"cannot use {options.directory.root}: {problem.strerror or problem}", 1) from None


def _speaker() -> Callable[[str], None]:
    """Return a function that prints a line, coloured on a terminal; a closed terminal does not stop the launcher."""
    if not sys.stdout.isatty():
        return _say_plainly
    from rich.console import Console  # only needed on a terminal

    console = Console(highlight=False, soft_wrap=True)

    def say(line: str) -> None:
        style = "bold red" if "stopped (" in line or "giving up" in line else None
        with contextlib.suppress(OSError):
            console.print(line, style=style, markup=False)

    return say


def _say_plainly(line: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        print(line, flush=True)


def _this_command() -> str:
    """Return the command line for this command: its name if that finds it, else its path."""
    found = shutil.which("memory-center")
    own = Path(sys.executable).with_name("memory-center")
    return "memory-center" if found and Path(found) == own else shlex.quote(str(own))


def _way_in(started: Launcher, place: str) -> str:
    """Return a sign-in link on a terminal only: elsewhere it could be stored, and it is as good as a password."""
    if not sys.stdout.isatty():
        return f"{_this_command()} sign-in --data-dir {place}"
    return link(
        started.url, person_token(secret("signing_key", started.options.directory.root), LOCAL_PERSON, WORKDAY_MINUTES)
    )


def _greet(started: Launcher, seconds: float, say: Callable[[str], None]) -> None:
    directory: Path = started.options.directory.root
    place = shlex.quote(str(directory))
    token = f"{_this_command()} token --user {LOCAL_PERSON} --data-dir {place}"
    question = f"{started.url}/api/v1/memory/settings"
    say("")
    say(f"  Memory Center  {started.url}")
    say(f"  open           {_way_in(started, place)}")
    say(f"  data           {directory}")
    say(f"  logs           {directory / 'logs'}")
    say(f"  a token        {token}")
    say(f'  try            curl -s -H "Authorization: Bearer $({token})" {shlex.quote(question)}')
    say(f"  memory         {started.resident_bytes() // _MEBIBYTE} MiB resident, all processes together")
    say("")
    say(f"Ready in {seconds:.1f} s. Ctrl-C stops everything.")
