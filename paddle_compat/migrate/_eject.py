"""What Layers and functions compute as programs of torch's own operators, which need paddle_compat no more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from paddle_compat.core.dtype import torch_dtype
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.tensor import Tensor
from paddle_compat.migrate._bridge import as_module, from_torch, to_torch
from paddle_compat.migrate._known_sizes import KnownSizes
from paddle_compat.nn import Layer
from paddle_compat.static import InputSpec

# What stands for sizes that are left open while operators are written down: a few examples or words; images, as networks halve them often.
_TRIED, _HIGH, _WIDE = 6, 192, 256


def eject(layer: Layer | Callable[..., Any], input_spec: Sequence[Any]) -> torch.export.ExportedProgram:
    """Write down what a Layer computes, in inference mode, as torch's own program.

    `torch.export.save` writes it to a file that torch alone loads, in Python or C++; `program.module()` is a torch module with
    the Layer's parameters under the Layer's names, which can be trained on.

    Args:
        layer: a Layer, or a function of Tensors.
        input_spec: an InputSpec or a Tensor for each input. Sizes that are None or -1 are left open.
    Returns:
        torch.export.ExportedProgram: takes torch tensors. What it takes for an open size, `range_constraints` says.
    Raises:
        TypeError: an input is neither InputSpec nor Tensor.
        torch's own errors: what is computed depends on numbers that are known only then.

    Example:
        >>> import torch
        >>> import paddle_compat as paddle
        >>> from paddle_compat.migrate import eject
        >>> net = paddle.nn.Sequential(paddle.nn.Linear(4, 8), paddle.nn.ReLU())
        >>> program = eject(net, [paddle.static.InputSpec([None, 4])])
        >>> program.module()(torch.ones(3, 4)).shape
        torch.Size([3, 8])
    """
    module = as_module(layer) if isinstance(layer, Layer) else _Function(layer)
    given = [_example(spec) for spec in input_spec]
    was_training, forward = module.training, module.forward
    module.eval()

    def followed(*args: torch.Tensor) -> Any:
        with KnownSizes():
            return forward(*args)

    module.forward = followed  # behind torch's own modes, which export enters first
    try:
        values, sizes = (tuple(part) for part in zip(*given))
        return torch.export.export(module, values, dynamic_shapes={"args": sizes}, strict=False)
    finally:
        del module.forward
        module.train(was_training)


class _Function(torch.nn.Module):
    """A function of Tensors."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: torch.Tensor) -> Any:
        return to_torch(self.function(*from_torch(args)))


def _example(spec: Any) -> tuple[torch.Tensor, dict[int, Any]]:
    """A value for an input, and which of its sizes are open."""
    if isinstance(spec, Tensor):
        return spec._t.detach(), {}
    if not isinstance(spec, InputSpec):
        raise invalid_argument("input_spec", "InputSpecs or Tensors", spec, "eject")
    open_ = [axis for axis, size in enumerate(spec.shape) if size is None or size < 0]
    shape = [_TRIED if axis in open_ else size for axis, size in enumerate(spec.shape)]
    sides = [axis for axis in open_ if axis > 0] if len(shape) > 3 else []
    for axis, size in zip(reversed(sides), (_WIDE, _HIGH)):
        shape[axis] = size
    return torch.zeros(shape, dtype=torch_dtype(spec.dtype)), dict.fromkeys(open_, torch.export.Dim.DYNAMIC)
