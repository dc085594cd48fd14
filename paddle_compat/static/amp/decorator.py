"""`decorate`: an optimizer that minimizes in mixed precision."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import unique_name
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.program import Program, default_main_program, default_startup_program, program_guard
from paddle_compat.optimizer.adam import Adam
from paddle_compat.optimizer.adamw import AdamW
from paddle_compat.optimizer.optimizer import Optimizer
from paddle_compat.static.amp.amp_nn import check_finite_and_unscale, update_loss_scaling
from paddle_compat.static.amp.fp16_lists import (
    AutoMixedPrecisionLists,
    check_amp_dtype,
    get_low_precision_dtypestr,
    get_low_precision_vartype,
)
from paddle_compat.static.amp.fp16_utils import cast_model_to_fp16, cast_parameters_to_fp16, update_role_var_grad
from paddle_compat.static.variables import create_global_var

__all__ = ["OptimizerWithMixedPrecision", "decorate"]

_LOW = (VarType.FP16, VarType.BF16)
_LEVELS = ("O0", "OD", "O1", "O2")
_MEMORY_OF_CPU = 0


class OptimizerWithMixedPrecision:
    """An optimizer that minimizes in mixed precision; `decorate` makes it.

    Args:
        optimizer (Optimizer): the optimizer.
        amp_lists (AutoMixedPrecisionLists): which operators compute in low precision.
        level (str): "O1", "O2" or "OD"; "O0" computes as "O1" does, with parameters in low precision, as in Paddle.
        dtype (str): "float16" or "bfloat16".
        init_loss_scaling (float): the first factor of the loss.
        use_dynamic_loss_scaling (bool): whether the factor changes; in bfloat16 it does not, and is 1.0 then.
        incr_every_n_steps, decr_every_n_nan_or_inf (int): after how many finite and infinite steps it does.
        incr_ratio, decr_ratio (float): what it is multiplied by.
        use_amp_guard (bool|None): at O2, whether only what was recorded inside `fp16_guard` computes in low precision.
        use_master_grad (bool): whether gradients are cast to float32 before clips and updates.
        use_promote (bool): whether an input in float32 makes an operator that is on no list, or computes as its inputs, compute in it.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main, startup = paddle.static.Program(), paddle.static.Program()
        >>> with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 1, bias_attr=False))
        ...     sgd = paddle.static.amp.decorate(paddle.optimizer.SGD(0.1), dtype="bfloat16")
        ...     pairs = sgd.backward(loss, startup)
        ...     ops = sgd.apply_gradients(pairs)
        >>> [p.name for p, g in pairs], sgd.get_loss_scaling().name, sgd.get_scaled_loss().name
        (['fc_0.w_0'], 'loss_scaling_0', 'tmp_0')
        >>> sgd.amp_init(paddle.CPUPlace())  # of no effect at O1

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        optimizer: Any,
        amp_lists: AutoMixedPrecisionLists | None,
        level: str,
        dtype: str,
        init_loss_scaling: float,
        use_dynamic_loss_scaling: bool,
        incr_every_n_steps: int,
        decr_every_n_nan_or_inf: int,
        incr_ratio: float,
        decr_ratio: float,
        use_amp_guard: bool | None = None,
        use_master_grad: bool = False,
        use_promote: bool = False,
    ) -> None:
        if dtype == "bfloat16" and use_dynamic_loss_scaling:
            warnings.warn(
                "Dynamic loss scaling for bfloat16 amp training is disabled, and the init_loss_scaling is changed to 1.0 automatically.",
                stacklevel=4,
            )
            use_dynamic_loss_scaling, init_loss_scaling = False, 1.0
        self._optimizer = optimizer
        self._amp_lists = AutoMixedPrecisionLists(dtype=dtype) if amp_lists is None else amp_lists
        self._param_grads: Any = None
        self._train_program: Program | None = None
        self._is_distributed = False
        self._use_master_grad = use_master_grad
        self._scaled_loss: Any = None
        self._loss_scaling: Any = None
        self._init_loss_scaling = init_loss_scaling
        self._use_dynamic_loss_scaling = use_dynamic_loss_scaling
        self._amp_vartype = get_low_precision_vartype(dtype)
        self._learning_rate = optimizer._learning_rate
        self._learning_rate_map = optimizer._learning_rate_map
        self._use_pure_fp16 = level == "O2"
        self._amp_level = level
        self._use_fp16_guard = use_amp_guard
        self._to_fp16_var_names: set[str] | None = None
        self._use_promote = use_promote
        self._incr_every_n_steps, self._decr_every_n_nan_or_inf = incr_every_n_steps, decr_every_n_nan_or_inf
        self._incr_ratio, self._decr_ratio = incr_ratio, decr_ratio
        self._num_good_steps: Any = None
        self._num_bad_steps: Any = None

    def _set_distributed(self, flag: bool) -> None:
        self._is_distributed = flag

    def get_loss_scaling(self) -> Any:
        """The variable that holds the factor.

        Returns:
            Tensor: of shape [1].
        Raises:
            AssertionError: nothing was minimized yet.
        """
        if self._loss_scaling is None:
            raise AssertionError("Please call minimize() before calling get_loss_scaling().")
        return self._loss_scaling

    def get_scaled_loss(self) -> Any:
        """The loss times the factor.

        Returns:
            Tensor: None before `minimize`.
        """
        return self._scaled_loss

    def _supports_check_nan_inf(self) -> bool:
        return getattr(self._optimizer, "_supports_check_nan_inf", False)

    @property
    def _scales(self) -> bool:
        """Whether the loss is multiplied by something."""
        return self._use_dynamic_loss_scaling or self._init_loss_scaling != 1.0

    def _init_amp_var(self) -> None:
        """Make the variables of the factor and, where it changes, of the counts."""

        def variable(name: str, value: float, dtype: str) -> Any:
            return create_global_var([1], value, dtype, persistable=True, name=unique_name.generate(name))

        self._loss_scaling = variable("loss_scaling", self._init_loss_scaling, "float32")
        if self._use_dynamic_loss_scaling:
            self._num_good_steps = variable("num_good_steps", 0, "int32")
            self._num_bad_steps = variable("num_bad_steps", 0, "int32")
        if isinstance(self._optimizer._learning_rate, float):
            # in float32, whatever the loss is in
            rate = variable("learning_rate", self._optimizer._learning_rate, "float32")
            self._optimizer._learning_rate_map[default_main_program()] = rate

    def backward(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameter_list: Any = None,
        no_grad_set: Iterable[Any] | None = None,
        callbacks: Any = None,
    ) -> list[Any]:
        """The first half of `minimize`: write casts, the scaled loss and the gradients.

        Args:
            loss (Tensor): what is minimized.
            startup_program (Program|None): None for the default one.
            parameter_list (list|None): what gradients are wanted of.
            no_grad_set (set|None): Variables or names through which no gradient flows.
            callbacks (list|None): called after each gradient operator.
        Returns:
            list: pairs of parameter and gradient of the scaled loss.
        """
        self._train_program = loss.block.program
        with program_guard(self._train_program, startup_program):
            self._init_amp_var()
            self._write_casts()
            if loss.dtype in _LOW:
                loss = loss.astype("float32")
            self._scaled_loss = loss * self._loss_scaling if self._scales else loss
            pairs: list[Any] = self._optimizer.backward(self._scaled_loss, startup_program, parameter_list, no_grad_set, callbacks)
            self._param_grads = self._append_cast_to_master_grad_op(pairs) if self._use_master_grad else pairs
        pairs = self._param_grads
        return pairs

    def _write_casts(self) -> None:
        """Let the Program compute in low precision."""
        assert self._train_program is not None
        guarded = self._use_pure_fp16 and self._use_fp16_guard is not False
        names = cast_model_to_fp16(self._train_program, self._amp_lists, guarded, self._amp_vartype, self._amp_level, self._use_promote)
        self._to_fp16_var_names = names if self._use_pure_fp16 else None

    def _append_cast_to_master_grad_op(self, param_grads: list[Any]) -> list[Any]:
        """Cast gradients of low precision to float32."""
        block = default_main_program().global_block()
        pairs = []
        for param, grad in param_grads:
            if grad is not None and grad.dtype in _LOW:
                name = unique_name.generate(f"{grad.name}_fp32_master")
                wide = block._add_var(name=name, shape=grad.shape, dtype=VarType.FP32, persistable=False)
                attrs = {"in_dtype": int(grad.dtype), "out_dtype": int(VarType.FP32)}
                block.append_op(type="cast", inputs={"X": grad}, outputs={"Out": wide}, attrs=attrs)
                grad = wide
            pairs.append((param, grad))
        return pairs

    def amp_init(
        self,
        place: Any,
        scope: Any = None,
        test_program: Program | None = None,
        use_fp16_test: bool = False,
        rewrite_master_weight: bool = False,
    ) -> None:
        """After the startup program ran: cast the parameters' values, where the level asks for it.

        Args:
            place (Place): of no effect; values stay where they are.
            scope (Scope|None): None: the global one.
            test_program (Program|None): a Program of the same parameters, to be cast like the trained one.
            use_fp16_test (bool): whether to cast it at O1.
            rewrite_master_weight (bool): whether master copies take the parameters' values again.
        Raises:
            AssertionError: nothing was minimized yet.
        """
        if self._train_program is None:
            raise AssertionError("Please call the minimize method first.")
        if self._use_pure_fp16:
            names, masters = self._to_fp16_var_names, self._optimizer._master_weights
            cast_parameters_to_fp16(place, self._train_program, scope, names, self._amp_vartype, rewrite_master_weight, masters)
        if test_program is not None and (self._use_pure_fp16 or use_fp16_test):
            guarded = self._use_pure_fp16 and self._use_fp16_guard is not False
            cast_model_to_fp16(test_program, self._amp_lists, guarded, self._amp_vartype, self._amp_level)

    def apply_gradients(self, params_grads: list[Any]) -> Any:
        """The second half of `minimize`: write what unscales and checks the gradients, and the updates.

        Args:
            params_grads (list): what `backward` returned.
        Returns:
            list: the operators of the updates.
        """
        assert self._train_program is not None, "Please call the backward method first."
        update_role_var_grad(self._train_program, params_grads)
        if self._scales:
            params_grads = list(params_grads)
            found = self._check_finite_and_unscale(params_grads)
            if self._use_dynamic_loss_scaling:
                self._add_dynamic_loss_scaling(params_grads, found)
            inner = getattr(self._optimizer, "inner_opt", self._optimizer)
            if isinstance(inner, (Adam, AdamW)):
                with self._train_program._optimized_guard([]):
                    found = _for_cpu(found)
            if hasattr(self._optimizer, "_set_auxiliary_var"):
                # the operators of Adam and Lamb leave parameters alone then
                self._optimizer._set_auxiliary_var("found_inf", found)
        return self._optimizer.apply_gradients(params_grads)

    def _split_grads(self, params_grads: list[Any]) -> tuple[list[Any], list[Any], list[Any]]:
        """All gradients, those in float32, and those in low precision."""
        grads = [grad for _, grad in params_grads if grad is not None]
        return grads, [g for g in grads if g.dtype not in _LOW], [g for g in grads if g.dtype in _LOW]

    def _check_finite_and_unscale(self, params_grads: list[Any]) -> Any:
        """Divide the gradients by the factor; whether one was infinite."""
        from paddle_compat.tensor._reductions import any as any_of
        from paddle_compat.tensor.manipulation import concat

        grads, wide, low = self._split_grads(params_grads)
        assert self._train_program is not None
        if not grads:
            raise invalid_argument("params_grads", "a gradient at least", params_grads, "apply_gradients")
        parts = [(wide, "_fp32"), (low, "_fp16")] if self._use_pure_fp16 else [(grads, "")]
        if self._is_distributed:  # each as soon as its sum over the workers is there
            parts = [([grad], "") for grad in grads]
        params = {id(grad): param for param, grad in params_grads}
        founds = []
        for part, ending in parts:
            if part:
                pair = [params[id(part[0])], *part] if self._is_distributed else part
                with self._train_program._optimized_guard(pair):
                    founds.append(check_finite_and_unscale(part, self._loss_scaling, name=f"find_infinite_scale{ending}")[1])
        if len(parts) == 1:
            return founds[0]
        with self._train_program._optimized_guard([]):
            return any_of(concat(founds))

    def _add_dynamic_loss_scaling(self, params_grads: list[Any], found_inf: Any) -> None:
        grads, wide, low = self._split_grads(params_grads)
        parts = [part for part in (wide, low) if part] if self._use_pure_fp16 else [grads]
        assert self._train_program is not None
        with self._train_program._optimized_guard([]):
            for at, part in enumerate(parts):
                update_loss_scaling(
                    part,
                    found_inf,
                    self._loss_scaling,
                    self._num_good_steps,
                    self._num_bad_steps,
                    self._incr_every_n_steps,
                    self._decr_every_n_nan_or_inf,
                    self._incr_ratio,
                    self._decr_ratio,
                    stop_update=at > 0,  # one of them counts
                    name="update_loss_scaling",
                )

    def apply_optimize(self, loss: Any, startup_program: Program | None, params_grads: list[Any]) -> Any:
        """As `apply_gradients`, in the Program of the loss.

        Args:
            loss (Tensor): what is minimized.
            startup_program (Program|None): None for the default one.
            params_grads (list): what `backward` returned.
        Returns:
            list: the operators of the updates.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> main, startup = paddle.static.Program(), paddle.static.Program()
            >>> with paddle.static.program_guard(main, startup):
            ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 1, bias_attr=False))
            >>> sgd = paddle.static.amp.decorate(paddle.optimizer.SGD(0.1), dtype="bfloat16")
            >>> [op.type for op in sgd.apply_optimize(loss, startup, sgd.backward(loss, startup))]
            ['sgd']
        """
        with program_guard(loss.block.program, default_startup_program() if startup_program is None else startup_program):
            return self.apply_gradients(params_grads)

    def minimize(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameter_list: Any = None,
        no_grad_set: Iterable[Any] | None = None,
    ) -> tuple[Any, list[Any]]:
        """Write what minimizes a loss in mixed precision.

        Args:
            loss (Tensor): what is minimized.
            startup_program (Program|None): None for the default one.
            parameter_list (list|None): what is trained; None for all trainable parameters.
            no_grad_set (set|None): Variables or names through which no gradient flows.
        Returns:
            tuple: the operators of the updates, and the pairs of parameter and gradient.

        Example:
            >>> import numpy as np, paddle_compat as paddle
            >>> paddle.enable_static()
            >>> main, startup = paddle.static.Program(), paddle.static.Program()
            >>> with paddle.static.program_guard(main, startup):
            ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 1))
            ...     sgd = paddle.static.amp.decorate(paddle.optimizer.SGD(0.1), level="O2", dtype="bfloat16")
            ...     ops, pairs = sgd.minimize(loss)
            >>> exe = paddle.static.Executor()
            >>> _ = exe.run(startup); sgd.amp_init(paddle.CPUPlace())
            >>> exe.run(main, feed={"x": np.ones([4, 2], "float32")}, fetch_list=[sgd.get_loss_scaling()])[0].tolist()
            [65536.0]
        """
        pairs = self.backward(loss, startup_program, parameter_list, no_grad_set)
        return self.apply_optimize(loss, startup_program, pairs), pairs


