"""One operator, written once: the registry, and what calling an operator does.

    @op(inputs=("X", "Y"), outputs=("Out",), grad=("X", "Y"))
    def elementwise_add(x, y, *, axis=-1):
        return torch.add(x, align(y, x, axis))

The function takes torch tensors in slot order and Paddle's attributes as keyword-only arguments with Paddle's defaults.

Slots
    ``"X"`` required; ``"X?"`` optional (None when absent); ``"X*"`` a list, ``"X*?"`` one that may be absent; a trailing ``@1`` or
    ``@2`` says that the slot exists in Paddle 1.x / 2.x only. An output ``"XShape~"`` is written into Programs because the real operator
    has it: the function does not return it (its shape comes from `describe`); ``"ReserveSpace~?"`` may be left out of an
    operator appended by hand. The function returns its computed outputs in order: one value, or a tuple.
    A described output costs nothing until a Program's user fetches it or another operator reads it; then it is computed by
    ``derive={"Mean": rule}``, ``rule(*inputs, *outputs, **attrs)`` of the operator's (all) inputs and computed outputs, or by
    ``whole``, a function that takes the place of the operator's and returns what that returns and then every described
    output (for what the values do not tell, such as a dropout's mask). No gradients flow through it. XShape needs no rule.
Attributes
    Keyword-only parameters. Data types are VarType numbers (`core.dtype.torch_dtype` converts). A parameter that starts
    with ``_`` is a private switch between the behaviours of Paddle's versions: Programs carry it, nobody sees it. One
    that is False by default is True in Programs of Paddle 1.x; `_engine` is "minstd" there. `older={"overwrite": True}`: the
    default of a public one in Paddle 1.x.
Gradients
    Autograd differentiates the function. `grad` names the forward slots that Paddle's ``<type>_grad`` operator reads beside
    the output gradients, so that Programs look like Paddle's; ``grad=None`` means that Paddle has no gradient for it. Where
    1.x and 2.x differ: ``{1: (...), 2: (...)}`` (an age that is left out has none). `no_grad` names inputs that get no
    gradient (integer inputs mostly; ``"Bias@2"``: none in 2.x).
    The gradient operator reads the first output's gradient; where it reads others, `grad` names them: ``"Loss@GRAD"``.
    A name there that is no output's is another name for the first output.
    `grad_maker(op, grad_outs, grad_ins)` is for gradients that are ordinary operators in Paddle (scale's is a scale): it
    returns ``[(type, inputs, outputs, attrs), ...]`` from the names of the gradients per slot ("" where none is wanted); None
    for the usual gradient operator.
LoD
    A parameter ``x_lod`` (keyword-only) receives the LoD of the argument ``x``. By default each output takes the first
    input's LoD; ``lod=None``: outputs have none; ``lod="rows"``: only outputs with as many rows take it; ``lod="joined"``: where
    `axis` is the first dimension, the LoDs of a list follow one another; ``lod=rule``: they take it if ``rule(rank, **attrs)``,
    with the rank of the first input; ``lod=("Out",)``: the function returns, after its outputs, one LoD for each output named.
    Operators that take LoD declare `infer`.
Shapes
    Recording runs the function on meta tensors (see `core.infer`). Where that cannot work (shapes that depend on values,
    broadcasting against an unknown dimension) `infer` states the rule: ``infer(*inputs: Meta, **attrs) -> Meta | tuple[Meta, ...]``.
State
    `inplace={"ParamOut": "Param"}`: the function updates that input in place and returns it.
    `continues="OutScales"`: Paddle's operator goes on with what stands in that output, and has no input slot for it; in Programs the
    function takes it behind its inputs, None where nothing stands there.
    `fused`: a function that does many neighbouring operators of this type at once; see `engine.updates`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import torch

from paddle_compat.core import mode
from paddle_compat.core.errors import UnknownOperatorError, invalid_argument, type_error
from paddle_compat.core.ranks import raising

_REGISTRY: dict[str, Op] = {}
# Set by core.tensor and core.program when they load; both are needed only to dispatch, not to register.
_tensor_class: type[Any] = type(None)
_new: Callable[[], Any] = object  # a Tensor without anything in it
_torch_tensor = torch.Tensor
_variable_class: type[Any] = type(None)


def _run(definition: Op, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
    """Run an operator at once: `core.eager.run`, which takes this function's place when it loads."""
    from paddle_compat.core.eager import run

    return run(definition, inputs, attrs)


