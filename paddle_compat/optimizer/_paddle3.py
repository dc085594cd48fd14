"""Optimizers that Paddle has since version 3: ASGD, NAdam, RAdam, Rprop."""

from __future__ import annotations

from typing import Any

from paddle_compat.core import mode
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import InvalidArgumentError, invalid_argument, need_given
from paddle_compat.optimizer._adam import _BETAS, _check_betas
from paddle_compat.optimizer._updates import Accumulator
from paddle_compat.optimizer.lr import LRScheduler
from paddle_compat.optimizer.optimizer import Optimizer

_MOMENTS = (Accumulator("moment1", "Moment1", wide=True), Accumulator("moment2", "Moment2", wide=True))


class ASGD(Optimizer):
    """Steps along the mean of the last gradients: with each new one the oldest is forgotten.

    Args:
        learning_rate (float|LRScheduler), parameters (list|None), weight_decay (float|regularizer|None), grad_clip
            (ClipGradBase|None), name (str|None): as of `Optimizer`.
        batch_num (int): how many gradients are remembered.
        multi_precision (bool): keep float32 copies of half-precision parameters and update those.
    Raises:
        ValueError: batch_num or learning_rate is None, or batch_num below 1.

    Example:
        >>> import paddle_compat as paddle
        >>> w = paddle.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
        >>> (w * 4.0).sum().backward()
        >>> paddle.optimizer.ASGD(0.1, batch_num=2, parameters=[w]).step()
        >>> round(w.item(), 4)
        0.6

    Follows Paddle 3.3.
    """

    type = "asgd"
    _accumulator_table = (
        Accumulator("d", "D", wide=True),
        Accumulator("y", "Y", wide=True, rows="_batch_num"),
        Accumulator("m", "M", shape=(1,), dtype=VarType.INT64),
    )

    def __init__(
        self,
        learning_rate: Any = 0.001,
        batch_num: int = 1,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        multi_precision: bool = False,
        name: str | None = None,
    ) -> None:
        need_given("ASGD", InvalidArgumentError, learning_rate=learning_rate, batch_num=batch_num)
        if batch_num <= 0:
            raise invalid_argument("batch_num", "at least 1", batch_num, "ASGD")
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._batch_num = int(batch_num) if mode.in_dygraph_mode() else 1  # Paddle's Programs remember none but the last
        self._multi_precision = multi_precision


