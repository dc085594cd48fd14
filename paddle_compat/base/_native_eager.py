"""`paddle.base.core.eager`: Tensors, passes backwards and operators, in the words of Paddle's C++ module."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NoReturn

from paddle_compat import _C_ops, _legacy_C_ops
from paddle_compat._missing import missing
from paddle_compat.autograd._grad import grad
from paddle_compat.autograd._saved_tensors import saved_tensors_hooks
from paddle_compat.autograd.backward_mode import backward
from paddle_compat.autograd.py_layer import PyLayer as PyLayer
from paddle_compat.base._native_strings import StringTensor as StringTensor
from paddle_compat.core.dtype import DataType
from paddle_compat.core.errors import NotFoundError
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.tensor import Tensor

# the top-level package, whose parts load when they are first asked for
paddle: Any = import_module("paddle_compat")


class _Ops:
    """The operators of `paddle._C_ops`, and those of `paddle._legacy_C_ops` in `legacy`."""

    legacy = _legacy_C_ops

    def __getattr__(self, name: str) -> Any:
        return getattr(_C_ops, name)


ops = _Ops()


def run_backward(tensors: Sequence[Tensor], grad_tensors: Sequence[Any] = (), retain_graph: bool = False) -> None:
    """Fill the gradients of all that these Tensors were made from.

    Args:
        tensors (list): Tensors.
        grad_tensors (list): what their gradients start from; empty: ones.
        retain_graph (bool): keep the graph for another pass.
    """
    backward(list(tensors), list(grad_tensors) or None, retain_graph)


def run_partial_grad(
    outputs: Sequence[Tensor], inputs: Sequence[Tensor], grad_outputs: Sequence[Any], retain_graph: bool, create_graph: bool,
    only_inputs: bool, allow_unused: bool, no_grad_vars: Sequence[Tensor],
) -> list[Any]:  # fmt: skip
    """Gradients of outputs with respect to inputs, as `paddle.grad` gives them.

    Args:
        outputs, inputs, grad_outputs, retain_graph, create_graph, only_inputs, allow_unused, no_grad_vars: as of `paddle.grad`.
    Returns:
        list.
    """
    starts, cut = list(grad_outputs) or None, list(no_grad_vars) or None
    return grad(list(outputs), list(inputs), starts, retain_graph, create_graph, only_inputs, allow_unused, cut)


def get_all_grads(tensors: Sequence[Tensor] | Tensor) -> list[Any]:
    """The gradients of Tensors, as optimizers collect them.

    Args:
        tensors (list): Tensors.
    Returns:
        list: a gradient or None for each.
    """
    return [tensor.grad for tensor in ([tensors] if isinstance(tensors, Tensor) else tensors)]


def get_grads_lists(tensors: Sequence[Tensor] | Tensor) -> list[list[Any]]:
    """The gradients of Tensors, as GradScaler parts them.

    Args:
        tensors (list): Tensors.
    Returns:
        list: those of float16, those of bfloat16, and those of float32.
    """
    grads = get_all_grads(tensors)
    kinds = (paddle.float16, paddle.bfloat16, paddle.float32)
    return [[grad for grad in grads if grad is not None and grad.dtype == kind] for kind in kinds]


def get_grads_types(tensors: Sequence[Tensor] | Tensor) -> list[Any]:
    """The data types of the dense gradients of Tensors.

    Args:
        tensors (list): Tensors.
    Returns:
        list: the number of a data type for each, the data type itself in Paddle 3; -1 or "undefined" for one without a gradient.
    """
    grads = get_all_grads(tensors)
    dense = [grad for grad in grads if grad is None or not grad.is_selected_rows()]
    if SINCE_3:
        return [DataType.UNDEFINED if grad is None else grad.dtype for grad in dense]
    return [-1 if grad is None else int(grad.dtype) for grad in dense]


def set_master_grads(params: Sequence[Any]) -> None:
    """Make the gradients of Tensors such of float32, as Paddle 3 does where it trains in half precision.

    Args:
        params (list): Tensors.
    """
    for param in params:
        if param.grad is not None:
            grad = param.grad.astype("float32")
            param._clear_grad(False)
            param.grad = grad


def tensor_copy(src: Any, dst: Tensor, place: Any, blocking: bool) -> None:
    """Copy a Tensor over another, whatever that one held.

    Args:
        src, dst (Tensor): from where, and to where.
        place (Place): where the copy is to lie.
        blocking (bool): every copy is waited for here.
    """
    dst._become(src._copy_to(place, blocking)._t)


def read_next_tensor_list(tensors: Sequence[Any]) -> list[Tensor]:
    """What a reader gave, as Tensors.

    Args:
        tensors (list): LoDTensors.
    Returns:
        list.
    """
    return [Tensor(given._tensor()) for given in tensors]


def scale(tensor: Tensor, scale: float, bias: float, bias_after_scale: bool, trace_backward: bool) -> Tensor:
    """Multiply and add, as Paddle tries its gradients out by.

    Args:
        tensor (Tensor): the values.
        scale, bias (float): what is multiplied by and added.
        bias_after_scale (bool): multiply first.
        trace_backward (bool): gradients flow through it.
    Returns:
        Tensor.
    """
    found: Tensor = paddle.scale(tensor, scale, bias, bias_after_scale)
    return found if trace_backward else found.detach()


def sparse_coo_tensor(indices: Tensor, values: Tensor, shape: Sequence[int], stop_gradient: bool = True) -> Any:
    """A sparse Tensor of values with coordinates, as `paddle.sparse.sparse_coo_tensor` makes it.

    Args:
        indices, values, shape, stop_gradient: as of that.
    Returns:
        Tensor.
    """
    return paddle.sparse.sparse_coo_tensor(indices, values, shape, stop_gradient=stop_gradient)


def sparse_csr_tensor(crows: Tensor, cols: Tensor, values: Tensor, shape: Sequence[int], stop_gradient: bool = True) -> Any:
    """A sparse Tensor of values that lie row by row, as `paddle.sparse.sparse_csr_tensor` makes it.

    Args:
        crows, cols, values, shape, stop_gradient: as of that.
    Returns:
        Tensor.
    """
    return paddle.sparse.sparse_csr_tensor(crows, cols, values, shape, stop_gradient=stop_gradient)


def _run_custom_op(name: str, *args: Any) -> NoReturn:
    """Call an operator that a compiled extension has registered, of which there is none here.

    Args:
        name (str): its name.
        *args: its arguments.
    Raises:
        RuntimeError: always.
    """
    raise NotFoundError(f"Invalid value for argument `name` of `_run_custom_op`. Expected a registered operator. Received: {name!r}")


_hooked: list[saved_tensors_hooks] = []


def register_saved_tensors_hooks(pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
    """Let hooks pack what operators keep for their gradients from now on, as `paddle.autograd.saved_tensors_hooks` does.

    Args:
        pack_hook, unpack_hook (callable): as of that.
    """
    hooks = saved_tensors_hooks(pack_hook, unpack_hook)
    hooks.__enter__()
    _hooked.append(hooks)


def reset_saved_tensors_hooks() -> None:
    """End what `register_saved_tensors_hooks` began; nothing where it began nothing."""
    if _hooked:
        _hooked.pop().__exit__()


__getattr__ = missing(__name__)
