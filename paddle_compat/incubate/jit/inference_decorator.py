"""`paddle.incubate.jit.inference_decorator`: a method of a layer, recorded, without gradients and with all layers set for evaluation."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.autograd import no_grad
from paddle_compat.core.errors import UnsupportedError, failed_assertion, type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.jit.api import to_static
from paddle_compat.nn import Layer
from paddle_compat.utils.layers_utils import flatten

_MARK = "_runs_for_inference"


def inference(
    function: Any = None, cache_static_model: bool = False, save_model_dir: str | None = None, memory_pool_init_size_mb: int = 1000,
    precision_mode: str = "float32", switch_ir_optim: bool = True, switch_ir_debug: bool = False, enable_cinn: bool = False,
    with_trt: bool = False, trt_precision_mode: str = "float32", trt_use_static: bool = False, collect_shape: bool = False,
    enable_new_ir: bool = False, exp_enable_use_cutlass: bool = False, delete_pass_lists: list[str] | None = None,
    skip_prune_program: bool = False,
) -> Any:  # fmt: skip
    """Run a method of a layer, or a layer, for inference: recorded, without gradients, its layers as in `eval`.

    Args:
        function (callable|Layer): a method, whose first parameter is `self`, or a layer, whose `forward` is replaced; None: a decorator.
        cache_static_model, save_model_dir: where Paddle keeps the model's files; no files are written, and both are kept.
        memory_pool_init_size_mb, switch_ir_optim, switch_ir_debug, trt_precision_mode, trt_use_static, collect_shape, enable_new_ir,
        exp_enable_use_cutlass, delete_pass_lists, skip_prune_program: how Paddle's engine works; kept.
        precision_mode (str): kept; parameters and inputs compute in the data types that they have.
        enable_cinn (bool): compile what was recorded.
        with_trt (bool): False.
    Returns:
        callable|Layer: the method or the layer. A call returns one Tensor, or a list of all that are in what the method returns.
    Raises:
        TypeError: function cannot be called.
        AssertionError: its first parameter is not `self`, or an argument is neither a Tensor, a list or tuple of some, a bool, nor None.
        UnsupportedError: with_trt.

    Example:
        >>> import paddle_compat as paddle
        >>> class Scorer(paddle.nn.Layer):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.score = paddle.nn.Linear(4, 2)
        ...     @paddle.incubate.jit.inference()
        ...     def forward(self, x):
        ...         return self.score(x)
        >>> out = Scorer()(paddle.ones([3, 4]))
        >>> out.shape, out.stop_gradient
        ([3, 2], True)

    Follows Paddle 3.3.
    """
    if with_trt:
        raise UnsupportedError("paddle.incubate.jit.inference", "with_trt=True", "with_trt=False")
    backend = "CINN" if enable_cinn else None
    if function is None:
        return functools.partial(_method, backend=backend)
    if isinstance(function, Layer):
        # an attribute of the layer itself is called without it
        function.forward = functools.partial(_method(type(function).forward, backend), function)
        setattr(function.forward, _MARK, True)
        return function
    return _method(function, backend)


def is_inference_mode(func: Callable[..., Any]) -> bool:
    """Whether a method runs for inference.

    Args:
        func (callable): the method.
    Returns:
        bool: whether `inference` made it.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.incubate.jit.inference(paddle.nn.Linear(4, 2))
        >>> paddle.incubate.jit.is_inference_mode(layer.forward)
        True

    Follows Paddle 3.3.
    """
    return hasattr(func, _MARK)


def _method(function: Callable[..., Any], backend: str | None) -> Callable[..., Any]:
    """The method that runs a method for inference."""
    if not callable(function):
        raise type_error("function", "a method of a layer, or a layer", function, "inference")
    names = list(inspect.signature(function).parameters)
    if names[:1] != ["self"]:
        raise failed_assertion("function", "a method of a layer, whose first parameter is `self`", names, "inference")
    recorded: Any = to_static(function, backend=backend)

    @functools.wraps(function)
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        for name, value in [*zip(names[1:], args), *kwargs.items()]:
            _check(name, value)
        with _evaluated(self), no_grad():
            out = recorded.__get__(self)(*args, **kwargs)
        tensors = [value for value in flatten(out) if isinstance(value, Tensor)]
        return tensors[0] if len(tensors) == 1 else tensors

    setattr(run, _MARK, True)
    return run


def _check(name: str, value: Any) -> None:
    if isinstance(value, (list, tuple)):
        for each in value:
            if not isinstance(each, Tensor):
                raise failed_assertion(name, "a Tensor for each of its elements", each, "inference")
    elif not (value is None or isinstance(value, (Tensor, bool))):
        raise failed_assertion(name, "a Tensor, a list or tuple of Tensors, a bool, or None", value, "inference")


@contextmanager
def _evaluated(layer: Layer) -> Iterator[None]:
    """All layers as in `eval`, for a while."""
    training = [each for each in layer.sublayers(include_self=True) if each.training]
    for each in training:
        each.training = False
    try:
        yield
    finally:
        for each in training:
            each.training = True


__all__ = ["inference", "is_inference_mode"]
__getattr__ = missing(__name__)
