"""Weights divided by their largest singular value."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.functional.norm import normalize
from paddle_compat.nn.layer.common import Linear
from paddle_compat.nn.layer.conv import Conv1DTranspose, Conv2DTranspose, Conv3DTranspose


class SpectralNorm:
    """What computes a layer's weight anew each time before it is called.

    Args:
        name: the weight's name.
        n_power_iterations: iterations for each call in training.
        dim: the dimension of outputs.
        eps: the least length.
    """

    def __init__(self, name: str, n_power_iterations: int, dim: int, eps: float) -> None:
        self.name, self.n_power_iterations, self.dim, self.eps = name, n_power_iterations, dim, eps

    def rows(self, weight: Any) -> Any:
        """The weight as a matrix, a row for each output."""
        rank = len(weight.shape)
        if self.dim:
            weight = T.transpose(weight, [self.dim, *(d for d in range(rank) if d != self.dim)])
        return T.reshape(weight, [weight.shape[0], -1])

    def compute_weight(self, layer: Any) -> Any:
        """The layer's weight; in training the vectors come closer to those of the largest singular value."""
        weight, u, v = (getattr(layer, self.name + suffix) for suffix in ("_orig", "_u", "_v"))
        rows = self.rows(weight)
        if isinstance(rows, Tensor):
            left, right = self._vectors(rows._t, u._t, v._t, layer.training)
        else:
            left, right = self._recorded(rows, u, v, layer.training)
        return weight / T.dot(left, T.mv(rows, right))

    def _vectors(self, rows: torch.Tensor, u: torch.Tensor, v: torch.Tensor, training: bool) -> tuple[Tensor, Tensor]:
        """Copies of the vectors, as the next call overwrites them."""
        if training:
            with torch.no_grad():
                for _ in range(self.n_power_iterations):
                    v.data.copy_(torch.nn.functional.normalize(rows.t() @ u, dim=0, eps=self.eps))
                    u.data.copy_(torch.nn.functional.normalize(rows @ v, dim=0, eps=self.eps))
        return Tensor(u.detach().clone()), Tensor(v.detach().clone())

    def _recorded(self, rows: Any, u: Any, v: Any, training: bool) -> tuple[Any, Any]:
        """The same in a function that is recorded."""
        left, right = u, v
        if training:
            fixed = rows.detach()
            for _ in range(self.n_power_iterations):
                right = normalize(T.matmul(fixed, left, transpose_x=True), axis=0, epsilon=self.eps)
                left = normalize(T.matmul(fixed, right), axis=0, epsilon=self.eps)
            T.assign(right, v)
            T.assign(left, u)
        return left, right

    def __call__(self, layer: Any, inputs: Any) -> None:
        setattr(layer, self.name, self.compute_weight(layer))


def spectral_norm(layer: Any, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None) -> Any:
    """Divide a layer's weight by its largest singular value, before every call.

    Args:
        layer: a layer of eager mode.
        name (str): its weight's name.
        n_power_iterations (int): iterations for each call in training.
        eps (float): the least length.
        dim (int, optional): the dimension of outputs; None: 1 for transposed convolutions and Linear, else 0.
    Returns:
        The layer.
    Raises:
        TypeError: in static mode.
        ValueError: there are no iterations.
        RuntimeError: the weight is divided already.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.utils.spectral_norm(paddle.nn.Linear(2, 3))
        >>> layer(paddle.ones([1, 2])).shape, [name for name, _ in layer.named_parameters()]
        ([1, 3], ['bias', 'weight_orig'])

    Follows Paddle 2.6.
    """
    if not in_dygraph_mode():
        raise type_error("layer", "a layer made in eager mode; in a Program use paddle.static.nn.spectral_norm", layer, "spectral_norm")
    if n_power_iterations <= 0:
        raise invalid_argument("n_power_iterations", "a number above 0", n_power_iterations, "spectral_norm")
    for hook in layer._forward_pre_hooks.values():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            raise RuntimeError(f"Parameter `{name}` has a spectral norm already. Expected one that has none. Received: {layer}")
    if dim is None:
        dim = int(isinstance(layer, (Conv1DTranspose, Conv2DTranspose, Conv3DTranspose, Linear)))
    made = SpectralNorm(name, n_power_iterations, dim, eps)
    weight = layer._parameters[name]
    shape = made.rows(weight).shape
    vectors = []
    for size in shape:
        layer.create_parameter(shape=[size])  # as the wheel does: the numbers that it takes from the row are not used
        drawn = T.normal(0.0, 1.0, [size])
        vectors.append(Tensor(torch.nn.functional.normalize(drawn._t, dim=0, eps=eps)))
    del layer._parameters[name]
    layer.add_parameter(name + "_orig", weight)
    setattr(layer, name, weight * 1.0)
    for suffix, vector in zip(("_u", "_v"), vectors):
        layer.register_buffer(name + suffix, vector)
    layer.register_forward_pre_hook(made)
    return layer


__all__ = ["spectral_norm"]

__getattr__ = missing(__name__)
