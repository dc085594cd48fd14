"""Attributes whose value a Variable gives, in each run anew (Paddle 2.x): `axis=Variable`, `p=Variable`.

In the description of an operator they stand among the attributes, not among the inputs. Only some operators take them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.core.op import Meta, Op
from paddle_compat.core.variable import Variable

if TYPE_CHECKING:
    from paddle_compat.core.operator import Operator


class _Taken(NamedTuple):
    """What an operator that takes a Variable does with it.

    Attributes:
        many: whether the attribute is a list.
        hangs: what of the output's shape hangs on it: "all" dimensions, those of the "image", one by its number, or None.
    """

    many: bool = False
    hangs: str | int | None = None


_REDUCED = _Taken(many=True, hangs="all")
_TAKEN: dict[str, dict[str, _Taken]] = {
    **{name: {"dim": _REDUCED} for name in ("reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod")},
    **{name: {"axis": _Taken(hangs="all")} for name in ("arg_max", "arg_min")},
    **{name: {"output_size": _Taken(many=True, hangs="image")} for name in ("conv2d_transpose", "depthwise_conv2d_transpose", "unpool")},
    "bincount": {"minlength": _Taken()},
    "cumsum": {"axis": _Taken()},
    "dropout": {"dropout_prob": _Taken()},
    "eye": {"num_rows": _Taken(hangs=0), "num_columns": _Taken(hangs=1)},
    "fill_any_like": {"value": _Taken()},
    "lstsq": {"rcond": _Taken()},
    "multinomial": {"num_samples": _Taken(hangs=-1)},
    "pad": {"pad_value": _Taken()},
    "pool2d": {"ksize": _Taken(many=True, hangs="image")},
    "squeeze2": {"axes": _Taken(many=True, hangs="all")},
    "uniform_random": {"min": _Taken(), "max": _Taken()},
}


def variables_of(value: Any) -> list[Variable]:
    """The Variables that an attribute's value consists of; none for a plain value."""
    if isinstance(value, Variable):
        return [value]
    return [v for v in value if isinstance(v, Variable)] if isinstance(value, (list, tuple)) else []


def reads(op: Operator) -> list[str]:
    """Names of all variables that the operator needs: its inputs and those that give attributes."""
    names = list(op.input_arg_names)
    if op.type == "distributed_push_sparse":  # which has gradients among its outputs
        names += op.output_arg_names
    if op.type in _TAKEN:
        names += [v.name for value in op.attrs.values() for v in variables_of(value)]
    return names


def check_attributes(type_: str, attrs: Mapping[str, Any]) -> None:
    """InvalidArgumentError, where a Variable stands for an attribute of an operator that does not take one."""
    taken = _TAKEN.get(type_, {})
    for name, value in attrs.items():
        given = variables_of(value)
        if given and name not in taken:
            raise InvalidArgumentError(
                f"Invalid type for attribute `{name}` of operator `{type_}`. Expected a number, string or list of them. "
                f"Received: the Variable {given[0].name}"
            )


def is_list(type_: str, name: str) -> bool:
    """Whether an attribute that a Variable gives is a list."""
    return _TAKEN[type_][name].many


def stand_ins(definition: Op, inputs: list[Any], attrs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Inputs and attributes to infer with, when Variables give some of these."""
    given = {name: value for name, value in attrs.items() if variables_of(value)}
    plain = dict(attrs)
    for name, value in given.items():
        taken = _TAKEN[definition.type][name]
        if not taken.many:
            plain[name] = definition.attrs.get(name, 1)
        elif taken.hangs == "all":
            plain[name] = list(range(_count(value)))
        else:
            plain[name] = definition.attrs.get(name) or [1] * _count(value)
        if taken.hangs == "all":  # any axis fits a tensor whose dimensions are all 1
            inputs = [Meta((1,) * len(m.shape), m.dtype, m.lod_level, m.kind) if isinstance(m, Meta) else m for m in inputs]
    return inputs, plain


def unknown_dimensions(definition: Op, attrs: Mapping[str, Any], out: Any) -> Any:
    """The Meta of an output (or their list), without the dimensions that hang on a Variable."""
    if not isinstance(out, Meta):
        return out
    shape = list(out.shape)
    for name, value in attrs.items():
        hangs = _TAKEN[definition.type][name].hangs if variables_of(value) and not attrs.get("reduce_all") else None
        if hangs == "all":
            shape = [-1] * len(shape)
        elif hangs == "image":
            start = 1 if attrs.get("data_format") == "NHWC" else 2
            shape[start : start + 2] = [-1, -1]
        elif isinstance(hangs, int):
            shape[hangs] = -1
    return Meta(tuple(shape), out.dtype, out.lod_level, out.kind)


def _count(value: Any) -> int:
    """How many numbers Variables give, as far as can be told."""
    return max(math.prod(value.shape), 1) if isinstance(value, Variable) else len(value)


def value_of(given: Any) -> Any:
    """The number that a tensor holds, at run time."""
    return given.reshape(-1)[0].item()


def values_of(given: Any) -> list[Any]:
    """The numbers that a tensor, or each tensor of a list, holds."""
    return [value_of(each) for each in given] if isinstance(given, (list, tuple)) else given.reshape(-1).tolist()