def _for_cpu(var: Any) -> Any:
    helper = LayerHelper("memcpy")
    out = helper.create_variable_for_type_inference(var.dtype)
    helper.append_op(type="memcpy", inputs={"X": var}, outputs={"Out": out}, attrs={"dst_place_type": _MEMORY_OF_CPU})
    return out


def _keep_masters(optimizer: Any, asked: bool) -> None:
    inner = getattr(optimizer, "inner_opt", optimizer)
    if not isinstance(inner, Optimizer):
        raise RuntimeError(
            f"Current AMP training level is O2, optimizer is expected to be paddle.optimizer.Optimizer, but receive {type(inner)}."
        )
    if asked:
        inner._multi_precision = True


def _decorate_half(
    optimizer: Any,
    amp_lists: Any = None,
    init_loss_scaling: float = 2**15,
    incr_every_n_steps: int = 1000,
    decr_every_n_nan_or_inf: int = 2,
    incr_ratio: float = 2.0,
    decr_ratio: float = 0.8,
    use_dynamic_loss_scaling: bool = True,
    use_pure_fp16: bool = False,
    use_fp16_guard: bool | None = None,
    use_bf16: bool = False,
    use_promote: bool = False,
) -> OptimizerWithMixedPrecision:
    """The older arguments of `decorate`."""
    dtype = "bfloat16" if use_bf16 else "float16"
    return OptimizerWithMixedPrecision(
        optimizer,
        amp_lists,
        "O2" if use_pure_fp16 else "O1",
        dtype,
        init_loss_scaling,
        use_dynamic_loss_scaling,
        incr_every_n_steps,
        decr_every_n_nan_or_inf,
        incr_ratio,
        decr_ratio,
        use_amp_guard=True if use_pure_fp16 and use_fp16_guard is None else use_fp16_guard,
        use_promote=use_promote,
    )