def _finish(definition: Op, args: list[Any], out: Any) -> Any:
    """Tensors of what an operator's function returned: `core.eager.finish`, which takes this function's place when it loads."""
    from paddle_compat.core.eager import finish

    return finish(definition, args, out)


# Operators whose results are memory of their own in Paddle, where torch gives windows on the input, or the input itself.
APART = frozenset({
    "broadcast_tensors", "cast", "channel_shuffle", "conj", "crop", "crop_tensor", "dropout", "einsum", "expand", "expand_as",
    "expand_as_v2", "expand_v2", "split", "unstack",
})  # fmt: skip
plain = True  # whether nobody wants to see the operators that run at once: `core.direct.hold` sets it
recorded = True  # whether the gradient is on in all threads (`core/grad_mode.py`)
_UNFIT = (ArithmeticError, AssertionError, AttributeError, RuntimeError, LookupError, TypeError, ValueError)


@dataclass(frozen=True)
class Slot:
    """One input or output slot of an operator."""

    name: str
    is_list: bool = False
    optional: bool = False
    described: bool = False  # an output that is written into Programs, and computed only when somebody reads it
    age: int = 0  # 1: only in Paddle 1.x, 2: only since 2.x, 3: only since 3.x

    @staticmethod
    def parse(text: str) -> Slot:
        """``"X*"``, ``"X?"``, ``"XShape~"``, ``"MasterParam?@2"`` ..."""
        name, _, age = text.partition("@")
        marks = name.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
        return Slot(
            name[: len(name) - len(marks)], "*" in marks, "?" in marks, "~" in marks, int(age or 0)
        )


@dataclass(frozen=True)
class Meta:
    """What recording knows of a value: its shape (-1: unknown), torch dtype, LoD level and kind of variable."""

    shape: tuple[int, ...]
    dtype: torch.dtype = torch.float32
    lod_level: int | None = None  # None: the default rule decides
    kind: str = "tensor"  # "tensor" | "array" | "rows" (SelectedRows) | "coo" (sparse, of paddle.sparse)


