"""Verifying an export with nothing but the file."""

import click

from ledger.cli.group import Failed, Unusable, harmless, lines_of, main, read_text
from ledger.language import Speaker
from ledger.language.offline import offline_page
from ledger.recorder import LogUnreadable, Unverified, Verified, read_code, verify


@main.command("verify")
@click.argument("export", required=False)
@click.option("--head", metavar="CODE", help="What a phone has seen: #412 · 7K3Q-9FZD-MW2H-XA4T.")
@click.option("--page", is_flag=True, help="Write the page that does this in any browser, offline.")
@click.pass_context
def verify_export(context: click.Context, export: str | None, head: str | None, page: bool) -> None:
    """Verify an exact log (`tienlen export --exact`): chain, names, payments, the rules, and a code that was seen.

    EXPORT is a file, or - for standard input; no installation is needed.
    """
    if page:
        click.echo(offline_page(), nl=False)
        return
    if export is None:
        raise click.UsageError("name an export, or - for standard input")
    try:
        seen = None if head is None else read_code(head)
        verified = verify(lines_of(read_text(export)), seen)
    except Unverified as error:
        raise Failed(f"{export}: {error}") from None
    except (LogUnreadable, OSError, ValueError) as error:
        raise Unusable(f"{export}: {error}") from None
    _report(verified, context.obj[1])


def _report(verified: Verified, say: Speaker) -> None:
    click.echo(f"verified: night {verified.night}")
    click.echo(verified.code)
    if verified.continues:
        click.echo(f"continues what was seen: {verified.continues}")
    balances = (f"{name} {say.signed(verified.net[player])}" for player, name in verified.names.items())
    click.echo(harmless(" · ".join(balances)))
    if verified.erased:
        click.echo(f"names erased: {', '.join(verified.erased)}")
    for remark in verified.remarks:
        click.echo(remark)