def _decorate(
    optimizer: Any,
    amp_lists: Any = None,
    level: str = "O1",
    dtype: str = "float16",
    master_weight: bool | None = None,
    master_grad: bool = False,
    init_loss_scaling: float = 2**16,
    incr_every_n_steps: int = 2000,
    decr_every_n_nan_or_inf: int = 1,
    incr_ratio: float = 2.0,
    decr_ratio: float = 0.5,
    use_dynamic_loss_scaling: bool | None = None,
    use_amp_guard: bool = False,
    use_promote: bool = False,
) -> OptimizerWithMixedPrecision:
    """The newer arguments of `decorate`."""
    check_amp_dtype(dtype)
    level = level.upper() if isinstance(level, str) else level
    if level not in _LEVELS:
        raise ValueError(f"level should be O0, OD, O1 or O2. Received: {level!r}")
    dtype = get_low_precision_dtypestr(dtype)
    if level == "OD":
        warnings.warn("If the Amp level is set to OD, the amp list will not be used.", stacklevel=3)
        amp_lists = AutoMixedPrecisionLists(dtype=dtype)
    _keep_masters(optimizer, master_weight is not False)
    return OptimizerWithMixedPrecision(
        optimizer,
        amp_lists,
        level,
        dtype,
        init_loss_scaling,
        dtype == "float16" if use_dynamic_loss_scaling is None else use_dynamic_loss_scaling,
        incr_every_n_steps,
        decr_every_n_nan_or_inf,
        incr_ratio,
        decr_ratio,
        use_amp_guard=use_amp_guard,
        use_master_grad=master_grad and level == "O2",
        use_promote=use_promote,
    )


