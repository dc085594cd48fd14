"""`paddle.amp.grad_scaler`: losses made larger, so that gradients in float16 do not vanish."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.amp import _support
from paddle_compat.amp._casting import amp_global_state
from paddle_compat.core.place import current_place
from paddle_compat.core.tensor import Tensor
from paddle_compat.optimizer import _parts
from paddle_compat.optimizer.optimizer import Optimizer, _all
from paddle_compat.tensor.ops import cast

__all__ = ["AmpScaler", "GradScaler", "OptimizerState"]


class OptimizerState(Enum):
    """How far the present step of an optimizer is.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.amp.OptimizerState.INIT.value
        0

    Follows Paddle 2.6.
    """

    INIT = 0
    UNSCALED = 1
    STEPPED = 2


# what a state dict has besides the factor
_STATE = (
    "incr_ratio", "decr_ratio", "incr_every_n_steps", "decr_every_n_nan_or_inf", "incr_count", "decr_count", "use_dynamic_loss_scaling",
)  # fmt: skip


def _refresh_optimizer_state() -> dict[str, OptimizerState]:
    """What Paddle keeps of an optimizer that a step has not begun for.

    Returns:
        dict.

    Example:
        >>> from paddle_compat.amp.grad_scaler import _refresh_optimizer_state
        >>> _refresh_optimizer_state()["state"].name
        'INIT'

    Follows Paddle 2.6.
    """
    return {"state": OptimizerState.INIT}


class AmpScaler:
    """Base of `GradScaler`.

    Args:
        enable (bool): whether to scale at all; on a CPU it has no effect, as in Paddle.
        init_loss_scaling (float): the first factor.
        incr_ratio (float): what the factor is multiplied by after many finite steps.
        decr_ratio (float): what it is multiplied by after steps with infinite gradients.
        incr_every_n_steps (int): how many finite steps in a row are many.
        decr_every_n_nan_or_inf (int): how many infinite ones.
        use_dynamic_loss_scaling (bool): whether the factor changes.
    Raises:
        AssertionError: a ratio is on the wrong side of 1.

    Example:
        >>> import paddle_compat as paddle
        >>> scaler = paddle.amp.AmpScaler(enable=False)
        >>> scaler.set_init_loss_scaling(8.0), scaler.set_incr_ratio(4.0), scaler.set_decr_ratio(0.25)
        (None, None, None)
        >>> scaler.get_init_loss_scaling(), scaler.get_incr_ratio(), scaler.get_decr_ratio()
        (8.0, 4.0, 0.25)
        >>> scaler.set_incr_every_n_steps(10); scaler.set_decr_every_n_nan_or_inf(2)
        >>> scaler.get_incr_every_n_steps(), scaler.get_decr_every_n_nan_or_inf()
        (10, 2)
        >>> def when_enabled(scaler):
        ...     return scaler.is_use_dynamic_loss_scaling()

    Follows Paddle 2.6.
    """

    _scale: Any = None  # a Tensor of shape [1], where the scaler is enabled

    def __init__(
        self,
        enable: bool = True,
        init_loss_scaling: float = 2.0**15,
        incr_ratio: float = 2.0,
        decr_ratio: float = 0.5,
        incr_every_n_steps: int = 1000,
        decr_every_n_nan_or_inf: int = 1,
        use_dynamic_loss_scaling: bool = True,
    ) -> None:
        if enable and not _support.accelerated():
            warnings.warn(
                "AmpScaler can only be enabled on CUDAPlace, XPUPlace and CustomPlace, current place is "
                f"{current_place()}, so it makes no effect.",
                stacklevel=2,
            )
            enable = False
        self._enable = enable
        if not enable:  # the two that Paddle 3 knows then
            self._use_dynamic_loss_scaling, self._init_loss_scaling = False, 1.0
            return
        check_ratios(incr_ratio=incr_ratio, decr_ratio=decr_ratio)
        self._incr_ratio, self._decr_ratio = incr_ratio, decr_ratio
        self._incr_every_n_steps, self._decr_every_n_nan_or_inf = incr_every_n_steps, decr_every_n_nan_or_inf
        self._incr_count = self._decr_count = 0
        self._use_dynamic_loss_scaling = use_dynamic_loss_scaling
        self._found_inf = False  # in the gradients that were unscaled last
        self._cache_founf_inf: bool | None = None  # Paddle's spelling: whether the last step was left out
        self.set_init_loss_scaling(init_loss_scaling)
        self._optimizer_states: dict[int, dict[str, OptimizerState]] = defaultdict(_refresh_optimizer_state)

    def scale(self, var: Any) -> Any:
        """A loss times the factor.

        Args:
            var (Tensor): the loss.
        Returns:
            Tensor: of shape [1] where the loss has no dimensions.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.amp.GradScaler(enable=False).scale(paddle.ones([1])).item()
            1.0
        """
        if not self._enable:
            return var
        kind = amp_global_state().amp_dtype
        if self._use_dynamic_loss_scaling and kind != "float16":
            self._enable = self._use_dynamic_loss_scaling = False
            warnings.warn(
                f"It is not recommended to use dynamic loss scaling for {kind}, so GradScaler is disable by default.", stacklevel=2
            )
            return var
        factor = self._scale
        if isinstance(var, Tensor):  # the product is in float32, or float64
            kind_of_loss = "float64" if var._t.dtype == torch.float64 else "float32"
            return factor.astype(kind_of_loss) * cast(var, kind_of_loss)
        return factor * var

    def minimize(self, optimizer: Any, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
        """Let an optimizer minimize, unless a gradient is infinite, and follow with the factor.

        Args:
            optimizer (Optimizer): whose gradients were scaled.
            args, kwargs: what its `minimize` takes.
        Returns:
            tuple: what its `minimize` returns.

        Example:
            >>> import paddle_compat as paddle
            >>> w = paddle.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
            >>> sgd = paddle.optimizer.SGD(0.25, parameters=[w])
            >>> scaler = paddle.amp.GradScaler(enable=False)
            >>> loss = scaler.scale((w * 2.0).sum()); paddle.autograd.backward([loss])
            >>> _ = scaler.minimize(sgd, loss); w.tolist()
            [0.5]
        """
        if not self._enable:
            result: tuple[Any, Any] = optimizer.minimize(*args, **kwargs)
            return result
        if self._optimizer_states[id(optimizer)]["state"] is OptimizerState.INIT:
            self._unscale(optimizer)
        optimizer._set_auxiliary_var("found_inf", self._found_inf)
        result = (None, []) if self._found_inf and not _passes_over(optimizer) else optimizer.minimize(*args, **kwargs)
        self._cache_founf_inf = self._found_inf
        self._follow()
        return result

    _agreed_by: Callable[[torch.Tensor], torch.Tensor] | None = None  # sums what the processes that share out a model have found

    def _unscale(self, optimizer: Any) -> None:
        """Divide an optimizer's gradients by the factor, once a step, and see whether all are finite."""
        if not self._enable:
            return
        refuse = getattr(optimizer, "_refuse_scaling", None)
        if refuse is not None:
            refuse()
        state = self._optimizer_states[id(optimizer)]["state"]
        if state is OptimizerState.UNSCALED:
            raise RuntimeError(
                "unscale_() has already been called on this optimizer since the last update(). Expected one call in a step. "
                "Received: a second one"
            )
        if state is OptimizerState.STEPPED:
            raise RuntimeError("unscale_() is being called after step(). Expected it before, in each step")
        listed = optimizer._parameter_list or []
        params = _all(listed)
        for p in params:
            if _parts.is_dist(p._t.grad):
                p._t.grad = _parts.whole_sums(p._t.grad)  # parts may be finite where their sum is not
        grads = [grad for grad in map(_gradient, params) if grad is not None]
        self._found_inf = _parts.agreed(_divide([_parts.piece(grad) for grad in grads], float(self._scale)), grads)
        agreed_by = self._agreed_by or getattr(optimizer, "_agreed_by", None)
        if agreed_by is not None:
            device = grads[0].device if grads else self._scale._t.device
            self._found_inf = bool(agreed_by(torch.tensor([float(self._found_inf)], device=device)) > 0)
        self._optimizer_states[id(optimizer)]["state"] = OptimizerState.UNSCALED

    def _follow(self) -> None:
        """After a step: change the factor, and begin the next one."""
        if self._use_dynamic_loss_scaling:
            self._update()
        self._optimizer_states = defaultdict(_refresh_optimizer_state)

    def _update(self) -> None:
        """Count the step, and change the factor when it is time."""
        if not self._enable:
            return
        if self._found_inf:
            self._incr_count, self._decr_count = 0, self._decr_count + 1
            if self._decr_count == self._decr_every_n_nan_or_inf:
                present = float(self._scale)
                print(f"Found inf or nan, current scale is: {present}, decrease to: {present}*{float(self._decr_ratio)}")
                self._scale = self._scale * self._decr_ratio
                self._decr_count = 0
        else:
            self._incr_count, self._decr_count = self._incr_count + 1, 0
            if self._incr_count == self._incr_every_n_steps:
                self._scale = self._scale * self._incr_ratio
                self._incr_count = 0

    def is_enable(self) -> bool:
        """Whether losses are scaled.

        Returns:
            bool.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.amp.GradScaler(enable=False).is_enable()
            False
        """
        return self._enable

    def is_use_dynamic_loss_scaling(self) -> bool:
        """Whether the factor changes.

        Returns:
            bool.
        """
        return self._use_dynamic_loss_scaling

    def get_init_loss_scaling(self) -> float:
        """The first factor.

        Returns:
            float.
        """
        return self._init_loss_scaling

    def set_init_loss_scaling(self, new_init_loss_scaling: float) -> None:
        """Begin anew with another factor.

        Args:
            new_init_loss_scaling (float): the factor.
        """
        self._init_loss_scaling = new_init_loss_scaling
        self._scale = _tensor(new_init_loss_scaling)

    def get_incr_ratio(self) -> float:
        """What the factor is multiplied by after many finite steps.

        Returns:
            float.
        """
        return self._incr_ratio

    def set_incr_ratio(self, new_incr_ratio: float) -> None:
        """Set what the factor is multiplied by after many finite steps.

        Args:
            new_incr_ratio (float): above 1.
        Raises:
            AssertionError: it is not.
        """
        check_ratios("new_", incr_ratio=new_incr_ratio)
        self._incr_ratio = new_incr_ratio

    def get_decr_ratio(self) -> float:
        """What the factor is multiplied by after infinite gradients.

        Returns:
            float.
        """
        return self._decr_ratio

    def set_decr_ratio(self, new_decr_ratio: float) -> None:
        """Set what the factor is multiplied by after infinite gradients.

        Args:
            new_decr_ratio (float): below 1.
        Raises:
            AssertionError: it is not.
        """
        check_ratios("new_", decr_ratio=new_decr_ratio)
        self._decr_ratio = new_decr_ratio

    def get_incr_every_n_steps(self) -> int:
        """How many finite steps in a row make the factor larger.

        Returns:
            int.
        """
        return self._incr_every_n_steps

    def set_incr_every_n_steps(self, new_incr_every_n_steps: int) -> None:
        """Set how many finite steps in a row make the factor larger.

        Args:
            new_incr_every_n_steps (int): how many.
        """
        self._incr_every_n_steps = new_incr_every_n_steps

    def get_decr_every_n_nan_or_inf(self) -> int:
        """How many steps with infinite gradients make the factor smaller.

        Returns:
            int.
        """
        return self._decr_every_n_nan_or_inf

    def set_decr_every_n_nan_or_inf(self, new_decr_every_n_nan_or_inf: int) -> None:
        """Set how many steps with infinite gradients make the factor smaller.

        Args:
            new_decr_every_n_nan_or_inf (int): how many.
        """
        self._decr_every_n_nan_or_inf = new_decr_every_n_nan_or_inf

    def state_dict(self) -> dict[str, Any]:
        """The factor, and how it changes.

        Returns:
            dict: what `load_state_dict` takes; empty where nothing is scaled.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.amp.GradScaler(enable=False).state_dict()
            {}
        """
        if not self._enable:
            return {}
        return {"scale": self._scale.numpy(), **{name: getattr(self, f"_{name}") for name in _STATE}}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from a state.

        Args:
            state_dict (dict): what `state_dict` returned.
        Raises:
            RuntimeError: it is empty.
            KeyError: an entry is missing.

        Example:
            >>> import paddle_compat as paddle
            >>> scaler = paddle.amp.GradScaler(enable=False)
            >>> scaler.load_state_dict({}); scaler.is_enable()
            False
        """
        if not self._enable:
            return
        if not state_dict:
            raise RuntimeError("The input state dict is empty, possibly because it was saved from a disabled instance of GradScaler.")
        scale = state_dict["scale"]
        self._init_loss_scaling = float(np.asarray(scale).reshape(-1)[0])
        self._scale = _tensor(self._init_loss_scaling)
        for name in _STATE:
            setattr(self, f"_{name}", state_dict[name])


class GradScaler(AmpScaler):
    """Makes losses larger by a factor, and gradients smaller by it before they update parameters.

    In float16 small gradients become zero; scaled they do not. Where one becomes infinite instead, the step is left out
    and the factor gets smaller. On a CPU, and after `auto_cast` to bfloat16, it has no effect, as in Paddle.

    Args:
        enable (bool): whether to scale at all.
        init_loss_scaling (float): the first factor.
        incr_ratio (float): what the factor is multiplied by after many finite steps.
        decr_ratio (float): what it is multiplied by after steps with infinite gradients.
        incr_every_n_steps (int): how many finite steps in a row are many.
        decr_every_n_nan_or_inf (int): how many infinite ones.
        use_dynamic_loss_scaling (bool): whether the factor changes.
    Raises:
        AssertionError: a ratio is on the wrong side of 1.

    Example:
        >>> import paddle_compat as paddle
        >>> w = paddle.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
        >>> sgd = paddle.optimizer.SGD(0.25, parameters=[w])
        >>> scaler = paddle.amp.GradScaler()  # on a CPU: a warning
        >>> with paddle.amp.auto_cast(dtype="bfloat16"):
        ...     loss = (w * 2.0).sum()
        >>> paddle.autograd.backward([scaler.scale(loss)]); scaler.unscale_(sgd)
        >>> scaler.step(sgd); scaler.update(); sgd.clear_grad(); w.tolist()
        [0.5]

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        enable: bool = True,
        init_loss_scaling: float = 2.0**16,
        incr_ratio: float = 2.0,
        decr_ratio: float = 0.5,
        incr_every_n_steps: int = 2000,
        decr_every_n_nan_or_inf: int = 1,
        use_dynamic_loss_scaling: bool = True,
    ) -> None:
        super().__init__(
            enable, init_loss_scaling, incr_ratio, decr_ratio, incr_every_n_steps, decr_every_n_nan_or_inf, use_dynamic_loss_scaling
        )

    def step(self, optimizer: Any) -> None:
        """Let an optimizer take its step, unless a gradient is infinite.

        Args:
            optimizer (Optimizer): whose gradients were scaled.
        Raises:
            RuntimeError: it has taken one since the last `update`.
        """
        if not self._enable:
            optimizer.step()
            return
        if self._optimizer_states[id(optimizer)]["state"] is OptimizerState.STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if self._optimizer_states[id(optimizer)]["state"] is OptimizerState.INIT:
            self._unscale(optimizer)
        if hasattr(optimizer, "_set_auxiliary_var"):
            optimizer._set_auxiliary_var("found_inf", self._found_inf)
        if not self._found_inf or _passes_over(optimizer):
            optimizer.step()
        self._cache_founf_inf = self._found_inf
        self._optimizer_states[id(optimizer)]["state"] = OptimizerState.STEPPED
        if not self._use_dynamic_loss_scaling:
            self._optimizer_states = defaultdict(_refresh_optimizer_state)

    def update(self) -> None:
        """After the steps of all optimizers: change the factor when it is time."""
        if self._enable:
            self._follow()

    def unscale_(self, optimizer: Any) -> None:
        """Divide an optimizer's gradients by the factor now, so that they can be clipped or looked at.

        Args:
            optimizer (Optimizer): whose gradients were scaled.
        Raises:
            RuntimeError: they were divided before, or used, since the last `update`.
        """
        self._unscale(optimizer)


