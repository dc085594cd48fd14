"""Methods of Tensors about gradients: backward passes, hooks, and what they leave."""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from paddle_compat.core import eager, hooks
from paddle_compat.core.errors import InvalidArgumentError, also_external, invalid_argument, type_error
from paddle_compat.core.given_gradients import give
from paddle_compat.core.lod import LoDTensor, to_numpy
from paddle_compat.core.shadows import history
from paddle_compat.core.tensor import EagerParamBase, Tensor
from paddle_compat.engine import eager_backward

Hook = Callable[[Tensor], Any]


def backward(self: Tensor, grad_tensor: Tensor | None = None, retain_graph: bool = False) -> None:
    """Leave the gradients of this Tensor in the leaves that it was made from, added to those that are there.

    Args:
        grad_tensor (Tensor): the gradient to start with, of the same shape; None: ones.
        retain_graph (bool): whether another backward pass may follow.
    Raises:
        AssertionError: grad_tensor is no Tensor, or of another shape.
        ValueError: retain_graph is no bool.
        SystemError: there was a backward pass before, without retain_graph.
        RuntimeError: a Tensor that the pass needs has been overwritten.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        >>> (x * x).backward()
        >>> x.grad.tolist()
        [2.0, 4.0]

    Follows Paddle 2.6.
    """
    seed = None
    if grad_tensor is not None:
        assert isinstance(grad_tensor, Tensor), f"The type of grad_tensor must be paddle.Tensor. Received: {type(grad_tensor).__name__}"
        assert grad_tensor.shape == self.shape, (
            f"Tensor shape not match, Tensor of grad_tensor: Expected {self.shape}, that of {self.name}. Received: {grad_tensor.shape}"
        )
        eager.together("backward", self, grad_tensor)
        seed = grad_tensor._t.to(self._t.dtype)
    if not isinstance(retain_graph, bool):
        raise invalid_argument("retain_graph", "a bool", repr(retain_graph), "Tensor.backward")
    if self._onward is None:
        eager_backward.backward([self._t], [seed], retain_graph)
        return
    seed = torch.ones_like(self._t) if seed is None else seed
    if self._kept is not None:
        self._t.grad = seed
    eager_backward.backward_from(self._onward.edge, torch.zeros_like(self._onward.like), retain_graph)


def clear_gradient(self: Tensor, set_to_zero: bool = True) -> None:
    """Forget the gradient.

    Args:
        set_to_zero (bool): leave zeros where there is a gradient; False: leave none.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([1.0], stop_gradient=False)
        >>> (x * 2).backward(); x.clear_gradient(); x.grad.tolist()
        [0.0]
        >>> x.clear_gradient(False); x.grad is None
        True

    Follows Paddle 1.8 and 2.6.
    """
    self._clear_grad(set_to_zero)


def clear_grad(self: Tensor) -> None:
    """Make the gradient zero, where there is one.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([1.0], stop_gradient=False)
        >>> (x * 2).backward(); x.clear_grad(); x.grad.tolist()
        [0.0]

    Follows Paddle 2.6.
    """
    self._clear_grad()


def gradient(self: Tensor) -> Any:
    """The gradient as numpy array.

    Returns:
        numpy.ndarray; (values, rows) where the gradient has some rows only; None: there is no gradient.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([1.0], stop_gradient=False)
        >>> (x * 2).backward(); x.gradient()
        array([2.], dtype=float32)

    Follows Paddle 1.8 and 2.6.
    """
    grad = self.grad
    if grad is None:
        return None
    if grad._t.is_sparse:
        found = grad._t.coalesce()
        return to_numpy(found.values()), to_numpy(found.indices()[0])
    return np.asarray(grad.numpy())


class TensorHookRemoveHelper:
    """What `register_hook` returns."""

    def __init__(self, name: str, handle: Any) -> None:
        self._name, self._handle = name, handle

    def remove(self) -> bool:
        """Take the hook away.

        Returns:
            bool: whether it was there.
        """
        if self._handle is None:
            warnings.warn(f"The backward hook of Tensor `{self._name}` does not exist or has been removed.", RuntimeWarning, stacklevel=2)
            return False
        self._handle.remove()
        self._handle = None
        return True


def register_hook(self: Tensor, hook: Hook) -> TensorHookRemoveHelper:
    """Have a function called with the gradient of this Tensor, which may return another one to go on with.

    Args:
        hook (callable): takes the gradient, returns a Tensor or None.
    Returns:
        An object whose `remove` takes the hook away.
    Raises:
        RuntimeError: gradients stop here.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([1.0], stop_gradient=False)
        >>> helper = x.register_hook(lambda grad: grad * 10)
        >>> (x * 2).backward(); x.grad.tolist()
        [20.0]

    Follows Paddle 2.6.
    """
    if self.stop_gradient:
        raise RuntimeError(
            f"Cannot register hook on a tensor that stop gradient. Expected stop_gradient=False. Received: `{self.name}` with True"
        )
    place = history(self._t)  # integers that nobody opened let gradients through, and never get one
    call = _called(hook) if place is self._t else _called_with_integers(self, hook)
    return TensorHookRemoveHelper(self.name, hooks.register(place, call) if place.requires_grad else None)


