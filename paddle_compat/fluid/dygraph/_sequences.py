"""The two layers of `fluid.dygraph.nn` that exist for Programs only: they need sequences with LoD."""

from __future__ import annotations

from typing import Any

from paddle_compat.core import mode
from paddle_compat.core.errors import failed_assertion
from paddle_compat.fluid.dygraph.layers import Layer
from paddle_compat.fluid.layers._record import run


class _SequenceLayer(Layer):
    """A layer whose weights have as many columns as what it is first called with."""

    def __init__(self, name_scope: str, param_attr: Any, act: str | None) -> None:
        name = type(self).__name__
        if mode.in_dygraph_mode():
            raise failed_assertion("mode", f"static mode, which {name} works in alone", "eager mode", name)
        super().__init__(name_scope)
        self._param_attr, self._act = param_attr, act


class SequenceConv(_SequenceLayer):
    """Convolution along the steps of sequences; in static mode only.

    Args:
        name_scope (str): prefix of the layer's names.
        num_filters (int): the width of the result.
        filter_size (int): how many steps count.
        filter_stride (int): 1.
        padding (bool): of no effect: what lies outside a sequence is 0.
        bias_attr, param_attr (ParamAttr): of bias and weight; False: no bias.
        act (str): an activation.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.dygraph.nn.SequenceConv("conv", 2, act="tanh")(fluid.data("x", [None, 4], lod_level=1)).shape
        (-1, 2)

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        name_scope: str,
        num_filters: int,
        filter_size: int = 3,
        filter_stride: int = 1,
        padding: Any = None,
        bias_attr: Any = None,
        param_attr: Any = None,
        act: str | None = None,
    ) -> None:
        super().__init__(name_scope, param_attr, act)
        self._num_filters, self._filter_size, self._filter_stride = num_filters, filter_size, filter_stride
        self._padding, self._bias_attr = padding, bias_attr

    def _build_once(self, input: Any) -> None:
        size = [self._filter_size * input.shape[1], self._num_filters]
        self.weight = self.create_parameter(shape=size, attr=self._param_attr, dtype=input.dtype)
        self.bias = self.create_parameter(shape=[self._num_filters], attr=self._bias_attr, dtype=input.dtype, is_bias=True)

    def forward(self, input: Any) -> Any:
        """Convolve.

        Args:
            input (Variable): [steps, width] with LoD.
        Returns:
            Variable [steps, num_filters] with that LoD.
        """
        size = self._filter_size
        out = run(
            "sequence_conv", input, None, self.weight, helper=self._helper, contextStride=self._filter_stride,
            contextStart=-(size // 2), contextLength=size,
        )  # fmt: skip
        if self.bias is not None:
            out = run("elementwise_add", out, self.bias, helper=self._helper, axis=1)
        return self._helper.append_activation(out, act=self._act)


class RowConv(_SequenceLayer):
    """Convolution of each column with the steps that follow; in static mode only.

    Args:
        name_scope (str): prefix of the layer's names.
        future_context_size (int): how many of the following steps count.
        param_attr (ParamAttr): of the weight.
        act (str): an activation.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.dygraph.nn.RowConv("conv", 2)(fluid.data("x", [None, 4], lod_level=1)).shape
        (-1, 4)

    Follows Paddle 1.8.
    """

    def __init__(self, name_scope: str, future_context_size: int, param_attr: Any = None, act: str | None = None) -> None:
        super().__init__(name_scope, param_attr, act)
        self._future_context_size = future_context_size

    def _build_once(self, input: Any) -> None:
        self.weight = self.create_parameter(shape=[self._future_context_size + 1, input.shape[1]], attr=self._param_attr, dtype=input.dtype)

    def forward(self, input: Any) -> Any:
        """Convolve.

        Args:
            input (Variable): [steps, width] with LoD.
        Returns:
            Variable of the shape and LoD of `input`.
        """
        out = run("row_conv", input, self.weight, helper=self._helper)
        return self._helper.append_activation(out, act=self._act)
