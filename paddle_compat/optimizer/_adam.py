"""Adam and its relatives: AdamW, Adamax, Lamb."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from paddle_compat.core import mode
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import UnimplementedError, UnsupportedError, need_given, type_error
from paddle_compat.core.paddle3 import placed
from paddle_compat.core.program import name_scope
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.ops._update_parts import Double
from paddle_compat.optimizer._updates import Accumulator
from paddle_compat.optimizer.optimizer import Optimizer
from paddle_compat.regularizer import WeightDecayRegularizer

_BETAS = {"beta1": "_beta1", "beta2": "_beta2", "epsilon": "_epsilon"}
_MOMENTS = (
    Accumulator("moment1", "Moment1", wide=True),
    Accumulator("moment2", "Moment2", wide=True),
    Accumulator("beta1_pow_acc", "Beta1Pow", fill="_beta1", shape=(1,), wide=True, device="cpu"),
    Accumulator("beta2_pow_acc", "Beta2Pow", fill="_beta2", shape=(1,), wide=True, device="cpu"),
)
_LARGEST = (*_MOMENTS[:2], Accumulator("moment2_max", "Moment2Max", wide=True), *_MOMENTS[2:])  # with amsgrad


def _check_betas(api: str, rate: Any, beta1: Any, beta2: Any, epsilon: Any) -> None:
    """Raise as Paddle does for coefficients out of range."""
    values = {"learning_rate": rate, "beta1": beta1, "beta2": beta2, "epsilon": epsilon}
    need_given(api, **values)
    for name in ("beta1", "beta2"):
        if not isinstance(values[name], (Variable, Tensor)) and not 0 <= values[name] < 1:
            raise ValueError(f"Invalid value for argument `{name}` of `{api}`. Expected a number in [0, 1). Received: {values[name]}")
    if not isinstance(epsilon, (Variable, Tensor)) and not epsilon >= 0:
        raise ValueError(f"Invalid value for argument `epsilon` of `{api}`. Expected epsilon >= 0. Received: {epsilon}")


def _as_wide_as(param: Any, attributes: dict[str, Any]) -> dict[str, Any]:
    """Eager operators take these coefficients as numbers of the parameter's type; Programs hold float32 attributes."""
    if param.dtype != VarType.FP64 or not mode.in_dygraph_mode():
        return attributes
    return {**attributes, **{name: Double(attributes[name]) for name in _BETAS if name in attributes}}


def _keep_largest(optimizer: Any, amsgrad: bool) -> None:
    optimizer._amsgrad = amsgrad
    if amsgrad:
        optimizer._accumulator_table = _LARGEST