_OLDER = {"use_pure_fp16", "use_fp16_guard", "use_bf16"}


def decorate(*args: Any, **kwargs: Any) -> OptimizerWithMixedPrecision:
    """Let an optimizer minimize in mixed precision.

    Two sets of arguments are known. The older one is taken where `use_pure_fp16`, `use_fp16_guard` or `use_bf16` is given, or where
    the third argument is a number: optimizer, amp_lists=None, init_loss_scaling=32768, incr_every_n_steps=1000,
    decr_every_n_nan_or_inf=2, incr_ratio=2.0, decr_ratio=0.8, use_dynamic_loss_scaling=True, use_pure_fp16=False (the level O2),
    use_fp16_guard=None, use_bf16=False, use_promote=False. The newer one: optimizer, amp_lists=None, level="O1", dtype="float16",
    master_weight=None, master_grad=False, init_loss_scaling=65536, incr_every_n_steps=2000, decr_every_n_nan_or_inf=1,
    incr_ratio=2.0, decr_ratio=0.5, use_dynamic_loss_scaling=None (whether dtype is "float16"), use_amp_guard=False,
    use_promote=False. As in eager mode, float16 has no effect on a CPU.

    Args:
        args, kwargs: one of the two.
    Returns:
        OptimizerWithMixedPrecision.
    Raises:
        ValueError: level or dtype is none of these.
        RuntimeError: the optimizer is none.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main, startup = paddle.static.Program(), paddle.static.Program()
        >>> with paddle.static.program_guard(main, startup):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 1, bias_attr=False))
        ...     sgd = paddle.static.amp.decorate(paddle.optimizer.SGD(0.1), dtype="bfloat16")
        ...     _ = sgd.minimize(loss)
        >>> [op.type for op in main.global_block().ops][:4]
        ['cast', 'cast', 'mul', 'cast']

    Follows Paddle 2.6.
    """
    third = args[2] if len(args) > 2 else None
    older = _OLDER & set(kwargs) or isinstance(third, (int, float))
    return (_decorate_half if older else _decorate)(*args, **kwargs)


__getattr__ = missing(__name__)
