"""`ludus reproduce`: a paper's tables and figures beside ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ludus.arena.pool.resources import Resources
from ludus.cli import common, values
from ludus.common.errors import LudusError
from ludus.common.texttable import Column, lay_out, screen_width
from ludus.studies.engine import study_summary
from ludus.studies.engine.reproduction import ALL, chosen, listing, reproduce_study
from ludus.studies.engine.settings import ReproduceSettings
from ludus.studies.engine.study_report import make_folder
from ludus.terminal.progress import Progress

if TYPE_CHECKING:
    from ludus.studies.engine.reproduction import Reproduction
    from ludus.studies.engine.study import Part


@click.command()
@click.argument("study", required=False)
@common.options(
    click.option("--quick", is_flag=True, help="Fewer games: less than two minutes a study, once all is compiled."),
    click.option("--only", multiple=True, metavar="PART", help="Only this part, figure-5 say; give several."),
    click.option("--list", "as_list", is_flag=True, help="List the studies and their parts, and do nothing else."),
    click.option(
        "--summary", metavar="DIR", help="Print a table of the reports in this folder, or put it into the file of -o."
    ),
    click.option(
        "-o", "--output", metavar="DIR", help="Write a report into this folder: Markdown, figures, one page, JSON."
    ),
    click.option("--new", is_flag=True, help="Start over, even if such a run is in the database."),
    common.json_option,
    common.seed_option,
    common.workers_option,
    common.dask_option,
    common.db_option,
    common.compile_option,
)
@click.pass_context
def reproduce(
    context: click.Context,
    study: str | None,
    quick: bool,
    only: tuple[str, ...],
    as_list: bool,
    summary: str | None,
    output: str | None,
    as_json: bool,
    **rest: Any,
) -> None:
    """Reproduce STUDY, the tables and figures of a paper, or `all`: what the paper says beside what we measure.

    The same command goes on where the last one stopped, and prints again what is finished.
    """
    if summary is not None:
        if output is None:
            click.echo(study_summary.summary(summary))
        else:
            study_summary.put_into(output, summary)
        return
    if as_list or study is None:
        _list(study, as_json)
        return
    wanted = chosen(study)
    if only and study == ALL:
        raise LudusError(f"`only` names parts of one study: name that instead of {ALL}.")
    for each in wanted:
        each.choose(only)
    if output is not None:
        make_folder(output)
    settings = values.read(ReproduceSettings, rest, scale="quick" if quick else "full", only=only)
    results: list[Reproduction] = []
    for each in wanted:
        with Progress(len(each.choose(only)), patience=0.0) as bar:

            def progress(part: Part, done: float, words: str, bar: Progress = bar, name: str = each.name) -> None:
                bar.update(done, ": ".join(filter(None, [f"{name} {part.name}", words])))

            results.append(reproduce_study(each, settings, values.read(Resources, rest), progress))
        if not as_json:
            click.echo(common.with_flags(results[-1].text(screen_width())))
        if output is not None:
            for path in results[-1].save(output):
                click.echo(f"wrote {path}", err=True)
        if results[-1].interrupted:
            break
    if as_json:
        told = [result.to_dict() for result in results]
        common.print_json({"studies": told} if study == ALL else told[0])
    context.exit(130 if results[-1].interrupted else 0)


def _list(study: str | None, as_json: bool) -> None:
    """The studies, or the parts of one."""
    names = [each.name for each in chosen(study)] if study is not None else []
    found = listing(names)
    if as_json:
        common.print_json({"studies": found})
        return
    for each in found:
        common.say(f"{each['study']}: {each['title']}")
        rows = each["parts"]
        table = [
            Column("", [f"  {row['part']}" for row in rows], left=True),
            Column("", [row["title"] for row in rows], left=True),
        ]
        common.say("\n".join(lay_out(table)[1:]))


COMMANDS = (reproduce,)
