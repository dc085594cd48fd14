"""Recording a function into a Program, and running it."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING, Any

import torch

from paddle_compat.core import capture, composition, eager, flags
from paddle_compat.core.dtype import VarType, is_float
from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.program import Program, default_main_program, default_startup_program
from paddle_compat.core.scope import Scope
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.engine.partial import PartialProgram
from paddle_compat.jit.dy2static import _values, _watch
from paddle_compat.jit.dy2static._arguments import GivenTensor, Signature
from paddle_compat.jit.dy2static._branches import by_key, leaves, rebuilt
from paddle_compat.jit.dy2static._views import written_behind
from paddle_compat.jit.dy2static.utils import Dygraph2StaticException
from paddle_compat.static.input import InputSpec

if TYPE_CHECKING:
    from paddle_compat.jit.dy2static.program_translator import StaticFunction


class MadeParameterError(InvalidArgumentError):
    """A recorded function makes a parameter."""


def amp_state() -> Any:
    """What mixed precision does to operators now; part of what tells recordings apart."""
    if eager.cast_inputs is None:
        return None
    from paddle_compat.amp._casting import _local

    setting = _local.setting
    return setting and (setting.dtype, setting.level, frozenset(setting.white), frozenset(setting.black), setting.promote)


class ConcreteProgram:
    """One recording of a function.

    Attributes:
        main_program, startup_program: what was recorded.
        inputs: the arguments, with Variables for Tensors; a method's object comes first.
        returned: what the function returned, with Variables for Tensors.
        outputs: the same; in a list, where it is one thing.
        input_variables, output_variables: the Variables in them.
        parameters: the Tensors that the function met and that live on, and its layer's others.
        specified (bool): whether `to_static` was given `input_spec`.

    Args:
        static (StaticFunction): the function.
        signature: its parameters.
        tree: arguments by parameter, InputSpecs for Tensors.
        with_hook (bool): record the layer's hooks too.
        whole (bool): whether eager mode is no way out.
        training (bool): False: operators that know the two are told that nothing is trained.

    Example:
        >>> import paddle_compat as paddle
        >>> double = paddle.jit.to_static(lambda x: x * 2, input_spec=[paddle.static.InputSpec([None, 2], name="x")])
        >>> double.concrete_program.inputs[0].name, double.concrete_program.outputs[0].shape
        ('x', (-1, 2))
        >>> double.concrete_program.lower()
        >>> double.concrete_program.run([paddle.ones([1, 2])._t]).tolist()
        [[2.0, 2.0]]

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        static: StaticFunction,
        signature: Signature,
        tree: dict[str, Any],
        with_hook: bool = False,
        whole: bool = True,
        training: bool = True,
    ) -> None:
        self.training = training
        self.specified = static._input_spec is not None
        self.function = static.dygraph_function
        self.capture = capture.Capture(static._options.get("age", 2), whole)
        self.main_program: Program = self.capture.program
        self.startup_program: Program = self.capture.startup
        self.main_program.random_seed = default_main_program().random_seed
        self.startup_program.random_seed = default_startup_program().random_seed
        self.input_variables: list[Variable] = []
        with capture.capturing(self.capture), _values.reading_refused(not whole):
            arguments = {name: self._inputs(value, f"_jst.{i}.{name}", name, count()) for i, (name, value) in enumerate(tree.items())}
            _note(static.dygraph_function, arguments)
            args, kwargs = signature.split(arguments)
            layer = self._layer = static._instance
            if with_hook and layer is not None and static.__name__ == "forward":
                self.returned = layer(*args, **kwargs)
            else:
                self.returned = static.inner(*args, **kwargs)
            if self.capture.program.age == 1:
                self.returned = _of_the_first_age(self.returned)
            self.output_variables = self._outputs()
        if not whole:
            self._refuse_what_eager_mode_does_otherwise()
        self.inputs = [*([] if layer is None else [layer]), *args, *kwargs.values()]
        several = isinstance(self.returned, (list, tuple)) or self.returned is None
        self.outputs = self.returned if several else [self.returned]
        self._initialize()
        self._options = static._options
        self._wrap: Callable[[torch.Tensor], Tensor] = static._options.get("wrap", Tensor)
        self._partial: PartialProgram | None = None
        self._parameters: Any = None

    # ---- recording
    def _inputs(self, value: Any, given: str, name: str, tensors: Iterator[int]) -> Any:
        """The argument with Variables for what is fed: named after the place of a Tensor, or by the keys of a specification."""
        if isinstance(value, (list, tuple)):
            return rebuilt(value, [self._inputs(v, given, f"{name}_{i}", tensors) for i, v in enumerate(value)])
        if isinstance(value, dict):
            made = {k: self._inputs(v, given, str(k), tensors) for k, v in by_key(value)}
            return type(value)({k: made[k] for k in value})
        if not isinstance(value, InputSpec):
            return value
        place = next(tensors)
        block = self.capture.program.global_block()
        tensor = f"{given}.{place}" if self.capture.program.age != 1 else f"feed_{len(self.input_variables)}"
        own = value.name or (tensor if isinstance(value, GivenTensor) else name)
        var = block._add_var(
            name=own if not block.has_var(own) else f"{given}.{name}.{len(self.input_variables)}",
            shape=value.shape, dtype=value.dtype or "float32", type=VarType.LOD_TENSOR, is_data=True, need_check_feed=False,
            stop_gradient=value.stop_gradient,
        )  # fmt: skip
        self.input_variables.append(var)
        return var

    def _outputs(self) -> list[Variable]:
        return [leaf for leaf in leaves(self.returned) if isinstance(leaf, Variable)]

    def _refuse_what_eager_mode_does_otherwise(self) -> None:
        """Leave to eager mode what changes the caller's Tensors or begins gradients, or returns a number or a Tensor, as it comes.

        Raises:
            Dygraph2StaticException: there is such a thing.
        """
        if self.capture.caught is not None:
            raise Dygraph2StaticException(f"it catches {self.capture.caught}, which only eager mode raises where it has to")
        given = {var.name for var in self.input_variables}
        differentiated = any(op.type.endswith("_grad") for block in self.main_program.blocks for op in block.ops)
        for block in self.main_program.blocks:
            for op in block.ops:
                if op.type == "elementwise_floordiv" or op.type == "elementwise_mod" and not SINCE_3:  # no gradient in eager mode
                    block._var_recursive(op.output("Out")[0])._stop_gradient = True
                if not given.isdisjoint(op.output_arg_names):
                    raise Dygraph2StaticException(f"`{op.type}` changes a Tensor of the caller's, which eager mode does at every call")
            if any(var._opened for var in block.vars.values()) and not differentiated:
                raise Dygraph2StaticException("it makes gradients flow from a Tensor on its way")
        if any(type(leaf).__module__.startswith("paddle_compat.jit.dy2static.") for leaf in leaves(self.returned)):
            raise Dygraph2StaticException("it returns a range that depends on a Tensor")
        block = self.main_program.global_block()
        seen = given.union((var.name for var in self.output_variables), self.capture.bound)
        if (name := written_behind(block, self.capture.overwriting, seen)) is not None:
            raise Dygraph2StaticException(f"it writes to a view of `{name}`, or to what that is a view of, which eager mode shows there")
        passing = ("select_input", "assign", "conditional_block", "while")  # which may pass on what nobody reads
        read = {name for op in block.ops if op.type not in passing for name in op.input_arg_names}
        read.update(var.name for var in self.output_variables)
        for var in block.vars.values():
            if var._unset and var.name in read:
                raise Dygraph2StaticException("it reads what one branch alone sets, which eager mode refuses after the other one")
        for var in self.output_variables:
            if var._mixed:
                raise Dygraph2StaticException("it returns a number of Python's or a Tensor, as the Tensors that it is given have it")

    def _initialize(self) -> None:
        """Values for what lives on and the function itself made, which parameters must not be: they would be others at every call.

        Raises:
            ValueError: the function made a parameter.
        """
        startup = self.capture.startup
        if not startup.global_block().ops:
            return
        for parameter in self.main_program.all_parameters():
            if parameter.name not in self.capture.bound:
                raise MadeParameterError(
                    f"A function decorated by `to_static` made the parameter `{parameter.name}`. Expected parameters and layers that "
                    "were made before, in `__init__` say, in a Layer or a LayerList. Received: one that the function makes"
                )
        from paddle_compat.engine.executor import run_program

        scope = Scope()
        run_program(startup, {}, (), scope, torch.device("cpu"), False)
        for name, var in self.capture.program.global_block().vars.items():
            found = scope.find_var(name)
            if var.persistable and found is not None and found.tensor.value is not None and name not in self.capture.bound:
                self.capture.bound[name] = Tensor(found.tensor.value, name, True)

    # ---- running
    @property
    def parameters(self) -> list[Tensor]:
        """The Tensors that the function met and that live on (parameters, buffers and constants), and then its layer's others."""
        if self._parameters is not None:
            return self._parameters
        met = list(self.capture.bound.values())
        layer = self._layer
        own = [*layer.parameters(), *layer.buffers()] if layer is not None and hasattr(layer, "buffers") else []
        return met + [tensor for tensor in own if not any(tensor is other for other in met)]

    @parameters.setter
    def parameters(self, parameters: Any) -> None:
        self._parameters = parameters  # what `partial_program_from` is to look at

    @property
    def partial(self) -> PartialProgram:
        """What runs the recording."""
        if self._partial is None:
            self._done = list({id(d): d for v in self.output_variables if (d := getattr(v, "_returned", None)) is not None}.values())
            printed = [v for objects, _ in self.capture.printed for v in leaves(objects) if isinstance(v, Variable)]
            fetches = list(dict.fromkeys(v.name for v in (*self.output_variables, *self._done, *printed)))
            feeds = [v.name for v in self.input_variables]
            self._position = {name: i for i, name in enumerate(fetches)}
            program = self.main_program if self.training else self.main_program.clone(for_test=True)
            if composition.switches["forward"] and program.age > 1:
                program = program.clone(for_test=not self.training)
                for block in program.blocks:
                    composition.decompose(block, block.ops)
            self._partial = PartialProgram(program, feeds, fetches, self.capture.bound, compiler(self._options))
            self._partial.training = self.training and getattr(self._layer, "training", True)
            open_ = {self._position[v.name]: v.name for v in self.output_variables if is_float(v.dtype) and not v.stop_gradient}
            self._open = {place: self._sources(name) for place, name in open_.items()}
            self._chosen = [self.capture.bound[name] for name in _read_inside(self.main_program) if name in self.capture.bound]
        return self._partial

    def _sources(self, name: str) -> tuple[list[int], list[Tensor]]:
        """What gradients of a Variable lead to: the places of inputs, and Tensors that live on."""
        written: dict[str, set[str]] = {}
        for block in self.main_program.blocks:
            for op in block.ops:
                for out in op.output_arg_names:
                    written.setdefault(out, set()).update(op.input_arg_names)
        met = {name}
        stack = [name]
        block = self.main_program.global_block()
        while stack:
            found = stack.pop()
            if not (block.has_var(found) and block.var(found).stop_gradient):
                stack += (new := written.get(found, set()) - met)
                met |= new
        bound = self.capture.bound
        return [i for i, v in enumerate(self.input_variables) if v.name in met], [bound[n] for n in sorted(met) if n in bound]

    def lower(self) -> None:
        """Make the recording ready to run, so that what cannot is noticed now.

        Raises:
            NotFoundError: the function returns what only one of its branches has made.
        """
        self.partial  # noqa: B018 - made when it is first asked for

    def run(self, inputs: list[torch.Tensor]) -> Any:
        """Run once.

        Args:
            inputs (list): torch tensors, one for each Tensor among the arguments.
        Returns:
            What the function returns.
        """
        results = self.partial(inputs)
        if self.capture.whole and torch.is_grad_enabled():
            sources = [t for t in (*inputs, *(t._t for t in self._chosen)) if t.requires_grad]
            open_ = [
                place
                for place, (places, tensors) in self._open.items()
                if any(inputs[i].requires_grad for i in places) or any(t._t.requires_grad for t in tensors)
            ]
            results = _of_one_node(results, open_, sources)
        for objects, options in self.capture.printed:
            print(*self._filled(objects, results), **options)
        outputs = self.returned
        if type(outputs) is Variable:
            return self._value(outputs, results)
        return self._filled(outputs, results)

    def _value(self, var: Variable, results: list[Any]) -> Any:
        done = getattr(var, "_returned", None)
        if done is not None and not bool(results[self._position[done.name]]):
            return None
        value = results[self._position[var.name]]
        if isinstance(value, list):
            return [self._wrap(t) for t, _ in value]
        if var._weak and not self.capture.whole and value is not None:  # a number of Python's, which the Program had to count with
            return value.item()
        if var.stop_gradient and value is not None and value.requires_grad and not var.is_data:
            value = value.detach()
        if value is None:
            return None
        made = self._wrap(value)
        if self.capture.whole:  # by which `output_spec` of `jit.save` finds it
            made._name = var.name
        return made

    def _filled(self, value: Any, results: list[Any]) -> Any:
        if isinstance(value, Variable):
            return self._value(value, results)
        if isinstance(value, (list, tuple)):
            parts = [self._filled(v, results) for v in value]
            missing = [isinstance(v, Variable) and getattr(v, "_returned", None) is not None for v in leaves(value)]
            if missing and all(missing) and all(part is None for part in parts):
                return None
            return rebuilt(value, parts)
        if isinstance(value, dict):
            return type(value)({k: self._filled(v, results) for k, v in value.items()})
        return value


