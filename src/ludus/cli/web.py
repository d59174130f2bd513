"""`ludus web`: play, watch searches think, review and rank, in a browser."""

from __future__ import annotations

import click

from ludus.cli import common


@click.command()
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option("--player", "players", metavar="SPEC", multiple=True, help="A player from a file; may be given again.")
@click.option("--port", type=common.Whole(0, 65535), help="The port; 0: any free one.  [default: 8425, or a free one]")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to serve on.")
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the page in the browser.")
@common.options(common.db_option, common.json_option)
def web(
    games: tuple[str, ...],
    players: tuple[str, ...],
    port: int | None,
    host: str,
    browser: bool,
    db: str,
    as_json: bool,
) -> None:
    """Open the page: play, watch a search think, ask why, review a game, rank, in a browser.

    Games and players that are in files can be used on the page only if they are named here; all that is built in is
    there anyway. The address that is printed holds a token, without which nobody gets in. Ctrl-C ends the server.
    """
    from ludus.web.serving import Address, serve

    def tell(address: Address) -> None:
        if as_json:
            common.print_json({"url": address.url, "port": address.port, "token": address.token})
        else:
            common.say(f"ludus is at {address.url}")

    serve(games, players, db=db, host=host, port=port, browser=browser, tell=tell)


COMMANDS = (web,)