@dataclass
class Op:
    """An operator: its function, its schema, and by calling it, its use."""

    type: str
    fn: Callable[..., Any]
    inputs: tuple[Slot, ...]
    outputs: tuple[Slot, ...]
    attrs: dict[str, Any]
    required: frozenset[str]
    grad: Mapping[int, tuple[str, ...]] | None
    no_grad: tuple[Slot, ...]
    grad_type: str
    grad_maker: Callable[..., list[tuple[Any, ...]] | None] | None
    infer: Callable[..., Any] | None
    describe: Mapping[str, Callable[..., Any]]
    lod: str | tuple[str, ...] | Callable[..., bool] | None
    args: tuple[str, ...]
    lod_args: tuple[str, ...]
    inplace: Mapping[str, str]
    continues: str | None
    fused: Callable[..., Any] | None
    random: bool
    derive: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    whole: Callable[..., Any] | None = None
    older: Mapping[str, Any] = field(default_factory=dict)
    returns: tuple[Slot, ...] = field(init=False)
    first_age: dict[str, Any] = field(init=False)  # the private switches as Paddle 1.x behaves
    frozen: tuple[int, ...] = field(init=False)  # the inputs that get no gradient in eager mode
    absent: list[Any] = field(init=False)  # what the function takes for each input that is left out
    behind: list[Any] = field(init=False)  # of these, those behind the first
    mended: bool = field(init=False)  # whether something is done to what the function returns before it becomes Tensors
    repeats: bool = field(init=False)  # whether calling the function again after it failed changes nothing

    def __post_init__(self) -> None:
        self.first_age = {k: True for k, v in self.attrs.items() if k.startswith("_") and v is False}
        if "_engine" in self.attrs:
            self.first_age["_engine"] = "minstd"
        self.returns = tuple(s for s in self.outputs if not s.described)
        ages = [age for age in (2, 1) if self.grad_slots(age) is not None]
        given = {s.name for s in self.differentiable(ages[0])} if ages else set()
        self.frozen = () if self.inplace else tuple(i for i, s in enumerate(self.inputs) if s.name not in given)
        self.absent = [[] if s.is_list else None for s in self.inputs]
        self.behind = self.absent[1:]
        self.mended = isinstance(self.lod, tuple) or self.type in APART
        self.repeats = not (self.inplace or self.random or self.type == "py_func")
        self.__name__ = self.type
        self.__doc__ = self.fn.__doc__
        self.__wrapped__ = self.fn

    def slot(self, name: str) -> Slot | None:
        """The input or output slot of that name."""
        return next((s for s in self.inputs + self.outputs if s.name == name), None)

    def given(self, attrs: Mapping[str, Any]) -> dict[str, Any]:
        """Attributes of a call at once without those left out by None, which is false where the default is true."""
        return {k: v is not None and v for k, v in attrs.items() if v is not None or self.attrs.get(k) is True}

    def derives(self, name: str) -> bool:
        """Whether a described output of that name is computed when somebody reads it."""
        return name == "XShape" or self.whole is not None or name in self.derive

    def defaults(self, age: int) -> dict[str, Any]:
        """The attributes' defaults in Programs of Paddle 1.x (age 1) or 2.x (age 2)."""
        return {**self.attrs, **self.first_age, **self.older} if age == 1 else self.attrs

    def grad_slots(self, age: int) -> tuple[str, ...] | None:
        """Forward slots that the gradient operator of Paddle 1.x (age 1) or 2.x (age 2) reads."""
        return None if self.grad is None else self.grad.get(age)

    def differentiable(self, age: int) -> list[Slot]:
        """The inputs to which the gradient operator of Paddle 1.x (age 1) or 2.x (age 2) gives gradients."""
        never = {s.name for s in self.no_grad if s.age in (0, age)}
        return [s for s in self.inputs if s.name not in never]

    def __call__(
        self, /, *inputs: Any, _helper: Any = None, _outputs: Mapping[str, Any] | None = None, **attrs: Any
    ) -> Any:
        """Run at once on Tensors; record into the current block when a Variable comes in or static mode is on.

        Args:
            inputs: one per input slot, in order (trailing optional ones may be left out); a list for a list slot.
            _helper: the `LayerHelper` (or layer type, as str) that names the outputs when recording; default: the op's type.
            _outputs: slot name -> existing Variable(s) to write to, when recording.
            attrs: Paddle's attributes.
        Returns:
            One value per computed output (a tuple when there are several). When recording, described outputs are left out.
        """
        if plain and self.repeats and inputs and (isinstance(inputs[0], _tensor_class) or type(inputs[0]) is list):
            try:  # what `core.eager.run` does where nobody wants to see the operator and nothing is wrong
                first: Any = inputs[0]
                if len(inputs) == 1:
                    args: list[Any] = [[part._t for part in first] if type(first) is list else first._t]
                    if self.behind:
                        args += self.behind
                else:
                    args = [v if v is None else [part._t for part in v] if type(v) is list else v._t for v in inputs]
                    if len(args) < len(self.absent):
                        args += self.absent[len(args) :]
                if self.frozen:
                    for i in self.frozen:
                        if type(value := args[i]) is list:
                            args[i] = [part.detach() for part in value]
                        elif value is not None and value.requires_grad:
                            args[i] = value.detach()
                if not attrs:
                    out = self.fn(*args)
                elif None in attrs.values():
                    out = self.fn(*args, **self.given(attrs))
                else:
                    out = self.fn(*args, **attrs)
                if type(out) is _torch_tensor and recorded and not self.mended:
                    made = _new()
                    made._t = out
                    made._kind = None
                    return made
                return _finish(self, args, out)
            except _UNFIT:  # the errors that users see are those of the long way
                pass
        for value in inputs:
            first = value[0] if (type(value) is list or type(value) is tuple) and value else value
            if isinstance(first, _tensor_class):
                if mode.is_static():
                    raise type_error("inputs", "Variables, as static mode is on (see paddle.disable_static)", first, self.type)
                return _run(self, inputs, attrs)
            if isinstance(first, _variable_class):
                if mode.is_static() is False:
                    raise invalid_argument("inputs", "Tensors, as eager mode is on", f"the Variable {first.name}", self.type)
                from paddle_compat.core.record import record

                return record(self, inputs, attrs, _helper, _outputs)
        if mode.in_dygraph_mode() and not _outputs:
            return _run(self, inputs, attrs)
        from paddle_compat.core.record import record

        return record(self, inputs, attrs, _helper, _outputs)

    def __repr__(self) -> str:
        return f"<op {self.type}>"


