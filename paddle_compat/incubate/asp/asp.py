"""`paddle.incubate.asp.asp`: pruning networks and Programs, and optimizers that keep what is pruned."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.errors import failed_assertion, type_error
from paddle_compat.core.place import run_device
from paddle_compat.core.program import Program, default_main_program, default_startup_program, program_guard
from paddle_compat.core.scope import global_scope
from paddle_compat.incubate.asp import supported_layer_list as supported
from paddle_compat.incubate.asp.utils import MaskAlgo
from paddle_compat.nn.initializer import Constant
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.ops.elementwise import elementwise_mul
from paddle_compat.tensor import create_parameter

_ALGORITHMS = {
    "mask_1d": MaskAlgo.MASK_1D, "mask_2d_greedy": MaskAlgo.MASK_2D_GREEDY, "mask_2d_best": MaskAlgo.MASK_2D_BEST,
}  # fmt: skip


def set_excluded_layers(param_names: list[str], main_program: Program | None = None) -> None:
    """Leave layers as they are.

    Args:
        param_names (list): full names of layers, or names of parameters.
        main_program (Program): where they are; None: the default one, which stands for networks in eager mode, too. Paddle 2.1 and 2.2
            took the Program first.

    Example:
        >>> import paddle_compat as paddle
        >>> network = paddle.nn.Linear(8, 8)
        >>> paddle.incubate.asp.set_excluded_layers([network.full_name()])
        >>> sorted(paddle.incubate.asp.prune_model(network))
        []
        >>> paddle.incubate.asp.reset_excluded_layers()

    Follows Paddle 2.6.
    """
    if isinstance(param_names, Program):
        param_names, main_program = main_program or [], param_names  # type: ignore[assignment]
    ASPHelper.set_excluded_layers(param_names=param_names, main_program=main_program)


def reset_excluded_layers(main_program: Program | None = None) -> None:
    """Forget which layers are left as they are.

    Args:
        main_program (Program): where they are; None: everywhere.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.incubate.asp.reset_excluded_layers()

    Follows Paddle 2.6.
    """
    ASPHelper.reset_excluded_layers(main_program=main_program)


def decorate(optimizer: Any) -> Any:
    """An optimizer that leaves zeros zeros where weights were pruned.

    Args:
        optimizer (Optimizer): what makes the steps.
    Returns:
        OptimizerWithSparsityGuarantee: it can do what the optimizer can.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate import asp
        >>> network = paddle.nn.Linear(8, 4)
        >>> optimizer = asp.decorate(paddle.optimizer.SGD(0.1, parameters=network.parameters()))
        >>> _ = asp.prune_model(network)
        >>> (network(paddle.ones([2, 8])) ** 2).sum().backward()
        >>> optimizer.step()
        >>> asp.calculate_density(network.weight.numpy())
        0.5

    Follows Paddle 2.6.
    """
    return ASPHelper.decorate(optimizer)


def prune_model(model: Any, n: int = 2, m: int = 4, mask_algo: str = "mask_1d", with_mask: bool = True) -> dict[str, Any]:
    """Set weights to zero: n of every m neighbours of what a product adds up.

    Args:
        model (Layer|Program): a network; in static mode a Program whose parameters have values.
        n, m (int): how many of how many.
        mask_algo (str): "mask_1d": the smallest of a row; "mask_2d_greedy" or "mask_2d_best": of rows and columns.
        with_mask (bool): have optimizers that were decorated keep the zeros.
    Returns:
        dict: the parameters' names -> numpy arrays, 1.0 where a weight stays.
    Raises:
        AssertionError: there is no such `mask_algo`, or no optimizer was decorated for the parameters.
        TypeError: the model is neither.

    Example:
        >>> import paddle_compat as paddle
        >>> network = paddle.nn.Linear(8, 4)
        >>> _ = paddle.incubate.asp.decorate(paddle.optimizer.SGD(0.1, parameters=network.parameters()))
        >>> masks = paddle.incubate.asp.prune_model(network, mask_algo="mask_2d_best")
        >>> masks[network.weight.name].sum(axis=0).tolist()
        [4.0, 4.0, 4.0, 4.0]

    Follows Paddle 2.6.
    """
    if mask_algo not in _ALGORITHMS:
        raise failed_assertion("mask_algo", f"one of {list(_ALGORITHMS)}", mask_algo, "prune_model")
    if isinstance(model, Layer):
        prune: Any = ASPHelper.prune_model_by_layer
    elif isinstance(model, Program):
        prune = ASPHelper.prune_model_by_program
    else:
        raise type_error("model", "paddle.nn.Layer or paddle.static.Program", model, "prune_model")
    found: dict[str, Any] = prune(None, model, n=n, m=m, mask_algo=_ALGORITHMS[mask_algo], with_mask=with_mask)
    return found


class ProgramASPInfo:
    """What is known of a Program: its masks, and what is left as it is."""

    def __init__(self) -> None:
        self.mask_vars: dict[str, Any] = {}
        self.masks: dict[str, Any] = {}
        self.excluded_layers: list[str] = []


class ASPHelper:
    """What the functions of `paddle.incubate.asp` do."""

    MASK_APPENDDED_NAME = "asp_mask"
    PADDLE_WEIGHT_SUFFIX = "w_"
    _infos: dict[Program, ProgramASPInfo] = {}

    @classmethod
    def set_excluded_layers(cls, param_names: list[str], main_program: Program | None = None) -> None:
        """Leave layers as they are."""
        cls._get_program_asp_info(main_program or default_main_program()).excluded_layers += list(param_names)

    @classmethod
    def reset_excluded_layers(cls, main_program: Program | None = None) -> None:
        """Leave none."""
        for info in cls._infos.values() if main_program is None else [cls._get_program_asp_info(main_program)]:
            info.excluded_layers = []

    @staticmethod
    def decorate(optimizer: Any) -> OptimizerWithSparsityGuarantee:
        """Make masks for an optimizer's parameters, and wrap it."""
        if mode.in_dygraph_mode():
            listed = optimizer._parameter_list or []
            params = [p for each in listed for p in (each["params"] if isinstance(each, dict) else [each])]
            main = default_main_program()
            ASPHelper._create_mask_variables(main, default_startup_program(), params)
        return OptimizerWithSparsityGuarantee(optimizer)

    @classmethod
    def prune_model_by_program(
        cls, place: Any, main_program: Program | None = None, n: int = 2, m: int = 4, mask_algo: MaskAlgo = MaskAlgo.MASK_1D,
        with_mask: bool = True,
    ) -> dict[str, Any]:  # fmt: skip
        """Prune the values that a Program's parameters have in the current scope."""
        main_program = main_program or default_main_program()
        info, scope = cls._get_program_asp_info(main_program), global_scope()
        for param in main_program.global_block().all_parameters():
            if cls._is_supported_layer(main_program, param.name):
                held: Any = scope.find_var(param.name).get_tensor()  # type: ignore[union-attr]
                pruned, mask = cls._get_prune_func_by_name(param.name)(np.array(held), m, n, mask_algo, param.name)
                held.set(pruned.astype(np.array(held).dtype), place or run_device())
                if with_mask:
                    mask_var: Any = scope.find_var(cls._get_mask_name(param.name))
                    cls._need_mask(mask_var, param.name)
                    mask_var.get_tensor().set(mask.astype("float32"), place or run_device())
                info.masks[param.name] = mask
        return info.masks.copy()

    @classmethod
    def prune_model_by_layer(
        cls, place: Any, layer: Layer, n: int = 2, m: int = 4, mask_algo: MaskAlgo = MaskAlgo.MASK_1D, with_mask: bool = True
    ) -> dict[str, Any]:
        """Prune a network's parameters; in static mode all those of their Program."""
        params = layer.parameters()
        if params and not mode.in_dygraph_mode():
            return cls.prune_model_by_program(place, params[0].block.program, n, m, mask_algo, with_mask)
        main = default_main_program()
        info = cls._get_program_asp_info(main)
        for param in params:
            if cls._is_supported_layer(main, param.name):
                pruned, mask = cls._get_prune_func_by_name(param.name)(param.numpy(), m, n, mask_algo, param.name)
                param.set_value(pruned)
                if with_mask:
                    held: Any = info.mask_vars.get(param.name)
                    cls._need_mask(held, param.name)
                    held.set_value(mask)
                info.masks[param.name] = mask
        return info.masks.copy()

    @staticmethod
    def _need_mask(mask: Any, name: str) -> None:
        if mask is None:
            expected = "an optimizer with its parameters: call asp.decorate() to decorate your optimizer first"
            raise failed_assertion("model", expected, f"no mask for {name}", "prune_model")

    @staticmethod
    def _get_mask_name(param_name: str) -> str:
        return f"{param_name}.{ASPHelper.MASK_APPENDDED_NAME}"

    @classmethod
    def _get_program_asp_info(cls, main_program: Program) -> ProgramASPInfo:
        return cls._infos.setdefault(main_program, ProgramASPInfo())

    @classmethod
    def _get_not_ASP_relevant_vars(cls, main_program: Program) -> list[Any]:
        """The parameters of a Program but for the masks."""
        return [param for param in main_program.global_block().all_parameters() if cls.MASK_APPENDDED_NAME not in param.name]

    @classmethod
    def _known_as(cls, param_name: str) -> str | None:
        """Under which name a parameter's layer is supported: its own, the layer's, the layer's without its number."""
        known = supported.supported_layers_and_prune_func_map
        if param_name in known:
            return param_name
        layer, _, rest = param_name.partition(".")
        if cls.PADDLE_WEIGHT_SUFFIX not in rest:
            return None
        kind, _, number = layer.rpartition("_")
        return next((name for name in (layer, kind if number.isdigit() else "") if name in known), None)

    @classmethod
    def _is_supported_layer(cls, main_program: Program, param_name: str) -> bool:
        if cls.MASK_APPENDDED_NAME in param_name:
            return False
        if any(layer in param_name for layer in cls._get_program_asp_info(main_program).excluded_layers):
            return False
        return cls._known_as(param_name) is not None

    @classmethod
    def _get_prune_func_by_name(cls, param_name: str) -> supported.Pruning:
        return supported.supported_layers_and_prune_func_map[cls._known_as(param_name) or ""]

    @classmethod
    def _minimize(
        cls, optimizer: Any, loss: Any, main_program: Program | None = None, startup_program: Program | None = None,
        parameter_list: Any = None, no_grad_set: Any = None,
    ) -> Any:  # fmt: skip
        """Record the optimizer's operators, and behind them what sets weights to zero again."""
        main = main_program or loss.block.program
        startup = startup_program or default_startup_program()
        done = optimizer.minimize(loss, startup, parameter_list, no_grad_set)
        cls._keep_zeros(main, startup, [param for param, _ in done[1]])
        return done

    @classmethod
    def _keep_zeros(cls, main: Program, startup: Program, params: Any) -> None:
        """Record masks for parameters, and behind all else what sets weights to zero by them."""
        cls._create_mask_variables(main, startup, params)
        cls._insert_sparse_mask_ops(main, params)

    @classmethod
    def _step(cls, optimizer: Any) -> None:
        """Make a step, and set weights to zero again; from then on they get no gradients, as in Paddle 2.6."""
        optimizer.step()
        info = cls._get_program_asp_info(default_main_program())
        listed = optimizer._parameter_list or []
        for param in [p for each in listed for p in (each["params"] if isinstance(each, dict) else [each])]:
            mask = info.mask_vars.get(param.name)
            if mask is not None:
                param._t.data.mul_(mask._t.to(param._t.dtype))
                param.stop_gradient = True

    @classmethod
    def _create_mask_variables(cls, main_program: Program, startup_program: Program, params: Any) -> None:
        """Make masks, of ones, for parameters that have none."""
        info = cls._get_program_asp_info(main_program)
        for param in params:
            if param.name in info.mask_vars or not cls._is_supported_layer(main_program, param.name):
                continue
            name = cls._get_mask_name(param.name)
            if mode.in_dygraph_mode():
                made = create_parameter(list(param.shape), param.dtype, name=name, default_initializer=Constant(1.0))
            else:
                with program_guard(main_program, startup_program):
                    made = create_parameter(list(param.shape), param.dtype, name=name, default_initializer=Constant(1.0))
            made.stop_gradient, made.trainable = True, False
            info.mask_vars[param.name] = made

    @classmethod
    def _insert_sparse_mask_ops(cls, main_program: Program, params: Any) -> None:
        info = cls._get_program_asp_info(main_program)
        with program_guard(main_program), main_program._optimized_guard([]):
            for param in params:
                if param.name in info.mask_vars:
                    elementwise_mul(param, info.mask_vars[param.name], axis=-1, _outputs={"Out": param})


