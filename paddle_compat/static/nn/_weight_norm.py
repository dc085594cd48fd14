"""Parameters that are split into direction and length (`WeightNormParamAttr`)."""

from __future__ import annotations

import copy
from typing import Any

from paddle_compat.core import unique_name
from paddle_compat.core.variable import Variable


class _Recorder:
    """Appends the operators that compute lengths, to the startup program (the first lengths) or to the main one."""

    def __init__(self, helper: Any, block: Any) -> None:
        self.helper, self.block = helper, block

    def variable(self, kind: str) -> Variable:
        name = unique_name.generate(f"{self.helper.name}.weight_norm_{kind}")
        return self.block.create_var(name=name, dtype=self.dtype, persistable=False)

    dtype: Any = None

    def append(self, type_: str, x: Variable, kind: str, out: Variable | None = None, **attrs: Any) -> Variable:
        out = self.variable(kind) if out is None else out
        outputs = {"Out": out}
        if type_ == "reshape2":
            outputs["XShape"] = self.block.create_var(name="Xshape", dtype=x.dtype)
        self.block.append_op(type=type_, inputs={"X": x}, outputs=outputs, attrs=attrs)
        return out

    def norm(self, x: Variable, dim: list[int] | None, out: Variable) -> Variable:
        """The length along `dim`, or of everything."""
        squares = self.append("pow", self.append("abs", x, "abs"), "pow", factor=2.0)
        axes: dict[str, Any] = {"dim": [0], "reduce_all": True} if dim is None else {"dim": dim, "reduce_all": False}
        total = self.append("reduce_sum", squares, "sum", keep_dim=False, **axes)
        return self.append("pow", total, "norm", out, factor=0.5)

    def norm_except(self, x: Variable, dim: int | None, out: Variable) -> Variable:
        """The lengths over all dimensions but `dim`, of a shape that broadcasts against x."""
        if dim is None:
            return self.norm(x, None, out)
        rank, last = len(x.shape), len(x.shape) - 1
        kept = [1] * rank
        kept[dim] = x.shape[dim]
        if dim == 0:
            flat = self.append("reshape2", x, "reshape", shape=[x.shape[0], -1])
            return self.append("reshape2", self.norm(flat, [1], self.variable("norm")), "norm", out, shape=kept)
        if dim == last:
            flat = self.append("reshape2", x, "reshape", shape=[-1, x.shape[dim]])
            return self.append("reshape2", self.norm(flat, [0], self.variable("norm")), "norm", out, shape=kept)
        turn = list(range(rank))
        turn[0], turn[dim] = dim, 0
        turned = self.append("transpose", x, "transpose", axis=turn)
        lengths = self.norm_except(turned, 0, self.variable("norm"))
        return self.append("transpose", lengths, "transpose", out, axis=turn)


def weight_norm_parameter(helper: Any, attr: Any, shape: Any, dtype: Any) -> Variable:
    """The weight g * v / |v|, with parameters g (lengths) and v (directions); g starts as the lengths of v."""
    shape = [int(d) for d in shape]
    lengths_shape = [1] * len(shape)
    if attr.dim is not None:
        lengths_shape[attr.dim] = shape[attr.dim]
    lengths_attr, directions_attr = copy.deepcopy(attr), copy.deepcopy(attr)
    lengths_attr.name, directions_attr.name = attr.name + "_g", attr.name + "_v"
    startup, main = helper.startup_program.global_block(), helper.main_program
    made = []
    for part, size in ((lengths_attr, lengths_shape), (directions_attr, shape)):
        kwargs = part._to_kwargs(with_initializer=part is directions_attr)
        startup.create_parameter(dtype=dtype, shape=size, **kwargs)
        made.append(main.global_block().create_parameter(dtype=dtype, shape=size, **part._to_kwargs()))
    g, v = made
    first = _Recorder(helper, startup)
    first.dtype = dtype
    start_g, start_v = startup.var(g.name), startup.var(v.name)
    first.norm_except(start_v, attr.dim, start_g)
    first.append("reshape2", start_g, "reshape", start_g, shape=lengths_shape)
    recorder = _Recorder(helper, main.current_block())
    recorder.dtype = dtype
    return _scaled(recorder, g, v, attr.dim)


def _scaled(recorder: _Recorder, g: Variable, v: Variable, dim: int | None) -> Variable:
    block = recorder.block

    def binary(type_: str, x: Variable, y: Variable, axis: int) -> Variable:
        out = block.create_var(name=unique_name.generate(type_), dtype=x.dtype, persistable=False)
        block.append_op(type=type_, inputs={"X": x, "Y": y}, outputs={"Out": out}, attrs={"axis": axis})
        return out

    lengths = recorder.norm_except(v, dim, recorder.variable("norm"))
    scale = binary("elementwise_div", g, lengths, -1)
    if dim is None:
        return binary("elementwise_mul", v, scale, -1)
    from paddle_compat.ops.manipulation import reshape2

    # as a vector along `dim`, for the axis of elementwise_mul
    return binary("elementwise_mul", v, reshape2(scale, shape=[v.shape[dim]], _helper="reshape2"), dim)


__all__ = ["weight_norm_parameter"]
