"""`paddle.distributed.fleet.utils.mix_precision_utils`: gradients of parameters in low precision that add up in float32."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.fleet.meta_optimizers._steps import Steps
from paddle_compat.nn.layer.layers import Layer

__all__ = ["MixPrecisionLayer", "MixPrecisionOptimizer", "MixPrecisionScaler"]


class MixPrecisionLayer(Layer):
    """A model whose gradients add up in float32, as `main_grad` of its parameters: `grad` is None after a backward pass.

    Args:
        layers (Layer): the model.
        dtype (str): "float16" or "bfloat16", in which it computes.
    Raises:
        AssertionError: another data type.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.utils import mix_precision_utils
        >>> net = paddle.nn.Linear(4, 1)
        >>> model = mix_precision_utils.MixPrecisionLayer(net, dtype="bfloat16")
        >>> model(paddle.ones([2, 4])).sum().backward()
        >>> net.bias.grad, net.bias.main_grad.tolist(), sorted(model.state_dict())
        (None, [2.0], ['bias', 'weight'])
        >>> model.set_state_dict(model.state_dict())

    Follows Paddle 2.6.
    """

    def __init__(self, layers: Layer, dtype: str = "float16") -> None:
        super().__init__(layers.full_name() + "_mix_precision")
        if dtype not in ("float16", "bfloat16"):
            raise failed_assertion("dtype", "float16 or bfloat16", dtype, "MixPrecisionLayer")
        self._layers, self._dtype = layers, dtype
        for parameter in layers.parameters():
            if not hasattr(parameter, "main_grad"):
                parameter.main_grad = None
                if parameter._t.requires_grad:
                    _add_up(parameter)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Call the model.

        Args:
            inputs, kwargs: what the model takes.
        Returns:
            What the model returns.
        """
        return self._layers(*inputs, **kwargs)

    def state_dict(self, *args: Any, **kwargs: Any) -> Any:
        """The model's.

        Args:
            args, kwargs: as of the model's.
        Returns:
            dict: parameters and buffers by name.
        """
        return self._layers.state_dict(*args, **kwargs)

    def set_state_dict(self, *args: Any, **kwargs: Any) -> None:  # type: ignore[override]
        """Put values into the model.

        Args:
            args, kwargs: as of the model's.
        """
        self._layers.set_state_dict(*args, **kwargs)


def _add_up(parameter: Any) -> None:
    """Let the gradients of a parameter add up in float32."""

    def take(value: torch.Tensor) -> None:
        grad = value.grad
        assert grad is not None
        if parameter.main_grad is None:
            parameter.main_grad = Tensor(grad.detach().float().clone(), f"main_grad@{parameter.name}")
        else:
            parameter.main_grad._t.add_(grad.detach())
        value.grad = None

    parameter._t.register_post_accumulate_grad_hook(take)


class MixPrecisionOptimizer(Steps):
    """An optimizer that updates by the `main_grad` of its parameters.

    Args:
        optimizer (Optimizer): makes the steps.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.utils import mix_precision_utils
        >>> net = paddle.nn.Linear(4, 1)
        >>> model = mix_precision_utils.MixPrecisionLayer(net, dtype="bfloat16")
        >>> sgd = mix_precision_utils.MixPrecisionOptimizer(paddle.optimizer.SGD(0.5, parameters=net.parameters()))
        >>> model(paddle.ones([2, 4])).sum().backward()
        >>> sgd.step(); sgd.clear_grad()
        >>> net.bias.tolist(), net.bias.main_grad.tolist()
        ([-1.0], [0.0])

    Follows Paddle 2.6.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("_parameter_list", "_param_groups", "_grad_clip"):  # what is around it shares out the inner one's
            setattr(self._inner_opt, name, value)
        else:
            object.__setattr__(self, name, value)

    @torch.no_grad()
    def step(self) -> None:
        """Update the parameters."""
        inner = self._inner_opt
        groups = inner._param_groups or []
        if not (groups and isinstance(groups[0], dict)):
            inner._apply_optimize(None, None, _pairs(groups))
            return
        for index, group in enumerate(groups):
            inner._apply_optimize(None, None, {**group, "params": _pairs(group["params"])}, index)

    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Forget the gradients.

        Args:
            set_to_zero (bool): leave zeros; else none at all.
        """
        self._inner_opt.clear_grad(set_to_zero)
        groups = self._inner_opt._param_groups or []
        for group in groups:
            for parameter in group["params"] if isinstance(group, dict) else [group]:
                forget(parameter, set_to_zero)

    clear_gradients = clear_grad


def _pairs(parameters: Any) -> list[tuple[Any, Any]]:
    found = [(p, p.main_grad if hasattr(p, "main_grad") else p.grad) for p in parameters if not p.stop_gradient]
    return [(parameter, grad) for parameter, grad in found if grad is not None]


def forget(parameter: Any, set_to_zero: bool) -> None:
    """Forget a parameter's `main_grad`.

    Args:
        parameter (Tensor): the parameter.
        set_to_zero (bool): leave zeros; else none at all.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.utils import mix_precision_utils
        >>> mix_precision_utils.forget(paddle.nn.Linear(4, 1).bias, True)

    Follows Paddle 2.6.
    """
    if getattr(parameter, "main_grad", None) is not None:
        if set_to_zero:
            parameter.main_grad._t.zero_()
        else:
            parameter.main_grad = None


class MixPrecisionScaler:
    """A scaler of losses of such a model: a scaler divides `main_grad` where there is one.

    Args:
        scaler (GradScaler): the user's.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.utils import mix_precision_utils
        >>> scaler = mix_precision_utils.MixPrecisionScaler(paddle.amp.GradScaler(enable=False))
        >>> scaler.scale(paddle.ones([1])).tolist()
        [1.0]

    Follows Paddle 2.6.
    """

    def __init__(self, scaler: Any) -> None:
        self._inner_scaler = scaler

    def __getattr__(self, name: str) -> Any:
        if name == "_inner_scaler":  # while it is copied or unpickled
            raise AttributeError(name)
        return getattr(self._inner_scaler, name)


__getattr__ = missing(__name__)