def check_ratios(prefix: str = "", **ratios: float) -> None:
    """Raise for a ratio on the wrong side of 1."""
    for name, value in ratios.items():
        side, fits = (">", value > 1.0) if name == "incr_ratio" else ("<", value < 1.0)
        if not fits:
            raise AssertionError(f"The {prefix}{name} must be {side} 1.0. Received: {value}")


def _passes_over(optimizer: Any) -> bool:
    """Whether an optimizer leaves a step out by itself: it makes its accumulators then, which its `state_dict` shows, and no more."""
    return isinstance(optimizer, Optimizer)


def _gradient(parameter: Any) -> torch.Tensor | None:
    """The gradient of a parameter, or what fleet's mixed precision has in its place."""
    main = getattr(parameter, "main_grad", None)
    found: torch.Tensor | None = parameter._t.grad if main is None else main._t
    return found


def _tensor(factor: float) -> Tensor:
    return Tensor(torch.full((1,), float(factor), device=current_place().torch_device))


def _divide(grads: list[torch.Tensor], factor: float) -> bool:
    """Divide gradients in place; returns whether one of them is not finite."""
    kinds: dict[tuple[torch.dtype, torch.device], list[torch.Tensor]] = {}
    for grad in grads:
        held = grad._values() if grad.is_sparse else grad
        kinds.setdefault((held.dtype, held.device), []).append(held)
    found = []
    with torch.no_grad():
        for (_, device), some in kinds.items():
            flag, inverse = torch.zeros(1, device=device), torch.full((1,), 1.0 / factor, device=device)
            torch._amp_foreach_non_finite_check_and_unscale_(some, flag, inverse)
            found.append(flag)
    return any(bool(flag) for flag in found)


__getattr__ = missing(__name__)
