"""Commands that print links: those of a night, renewed ones too, and those of the example night."""

from collections.abc import Iterable
from uuid import uuid4

import click

from ledger.cli.group import harmless, leads_to_a_server, main, recorder_of
from ledger.recorder import ADDRESS_VARIABLE, EventRequest, Link, Recorder, Role, server_address
from ledger.recorder.operations.demo import record_demo
from ledger.recorder.parts import Content

_NOBODY_SERVES = "http://127.0.0.1:8000"
_ADDRESS = click.option(
    "--address",
    metavar="URL",
    envvar=ADDRESS_VARIABLE,
    callback=leads_to_a_server,
    help="What the links begin with; otherwise where the server that runs is reached.",
)


@main.command()
@_ADDRESS
@click.pass_context
def demo(context: click.Context, address: str | None) -> None:
    """Record a sample night that was played, with a correction that was agreed with."""
    with recorder_of(context, make=True) as recorder:
        address = _reached(context, address)
        _print_links(recorder, record_demo(recorder, context.obj[1].finding).night, address)


@main.command()
@click.argument("night")
@click.option(
    "--renew",
    metavar="WHO",
    multiple=True,
    help="First renew a link (keeper, watch, p1, …): the one of before is void. May be given more than once.",
)
@_ADDRESS
@click.pass_context
def link(context: click.Context, night: str, renew: tuple[str, ...], address: str | None) -> None:
    """Print the links of a night again, and those of the groups that have it."""
    with recorder_of(context) as recorder:
        night, address = recorder.find_night(night), _reached(context, address)
        if renew:
            _renew(recorder, night, renew)
        _print_links(recorder, night, address)
        with recorder.snapshot() as snapshot:
            groups = snapshot.groups_of(night)
        for group in groups:
            tokens = recorder.groups.tokens(group)
            click.echo(harmless(f"group   {group.name}"))
            for who, token in (("keeper", tokens.keeps), ("watch", tokens.reads)):
                click.echo(f"{who:7} {address}/t/g/{token}")


def _renew(recorder: Recorder, night: str, holders: Iterable[str]) -> None:
    """Renew the links of a night with these names, all of them or none."""
    with recorder.night(night) as snapshot:
        seats = snapshot.tokens().seats
    requests = []
    for holder in dict.fromkeys(holders):
        if holder in seats:
            content: Content = {"role": Role.SEAT, "player": holder}
        elif holder in (Role.KEEPER, Role.WATCH):
            content = {"role": holder}
        else:
            raise click.BadParameter(
                f"{holder} is not keeper, watch, {', '.join(seats)}", param_hint="--renew"
            )
        requests.append(EventRequest(str(uuid4()), None, "revoke", content))
    recorder.record_all(night, requests, Link(night, Role.KEEPER))


def _print_links(recorder: Recorder, night: str, address: str) -> None:
    with recorder.night(night) as snapshot:
        tokens = snapshot.tokens()
    click.echo(f"night   {night}")
    for who, token in [("keeper", tokens.keeper), ("watch", tokens.watch), *tokens.seats.items()]:
        click.echo(f"{who:7} {address}/t/{token}")


def _reached(context: click.Context, address: str | None) -> str:
    """The address that links begin with: the option's, that of the running server, or the default of `serve`."""
    return (address or server_address(context.obj[0]) or _NOBODY_SERVES).rstrip("/")
