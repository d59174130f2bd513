"""What games, evaluators and searches have in common: a name, parameters with defaults, a spec.

A component is a plain class whose `__init__` takes keywords with defaults. The arguments it was made
with are kept beside it, so that its spec prints the experiment's record whatever `__init__` does.
"""

from __future__ import annotations

import contextlib
import copy
import inspect
import re
import sys
from pathlib import Path
from typing import Any, ClassVar, Literal, get_args, get_origin

import numpy as np

from ludus.common.errors import LudusError, SpecError, unknown
from ludus.model.spec import Spec, format_value

LARGEST = 1e300
"""The largest number that a parameter may be: sums and products of some such are no numbers any more."""


class Component:
    """Base of `Game`, `Evaluator` and `Search`."""

    shared: ClassVar[bool] = True
    """Set in the body of a class that all components of its kind share: what it defines is not their own."""

    name: ClassVar[str] = ""
    """The name under which it is registered; a class in a user's file needs none."""

    leaves_out: ClassVar[tuple[str, ...]] = ()
    """Parameters of its base class that mean nothing here, if `__init__` takes the others as `**options`."""

    watched: ClassVar[tuple[str, ...]] = ()
    """The methods that must return soon: see `watchdog.py`."""

    _arguments: dict[str, Any]

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        self: Any = super().__new__(cls.concrete_class())
        self._arguments = {}
        if cls.__init__ is not object.__init__:
            signature = inspect.signature(cls.__init__)
            for name, value in list(signature.bind(self, *args, **kwargs).arguments.items())[1:]:
                further = signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD
                self._arguments |= value if further else {name: value}
        return self

    @classmethod
    def concrete_class(cls) -> type:
        """The class that its objects are made of: itself, or one derived from it."""
        return cls

    @property
    def spec(self) -> Spec:
        """The canonical spec: the name and the parameters that differ from their defaults, in the order of these."""
        defaults = {name: p.default for name, p in parameters(type(self)).items()}
        given = {name: self._arguments[name] for name in defaults if name in self._arguments} | self._arguments
        changed = {k: v for k, v in given.items() if k not in defaults or not _equal(v, defaults[k])}
        return Spec(self.title, {k: v.spec if isinstance(v, Component) else v for k, v in changed.items()})

    @classmethod
    def from_arguments(cls, arguments: dict[str, Any]) -> Any:
        """What a spec with these arguments describes."""
        return construct(cls, arguments)

    @property
    def title(self) -> str:
        """The registered name, or `file.py:Class`."""
        return type(self).name or origin(type(self))

    internal_fields: ClassVar[tuple[str, ...]] = ()
    """Fields that are not its own data, but what the library puts there."""

    def has_own(self, name: str) -> bool:
        """Whether `self.name` is its own data or method, and not what all components of its kind share."""
        if name in vars(self):
            return name not in type(self).internal_fields
        return self.defines(name)

    @classmethod
    def defines(cls, name: str) -> bool:
        """Whether the class has this attribute or method, and not only what all components of its kind share."""
        kinds = [kind for kind in cls.__mro__ if kind is not object and "shared" not in vars(kind)]
        return any(name in vars(kind) for kind in kinds)

    @classmethod
    def summary(cls) -> str:
        """The first sentence of the docstring, for listings."""
        return inspect.cleandoc(cls.__doc__ or "").split("\n\n")[0].replace("\n", " ")

    def apart(self) -> Any:
        """A copy with containers of its own: whatever its rules write into them at work, this one stays as it was."""
        made = copy.copy(self)
        for name, value in vars(made).items():
            if isinstance(value, (np.ndarray, list, dict, set, bytearray)):
                vars(made)[name] = copy.deepcopy(value)
        return made

    def __repr__(self) -> str:
        return str(self.spec)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        from ludus.model.identity import of_class

        cls: Any = getattr(type(self), "written", None) or type(self)
        path = source_file(cls)
        if path is None:
            return _restore, (cls, self.__getstate__(), of_class(cls))
        return _restore_from_file, (path, cls.__qualname__, self.__getstate__(), of_class(cls))


def _equal(value: Any, default: Any) -> bool:
    try:
        return bool(value == default)
    except ValueError:  # arrays
        return False


def _restore(cls: Any, state: dict[str, Any], fingerprint: str) -> Any:
    """The object that another process has sent; an error if its class is another one there."""
    from ludus.model.identity import of_class

    if of_class(cls) != fingerprint:
        where = f"{cls.__module__}.{cls.__qualname__}"
        raise LudusError(
            f"a worker has another version of {where}: give all workers the same one, and start them anew."
        )
    return _made(cls, state)


def _restore_from_file(path: str, qualname: str, state: dict[str, Any], fingerprint: str) -> Any:
    """The same for a class in a user's file, which is loaded again if it has changed since."""
    from ludus.model.identity import of_class
    from ludus.model.registry import load_file

    for again in (False, True):
        cls = getattr(load_file(path, again=again), qualname, None)
        if cls is not None and of_class(cls) == fingerprint:
            return _made(cls, state)
    raise LudusError(
        f"{path} is not what it was when the run began: it was edited since, or a worker has another copy of it. The "
        "games so far are kept; the same command plays by the rules as they are now."
    )