@placed("amsgrad name")
class Adam(Optimizer):
    """Steps along the mean of gradients over the root of the mean of their squares, both corrected for their start.

    Args:
        learning_rate (float|LRScheduler), parameters (list|None), weight_decay (float|regularizer|None), grad_clip
            (ClipGradBase|None), name (str|None): as of `Optimizer`.
        beta1 (float|Tensor), beta2 (float|Tensor): how much of the two means stays.
        epsilon (float|Tensor): added to the root.
        lazy_mode (bool): of a sparse gradient, touch only the rows that it holds; else its other rows are zero.
        multi_precision (bool): keep float32 copies of half-precision parameters and update those.
        use_multi_tensor (bool): kept; neighbouring updates are always done together.
        amsgrad (bool): divide by the root of the largest mean of squares so far.
    Raises:
        ValueError: a coefficient is out of range.
        AssertionError: a coefficient is None.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.optimizer.Adam().get_lr()
        0.001
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    type = "adam"
    _decays_rows = False
    _accumulator_table = _MOMENTS
    _attribute_table = {**_BETAS, "lazy_mode": "_lazy_mode"}

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        lazy_mode: bool = False,
        multi_precision: bool = False,
        use_multi_tensor: bool = False,
        name: str | None = None,
        *,
        amsgrad: bool = False,
    ) -> None:
        _check_betas("Adam", learning_rate, beta1, beta2, epsilon)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._beta1, self._beta2, self._epsilon, self._lazy_mode = beta1, beta2, epsilon, lazy_mode
        self._multi_precision = multi_precision
        self._default_dict = {"beta1": beta1, "beta2": beta2, "epsilon": epsilon, "lazy_mode": lazy_mode}
        _keep_largest(self, amsgrad)

    def _attributes(self, param: Any) -> dict[str, Any]:
        return _as_wide_as(param, super()._attributes(param))


@placed("use_lowprecision_moment lr_ratio apply_decay_param_fun grad_clip lazy_mode multi_precision amsgrad name")
class AdamW(Optimizer):
    """Adam after the parameter has shrunk by learning_rate * weight_decay.

    Args:
        learning_rate (float|LRScheduler), parameters (list|None), grad_clip (ClipGradBase|None), name (str|None): as of
            `Optimizer`.
        beta1 (float|Tensor), beta2 (float|Tensor), epsilon (float|Tensor), lazy_mode (bool), multi_precision (bool): as
            of `Adam`.
        weight_decay (float|Tensor): the decay.
        amsgrad (bool): as of `Adam`.
        lr_ratio (callable|None): parameter -> factor on its learning rate; not on the CPU, as in Paddle.
        apply_decay_param_fun (callable|None): name of a parameter -> whether it decays.
        use_lowprecision_moment (bool): Paddle 3's switch for moments in bfloat16; False is all there is here.
    Raises:
        TypeError: weight_decay is no float.
        ValueError: a coefficient is out of range.
        NotImplementedError: lr_ratio on a machine without GPU.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.optimizer.AdamW(0.01, apply_decay_param_fun=lambda name: not name.endswith(".b_0")).get_lr()
        0.01
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    type = "adamw"
    _accumulator_table = _MOMENTS
    _attribute_table = {**_BETAS, "lazy_mode": "_lazy_mode", "coeff": "_weight_decay"}

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        parameters: Any = None,
        weight_decay: Any = 0.01,
        lr_ratio: Callable[[Any], float] | None = None,
        apply_decay_param_fun: Callable[[str], bool] | None = None,
        grad_clip: Any = None,
        lazy_mode: bool = False,
        multi_precision: bool = False,
        name: str | None = None,
        *,
        amsgrad: bool = False,
        use_lowprecision_moment: bool = False,
    ) -> None:
        if use_lowprecision_moment:
            raise UnsupportedError("paddle.optimizer.AdamW", "use_lowprecision_moment=True", "moments in float32, its default")
        _check_betas("AdamW", learning_rate, beta1, beta2, epsilon)
        if not isinstance(weight_decay, (float, int, Variable, Tensor)):
            raise TypeError(
                f"Invalid type for argument `weight_decay` of `AdamW`. Expected float or Tensor. Received: {type(weight_decay).__name__}"
            )
        if lr_ratio is not None:
            if not callable(lr_ratio):
                raise AssertionError(
                    f"Invalid type for argument `lr_ratio` of `AdamW`. Expected a function of a parameter. Received: {lr_ratio!r}"
                )
            if not torch.cuda.is_available():
                raise UnimplementedError(
                    "'lr_ratio' is unimplemented in CPU. Expected None for `AdamW` without a GPU. Received: a function"
                )
        super().__init__(learning_rate, parameters, None, grad_clip, name)
        self._beta1, self._beta2, self._epsilon, self._lazy_mode = beta1, beta2, epsilon, lazy_mode
        self._weight_decay = float(weight_decay) if isinstance(weight_decay, Tensor) else weight_decay
        self._lr_ratio = lr_ratio
        self._apply_decay_param_fun = apply_decay_param_fun
        self._multi_precision = multi_precision
        self._default_dict = {
            "weight_decay": weight_decay,
            "beta1": beta1,
            "beta2": beta2,
            "epsilon": epsilon,
            "lazy_mode": lazy_mode,
            "grad_clip": grad_clip,
        }
        _keep_largest(self, amsgrad)

    def __str__(self) -> str:
        return "Weight Decay, params: "  # which names follow there, Paddle never says

    def _attributes(self, param: Any) -> dict[str, Any]:
        decays = self._apply_decay_param_fun is None or self._apply_decay_param_fun(param.name)
        ratio = 1.0 if self._lr_ratio is None else self._lr_ratio(param)
        return {**_as_wide_as(param, super()._attributes(param)), "with_decay": bool(decays), "lr_ratio": ratio}

    def _group_settings(self) -> dict[str, str]:
        return {**_BETAS, "lazy_mode": "_lazy_mode", "weight_decay": "_weight_decay"}

    def _set_group_decay(self, params: list[Any], decay: Any) -> None:
        """The decay of a group is the operator's business; regularizers of the parameters stay."""


