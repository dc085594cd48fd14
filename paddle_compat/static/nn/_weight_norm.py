"""Parameters that are split into direction and length (`WeightNormParamAttr`)."""

from __future__ import annotations

import copy
from typing import Any

from paddle_compat.core import unique_name
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.variable import Variable


class _Lengths:
    """Records how lengths are computed: in the startup program the first ones, in the main program those of a run."""

    def __init__(self, helper: LayerHelper, block: Any) -> None:
        self.helper, self.block = helper, block

    def variable(self, kind: str, dtype: Any) -> Variable:
        """``<layer>.weight_norm_<kind>_<n>``."""
        name = unique_name.generate(f"{self.helper.name}.weight_norm_{kind}")
        made: Variable = self.block._add_var(name=name, dtype=dtype, persistable=False)
        return made

    def append(self, type_: str, x: Variable, kind: str, out: Variable | None = None, **attrs: Any) -> Variable:
        """One operator of one input, which writes to `out` or to a variable of that kind."""
        out = self.variable(kind, x.dtype) if out is None else out
        self.block.append_op(type=type_, inputs={"X": x}, outputs={"Out": out}, attrs=attrs)
        return out

    def reshape(self, x: Variable, shape: list[int], out: Variable | None = None) -> Variable:
        """1.8 uses the operator `reshape`; in 2.6 all these reshapes share one shadow variable."""
        if self.helper.age == 1:
            return self.append("reshape", x, "reshape", out, shape=shape)
        out = self.variable("reshape", x.dtype) if out is None else out
        shadow = self.block._add_var(name="Xshape", dtype=x.dtype)
        outputs = {"Out": out, "XShape": shadow}
        self.block.append_op(type="reshape2", inputs={"X": x}, outputs=outputs, attrs={"shape": shape})
        return out

    def norm(self, x: Variable, dim: int | None, out: Variable) -> Variable:
        """The length along `dim`, or of everything."""
        squares = self.append("pow", self.append("abs", x, "abs"), "pow", factor=2.0)
        axes: dict[str, Any] = {"dim": [dim or 0], "reduce_all": dim is None}
        total = self.append("reduce_sum", squares, "sum", keep_dim=False, **axes)
        return self.append("pow", total, "norm", out, factor=0.5)

    def norm_except(self, x: Variable, dim: int | None, out: Variable) -> Variable:
        """The lengths over all dimensions but `dim`, of a shape that broadcasts against x."""
        if dim is None:
            return self.norm(x, None, out)
        rank = len(x.shape)
        if dim == 0:
            rows = self.reshape(x, [x.shape[0], -1])
            flat = self.norm(rows, 1, self.variable("norm", x.dtype))
            return self.reshape(flat, [x.shape[0]] + [1] * (rank - 1), out)
        if dim == rank - 1:
            columns = self.reshape(x, [-1, x.shape[dim]])
            flat = self.norm(columns, 0, self.variable("norm", x.dtype))
            return self.reshape(flat, [1] * (rank - 1) + [x.shape[dim]], out)
        turn = list(range(rank))
        turn[0], turn[dim] = dim, 0
        turned = self.append("transpose", x, "transpose", axis=turn)
        rows = self.reshape(turned, [turned.shape[0], -1])
        flat = self.norm(rows, 1, self.variable("norm", x.dtype))
        kept = self.reshape(flat, [turned.shape[0]] + [1] * (rank - 1))
        return self.append("transpose", kept, "transpose", out, axis=turn)


def weight_norm_parameter(helper: LayerHelper, attr: Any, shape: Any, dtype: Any) -> Variable:
    """The weight g v / |v|, with parameters g (lengths) and v (directions); g starts as the lengths of v.

    Args:
        helper: of the layer that wants the weight.
        attr (WeightNormParamAttr): how v starts; along its `dim` there is a length for each index, None: there is one.
        shape: of the weight.
        dtype: of the weight.
    """
    shape = [int(d) for d in shape]
    lengths_shape = [1] * len(shape)
    if attr.dim is not None:
        lengths_shape[attr.dim] = shape[attr.dim]
    startup, main = helper.startup_program.global_block(), helper.main_program
    made = []
    for suffix, size in (("_g", lengths_shape), ("_v", shape)):
        part = copy.deepcopy(attr)
        part.name = attr.name + suffix
        startup.create_parameter(dtype=dtype, shape=size, **part._to_kwargs(with_initializer=suffix == "_v"))
        made.append(main.global_block().create_parameter(dtype=dtype, shape=size, **part._to_kwargs()))
    g, v = made
    first = _Lengths(helper, startup)
    first.norm_except(startup.var(v.name), attr.dim, startup.var(g.name))
    first.reshape(startup.var(g.name), lengths_shape, startup.var(g.name))
    if helper.age == 2 and attr.dim is None:
        startup.var("Xshape").shape = (0,)  # the one length has no dimensions before it is reshaped
    lengths = _Lengths(helper, main.current_block())
    return _scaled(helper, g, v, lengths.norm_except(v, attr.dim, lengths.variable("norm", dtype)), attr.dim)


def _scaled(helper: LayerHelper, g: Variable, v: Variable, lengths: Variable, dim: int | None) -> Variable:
    """g v / lengths."""
    from paddle_compat.ops import elementwise, manipulation

    def binary(definition: Any, x: Variable, y: Variable, axis: int) -> Variable:
        own = LayerHelper(definition.type, age=helper.age)
        # 2.6 names the results of these as if they were layers
        outputs = {"Out": own.create_variable(name=own.name, dtype=x.dtype)} if helper.age == 2 else None
        result: Variable = definition(x, y, axis=axis, _helper=own, _outputs=outputs)
        return result

    scale = binary(elementwise.elementwise_div, g, lengths, -1)
    if dim is None:
        return binary(elementwise.elementwise_mul, v, scale, -1)
    # as a vector, which lies along `dim`
    flat = manipulation.reshape2(scale, shape=[v.shape[dim]], _helper="reshape2")
    return binary(elementwise.elementwise_mul, v, flat, dim)