class NAdam(Optimizer):
    """Adam whose first moment is taken as of the next step (Nesterov).

    Args:
        learning_rate (float|LRScheduler), parameters (list|None), weight_decay (float|regularizer|None), grad_clip
            (ClipGradBase|None), name (str|None): as of `Optimizer`.
        beta1 (float), beta2 (float): how much of the two means stays.
        epsilon (float): added to the root.
        momentum_decay (float): how fast the share of the first moment grows.
    Raises:
        ValueError: a coefficient is out of range.

    Example:
        >>> import paddle_compat as paddle
        >>> w = paddle.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
        >>> (w * 4.0).sum().backward()
        >>> paddle.optimizer.NAdam(0.1, parameters=[w]).step()
        >>> round(w.item(), 4)
        0.8944

    Follows Paddle 3.3.
    """

    type = "nadam"
    _accumulator_table = (
        Accumulator("momentum_decay_pow", "MomentumDecayPow", fill=1.0, wide=True),
        Accumulator("beta2_pow", "Beta2Pow", fill=1.0, wide=True),
        Accumulator("mu_product", "MuProduct", fill=1.0, wide=True),
        *_MOMENTS,
    )
    _attribute_table = {**_BETAS, "momentum_decay": "_momentum_decay"}

    def __init__(
        self,
        learning_rate: Any = 0.002,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        momentum_decay: float = 0.004,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        _check_betas("NAdam", learning_rate, beta1, beta2, epsilon)
        if momentum_decay < 0:
            raise invalid_argument("momentum_decay", "at least 0", momentum_decay, "NAdam")
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._beta1, self._beta2, self._epsilon, self._momentum_decay = beta1, beta2, epsilon, momentum_decay
        self._default_dict = {"beta1": beta1, "beta2": beta2, "epsilon": epsilon, "momentum_decay": momentum_decay}


class RAdam(Optimizer):
    """Adam whose steps are divided by the root of the second moment only once that is known well enough.

    Args:
        learning_rate (float|LRScheduler), parameters (list|None), weight_decay (float|regularizer|None), grad_clip
            (ClipGradBase|None), name (str|None): as of `Optimizer`.
        beta1 (float), beta2 (float): how much of the two means stays.
        epsilon (float): added to the root.
    Raises:
        ValueError: a coefficient is out of range.

    Example:
        >>> import paddle_compat as paddle
        >>> w = paddle.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
        >>> (w * 4.0).sum().backward()
        >>> paddle.optimizer.RAdam(0.1, parameters=[w]).step()
        >>> round(w.item(), 4)
        0.6

    Follows Paddle 3.3.
    """

    type = "radam"
    _accumulator_table = (
        Accumulator("beta1_pow", "Beta1Pow", fill=1.0, wide=True),
        Accumulator("beta2_pow", "Beta2Pow", fill=1.0, wide=True),
        Accumulator("rho", "Rho", fill=1.0, wide=True),
        *_MOMENTS,
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
        _check_betas("RAdam", learning_rate, beta1, beta2, epsilon)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._beta1, self._beta2, self._epsilon = beta1, beta2, epsilon
        self._default_dict = {"beta1": beta1, "beta2": beta2, "epsilon": epsilon}


class Rprop(Optimizer):
    """Steps that know gradients' signs only, each element of a length of its own.

    Args:
        learning_rate (float|LRScheduler), parameters (list|None), grad_clip (ClipGradBase|None), name (str|None): as of
            `Optimizer`; the rate is the length of the first step.
        learning_rate_range (tuple): the shortest and the longest step.
        etas (tuple): what lengths are multiplied by where a sign changes, and where it stays.
        multi_precision (bool): keep float32 copies of half-precision parameters and update those.
    Raises:
        ValueError: a number is out of range.

    Example:
        >>> import paddle_compat as paddle
        >>> w = paddle.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
        >>> (w * 4.0).sum().backward()
        >>> paddle.optimizer.Rprop(0.1, parameters=[w]).step()
        >>> round(w.item(), 4)
        0.9

    Follows Paddle 3.3.
    """

    type = "rprop"
    _accumulator_table = (
        Accumulator("prevs", "Prev", wide=True),
        Accumulator("learning_rates", "LearningRates", fill="_first_rate", wide=True),
    )
    _attribute_table = {"shrinks": "_shrinks", "grows": "_grows", "least": "_least", "most": "_most"}

    def __init__(
        self,
        learning_rate: Any = 0.001,
        learning_rate_range: tuple[float, float] = (1e-5, 50),
        parameters: Any = None,
        etas: tuple[float, float] = (0.5, 1.2),
        grad_clip: Any = None,
        multi_precision: bool = False,
        name: str | None = None,
    ) -> None:
        rate = learning_rate.last_lr if isinstance(learning_rate, LRScheduler) else float(learning_rate)
        if not 0 < learning_rate_range[0] <= rate <= learning_rate_range[1]:
            raise invalid_argument("learning_rate_range", f"positive numbers around {rate}", learning_rate_range, "Rprop")
        if not 0 < etas[0] < 1 < etas[1]:
            raise invalid_argument("etas", "a number in (0, 1) and one above 1", etas, "Rprop")
        super().__init__(learning_rate, parameters, None, grad_clip, name)
        self._first_rate = rate
        self._least, self._most = learning_rate_range
        self._shrinks, self._grows = etas
        self._multi_precision = multi_precision

    def _group_settings(self) -> dict[str, str]:
        return {}
