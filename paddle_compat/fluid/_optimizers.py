"""The optimizers of Paddle 1.8; each one is its table (see `optimizer._updates`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat.core.errors import need_given
from paddle_compat.fluid._optimizer_base import Optimizer
from paddle_compat.optimizer._adam import advance_beta1
from paddle_compat.optimizer._updates import Accumulator

_VELOCITY = (Accumulator("velocity", "Velocity"),)
_MOMENT = (Accumulator("moment", "Moment"),)
_BETAS = {"beta1": "_beta1", "beta2": "_beta2", "epsilon": "_epsilon"}
_MOMENTS = (
    Accumulator("moment1", "Moment1"),
    Accumulator("moment2", "Moment2"),
    Accumulator("beta1_pow_acc", "Beta1Pow", fill="_beta1", shape=(1,), device="cpu"),
    Accumulator("beta2_pow_acc", "Beta2Pow", fill="_beta2", shape=(1,), device="cpu"),
)


class SGDOptimizer(Optimizer):
    """parameter -= learning_rate * gradient.

    Args:
        learning_rate (float|Variable), parameter_list (list|None), regularization (regularizer|None), grad_clip
            (GradientClipBase|None), name (str|None): as of `Optimizer`.
        multi_precision (bool): of no effect, as float32 parameters need no copies.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 3))
        ...     _, pairs = fluid.optimizer.SGDOptimizer(0.1).minimize(loss)
        >>> [parameter.name for parameter, _ in pairs]
        ['fc_0.w_0', 'fc_0.b_0']

    Follows Paddle 1.8.
    """

    type = "sgd"

    def __init__(
        self,
        learning_rate: Any,
        parameter_list: Any = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
        multi_precision: bool = False,
    ) -> None:
        need_given("SGDOptimizer", learning_rate=learning_rate)
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)


class MomentumOptimizer(Optimizer):
    """velocity = momentum * velocity + gradient; parameter -= learning_rate * velocity.

    Args:
        learning_rate (float|Variable), parameter_list (list|None), regularization (regularizer|None), grad_clip
            (GradientClipBase|None), name (str|None): as of `Optimizer`.
        momentum (float): how much of the velocity stays.
        use_nesterov (bool): look ahead: gradient + momentum * velocity takes the velocity's place.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 3))
        ...     _, pairs = fluid.optimizer.MomentumOptimizer(0.1, 0.9).minimize(loss)
        >>> [parameter.name for parameter, _ in pairs]
        ['fc_0.w_0', 'fc_0.b_0']

    Follows Paddle 1.8.
    """

    type = "momentum"
    _accumulator_table = _VELOCITY
    _attribute_table = {"mu": "_momentum", "use_nesterov": "_use_nesterov"}

    def __init__(
        self,
        learning_rate: Any,
        momentum: float,
        parameter_list: Any = None,
        use_nesterov: bool = False,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        need_given("MomentumOptimizer", learning_rate=learning_rate, momentum=momentum)
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)
        self._momentum = momentum
        self._use_nesterov = bool(use_nesterov)


class LarsMomentumOptimizer(Optimizer):
    """Momentum whose rate follows the ratio of the norms of parameter and gradient (LARS).

    Args:
        learning_rate (float|Variable), parameter_list (list|None), regularization (regularizer|None), grad_clip
            (GradientClipBase|None), name (str|None): as of `Optimizer`.
        momentum (float): how much of the velocity stays.
        lars_coeff (float): factor on the ratio.
        lars_weight_decay (float): decay, part of the gradient and of the ratio.
        exclude_from_weight_decay (list|None), epsilon (float), multi_precision (bool), rescale_grad (float): as from Paddle 2.0
            on: parameters whose names contain one of these do not decay, what is added to the ratio's denominator, whether
            parameters of half precision are updated in float32, and a factor on the gradients.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 3))
        ...     _, pairs = fluid.optimizer.LarsMomentumOptimizer(0.1, 0.9).minimize(loss)
        >>> [parameter.name for parameter, _ in pairs]
        ['fc_0.w_0', 'fc_0.b_0']

    Follows Paddle 1.8.
    """

    type = "lars_momentum"
    _accumulator_table = _VELOCITY
    _attribute_table = {"mu": "_momentum", "lars_coeff": "_lars_coeff", "lars_weight_decay": "_lars_weight_decay"}

    def __init__(
        self,
        learning_rate: Any,
        momentum: float,
        lars_coeff: float = 0.001,
        lars_weight_decay: float = 0.0005,
        parameter_list: Any = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
        exclude_from_weight_decay: list[str] | None = None,
        epsilon: float = 0,
        multi_precision: bool = False,
        rescale_grad: float = 1.0,
    ) -> None:
        need_given("LarsMomentumOptimizer", learning_rate=learning_rate, momentum=momentum)
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)
        self._momentum = momentum
        self._lars_coeff = float(lars_coeff)
        self._lars_weight_decay = float(lars_weight_decay)
        self._exclude_from_weight_decay = exclude_from_weight_decay or []
        self._multi_precision = multi_precision
        later = {"epsilon": float(epsilon), "rescale_grad": float(rescale_grad)}
        self._later = later if (epsilon, rescale_grad) != (0, 1.0) else {}  # 1.8 has no such attributes

    def _attributes(self, param: Any) -> dict[str, Any]:
        attributes = {**super()._attributes(param), **self._later}
        if any(part in param.name for part in self._exclude_from_weight_decay):  # nor does their rate follow norms, as from 2.0 on
            attributes |= {"lars_weight_decay": 0.0, "_v1": False}
        return attributes


class AdagradOptimizer(Optimizer):
    """Gradients over the root of the sum of all their squares.

    Args:
        learning_rate (float|Variable), parameter_list (list|None), regularization (regularizer|None), grad_clip
            (GradientClipBase|None), name (str|None): as of `Optimizer`.
        epsilon (float): added to the root.
        initial_accumulator_value (float): what the sums start from.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 3))
        ...     _, pairs = fluid.optimizer.AdagradOptimizer(0.1).minimize(loss)
        >>> [parameter.name for parameter, _ in pairs]
        ['fc_0.w_0', 'fc_0.b_0']

    Follows Paddle 1.8.
    """

    type = "adagrad"
    _accumulator_table = (Accumulator("moment", "Moment", fill="initial_accumulator_value"),)
    _attribute_table = {"epsilon": "_epsilon"}

    def __init__(
        self,
        learning_rate: Any,
        epsilon: float = 1.0e-6,
        parameter_list: Any = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
        initial_accumulator_value: float = 0.0,
    ) -> None:
        need_given("AdagradOptimizer", learning_rate=learning_rate, epsilon=epsilon)
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)
        self._epsilon = epsilon
        self.initial_accumulator_value = initial_accumulator_value


class AdamOptimizer(Optimizer):
    """Steps along the mean of gradients over the root of the mean of their squares, both corrected for their start.

    Args:
        learning_rate (float|Variable), parameter_list (list|None), regularization (regularizer|None), grad_clip
            (GradientClipBase|None), name (str|None): as of `Optimizer`.
        beta1 (float|Variable), beta2 (float|Variable): how much of the two means stays.
        epsilon (float): added to the root, before its correction.
        lazy_mode (bool): of a sparse gradient, touch only the rows that it holds; else its other rows are zero.
        use_global_beta_pow (bool), flatten_param_grads (bool), align_size (int): of no effect; Paddle 2 stores states otherwise for them.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 3))
        ...     _, pairs = fluid.optimizer.AdamOptimizer(0.1).minimize(loss)
        >>> [parameter.name for parameter, _ in pairs]
        ['fc_0.w_0', 'fc_0.b_0']

    Follows Paddle 1.8.
    """

    type = "adam"
    _accumulator_table = _MOMENTS
    _attribute_table = {**_BETAS, "lazy_mode": "_lazy_mode"}

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: float = 1e-8,
        parameter_list: Any = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
        lazy_mode: bool = False,
        use_global_beta_pow: bool = False,
        flatten_param_grads: bool = False,
        align_size: int = -1,
    ) -> None:
        numbers = {"learning_rate": learning_rate, "beta1": beta1, "beta2": beta2, "epsilon": epsilon}
        need_given(type(self).__name__, **numbers)
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)
        self._beta1, self._beta2, self._epsilon, self._lazy_mode = beta1, beta2, epsilon, lazy_mode


class AdamaxOptimizer(Optimizer):
    """Adam with the largest gradient so far, which fades, in place of the mean of squares.

    Args:
        learning_rate (float|Variable), parameter_list (list|None), regularization (regularizer|None), grad_clip
            (GradientClipBase|None), name (str|None): as of `Optimizer`.
        beta1 (float), beta2 (float): how much of the mean and of the largest gradient stays.
        epsilon (float): added to the largest gradient.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 3))
        ...     _, pairs = fluid.optimizer.AdamaxOptimizer(0.1).minimize(loss)
        >>> [parameter.name for parameter, _ in pairs]
        ['fc_0.w_0', 'fc_0.b_0']

    Follows Paddle 1.8.
    """

    type = "adamax"
    _accumulator_table = (
        Accumulator("moment", "Moment"),
        Accumulator("inf_norm", "InfNorm"),
        Accumulator("beta1_pow_acc", "Beta1Pow", fill="_beta1", shape=(1,)),
    )
    _attribute_table = _BETAS

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        parameter_list: Any = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        numbers = {"learning_rate": learning_rate, "beta1": beta1, "beta2": beta2, "epsilon": epsilon}
        need_given("AdamaxOptimizer", **numbers)
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)
        self._beta1, self._beta2, self._epsilon = beta1, beta2, epsilon

    def _finish_update(self, block: Any, parameters_and_grads: Any) -> None:
        advance_beta1(self, block, parameters_and_grads, "adamx")


class DpsgdOptimizer(Optimizer):
    """SGD with differential privacy: gradients clipped by norm, with Gaussian noise.

    Args:
        learning_rate (float|Variable), parameter_list (list|None): as of `Optimizer`.
        clip (float): bound of a gradient's norm.
        batch_size (float): the noise is divided by it.
        sigma (float): standard deviation of the noise.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 3))
        ...     _, pairs = fluid.optimizer.DpsgdOptimizer(0.1).minimize(loss)
        >>> [parameter.name for parameter, _ in pairs]
        ['fc_0.w_0', 'fc_0.b_0']

    Follows Paddle 1.8.
    """

    type = "dpsgd"
    _attribute_table = {"clip": "_clip", "batch_size": "_batch_size", "sigma": "_sigma", "seed": "_seed"}

    def __init__(
        self,
        learning_rate: Any = 0.001,
        clip: float = 0.9,
        batch_size: float = 0.999,
        sigma: float = 1e-8,
        parameter_list: Any = None,
    ) -> None:
        numbers = {"learning_rate": learning_rate, "clip": clip, "batch_size": batch_size, "sigma": sigma}
        need_given("DpsgdOptimizer", **numbers)
        super().__init__(learning_rate, parameter_list)
        self._clip, self._batch_size, self._sigma = clip, batch_size, sigma
        self._seed: int | None = None  # set it to repeat the noise

    def _attributes(self, param: Any) -> dict[str, Any]:
        return {**super()._attributes(param), "seed": self._seed or 0}


class DecayedAdagradOptimizer(Optimizer):
    """Adagrad whose sum of squares fades.

    Args:
        learning_rate (float|Variable), parameter_list (list|None), regularization (regularizer|None), grad_clip
            (GradientClipBase|None), name (str|None): as of `Optimizer`.
        decay (float): how much of the sum stays.
        epsilon (float): added to the root.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 3))
        ...     _, pairs = fluid.optimizer.DecayedAdagradOptimizer(0.1).minimize(loss)
        >>> [parameter.name for parameter, _ in pairs]
        ['fc_0.w_0', 'fc_0.b_0']

    Follows Paddle 1.8.
    """

    type = "decayed_adagrad"
    _accumulator_table = _MOMENT
    _attribute_table = {"decay": "_decay", "epsilon": "_epsilon"}

    def __init__(
        self,
        learning_rate: Any,
        decay: float = 0.95,
        epsilon: float = 1.0e-6,
        parameter_list: Any = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        numbers = {"learning_rate": learning_rate, "decay": decay, "epsilon": epsilon}
        need_given("DecayedAdagradOptimizer", **numbers)
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)
        self._decay, self._epsilon = decay, epsilon


class AdadeltaOptimizer(Optimizer):
    """Steps as long as the root of the mean square of former steps over that of the gradients.

    Args:
        learning_rate (float|Variable), parameter_list (list|None), regularization (regularizer|None), grad_clip
            (GradientClipBase|None), name (str|None): as of `Optimizer`; the steps do not depend on the learning rate.
        epsilon (float): added to the means.
        rho (float): how much of the means stays.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 3))
        ...     _, pairs = fluid.optimizer.AdadeltaOptimizer(0.1).minimize(loss)
        >>> [parameter.name for parameter, _ in pairs]
        ['fc_0.w_0', 'fc_0.b_0']

    Follows Paddle 1.8.
    """

    type = "adadelta"
    _accumulator_table = (
        Accumulator("_avg_squared_grad", "AvgSquaredGrad"),
        Accumulator("_avg_squared_update", "AvgSquaredUpdate"),
    )
    _attribute_table = {"epsilon": "_epsilon", "rho": "_rho"}

    def __init__(
        self,
        learning_rate: Any,
        epsilon: float = 1.0e-6,
        rho: float = 0.95,
        parameter_list: Any = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        need_given("AdadeltaOptimizer", ValueError, learning_rate=learning_rate, epsilon=epsilon, rho=rho)
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)
        self._epsilon, self._rho = epsilon, rho


class RMSPropOptimizer(Optimizer):
    """Gradients over the root of the mean of their squares.

    Args:
        learning_rate (float|Variable), parameter_list (list|None), regularization (regularizer|None), grad_clip
            (GradientClipBase|None), name (str|None): as of `Optimizer`.
        rho (float): how much of the mean stays.
        epsilon (float): added to the mean, inside the root.
        momentum (float): how much of the last step is taken again.
        centered (bool): subtract the square of the mean gradient: the root of the variance.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 3))
        ...     _, pairs = fluid.optimizer.RMSPropOptimizer(0.1).minimize(loss)
        >>> [parameter.name for parameter, _ in pairs]
        ['fc_0.w_0', 'fc_0.b_0']

    Follows Paddle 1.8.
    """

    type = "rmsprop"
    _accumulator_table = (
        Accumulator("momentum", "Moment"),
        Accumulator("mean_square", "MeanSquare"),
        Accumulator("mean_grad", "MeanGrad"),
    )
    _attribute_table = {"epsilon": "_epsilon", "decay": "_rho", "momentum": "_momentum", "centered": "_centered"}

    def __init__(
        self,
        learning_rate: Any,
        rho: float = 0.95,
        epsilon: float = 1.0e-6,
        momentum: float = 0.0,
        centered: bool = False,
        parameter_list: Any = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)
        need_given("RMSPropOptimizer", ValueError, rho=rho, epsilon=epsilon, momentum=momentum)
        self._rho, self._epsilon, self._momentum, self._centered = rho, epsilon, momentum, centered


class FtrlOptimizer(Optimizer):
    """Follow the regularised leader; `l1` and `l2` keep parameters small, many at zero.

    Args:
        learning_rate (float|Variable), parameter_list (list|None), regularization (regularizer|None), grad_clip
            (GradientClipBase|None), name (str|None): as of `Optimizer`.
        l1 (float), l2 (float): strengths; as in Paddle 1.8, `l1` is taken for both.
        lr_power (float): how the rate falls with the sum of squares.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 3))
        ...     _, pairs = fluid.optimizer.FtrlOptimizer(0.1).minimize(loss)
        >>> [parameter.name for parameter, _ in pairs]
        ['fc_0.w_0', 'fc_0.b_0']

    Follows Paddle 1.8.
    """

    type = "ftrl"
    _accumulator_table = (Accumulator("squared", "SquaredAccumulator"), Accumulator("linear", "LinearAccumulator"))
    _attribute_table = {"l1": "_l1", "l2": "_l1", "lr_power": "_lr_power"}

    def __init__(
        self,
        learning_rate: Any,
        l1: float = 0.0,
        l2: float = 0.0,
        lr_power: float = -0.5,
        parameter_list: Any = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)
        self._l1, self._l2, self._lr_power = l1, l2, lr_power


class LambOptimizer(AdamOptimizer):
    """Adam whose step is as long as learning_rate times the parameter's norm, without bias correction.

    Args:
        learning_rate (float|Variable), parameter_list (list|None), regularization (regularizer|None), grad_clip
            (GradientClipBase|None), name (str|None): as of `Optimizer`.
        lamb_weight_decay (float): decay, part of the direction.
        beta1 (float), beta2 (float), epsilon (float): as of `AdamOptimizer`.
        exclude_from_weight_decay_fn (callable|None): parameter -> whether it is left without decay.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 3))
        ...     _, pairs = fluid.optimizer.LambOptimizer(0.1).minimize(loss)
        >>> [parameter.name for parameter, _ in pairs]
        ['fc_0.w_0', 'fc_0.b_0']

    Follows Paddle 1.8.
    """

    type = "lamb"
    _attribute_table = _BETAS

    def __init__(
        self,
        learning_rate: Any = 0.001,
        lamb_weight_decay: float = 0.01,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        parameter_list: Any = None,
        regularization: Any = None,
        grad_clip: Any = None,
        exclude_from_weight_decay_fn: Callable[[Any], bool] | None = None,
        name: str | None = None,
    ) -> None:
        need_given("LambOptimizer", lamb_weight_decay=lamb_weight_decay)
        super().__init__(learning_rate, beta1, beta2, epsilon, parameter_list, regularization, grad_clip, name)
        self._weight_decay = lamb_weight_decay
        self._exclude_from_weight_decay_fn = exclude_from_weight_decay_fn

    def _attributes(self, param: Any) -> dict[str, Any]:
        excluded = self._exclude_from_weight_decay_fn is not None and self._exclude_from_weight_decay_fn(param)
        return {**super()._attributes(param), "weight_decay": 0.0 if excluded else self._weight_decay}
