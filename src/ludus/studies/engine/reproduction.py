"""`ludus reproduce`: runs the parts of a study, keeps what they measure, and tells what they found."""

from __future__ import annotations

import importlib
import os
import pkgutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ludus.arena.pool.resources import Resources
from ludus.arena.pool.serving import refuse_in_worker
from ludus.arena.pool.workers import WorkerPool
from ludus.common.errors import unknown
from ludus.common.notebook import pre
from ludus.common.texttable import WIDE, screen_width
from ludus.studies.engine.measurements import MeasurementCache, Memory
from ludus.studies.engine.settings import ReproduceSettings, Scale
from ludus.studies.engine.study import Found, Lab, Part, Study, study_in

ALL = "all"
PACKAGE = "ludus.studies"


@dataclass(repr=False)
class Reproduction:
    """What the parts of a study have found. `print` shows the tables, `save` writes the report."""

    study: Study
    scale: Scale
    seed: int
    found: list[Found] = field(default_factory=list)
    interrupted: bool = False
    made: list[tuple[str, str]] = field(default_factory=list)
    """How it was made: command, date, version and so on."""
    processor: float = 0.0
    """Seconds of processor time, those of workers on this machine and of earlier sittings included; not those of a
    cluster, or of sittings that were interrupted."""

    @property
    def rows(self) -> list[dict[str, Any]]:
        """All rows, ready for JSON, each with the name of its part."""
        return [{"part": each.part.name} | row.to_dict() for each in self.found for row in each.rows]

    @property
    def seconds(self) -> float:
        return sum(each.seconds for each in self.found)

    def __repr__(self) -> str:
        return f"<{self.study.name}: {len(self.rows)} rows>"

    def __str__(self) -> str:
        return self.text(screen_width())

    def text(self, width: int = WIDE) -> str:
        """What `ludus reproduce` prints, in lines of at most this width."""
        from ludus.studies.engine.study_report import text

        return text(self, width)

    def _repr_html_(self) -> str:
        """In a notebook."""
        return pre(str(self))

    def save(self, folder: str | Path) -> list[Path]:
        """Write the report into a folder: Markdown with its figures, and one HTML file; gives what was written."""
        from ludus.studies.engine.study_report import save

        return save(self, folder)

    def to_dict(self) -> dict[str, Any]:
        """The public contract's JSON keys, and more."""
        return {
            "study": self.study.name,
            "of_paper": self.study.of_paper,
            "rows": self.rows,
            "parts": [
                {
                    "part": each.part.name,
                    "title": each.part.title,
                    "complete": each.complete,
                    "found": each.sentences,
                    "seconds": each.seconds,
                }
                for each in self.found
            ],
            "scale": self.scale,
            "seed": self.seed,
            "interrupted": self.interrupted,
            "processor": self.processor,
            "made": dict(self.made),
        }


@cache
def studies() -> dict[str, Study]:
    """Every study by its name: each file of the package has one."""
    package = importlib.import_module(PACKAGE)
    found = {}
    for module in pkgutil.iter_modules(package.__path__, f"{PACKAGE}."):
        study = study_in(importlib.import_module(module.name))
        if study is not None:
            found[study.name] = study
    return dict(sorted(found.items()))


def study_named(name: str, *others: str) -> Study:
    """The study of this name; `others` are further names that would have been understood."""
    if name not in studies():
        raise unknown("study", name, [*studies(), *others])
    return studies()[name]


def chosen(name: str) -> list[Study]:
    """The study of this name, or all those of papers."""
    if name == ALL:
        return [each for each in studies().values() if each.of_paper]
    return [study_named(name, ALL)]


Progress = Callable[[Part, float, str], None]
"""Called with a part, how much of all parts is done, counted in parts, and words."""


def reproduce(
    study: str | Study,
    *,
    quick: bool = False,
    scale: Scale | None = None,
    only: str | Sequence[str] = (),
    seed: int = 0,
    workers: int | None = None,
    dask: str | None = None,
    compiled: bool | None = None,
    db: str | Path | None = None,
    new: bool = False,
    progress: Progress = lambda part, done, words: None,
) -> Reproduction:
    """The tables and figures of a paper beside ours: `ludus.reproduce("utgoff-cochran-2001", quick=True)`.

    `print` shows a table for each part, with the paper's numbers, ours, and whether a test finds a difference;
    `.save("folder")` writes the report.

    quick: fewer games, in less than two minutes; scale: the same in a word, `full`, `quick` or `tiny`; only: the parts
    to run, such as `"figure-5"`; seed: the random seed; workers: processes, by default one for each core; dask: the
    address of a cluster; compiled: True to compile or fail, False to interpret; db: a database in which all that is
    measured is kept, so that the same call goes on where it was; new: start over all the same; progress: called with a
    part, how many parts are done, and words.
    """
    settings = ReproduceSettings(
        scale=scale or ("quick" if quick else "full"),
        only=only,
        seed=seed,
        compiled=compiled,
        db=db,
        new=new,
    )
    return reproduce_study(study, settings, Resources(workers, dask), progress)


