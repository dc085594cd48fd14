"""Tensors in Programs: while a function of eager mode is recorded, a Tensor that it meets becomes a Variable bound to it.

`paddle.jit.to_static` opens a `Capture` around a recording. Operators then record even where all they are given are Tensors:
each Tensor becomes a persistable Variable of the Program's global block, once, and whoever runs the Program takes the value
from the Tensor and puts updates back into it. Nothing is copied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch

from paddle_compat.core import direct, mode, unique_name
from paddle_compat.core import op as _op
from paddle_compat.core.dtype import VarType
from paddle_compat.core.tensor import EagerParamBase, Tensor

if TYPE_CHECKING:
    from paddle_compat.core.operator import Operator
    from paddle_compat.core.program import Program
    from paddle_compat.core.variable import Variable

current: Capture | None = None
# What a layer's forward goes through before it is called in a recording; `paddle_compat.jit` sets it.
convert_forward: Callable[[Any], Any]


# What takes the place of methods of Tensors that are too short for a question; `paddle_compat.tensor` sets them.
part_methods: dict[str, Callable[..., Any]] = {}


class _Nothing:
    """What no value is an instance of: in a recording operators do not tell Tensors apart."""


class Capture:
    """The Tensors that a recording has met.

    Attributes:
        program, startup: what is recorded into.
        bound: name of the Variable -> Tensor.
        whole: whether the whole function has to become a Program, and eager mode is no way out.
        segments: the operators of each function that was called by `recompute`.
        overwriting: the operators that write a Tensor over.
        fetches: what the function asks to have fetched beside what it returns: name -> name of the Variable.
        caught: an error that the function caught, and that a run may not have; None: there is none.
        printed: what calls of `print` are given, and their options, where eager mode may take over.

    Args:
        age: whether operators are those of Paddle 1.x (1) or 2.x (2).
        whole: as above.
        into: the Program and the startup Program to record into; None: new ones.
    """

    def __init__(self, age: int = 2, whole: bool = True, into: tuple[Program, Program] | None = None) -> None:
        from paddle_compat.core.program import Program

        self.program, self.startup = into or (Program(), Program())
        self.program.age = self.startup.age = age
        self.bound: dict[str, Tensor] = {}
        self.whole = whole
        self.segments: list[list[Operator]] = []
        self.overwriting: list[Operator] = []
        self.fetches: dict[str, str] = {}
        self.caught: str | None = None
        self.printed: list[tuple[list[Any], dict[str, Any]]] = []
        self._names: dict[int, str] = {}

    def variable(self, tensor: Tensor) -> Variable:
        """The Variable that stands for a Tensor."""
        block = self.program.global_block()
        name = self._names.get(id(tensor))
        if name is not None:
            return block.vars[name]
        name = tensor.name
        while block.has_var(name):
            name = unique_name.generate(name)
        made: Variable
        if isinstance(tensor, EagerParamBase):
            made = block.create_parameter(
                name=name, shape=tensor.shape, dtype=tensor.dtype, trainable=tensor.trainable, optimize_attr=tensor.optimize_attr,
                regularizer=tensor.regularizer, need_clip=tensor.need_clip,
            )  # fmt: skip
        else:
            made = block._add_var(name=name, shape=tensor.shape, dtype=tensor.dtype, type=VarType.LOD_TENSOR, persistable=True)
        # whether gradients flow is the Tensor's to say, at every call
        made._stop_gradient = False
        self.bound[name] = tensor
        self._names[id(tensor)] = name
        return made

    def read_instead(self, var: Variable, other: Variable) -> None:
        """From now on, another Variable stands for the Tensor that this one is bound to."""
        self._names = {key: other.name if name == var.name else name for key, name in self._names.items()}


def as_variable(value: Any) -> Any:
    """In a recording, the Variable of a Tensor; any other value as it is."""
    return current.variable(value) if current is not None and isinstance(value, Tensor) else value


def may_leave() -> bool:
    """Whether a recording is under way that eager mode may take over, so that all has to be as eager mode has it."""
    return current is not None and not current.whole


def segment(function: Callable[[], Any]) -> Any:
    """What a function returns, which a recording notes as one that is to be computed again."""
    assert current is not None
    block = current.program.current_block()
    begin = len(block.ops)
    out = function()
    current.segments.append(block.ops[begin:])
    return out


def overwritten(x: Any, value: Any) -> Any:
    """What a function that overwrites x returns in a Program: a new Variable; in a recorded function x itself, overwritten."""
    if current is None:
        return value
    target = as_variable(x)
    if value is target:
        return x
    block, made = target.block.program.current_block(), target.op
    current.overwriting.append(block.append_op(type="assign", inputs={"X": [value]}, outputs={"Out": [target]}))
    if target.stop_gradient and not value.stop_gradient:  # gradients flow through what is written, as in eager mode
        if made is not None and made.block._inputs_stop(made):
            target._stop_gradient = False  # zeros to be filled, say: nothing flowed before
        else:
            target.stop_gradient = False
    return x


def stops() -> bool:
    """Whether what is recorded now stops gradients: a recorded function's `no_grad`."""
    return current is not None and not torch.is_grad_enabled()


@contextmanager
def capturing(capture: Capture) -> Iterator[None]:
    """Record what is called inside into the capture's Program, Tensors included."""
    global current
    from paddle_compat.core.program import program_guard

    former, current = current, capture
    former_mode = mode.set_static(True)
    former_class, _op._tensor_class = _op._tensor_class, _Nothing
    direct.hold(True, "recording")
    methods = {name: vars(Tensor).get(name) for name in part_methods}
    for name, method in part_methods.items():
        setattr(Tensor, name, method)
    try:
        with program_guard(capture.program, capture.startup), unique_name.guard(), torch.enable_grad():
            yield
    finally:
        for name, own in methods.items():
            if own is None:
                delattr(Tensor, name)
            else:
                setattr(Tensor, name, own)
        direct.hold(former is not None, "recording")
        _op._tensor_class = former_class
        mode.set_static(former_mode)
        current = former