def _called(hook: Hook) -> hooks.Hook:
    """A hook on Tensors as one on torch's: what it computes has a history of its own, which nobody outside sees."""

    def call(grad: torch.Tensor) -> torch.Tensor | None:
        recorded = torch.is_grad_enabled()
        given = Tensor(grad if recorded else grad.detach().requires_grad_(grad.is_floating_point() or grad.is_complex()))
        given._open = True
        with torch.enable_grad():
            try:
                out = hook(given)
            except Exception as error:
                raise also_external(error) from error
        strided = type(grad) is torch.Tensor and grad.layout is torch.strided
        if out is None and strided and given._t.data_ptr() != grad.data_ptr():
            out = given  # changed in place, it got memory of its own: its elements had shared theirs
        if out is None:
            return None
        if not isinstance(out, Tensor):
            raise type_error("hook", "a function that returns a Tensor or None", out, "Tensor.register_hook")
        return out._t if recorded else out._t.detach()

    return call


def _called_with_integers(value: Tensor, hook: Hook) -> hooks.Hook:
    """`_called` on the shadow of integers, whose gradient the hook sees in their data type."""
    kind, call = value._t.dtype, _called(hook)

    def cut(grad: torch.Tensor) -> torch.Tensor | None:
        out = call(grad.to(kind))
        return None if out is None else out.to(grad.dtype)

    return cut


def retain_grads(self: Tensor, /) -> None:
    """Have `grad` of an operator's result kept, too.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([1.0], stop_gradient=False)
        >>> y = x * 2
        >>> y.retain_grads(); (y * 3).backward(); y.grad.tolist()
        [3.0]

    Follows Paddle 2.6.
    """
    if self._onward is not None:
        self._kept = []
    place, kind, owner = history(self._t), self._t.dtype, weakref.ref(self._t)
    if place.is_leaf or self._kept is not None:
        return
    kept: list[torch.Tensor | None] = [None]  # and not the Tensor: it would hold itself alive

    zeros = hooks.zeros_of(place)

    def keep(grad: torch.Tensor | None) -> None:
        kept[0] = zeros() if grad is None else grad  # each pass leaves its own

    def keep_whole(grad: torch.Tensor | None) -> None:
        keep((zeros() if grad is None else grad).to(kind))
        if (integers := owner()) is not None:
            integers.grad = kept[0]

    place.register_hook(keep if place is self._t else keep_whole)
    self._kept = kept


def grad_fn(self: Tensor) -> Any:
    """What takes the gradient on, a node of torch's graph; None: nothing does."""
    return torch.autograd.graph.get_gradient_edge(self._t).node if self._t.requires_grad else None


def _grad_value(self: Tensor) -> LoDTensor | None:
    grad = self.grad
    return None if grad is None else LoDTensor(grad._t)


def _set_grad(self: Tensor, value: Any) -> None:
    if not isinstance(self, EagerParamBase):
        raise type_error("self", "a parameter", self, "Tensor._set_grad_ivar")
    if not isinstance(value, Tensor):
        raise type_error("value", "a Tensor", value, "Tensor._set_grad_ivar")
    self.grad = value


def _copy_gradient_from(self: Tensor, source: Tensor) -> None:
    give(self, source)


def _after_backward(self: Tensor, function: Callable[[], Any]) -> None:
    """Have a function called when the gradient of a leaf is whole."""
    if self.stop_gradient or not self.is_leaf:
        raise InvalidArgumentError(
            "Cannot register a backward hook on this Tensor. Expected a leaf that lets gradients through. Received: "
            f"`{self.name}` with stop_gradient={self.stop_gradient}, is_leaf={self.is_leaf}"
        )
    self._t.register_post_accumulate_grad_hook(lambda _: function() and None)


def _numbered_hook(self: Tensor, hook: Hook) -> int:
    """`register_hook`, whose hook goes by a number."""
    hooks = self.__dict__.setdefault("_hooks", [])
    hooks.append(TensorHookRemoveHelper(self.name, None) if self.stop_gradient else register_hook(self, hook))  # none is refused
    return len(hooks) - 1


def _remove_numbered(self: Tensor, number: int) -> bool:
    hooks = self.__dict__.get("_hooks", [])
    return 0 <= number < len(hooks) and hooks[number].remove()


METHODS: dict[str, Any] = {
    "backward": backward,
    "clear_grad": clear_grad,
    "clear_gradient": clear_gradient,
    "gradient": gradient,
    "register_hook": register_hook,
    "retain_grads": retain_grads,
    "grad_": property(lambda self: self.grad, _set_grad, doc="The gradient, as `grad`."),
    "grad_fn": property(grad_fn),
    "_copy_gradient_from": _copy_gradient_from,
    "_grad_ivar": lambda self: self.grad,
    "_grad_name": lambda self: "",
    "_grad_value": _grad_value,
    "_register_backward_hook": _after_backward,
    "_register_grad_hook": _numbered_hook,
    "_remove_grad_hook": _remove_numbered,
    "_reset_grad_inplace_version": lambda self, set_to_zero=False: None,
    "_set_grad_ivar": _set_grad,
    "_zero_grads": clear_grad,
}
