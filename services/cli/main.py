"""The `memory-center` command and its subcommands. Each subcommand imports what it needs when it runs."""

from __future__ import annotations

import typer

from services.cli import (
    completion,
    demo,
    doctor,
    drift_report,
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
from services.cli.exit_codes import OneLineErrors
from services.cli.manual import OVERVIEW
from services.cli.person import explain, export, forget, importing, mcp, mem0, memories, ops, proxy, users

app = typer.Typer(
    name="memory-center",
    cls=OneLineErrors,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    epilog=OVERVIEW,
)
app.callback()(completion.root)

PERSON, OPERATOR, SETUP = "Your memory", "Running it", "Starting, credentials, documents"

app.command("memories", rich_help_panel=PERSON, epilog=memories.HELP)(memories.memories)
app.command("explain", rich_help_panel=PERSON, epilog=explain.HELP)(explain.explain)
app.command("forget", rich_help_panel=PERSON, epilog=forget.HELP)(forget.forget)
app.command("undo", rich_help_panel=PERSON, epilog=forget.UNDO_HELP)(forget.undo)
app.command("export", rich_help_panel=PERSON, epilog=export.HELP)(export.export)
app.command("import", rich_help_panel=PERSON, epilog=importing.HELP)(importing.import_)
app.command("ops", rich_help_panel=PERSON, epilog=ops.HELP)(ops.ops)
app.command("mcp", rich_help_panel=PERSON, epilog=mcp.HELP)(mcp.mcp)
app.command("mem0", rich_help_panel=PERSON, epilog=mem0.HELP)(mem0.mem0)
app.command("proxy", rich_help_panel=PERSON, epilog=proxy.HELP)(proxy.proxy)
app.command("receipt", rich_help_panel=PERSON, epilog=ops.RECEIPT_HELP)(ops.receipt)
app.command("verify-receipt", rich_help_panel=PERSON, epilog=verify_receipt.HELP)(verify_receipt.verify_receipt)

app.command("up", rich_help_panel=SETUP, epilog=up.HELP)(up.up)
app.command("sign-in", rich_help_panel=SETUP, epilog=sign_in.HELP)(sign_in.sign_in)
app.command("token", rich_help_panel=SETUP, epilog=token.HELP)(token.token)
app.command("receipt-key", rich_help_panel=SETUP, epilog=verify_receipt.KEY_HELP)(verify_receipt.receipt_key)
app.command("openapi", rich_help_panel=SETUP, epilog=openapi.HELP)(openapi.openapi)
app.command("demo", rich_help_panel=SETUP, epilog=demo.HELP)(demo.demo)

app.command("doctor", rich_help_panel=OPERATOR, epilog=doctor.HELP)(doctor.doctor)
app.command("reconcile", rich_help_panel=OPERATOR, epilog=reconcile.HELP)(reconcile.reconcile)
app.command("reindex", rich_help_panel=OPERATOR, epilog=reindex.HELP)(reindex.reindex)
app.command("rebuild", rich_help_panel=OPERATOR, epilog=rebuild.HELP)(rebuild.rebuild)
app.command("replay", rich_help_panel=OPERATOR, epilog=replay.HELP)(replay.replay)
app.command("drift-report", rich_help_panel=OPERATOR, epilog=drift_report.HELP)(drift_report.drift_report)
app.command("export-user", rich_help_panel=OPERATOR, epilog=users.EXPORT_HELP)(users.export_user)
app.command("delete-user", rich_help_panel=OPERATOR, epilog=users.DELETE_HELP)(users.delete_user)
app.command("scan", rich_help_panel=OPERATOR, epilog=scan.HELP)(scan.scan)
app.add_typer(migrate.app, name="migrate", rich_help_panel=OPERATOR, epilog=migrate.HELP)
app.command("schemas", hidden=True)(schemas.schemas)

if __name__ == "__main__":
    app()