class Adamax(Optimizer):
    """Adam with the largest gradient so far, which fades, in place of the mean of squares.

    Args:
        learning_rate (float|LRScheduler), parameters (list|None), weight_decay (float|regularizer|None), grad_clip
            (ClipGradBase|None), name (str|None): as of `Optimizer`.
        beta1 (float), beta2 (float): how much of the mean and of the largest gradient stays.
        epsilon (float): added to the largest gradient.
    Raises:
        ValueError: a coefficient is out of range.
        AssertionError: a coefficient is None.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.optimizer.Adamax().get_lr()
        0.001
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    type = "adamax"
    _accumulator_table = (
        Accumulator("moment", "Moment", wide=True),
        Accumulator("inf_norm", "InfNorm", wide=True),
        Accumulator("beta1_pow_acc", "Beta1Pow", fill="_beta1", shape=(1,)),
    )
    _attribute_table = _BETAS

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        _check_betas("Adamax", learning_rate, beta1, beta2, epsilon)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._beta1, self._beta2, self._epsilon = (float(v) if isinstance(v, Tensor) else v for v in (beta1, beta2, epsilon))
        self._default_dict = {"beta1": beta1, "beta2": beta2, "epsilon": epsilon}

    def _finish_update(self, block: Any, parameters_and_grads: Any) -> None:
        advance_beta1(self, block, parameters_and_grads, "adamax")


def advance_beta1(optimizer: Any, block: Any, pairs: Any, scope: str) -> None:
    """The operator `adamax` leaves the power of beta1 alone: a `scale` operator advances it for each parameter."""
    for param, grad in pairs:
        power = optimizer._get_accumulator_master("beta1_pow_acc", param)
        if mode.in_dygraph_mode():
            power._t.mul_(optimizer._beta1)
            continue
        with param.block.program._optimized_guard([param, grad]), name_scope(scope):
            block.append_op(
                type="scale",
                inputs={"X": [power]},
                outputs={"Out": [power]},
                attrs={"scale": optimizer._beta1},
            )


class Lamb(Optimizer):
    """Adam whose step is as long as learning_rate times the parameter's norm, for large batches.

    Args:
        learning_rate (float|LRScheduler), parameters (list|None), grad_clip (ClipGradBase|None), name (str|None): as of
            `Optimizer`.
        lamb_weight_decay (float): decay, part of the direction.
        beta1 (float), beta2 (float), epsilon (float), multi_precision (bool): as of `Adam`.
        exclude_from_weight_decay_fn (callable|None): parameter -> whether it is left without decay.
        always_adapt (bool): take the parameter's norm also where there is no decay.
    Raises:
        AssertionError: a coefficient is None.
        TypeError: at the first step: the decay is a text or a regularizer.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.optimizer.Lamb(0.002, lamb_weight_decay=0.01).get_lr()
        0.002
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    type = "lamb"
    _accumulator_table = _MOMENTS
    _attribute_table = {**_BETAS, "always_adapt": "always_adapt"}

    def __init__(
        self,
        learning_rate: Any = 0.001,
        lamb_weight_decay: float = 0.01,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        parameters: Any = None,
        grad_clip: Any = None,
        exclude_from_weight_decay_fn: Callable[[Any], bool] | None = None,
        multi_precision: bool = False,
        always_adapt: bool = False,
        name: str | None = None,
    ) -> None:
        need_given("Lamb", learning_rate=learning_rate, beta1=beta1, beta2=beta2, epsilon=epsilon)
        super().__init__(learning_rate, parameters, None, grad_clip, name)
        self._beta1, self._beta2, self._epsilon = beta1, beta2, epsilon
        self._lamb_weight_decay = lamb_weight_decay
        self._exclude_from_weight_decay_fn = exclude_from_weight_decay_fn
        self._multi_precision = multi_precision
        self.always_adapt = always_adapt
        self._default_dict = {
            "beta1": beta1,
            "beta2": beta2,
            "epsilon": epsilon,
            "lamb_weight_decay": lamb_weight_decay,
            "exclude_from_weight_decay_fn": exclude_from_weight_decay_fn,
        }

    def _attributes(self, param: Any) -> dict[str, Any]:
        excluded = self._exclude_from_weight_decay_fn is not None and self._exclude_from_weight_decay_fn(param)
        if isinstance(self._lamb_weight_decay, (str, WeightDecayRegularizer)):
            raise type_error("lamb_weight_decay", "a float", self._lamb_weight_decay, "Lamb")
        return {**super()._attributes(param), "weight_decay": 0.0 if excluded else self._lamb_weight_decay}

    def _group_settings(self) -> dict[str, str]:
        own = {
            "exclude_from_weight_decay_fn": "_exclude_from_weight_decay_fn",
            "lamb_weight_decay": "_lamb_weight_decay",
        }
        return {**_BETAS, **own}