def reproduce_study(
    study: str | Study,
    settings: ReproduceSettings,
    resources: Resources,
    progress: Progress = lambda part, done, words: None,
) -> Reproduction:
    """Run the parts of this study that the settings ask for."""
    from ludus.arena.store.provenance import provenance

    refuse_in_worker()
    study = study_named(study) if isinstance(study, str) else study
    result = Reproduction(study, settings.scale, settings.seed, made=provenance())
    parts = study.choose(settings.only)
    kept, before = _Kept(study, settings), _processor()
    with _hired(resources) as pool:
        for number, part in enumerate(parts):
            found = Found(part)
            result.found.append(found)

            def tell(done: float, words: str, part: Part = part, number: int = number) -> None:
                progress(part, number + min(done, 1.0), words)

            tell(0.0, "")
            try:
                with kept.part(part) as keep:
                    kept.keeps.append(keep)
                    _run(Lab(found, settings=settings, pool=pool, keep=keep, tell=tell), keep)
            except KeyboardInterrupt:
                result.interrupted = True
                break
    result.processor = _processor() - before
    if not result.interrupted and parts:
        name = f"processor time of {settings.scale} {list(settings.only)}"
        with kept.part(parts[0]) as keep:
            result.processor = _added(keep, name, result.processor, kept.changed)
    return result


def _added(keep: _Noting, name: str, spent: float, changed: bool) -> float:
    """Processor time, added to that of earlier sittings; one in which nothing had to be measured does not count."""
    total = (keep.run.measured(name) or 0.0) + (spent if changed else 0.0)
    if changed:
        keep.run.measure(name, total)
    return total


def _processor() -> float:
    """Seconds of processor time that this process has used, and those of its processes that have ended."""
    return sum(os.times()[:4])


def _run(lab: Lab, keep: _Noting) -> None:
    """Run a part; its time is added to what it took in earlier sittings, if anything had to be measured."""
    name = f"seconds of {lab.scale}"
    before, began = keep.run.measured(name) or 0.0, time.monotonic()
    try:
        lab.found.part.run(lab)
        lab.found.complete = True
    finally:
        lab.found.seconds = before
        if keep.changed:
            lab.found.seconds += time.monotonic() - began
            keep.run.measure(name, lab.found.seconds)


class _Noting:
    """Keeps what it is given in the run of a part, and notes whether there was anything; what another part of the study
    has measured is found, too."""

    def __init__(self, run: MeasurementCache, others: Callable[[str], Any]) -> None:
        self.run, self.others, self.changed = run, others, False

    def measured(self, name: str) -> Any:
        found = self.run.measured(name)
        return self.others(name) if found is None else found

    def measure(self, name: str, value: Any) -> None:
        self.changed = True
        self.run.measure(name, value)


class _Kept:
    """Where the parts of a study keep their measurements: a run for each in the database, or memory."""

    def __init__(self, study: Study, settings: ReproduceSettings) -> None:
        self.study, self.seed, self.db, self.new = study, settings.seed, settings.db, settings.new
        self.memory: dict[str, Memory] = {}
        self.keeps: list[_Noting] = []
        self.begun: set[str] = set()
        """The keeps and the names of the parts that were run in this sitting."""
        self.oldest = 0
        """Runs of other parts with a smaller number are not looked at: they are from before a new start."""

    @property
    def changed(self) -> bool:
        """Whether anything had to be measured."""
        return any(keep.changed for keep in self.keeps)

    @contextmanager
    def part(self, part: Part) -> Iterator[_Noting]:
        if self.db is None:
            memory = self.memory.setdefault(part.name, Memory())
            yield _Noting(memory, self._remembered)
            return
        from ludus.arena.store.store import FINISHED, INTERRUPTED, RunKey, Store
        from ludus.common.version import VERSION

        key = RunKey("reproduce", f"{self.study.name} {part.name}", (), self.seed, {}, "", VERSION)
        store = Store(self.db)
        try:
            with store.run(key, fresh=self.new and part.name not in self.begun) as run:
                if self.new and not self.oldest:
                    self.oldest = run.number
                self.begun.add(part.name)
                was = run.status
                run.begin()
                try:
                    yield _Noting(run, lambda name: store.measured(name, key, self.study.name, self.oldest))
                except BaseException:
                    run.finish(INTERRUPTED)
                    raise
                if run.status != was or not run.finished:
                    run.finish(FINISHED, {"part": part.name})
        finally:
            store.close()

    def _remembered(self, name: str) -> Any:
        return next((found for each in self.memory.values() if (found := each.get(name)) is not None), None)


@contextmanager
def _hired(resources: Resources) -> Iterator[WorkerPool]:
    pool = resources.hire()
    try:
        yield pool
    finally:
        pool.close()


def listing(names: Iterable[str] = ()) -> list[dict[str, Any]]:
    """What there is: each study with its parts."""
    wanted = list(names)
    return [
        {
            "study": study.name,
            "title": study.title,
            "parts": [{"part": part.name, "title": part.title} for part in study.parts.values()],
        }
        for study in studies().values()
        if not wanted or study.name in wanted
    ]
