"""`ludus quality` and `ludus pathology`: how good an evaluator's decisions are, and whether looking deeper helps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import ludus
from ludus.cli import common, values
from ludus.common.texttable import screen_width
from ludus.diagnostics.pathology.pathology import judge_depths
from ludus.diagnostics.pathology.settings import GAMES, PathologyOptions, PathologySettings
from ludus.diagnostics.quality.quality import judge_evaluators
from ludus.diagnostics.quality.settings import QualitySettings
from ludus.pictures.files import PICTURES, check_file
from ludus.terminal.calibrating import telling
from ludus.terminal.progress import Progress, announce

if TYPE_CHECKING:
    from ludus.diagnostics.pathology.pathology_report import Pathology

picture_option = click.option("-o", "--output", metavar="FILE", help="Draw it: .svg, .png, .pdf.")


@click.command()
@click.argument("game")
@common.options(
    click.option(
        "--eval", "evaluators", multiple=True, metavar="SPEC", help="Give several.  [default: the game's own]"
    ),
    click.option(
        "--trees", type=common.Whole(1), help="Judge this many trees below random positions, or of other seeds."
    ),
    click.option("--after", type=common.Whole(0), help="Random plies before each of these trees."),
    click.option(
        "--lookahead",
        type=common.Whole(0),
        default=0,
        show_default=True,
        help="Choose by minimax this many plies beyond the next position.",
    ),
    click.option("--nodes", type=common.Whole(1), help="The most in a tree.  [default: 5000000; interpreted 100000]"),
    click.option("--ties", default="first", show_default=True, help="Of equals: first, last, random, best, worst."),
    click.option(
        "--leaves",
        default="first",
        show_default=True,
        help="Count a decision if this best move does not end the game: first, last, some, every; none: no move at all "
        "does; counted: always.",
    ),
    click.option(
        "--draws", default="half", show_default=True, help="half a win; won by the first or second player; score."
    ),
    click.option(
        "--passes",
        default="skipped",
        show_default=True,
        help="Forced passes are skipped or counted; forced: all single moves are skipped.",
    ),
    picture_option,
    common.json_option,
    common.seed_option,
    common.one_worker_option,
    common.compile_option,
)
@click.pass_context
def quality(
    context: click.Context,
    game: str,
    evaluators: tuple[str, ...],
    output: str | None,
    as_json: bool,
    **rest: Any,
) -> None:
    """Count the wrong decisions of evaluators on GAME, against exact minimax over a complete tree.

    Of a game that is too large, ten trees below random positions are judged. One process does it.
    """
    made = ludus.game(game)
    if output is not None:
        check_file(output, PICTURES, "picture")
    settings = values.read(QualitySettings, rest)
    with Progress(1.0) as bar:
        found = judge_evaluators(made, evaluators, settings, bar.update, announce)
    if as_json:
        common.print_json(found.to_dict())
    else:
        common.say(common.with_flags(found.text(screen_width())))
    if output is not None:
        found.save(output)
        click.echo(f"wrote {output}", err=True)
    context.exit(130 if found.interrupted else 0)


@click.command()
@click.argument("game")
@common.options(
    click.option("--eval", "evaluator", metavar="SPEC", help="The evaluator.  [default: the game's own]"),
    click.option("--search", metavar="SPEC", default="alphabeta", show_default=True, help="The search."),
    click.option(
        "--deepest",
        type=common.Whole(3),
        help="The deepest search.  [default: 6, or less where there are many moves]",
    ),
    click.option(
        "--games",
        type=common.Whole(4),
        default=GAMES,
        show_default=True,
        help="At each depth, or decisions in all.",
    ),
    click.option(
        "--by",
        default="games",
        show_default=True,
        help="games against depth 1; or decisions, in positions that can be solved.",
    ),
    picture_option,
    click.option("--new", is_flag=True, help="Start over, even if such a run is in the database."),
    common.openings_option,
    *common.arena_options,
)
@click.pass_context
def pathology(
    context: click.Context,
    game: str,
    evaluator: str | None,
    output: str | None,
    as_json: bool,
    **rest: Any,
) -> None:
    """Find out whether looking deeper helps on GAME with this evaluator, or hurts.

    The search at each depth plays itself at depth 1. The verdict comes with the p-value of a test whether the score
    falls somewhere as the depth grows, even and odd depths apart. The same command goes on where the last one stopped.
    """
    made = ludus.game(game)
    if output is not None:
        check_file(output, PICTURES, "picture")
    settings = values.read(PathologySettings, rest)
    with Progress(settings.games) as bar:

        def progress(found: Pathology) -> None:
            each = 2 if found.by == "games" else 1
            bar.update(each * found.subjects, f"{each * found.subjects:,} {found.by} of {len(found.judged)} depths")

        def continuing(run: int, many: int) -> None:
            bar.say(f"continuing run {run}: {many:,} games played so far")

        told: dict[str, Any] = {"progress": progress, "continuing": continuing, "calibrating": telling(bar)}
        options = values.read(PathologyOptions, rest, announce=announce, **told)
        found = judge_depths(made, evaluator, settings, options)
    if found.run is not None and not found.played:
        click.echo(f"run {found.run} was finished before; nothing was played (--new starts over)", err=True)
    if as_json:
        common.print_json(found.to_dict())
    else:
        common.say(common.with_flags(found.text(screen_width())))
        if found.run is not None:
            click.echo(common.where_kept(found.run, rest["db"]))
    if output is not None:
        found.save(output)
        click.echo(f"wrote {output}", err=True)
    context.exit(130 if found.interrupted else 0)


COMMANDS = (quality, pathology)