def _of_the_first_age(returned: Any) -> Any:
    """What a function of Paddle 1.8 returns when it is recorded: its Variables in a list, or the only one; all else is left out."""
    listed = returned if isinstance(returned, (list, tuple)) else [returned]
    found = [value for value in map(capture.as_variable, listed) if isinstance(value, Variable)]
    return found[0] if len(found) == 1 else found


class _Joined(torch.autograd.Function):
    """Results whose gradients are zeros where only others of them are asked for; sources have gradients, zeros at least."""

    @staticmethod
    def forward(ctx: Any, count: int, *values: torch.Tensor) -> tuple[torch.Tensor, ...]:
        ctx.sources = values[count:]
        return tuple(value.detach() for value in values[:count])

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        return None, *gradients, *map(torch.zeros_like, ctx.sources)


def _of_one_node(results: list[Any], open_: list[int], sources: list[torch.Tensor]) -> list[Any]:
    """The results of a whole function, which is one node for a backward pass, as in the wheel: all that leads to them has gradients.

    Args:
        open_: the places of results that have gradients wherever a source has.
        sources: what the function is given, and the parameters that branches and loops read.
    """
    having = {i for i, value in enumerate(results) if isinstance(value, torch.Tensor) and value.requires_grad}
    places = sorted(having.union(i for i in open_ if isinstance(results[i], torch.Tensor)))
    if len(places) > 1 or places and sources:
        results = list(results)
        for i, value in zip(places, _Joined.apply(len(places), *[results[i] for i in places], *sources)):
            results[i] = value
    return results


def _read_inside(program: Program) -> set[str]:
    """The names of what branches and loops read, which a run may leave out."""
    return {name for block in program.blocks[1:] for op in block.ops for name in op.input_arg_names}


def _note(function: Any, arguments: dict[str, Any]) -> None:
    """What the recording depends on from the start, where anybody wants to know."""
    if _watch.current is not None:
        inner = getattr(function, "__func__", function)
        if isinstance(inner, types.FunctionType):
            _watch.current.note(inner)
        for name, value in arguments.items():
            _watch.current.note_value(name, value)


def compiler(options: dict[str, Any]) -> Any:
    """What compiles graphs for these options of `to_static`; None where nothing does."""
    asked = options.get("backend") == "CINN" or getattr(options.get("build_strategy"), "build_cinn_pass", False)
    if not asked and not flags.get("FLAGS_use_cinn"):
        return None
    from paddle_compat.engine.compile import CompiledFunction

    return CompiledFunction
