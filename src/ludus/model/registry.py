"""Where components are found by name: the package's own files, entry points, and users' files."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import os
import pkgutil
import sys
import threading
import traceback
import types
from functools import cache, cached_property
from importlib.machinery import SourceFileLoader
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

from ludus.common.errors import LudusError, SpecError, unknown
from ludus.common.files import path_of
from ludus.compile.fingerprint import of_source
from ludus.model.component import Component
from ludus.model.evaluator import Evaluator
from ludus.model.game import Game
from ludus.model.playable import PlayableGame
from ludus.model.search import Search
from ludus.model.spec import Spec

T = TypeVar("T", bound=Component)


class Registry(Generic[T]):
    """All components of one kind. Each file of the package is read; nothing has to be registered by hand."""

    def __init__(self, kind: str, base: type[T], package: str, group: str) -> None:
        """`package` holds what is built in; `group` is the name of the entry points of third parties."""
        self.kind, self.base, self.package, self.group = kind, base, package, group

    @cached_property
    def classes(self) -> dict[str, type[T]]:
        """Every registered class by its name: built in, then those of entry points."""
        found = {cls.name: cls for cls in self._built_in if cls.name}
        for entry in entry_points(group=self.group):
            try:
                found.setdefault(entry.name, entry.load())
            except Exception as error:
                raise LudusError(f"the plug-in {entry.name} ({entry.value}) does not load: {error}") from error
        return dict(sorted(found.items()))

    @cached_property
    def _built_in(self) -> list[type[T]]:
        """Every class in the files of the package."""
        package = importlib.import_module(self.package)
        modules = pkgutil.walk_packages(package.__path__, f"{self.package}.")
        return [cls for module in modules for cls in self._defined_in(importlib.import_module(module.name))]

    @cached_property
    def _families(self) -> list[Any]:
        """Those whose members are kept in files: `load_by_name` gives one, or None if the name is not one of theirs."""
        return [cls for cls in self._built_in if "load_by_name" in vars(cls)]

    def _defined_in(self, module: ModuleType) -> list[type[T]]:
        classes = [value for value in vars(module).values() if inspect.isclass(value)]
        return [c for c in classes if issubclass(c, self.base) and c.__module__ == module.__name__]

    def find(self, name: str) -> type[T]:
        """The class that `name` or `path/to/file.py:Class` stands for."""
        if ".py" in name:
            path, _, wanted = name.partition(".py")
            return self._in_file(path + ".py", wanted.removeprefix(":"))
        if name not in self.classes:
            raise unknown(self.kind, name, self.classes)
        return self.classes[name]

    def _in_file(self, path: str, wanted: str) -> type[T]:
        classes = {cls.__name__: cls for cls in self._defined_in(load_file(path))}
        if not wanted and len(classes) == 1:
            return next(iter(classes.values()))
        if not classes:
            raise SpecError(f"{path} has no {self.kind}: that is a subclass of ludus.{self.base.__name__}.")
        if not wanted:
            raise SpecError(f"{path} has several: say which, {' or '.join(f'{path}:{name}' for name in classes)}.")
        if wanted not in classes:
            raise unknown(f"{self.kind} in {path}", wanted, classes, say="it has")
        return classes[wanted]

    def of(self, given: Component | type[Component] | str | Spec, **arguments: Any) -> T:
        """A component as it is, one of a class, or the one that a spec describes; with these arguments, if any."""
        if isinstance(given, self.base):
            if arguments:
                told = f"{given} has been made already, so it takes no {', '.join(arguments)}"
                raise SpecError(f"{told}: give its class or its name instead.")
            return given
        if isinstance(given, type) and issubclass(given, self.base):
            return given.from_arguments(arguments)
        if isinstance(given, (str, Spec)):
            return self.make(given, **arguments)
        base = f"ludus.{self.base.__name__}"
        what = given.__name__ if isinstance(given, type) else repr(given)
        raise SpecError(f"{what} is no {self.kind}: give a name, a subclass of {base}, or an object of one.")

    def make(self, spec: str | Spec, **arguments: Any) -> T:
        """The component that a spec describes; keywords override the spec's own."""
        if isinstance(spec, str):
            spec = Spec.parse(spec)
        if "/" in spec.name or spec.name.endswith(".json"):
            for family in self._families:
                if (member := family.load_by_name(spec.name)) is not None:
                    return member.with_arguments(spec.arguments | arguments)
        return self.find(spec.name).from_arguments(spec.arguments | arguments)