def _made(cls: type[Component], state: dict[str, Any]) -> Any:
    self: Any = object.__new__(cls.concrete_class())
    self.__dict__.update(state)
    return self


def source_file(cls: type) -> str | None:
    """The file of a class that other processes can only find by its path (a user's file, `__main__`)."""
    module = sys.modules.get(cls.__module__)
    by_path = cls.__module__ in ("__main__", "__mp_main__") or hasattr(module, "__ludus_file__")
    file = getattr(module, "__file__", None)
    if file is None or file.startswith("<"):  # as in `python < script`
        return None
    return str(Path(file).resolve()) if by_path and "." not in cls.__qualname__ else None


def is_found_elsewhere(cls: type) -> bool:
    """Whether other processes find the class: not if it was defined at a prompt, in a notebook or in a function."""
    return source_file(cls) is not None or (cls.__module__ != "__main__" and "<locals>" not in cls.__qualname__)


def origin(cls: type) -> str:
    """How to name a class that is not registered."""
    path = source_file(cls)
    if path is None:
        return cls.__qualname__.rpartition("<locals>.")[2]
    with contextlib.suppress(ValueError):
        path = str(Path(path).relative_to(Path.cwd()))
    return f"{path}:{cls.__name__}"


def parameters(cls: type[Any]) -> dict[str, inspect.Parameter]:
    """The keywords that `cls` takes, with evaluated annotations.

    One whose `__init__` takes `**options` has the keywords of its base class too, but for those it leaves out.
    """
    owner = next(base for base in cls.__mro__ if "__init__" in vars(base))
    if owner is object:
        return {}
    found = list(inspect.signature(cls.__init__, eval_str=True).parameters.items())[1:]
    own = {name: p for name, p in found if p.kind is not p.VAR_KEYWORD}
    if len(own) == len(found):
        return own
    above = parameters(owner.__mro__[1])
    return own | {name: p for name, p in above.items() if name not in own and name not in cls.leaves_out}


def meanings(cls: type[Any]) -> dict[str, str]:
    """What parameters mean, where the docstring of an `__init__` says so: `name: meaning`, or `one, other: meaning`."""
    known = parameters(cls)
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__[:-1]):
        text = inspect.cleandoc(getattr(vars(base).get("__init__"), "__doc__", None) or "")
        for entry in re.split(r"\n(?! )|; (?=\w+: )", text):
            names, colon, meaning = entry.partition(": ")
            if colon:
                said = " ".join(meaning.split())
                found |= {name: said for name in names.replace(" and ", ", ").split(", ") if name in known}
    return found


def construct(cls: Any, arguments: dict[str, Any]) -> Any:
    """Make a component from the arguments of a spec: names and types checked, one sentence on error."""
    known = parameters(cls)
    title = cls.name or cls.__name__
    for key in arguments:
        if key not in known:
            raise unknown(f"parameter of {title}", key, known, say="it takes")
    values = {key: _coerce(title, known[key], value) for key, value in arguments.items()}
    missing = [name for name, p in known.items() if p.default is p.empty and name not in values]
    if missing:
        raise SpecError(f"{title} needs {', '.join(missing)}: every parameter of a game should have a default.")
    try:
        return cls(**values)
    except LudusError:
        raise
    except Exception as error:
        given = ", ".join(f"{k}={format_value(v)}" for k, v in values.items())
        raise SpecError(f"{title}({given}) cannot be made: {error}") from error


def _coerce(title: str, parameter: inspect.Parameter, value: Any) -> Any:
    wanted = parameter.annotation
    if wanted is parameter.empty:
        wanted = type(parameter.default) if isinstance(parameter.default, (bool, int, float, str)) else object
    if get_origin(wanted) is Literal:
        if value not in get_args(wanted):
            allowed = ", ".join(map(format_value, get_args(wanted)))
            raise SpecError(f"{parameter.name} of {title} must be one of {allowed}, not {format_value(value)}.")
        return value
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if wanted is bool and not isinstance(value, bool):
        raise SpecError(f"{parameter.name} of {title} must be true or false, not {format_value(value)}.")
    if wanted is int:
        if not number or value != value // 1 or abs(value) > 2**62:
            limits = f" from {-(2**62)} to {2**62}" if number and abs(value) > 2**62 else ""
            raise SpecError(f"{parameter.name} of {title} must be a whole number{limits}, not {format_value(value)}.")
        return int(value)
    if wanted is float:
        if not number or not abs(value) <= LARGEST:
            raise SpecError(f"{parameter.name} of {title} must be a number, not {format_value(value)}.")
        return float(value)
    if wanted is str and not isinstance(value, str):
        return format_value(value)
    return value
