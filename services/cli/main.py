"""The `memory-center` command: a list of what it can do. Each command imports what it needs when it runs."""

from __future__ import annotations

import typer

from services.cli import (
    demo,
    doctor,
    migrate,
    openapi,
    rebuild,
    reconcile,
    reindex,
    replay,
    scan,
    schemas,
    sign_in,
    token,
    up,
    verify_receipt,
)
from services.cli.refusal import OneLineErrors

app = typer.Typer(
    name="memory-center",
    help="See, control and provably erase what an AI assistant remembers.",
    cls=OneLineErrors,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

app.command("up")(up.up)
app.command("demo")(demo.demo)
app.command("doctor")(doctor.doctor)
app.command("sign-in")(sign_in.sign_in)
app.command("token")(token.token)
app.command("migrate")(migrate.migrate)
app.command("rebuild")(rebuild.rebuild)
app.command("reconcile")(reconcile.reconcile)
app.command("reindex")(reindex.reindex)
app.command("scan")(scan.scan)
app.command("replay")(replay.replay)
app.command("verify-receipt")(verify_receipt.verify_receipt)
app.command("receipt-key")(verify_receipt.receipt_key)
app.command("openapi")(openapi.openapi)
app.command("schemas", hidden=True)(schemas.schemas)

if __name__ == "__main__":
    app()