@cache
def _registry(kind: str) -> Registry:
    bases = {"game": Game, "evaluator": Evaluator, "search": Search}
    plural = "searches" if kind == "search" else kind + "s"
    return Registry(kind, bases[kind], f"ludus.library.{plural}", f"ludus.{plural}")


def games() -> Registry[PlayableGame]:
    return _registry("game")


def evaluators() -> Registry[Evaluator]:
    return _registry("evaluator")


def searches() -> Registry[Search]:
    return _registry("search")


def default_evaluator(game: PlayableGame) -> Evaluator:
    """The evaluator that a game names, as a class or a spec; else `sampler`. A file is looked for beside the game's."""
    given: Any = type(game).evaluator or "sampler"
    if isinstance(given, str) and ".py" in given:
        given = Spec.parse(given)
        path, _, wanted = given.name.partition(".py")
        beside = Path(getattr(sys.modules.get(type(game).__module__), "__file__", None) or ".").parent / f"{path}.py"
        if beside.is_file():
            given = Spec(f"{beside}{wanted}", given.arguments)
    return evaluators().of(given)


def misplaced_opinion(game: PlayableGame) -> str:
    """A sentence to the author of a game that has `evaluate` but names no evaluator; nothing to all others."""
    kind = type(game).written
    if kind.evaluator or not callable(getattr(kind, "evaluate", None)):
        return ""
    return (
        f"nobody asks evaluate of {kind.__name__}: an evaluator is a class of its own, a subclass of ludus.Evaluator "
        "with evaluate(self, game, state), which the game names by evaluator = ..."
    )


class FreshLoader(SourceFileLoader):
    """Reads the source each time: Python's own cache misses an edit within a second that keeps the file's size."""

    def get_code(self, fullname: str) -> types.CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def load_file(path: str, again: bool | None = None) -> ModuleType:
    """A user's file as a module named by its path, the same in every process; the file that runs is not run again.

    A file that was loaded before is loaded `again` if it is to be, by default if it does something else by now.
    """
    file = path_of(path)
    main = sys.modules.get("__main__")
    if main is not None and getattr(main, "__file__", None) and Path(main.__file__ or "").resolve() == file:
        return main
    name = f"ludus_file_{file.stem}_{hashlib.sha256(os.fsencode(file)).hexdigest()[:12]}"
    with _loading:
        known = sys.modules.get(name)
        if known is None:
            return _load(path, file, name)
        if again or (again is None and has_changed(known)):
            return _reload(path, file, known)
        return known


_loading = threading.RLock()
"""Held while a file is loaded: the threads of a Dask worker share its modules."""


def has_changed(module: ModuleType) -> bool:
    """Whether the file of a module does something else now than when it was loaded; not if it is broken or missing."""
    try:
        return of_source(Path(module.__file__ or "").read_bytes()) != module.__ludus_code__
    except (OSError, SyntaxError, ValueError):
        return False


def modules_in(folder: Path) -> dict[str, ModuleType]:
    """The modules that were loaded from files in a folder, by name; neither ours nor the script that runs."""
    found = {}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and Path(file).parent == folder and name.split(".")[0] not in ("ludus", "__main__", "__mp_main__"):
            found[name] = module
    return found


def _reload(path: str, file: Path, known: ModuleType) -> ModuleType:
    """Load a file once more, and with it the modules beside it, which it may have imported; if it fails, all stays."""
    beside = modules_in(file.parent)
    for name in beside:
        del sys.modules[name]
    try:
        return _load(path, file, known.__name__)
    except SpecError:
        sys.modules.update(beside)
        raise


def _load(path: str, file: Path, name: str) -> ModuleType:
    if not os.path.isfile(file):
        raise SpecError(f"there is no file {path}; a game in a file is given as path/to/file.py:Class.")
    spec = importlib.util.spec_from_file_location(name, file, loader=FreshLoader(name, str(file)))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    module.__ludus_file__ = str(file)  # type: ignore[attr-defined]
    sys.modules[name] = module
    sys.path.insert(0, str(file.parent))
    try:
        source = file.read_bytes()
        spec.loader.exec_module(module)
        module.__ludus_code__ = of_source(source)  # type: ignore[attr-defined]
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
        line = f" (line {lines[-1]})" if lines else ""  # a SyntaxError says its line itself
        raise SpecError(f"{path} does not load: {type(error).__name__}: {error}{line}") from error
    finally:
        sys.path.remove(str(file.parent))
    return module