class OptimizerWithSparsityGuarantee:
    """An optimizer that leaves zeros zeros; everything else is as the optimizer has it."""

    def __init__(self, optimizer: Any) -> None:
        self._optimizer = optimizer

    def __getattr__(self, item: str) -> Any:
        return getattr(self.__dict__["_optimizer"], item)

    def minimize(self, loss: Any, startup_program: Any = None, parameter_list: Any = None, no_grad_set: Any = None) -> Any:
        """Make a step, or record what makes one."""
        if mode.in_dygraph_mode():
            self.step()
            return None, []
        return ASPHelper._minimize(
            self._optimizer, loss, startup_program=startup_program, parameter_list=parameter_list, no_grad_set=no_grad_set
        )

    def step(self) -> None:
        """Make a step."""
        ASPHelper._step(self._optimizer)

    def state_dict(self) -> dict[str, Any]:
        """The optimizer's state, and the masks."""
        state: dict[str, Any] = self._optimizer.state_dict()
        masks = ASPHelper._get_program_asp_info(default_main_program()).mask_vars
        state.update({ASPHelper._get_mask_name(name): mask for name, mask in masks.items()})
        return state

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take a state with masks."""
        masks = ASPHelper._get_program_asp_info(default_main_program()).mask_vars
        for name, mask in masks.items():
            key = ASPHelper._get_mask_name(name)
            if key not in state_dict:
                raise failed_assertion("state_dict", f"the mask {key}", list(state_dict), "set_state_dict")
            mask.set_value(state_dict[key])
        own = {key: value for key, value in state_dict.items() if not key.endswith(f".{ASPHelper.MASK_APPENDDED_NAME}")}
        self._optimizer.set_state_dict(own)


__all__ = ["decorate", "prune_model", "reset_excluded_layers", "set_excluded_layers"]

__getattr__ = missing(__name__)
