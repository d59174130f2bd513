"""How a kernel is compiled: every function is translated by itself, and all are optimised once, together.

Numba optimises each function, with all that it calls, and turns it into machine code, though only `step` is ever
called from Python: half the time went there (measured). Here the other functions are parts, of which only the
intermediate code is kept, until `step` is finished: their code is linked into its own, made private to it, optimised
with it and turned into machine code with it.
"""

from __future__ import annotations

import types as python
from typing import Any

from ludus.compile.explain import NotLinked
from ludus.compile.methods import BOUND, STATIC
from ludus.compile.numba_internals import (
    FunctionPass,
    InlineClosureLikes,
    Linkage,
    Lower,
    NativeLowering,
    NopythonRewrites,
    PassManager,
    address_of_symbol,
    build_definitions,
    codegen,
    compiler,
    get_definition,
    guard,
    ir,
    lookup_environment,
    make_function,
    register_pass,
)
from ludus.compile.record_type import RecordType


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

    def _verify_declare_only_symbols(self) -> None:
        """A function that is nowhere is an error here; a call of it would be the end of the process."""
        for function in self._final_module.functions:
            name = function.name
            if function.is_declaration and name.startswith("_ZN") and not address_of_symbol(name):
                raise NotLinked(f"the compiled code calls {name}, which was not linked")
        for variable in self._final_module.global_variables:
            if variable.name.startswith(codegen.RuntimeLinker.PREFIX):
                raise NotLinked(f"the compiled code calls {variable.name}, which is not known in time")

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
    """What to link of a library, which others may link too.

    Its functions are `weak_odr`, not `linkonce_odr` as Numba has them: of those the linker leaves out what nobody has
    named so far. A library may need a function that was linked before it and named by nobody, because the optimiser
    had removed the call from the library that brought it.
    """
    module = (library._final_module if _is_unfinished(library) else library._get_module_for_linking()).clone()
    for function in module.functions:
        if not function.is_declaration and function.linkage in (Linkage.external, Linkage.linkonce_odr):
            function.linkage = Linkage.weak_odr
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
            nowhere = make_function(
                description.lookup_module(), name, "", 0, state["cr"].env, (library,)
            )  # stands for the function where others call it
            state.targetctx.insert_user_function(nowhere, description, [library])
            state.reload_init.extend(library._reload_init)
            state["cr"] = state["cr"]._replace(cfunc=nowhere)
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class MethodCalls(FunctionPass):
    """Puts calls of functions, `count(self, board)`, in the place of `self.count(board)`; see `methods.py`."""

    _name = "ludus_method_calls"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        scope = state.func_id.func.__globals__
        if not any(BOUND in name or STATIC in name for name in scope):
            return False
        function = state.func_ir
        assignments = [a for block in function.blocks.values() for a in block.find_insts(ir.Assign)]
        receivers: dict[str, Any] = {}
        """By variable that stands for a method: the object that it is called on."""
        for a in assignments:
            if isinstance(a.value, ir.Expr) and a.value.op == "getattr":
                receiver = guard(get_definition, function, a.value.value)
                for mark in (BOUND, STATIC) if isinstance(receiver, ir.Arg) else ():
                    name = f"{receiver.name}{mark}{a.value.attr}"
                    if name in scope:
                        if mark == BOUND:
                            receivers[a.target.name] = a.value.value
                        a.value = ir.Global(name, scope[name], a.loc)
                        break
        for a in assignments:  # where an argument is a condition, the method is handed on from block to block
            if isinstance(a.value, ir.Var) and a.value.name in receivers:
                receivers[a.target.name] = receivers[a.value.name]
        for a in assignments:
            if isinstance(a.value, ir.Expr) and a.value.op == "call" and a.value.func.name in receivers:
                a.value.args = [receivers[a.value.func.name], *a.value.args]
        function._definitions = build_definitions(function.blocks)
        return True


class Compiler(compiler.Compiler):
    """Numba's compiler of one function, for a kernel."""

    def define_pipelines(self) -> list[PassManager]:
        [usual] = super().define_pipelines()
        passes = PassManager(usual.pipeline_name)
        for step, what in usual.passes:
            if step not in self._needless():
                passes.add_pass(Lowering if step is NativeLowering else step, what)
            if step is InlineClosureLikes:
                passes.add_pass(MethodCalls, "calls of methods")
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
