"""Commands are loaded on first use."""

import subprocess
import sys

import click

from ledger.cli import main
from ledger.cli.group import MODULES


def test_every_command_is_where_it_is_looked_for() -> None:
    context = click.Context(main)
    for module, commands in MODULES.items():
        for name in commands:
            found = main.get_command(context, name)
            assert found is not None
            assert found.callback is not None
            assert found.callback.__module__ == f"ledger.cli.{module}"
    assert sorted(main.commands) == main.list_commands(context)


def test_what_needs_no_installation_loads_no_database() -> None:
    program = """if True:
        import sys
        from ledger.cli import main
        main(["rules"], standalone_mode=False)
        sys.exit("sqlalchemy" in sys.modules)
    """
    assert (
        subprocess.run([sys.executable, "-c", program], stdout=subprocess.DEVNULL, check=False).returncode
        == 0
    )
