"""How a kernel is compiled: every function is translated by itself, and all are optimised once, together.

Numba optimises each function, with all that it calls, and turns it into machine code, though only `step` is ever
called from Python: half the time went there (measured). Here the other functions are parts, of which only the
intermediate code is kept, until `step` is finished: their code is linked into its own, made private to it, optimised
with it and turned into machine code with it.
"""

from __future__ import annotations

import types as python
from typing import Any

from numba import _dynfunc
from numba.core import codegen, compiler, ir
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.environment import lookup_environment
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering, NopythonRewrites
from numba.core.untyped_passes import InlineClosureLikes

from ludus.core.compile.quick import quicken
from ludus.core.compile.record_type import RecordType

quicken()


class Library(codegen.JITCodeLibrary):
    """The code of one function, which is optimised and turned into machine code when somebody needs that."""

    def __init__(self, codegen: Any, name: str, counts: bool) -> None:
        super().__init__(codegen, name)
        self.counts = counts
        self.enable_object_caching()

    def add_linking_library(self, library: Any) -> None:
        self._linking_libraries.append(library)  # Numba's own way finishes it first

    def finalize(self) -> None:
        own = _defined(self._final_module)
        parts, waiting = [], [self]
        while waiting:
            for other in waiting.pop()._linking_libraries:
                if other not in parts:
                    parts.append(other)
                    if _is_unfinished(other):
                        waiting.append(other)
        self._linking_libraries: list[Any] = []
        for part in parts:
            self._reload_init.update(part._reload_init)
            self._final_module.link_in(_code(part), preserve=True)
        for name in _defined(self._final_module) - own:
            self._final_module.get_function(name).linkage = "internal"
        super().finalize()

    def _optimize_functions(self, module: Any) -> None:
        if self.counts:
            super()._optimize_functions(module)
        else:
            module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        if self.counts:  # in two rounds, to remove what counts in vain
            super()._optimize_final_module()
        else:
            passes, builder = self._codegen._module_pass_manager()
            passes.run(self._final_module, builder)

    def _finalize_specific(self) -> None:
        super()._finalize_specific()
        for variable in self._final_module.global_variables:
            environment = lookup_environment(variable.name)
            if environment is not None:
                self._codegen.set_env(variable.name, environment)


def _is_unfinished(library: Any) -> bool:
    return isinstance(library, Library) and not library._finalized


def _defined(module: Any) -> set[str]:
    return {function.name for function in module.functions if not function.is_declaration}


def _code(library: Any) -> Any:
    """What to link of a library, which others may link too."""
    if not _is_unfinished(library):
        return library._get_module_for_linking()
    module = library._final_module.clone()
    for name in _defined(module):
        module.get_function(name).linkage = "linkonce_odr"
    return module


class RecordLower(Lower):
    """Keeps records in registers: where one is an argument, its fields are read once (see `record_type`)."""

    def _find_singly_assigned_variable(self) -> None:
        super()._find_singly_assigned_variable()
        if self.func_ir.func_id.is_generator:
            return
        assignments = [a for block in self.func_ir.blocks.values() for a in block.find_insts(ir.Assign)]
        names = [a.target.name for a in assignments]
        for a in assignments:
            name = a.target.name
            is_argument = isinstance(a.value, ir.Arg) and names.count(name) == 1
            if is_argument and isinstance(self.typeof(name), RecordType):
                self._singly_assigned_vars.add(name)


@register_pass(mutates_CFG=True, analysis_only=False)
class Lowering(NativeLowering):
    """Translates a function into a `Library`; only one that Python calls is finished."""

    _name = "ludus_lowering"

    @property
    def lowering_class(self) -> type:
        return RecordLower

    def run_pass(self, state: Any) -> bool:
        state.library = Library(state.targetctx.codegen(), state.func_id.func_qualname, state.flags.nrt)
        is_part = state.flags.no_cpython_wrapper
        state.flags.no_compile = is_part
        super().run_pass(state)
        if is_part:
            description, library = state["cr"].fndesc, state.library
            name = description.qualname.split(".")[-1]
            nowhere = _dynfunc.make_function(
                description.lookup_module(), name, "", 0, state["cr"].env, (library,)
            )  # stands for the function where others call it
            state.targetctx.insert_user_function(nowhere, description, [library])
            state.reload_init.extend(library._reload_init)
            state["cr"] = state["cr"]._replace(cfunc=nowhere)
        return True


class Compiler(compiler.Compiler):
    """Numba's compiler of one function, for a kernel."""

    def define_pipelines(self) -> list[PassManager]:
        [usual] = super().define_pipelines()
        passes = PassManager(usual.pipeline_name)
        for step, what in usual.passes:
            if step not in self._needless():
                passes.add_pass(Lowering if step is NativeLowering else step, what)
        passes.finalize()
        return [passes]

    def _needless(self) -> list[type]:
        """Passes that find nothing to do: without reference counts there are no lists and no new arrays."""
        if self.state.flags.nrt:
            return []
        constants = self.state.func_id.code.co_consts
        if any(isinstance(constant, python.CodeType) for constant in constants):
            return [NopythonRewrites]
        return [NopythonRewrites, InlineClosureLikes]