def _ages(grad: Sequence[str] | Mapping[int, Sequence[str]] | None) -> dict[int, tuple[str, ...]] | None:
    if grad is None:
        return None
    if isinstance(grad, Mapping):
        return {age: tuple(slots) for age, slots in grad.items()}
    return {1: tuple(grad), 2: tuple(grad)}


def op(
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = ("Out",),
    *,
    name: str | None = None,
    grad: Sequence[str] | Mapping[int, Sequence[str]] | None = None,
    no_grad: Sequence[str] = (),
    grad_type: str | None = None,
    grad_maker: Callable[..., list[tuple[Any, ...]] | None] | None = None,
    infer: Callable[..., Any] | None = None,
    describe: Mapping[str, Callable[..., Any]] | None = None,
    lod: str | Sequence[str] | Callable[..., bool] | None = "share",
    inplace: Mapping[str, str] | None = None,
    continues: str | None = None,
    fused: Callable[..., Any] | None = None,
    random: bool = False,
    derive: Mapping[str, Callable[..., Any]] | None = None,
    whole: Callable[..., Any] | None = None,
    older: Mapping[str, Any] | None = None,
) -> Callable[[Callable[..., Any]], Op]:
    """Register a function as an operator; see the module's docstring for every argument.

    Args:
        name: the operator's type, where it cannot be the function's name (`range`, `sum`, `hash`, ...).
        random: the operator draws random numbers (it is never reused, reordered or run twice).
    """

    def register(fn: Callable[..., Any]) -> Op:
        type_ = name or fn.__name__
        parameters = inspect.signature(fn).parameters.values()
        positional = tuple(p.name for p in parameters if p.kind is not p.KEYWORD_ONLY)
        keyword = [p for p in parameters if p.kind is p.KEYWORD_ONLY]
        if fn.__name__ != type_ and fn.__name__ in ("fn", "<lambda>"):
            fn.__name__ = fn.__qualname__ = type_  # functions made from a table read by their operator's name in graphs
        arguments = {p.name for p in parameters if p.kind is not p.KEYWORD_ONLY}
        lod_args = tuple(p.name for p in keyword if p.name.removesuffix("_lod") in arguments)
        attrs = {p.name: p.default for p in keyword if p.name not in lod_args}
        made = Op(
            type=type_,
            fn=raising(fn),
            inputs=tuple(map(Slot.parse, inputs)),
            outputs=tuple(map(Slot.parse, outputs)),
            attrs={k: v for k, v in attrs.items() if v is not inspect.Parameter.empty},
            required=frozenset(k for k, v in attrs.items() if v is inspect.Parameter.empty),
            grad=_ages(() if grad is None and grad_maker is not None else grad),
            no_grad=tuple(map(Slot.parse, no_grad)),
            grad_type=grad_type or type_ + "_grad",
            grad_maker=grad_maker,
            infer=raising(infer),
            describe=describe or {},
            lod=lod if lod is None or isinstance(lod, str) or callable(lod) else tuple(lod),
            args=positional,
            lod_args=lod_args,
            inplace=inplace or {},
            continues=continues,
            fused=fused,
            random=random,
            derive=derive or {},
            whole=whole,
            older=older or {},
        )
        # a module that failed to import registers its operators again on the next try
        if type_ in _REGISTRY and _REGISTRY[type_].fn.__module__ != fn.__module__:
            raise ValueError(f"operator {type_!r} is registered twice: {_REGISTRY[type_].fn} and {fn}")
        _REGISTRY[type_] = made
        return made

    return register


def _library() -> Any:
    """The operators' package, a floor above this one, loaded when the first operator is asked for."""
    return import_module("paddle_compat.ops")


def find_op(type_: str) -> Op | None:
    """The operator of that type, loading the operator library if need be; None if there is none."""
    found = _REGISTRY.get(type_)
    if found is None:
        _library().load(type_)
        found = _REGISTRY.get(type_)
    return found


def definition_of(type_: str) -> Op:
    """The operator of that type; UnknownOperatorError if there is none."""
    found = find_op(type_)
    if found is None:
        raise UnknownOperatorError(type_)
    return found


def registered() -> dict[str, Op]:
    """All operators, by type."""
    _library().load_all()
    return dict(_REGISTRY)
