"""`fleet.DistributedStrategy`: how a job trains, as a set of switches with their configurations."""

from __future__ import annotations

import copy
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.distributed.fleet.base import _prototxt
from paddle_compat.distributed.fleet.base._messages import Message, fields
from paddle_compat.distributed.fleet.base._overview import overview
from paddle_compat.distributed.fleet.base._table_configs import add_tables, describe_tables
from paddle_compat.distributed.fleet.utils.log_util import logger
from paddle_compat.static import BuildStrategy, ExecutionStrategy

# what Paddle 3 has put to hybrid_configs
_HYBRID_SINCE_3 = ("enable_optimizer_timer", "split_norm_comm", "ep_degree", "moe_sharding_degree", "cp_degree", "cp_sharding_degree")
# what the wheel's errors call a configuration otherwise than it is called
_CALLED = {"gradient_merge_configs": "gradient_configs", "recompute_configs": "checkpoint_configs"}


def _switch(field: str, doc: str, kind: type = bool) -> property:
    """A flag or a number; what is of another type is not taken, with a warning, as in the wheel."""

    def get(self: DistributedStrategy) -> Any:
        return getattr(self.strategy, field)

    def set_(self: DistributedStrategy, value: Any) -> None:
        if isinstance(value, kind):
            setattr(self.strategy, field, value)
        else:
            logger.warning(f"{field} should have value of {kind.__name__} type")

    return property(get, set_, doc=doc)


def _strict(field: str, doc: str, error: Any) -> property:
    """A flag that takes nothing but True and False."""

    def set_(self: DistributedStrategy, value: Any) -> None:
        if not isinstance(value, bool):
            raise error(value)
        setattr(self.strategy, field, value)
        if field == "a_sync":
            self.a_sync_configs = {"k_steps": 0}

    return property(lambda self: getattr(self.strategy, field), set_, doc=doc)


def _flag_error(value: Any) -> Exception:
    return ValueError(f"The type of `flag` is invalid, expected type is bool, but received {type(value)}")


def _configs(field: str, doc: str) -> property:
    """A configuration: reading gives a dict of all keys, setting takes a dict of some; lists are put behind what is there."""

    def get(self: DistributedStrategy) -> Any:
        message = getattr(self.strategy, field)
        return {key: _plain(getattr(message, key)) for key in fields(message._kind)}

    def set_(self: DistributedStrategy, value: Any) -> None:
        message = getattr(self.strategy, field)
        _check_keys(value, fields(message._kind), _CALLED.get(field, field))
        for key, part in value.items():
            message.assign(key, part)

    return property(get, set_, doc=doc)


def _check_keys(configs: Any, known: Any, name: str) -> None:
    for key in configs:
        if key not in known:
            raise AssertionError(f"key:{key} not in {name}. Expected one of {sorted(known)}")
    if not isinstance(configs, dict):
        raise TypeError(f"Invalid type for `{name}`. Expected a dict. Received: {configs!r}")


def _plain(value: Any) -> Any:
    """Messages in a list as dicts, which a user may set again."""
    if isinstance(value, list):
        return [{key: getattr(m, key) for key in fields(m._kind)} if isinstance(m, Message) else m for m in value]
    return value


def _strategy(field: str, kind: Any, doc: str) -> property:
    """A build or execution strategy: a copy is read, what is set is copied. Files have some of its switches alone."""

    def get(self: DistributedStrategy) -> Any:
        made, message = kind(), getattr(self.strategy, field)
        for key in fields(message._kind):
            value = getattr(message, key)
            setattr(made, key, kind.ReduceStrategy(value) if key == "reduce_strategy" else value)
        chosen = self._by_hand.get(field)
        for key, value in (chosen or {}).items():
            if key not in fields(message._kind):
                setattr(made, key, value)
        object.__setattr__(made, "_chosen", set(message.given() if chosen is None else chosen))
        return made

    def set_(self: DistributedStrategy, value: Any) -> None:
        message = getattr(self.strategy, field)
        for key in fields(message._kind):
            setattr(message, key, getattr(value, key))
        self._by_hand[field] = {key: getattr(value, key) for key in value._chosen}

    return property(get, set_, doc=doc)


class DistributedStrategy:
    """How a job trains. docs/fleet.md says which switches act; one that is set and cannot act is refused when it is used.

    Raises:
        TypeError: a property that is not there is set, or a value of another type.
        AssertionError: a configuration has no such key.

    Example:
        >>> from paddle_compat.distributed import fleet
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.amp = True
        >>> strategy.amp_configs = {"init_loss_scaling": 1024}
        >>> strategy.amp, strategy.amp_configs["init_loss_scaling"], strategy.amp_configs["incr_ratio"]
        (True, 1024.0, 2.0)

    Follows Paddle 2.6.
    """

    strategy: Message
    hybrid_parallel_order: list[str]
    sync_param_name: list[str]
    _by_hand: dict[str, dict[str, Any]]  # what users chose of a build or execution strategy, by its name

    def __init__(self) -> None:
        vars(self).update(
            strategy=Message("DistributedStrategy"),
            hybrid_parallel_order=["dp", "pp", "sharding", "sep", *["cp"] * SINCE_3, "mp"],
            sync_param_name=["embedding", "layer_norm", ".b_"],
            _by_hand={},
        )

    def __setattr__(self, name: str, value: Any) -> None:
        if not hasattr(type(self), name) and name not in vars(self):
            raise TypeError(f"{name} is not a attribute of {type(self).__name__}. Expected one that it has. Received: {value!r} for it")
        object.__setattr__(self, name, value)

    def __deepcopy__(self, memo: dict[int, Any]) -> DistributedStrategy:
        made = type(self)()
        vars(made).update({name: copy.deepcopy(value, memo) for name, value in vars(self).items()})
        return made

    def __repr__(self) -> str:
        return overview(self.strategy)

    def save_to_prototxt(self, output: str) -> None:
        """Write what was set into a file, as text.

        Args:
            output (str): the file.

        Example:
            >>> import os, tempfile
            >>> from paddle_compat.distributed import fleet
            >>> strategy = fleet.DistributedStrategy()
            >>> strategy.dgc = True
            >>> path = os.path.join(tempfile.mkdtemp(), "strategy.prototxt")
            >>> strategy.save_to_prototxt(path)
            >>> open(path).read()
            'dgc: true\\n'
        """
        with open(output, "w", encoding="utf-8") as file:
            file.write(_prototxt.written(self.strategy))

    def load_from_prototxt(self, pb_file: str) -> None:
        """Set what a file says; the rest stays as it is.

        Args:
            pb_file (str): the file, which `save_to_prototxt` or Paddle wrote.

        Example:
            >>> import os, tempfile
            >>> from paddle_compat.distributed import fleet
            >>> path = os.path.join(tempfile.mkdtemp(), "strategy.prototxt")
            >>> with open(path, "w") as file:
            ...     _ = file.write("lars: true lars_configs { lars_coeff: 0.25 }")
            >>> strategy = fleet.DistributedStrategy()
            >>> strategy.load_from_prototxt(path)
            >>> strategy.lars, strategy.lars_configs["lars_coeff"]
            (True, 0.25)
        """
        with open(pb_file, encoding="utf-8") as file:
            _prototxt.read(file.read(), self.strategy)
        self._by_hand.clear()

    def _is_strict_auto(self) -> bool:
        """Whether strategies are chosen for the user, and nothing else."""
        return bool(self.strategy.auto)

    build_strategy = _strategy("build_strategy", BuildStrategy, "The build strategy of a Program that runs as a graph.")
    execution_strategy = _strategy("execution_strategy", ExecutionStrategy, "The execution strategy of a Program that runs as a graph.")
    gradient_scale_configs = _configs("gradient_scale_configs", "Gradients are scaled by 1 / workers (avg), or not (sum).")

    amp = _switch("amp", "Mixed precision.")
    amp_configs = _configs("amp_configs", "Loss scaling, lists of operators and the kind of mixed precision.")
    recompute = _switch("recompute", "Values between checkpoints are computed again in the backward pass.")
    recompute_configs = _configs("recompute_configs", "The checkpoints, by name.")
    gradient_merge = _switch("gradient_merge", "Gradients of several steps are added up before an update.")
    gradient_merge_configs = _configs("gradient_merge_configs", "How many steps, and whether their mean is taken.")
    lars = _switch("lars", "Momentum with a learning rate for each layer.")
    lars_configs = _configs("lars_configs", "The coefficients of LARS, and the parameters without decay.")
    lamb = _switch("lamb", "Adam with a learning rate for each layer.")
    lamb_configs = _configs("lamb_configs", "The decay of LAMB, and the parameters without it.")
    localsgd = _switch("localsgd", "Workers update alone, and take the mean of their parameters every few steps.")
    localsgd_configs = _configs("localsgd_configs", "After how many steps, and from which on.")
    adaptive_localsgd = _switch("adaptive_localsgd", "As `localsgd`; the steps in between follow from the loss.")
    adaptive_localsgd_configs = _configs("adaptive_localsgd_configs", "The steps in between at first, and from which step on.")
    dgc = _switch("dgc", "Only the largest gradients travel; the others wait.")
    dgc_configs = _configs("dgc_configs", "From which step on, and how few travel.")
    fp16_allreduce = _strict(
        "fp16_allreduce", "Gradients travel in half precision.", lambda value: TypeError("fp16_allreduce must be value of bool type")
    )
    sharding = _switch("sharding", "Each worker keeps a part of the state.")
    sharding_configs = _configs("sharding_configs", "The degree of sharding, and its stages.")
    pipeline = _switch("pipeline", "Each worker computes some of the layers.")
    pipeline_configs = _configs("pipeline_configs", "Micro batches and their schedule.")
    tensor_parallel = _switch("tensor_parallel", "Each worker computes a part of a layer.")
    tensor_parallel_configs = _configs("tensor_parallel_configs", "The degree of tensor parallelism, and its seed.")
    qat = _switch("qat", "Training of a network that is to be quantized.")
    qat_configs = _configs("qat_configs", "Bits and kinds of quantization.")
    a_sync = _strict("a_sync", "Workers do not wait for each other (parameter servers).", _flag_error)
    a_sync_configs = _configs("a_sync_configs", "Queues and steps of parameter servers.")
    trainer_desc_configs = _configs("trainer_desc_configs", "What a trainer of a data set writes down.")

    sync_batch_norm = _switch("sync_batch_norm", "Batch norms take the statistics of all workers' batches.")
    find_unused_parameters = _switch("find_unused_parameters", "Parameters that a step does not use are looked for.")
    without_graph_optimization = _switch("without_graph_optimization", "The Program itself holds the sums of gradients.")
    fuse_all_reduce_ops = _switch("fuse_all_reduce_ops", "Gradients travel together.")
    fuse_grad_size_in_MB = _switch("fuse_grad_size_in_MB", "How many megabytes of gradients travel together.", int)
    fuse_grad_size_in_num = _switch("fuse_grad_size_in_num", "How many gradients travel together.", int)
    _fuse_grad_size_in_TFLOPS = _switch("fuse_grad_size_in_TFLOPS", "How much work is done between gradients that travel.", float)
    fuse_grad_merge = _switch("fuse_grad_merge", "Merged gradients share a buffer.")
    _calc_comm_same_stream = _switch("calc_comm_same_stream", "Gradients travel on the stream that computes.")
    sync_nccl_allreduce = _switch("sync_nccl_allreduce", "Sums of gradients wait for each other.")
    nccl_comm_num = _switch("nccl_comm_num", "How many communicators there are.", int)
    use_hierarchical_allreduce = _switch("use_hierarchical_allreduce", "Workers of a machine meet first.")
    hierarchical_allreduce_inter_nranks = _switch("hierarchical_allreduce_inter_nranks", "How many workers meet first.", int)
    cudnn_exhaustive_search = _switch("cudnn_exhaustive_search", "All of cuDNN's algorithms are tried.")
    conv_workspace_size_limit = _switch("conv_workspace_size_limit", "The memory of a convolution on a GPU, in megabytes.", int)
    cudnn_batchnorm_spatial_persistent = _switch("cudnn_batchnorm_spatial_persistent", "cuDNN's persistent batch norm.")
    heter_ccl_mode = _switch("heter_ccl_mode", "Workers of several kinds of devices meet.")
    elastic = _switch("elastic", "Workers may come and go.")
    auto = _switch("auto", "Strategies are chosen for the user.")
    semi_auto = _switch("semi_auto", "Tensors are placed for the user.")
    auto_search = _switch("auto_search", "Strategies are searched for.")
    asp = _switch("asp", "Two of four weights are zero.")
    adam_d2sum = _strict("adam_d2sum", "Adam with sums of squares of a parameter server.", _flag_error)
    split_data = _switch("split_data", "Each worker reads a part of the data.")
    is_fl_ps_mode = _switch("is_fl_ps_mode", "Federated learning with parameter servers.")
    is_with_coordinator = _switch("with_coordinator", "Federated learning with a coordinator.")

    @property
    def last_comm_group_size_MB(self) -> float:
        """The size of the last gradients that travel together, in megabytes."""
        return float(self.strategy.last_comm_group_size_MB)

    @last_comm_group_size_MB.setter
    def last_comm_group_size_MB(self, value: float) -> None:
        if not value > 0:
            raise ValueError(f"last_comm_group_size_MB should be greater than 0. Received: {value}")
        self.strategy.last_comm_group_size_MB = value

    @property
    def hybrid_configs(self) -> dict[str, Any]:
        """The degrees of data, tensor and pipeline parallelism and of sharding (eager mode)."""
        message = self.strategy.hybrid_configs
        shown = [key for key in fields("HybridConfig") if SINCE_3 or key not in _HYBRID_SINCE_3 or key in message.given()]
        return {key: getattr(message, key) for key in shown}

    @hybrid_configs.setter
    def hybrid_configs(self, configs: dict[str, Any]) -> None:
        rest = {key: value for key, value in configs.items() if key != "order"} if isinstance(configs, dict) else configs
        _check_keys(rest, fields("HybridConfig"), "hybrid_configs")
        for key, value in rest.items():
            if key.endswith("_configs"):
                _check_keys(value, fields(fields("HybridConfig")[key].kind), key)
            self.strategy.hybrid_configs.assign(key, value)
        if "order" in configs:
            self.hybrid_parallel_order = configs["order"]

    @property
    def fs_client_param(self) -> Any:
        """Where and as whom files of a cluster are read (parameter servers)."""
        return self.strategy.fs_client_param

    @fs_client_param.setter
    def fs_client_param(self, configs: dict[str, Any]) -> None:
        _check_keys(configs, fields("FsClientParameter"), "fs_client_param")
        for key, value in configs.items():
            self.strategy.fs_client_param.assign(key, value)

    @property
    def sparse_table_configs(self) -> Any:
        """The tables of a parameter server."""
        return self.strategy.downpour_table_param

    @sparse_table_configs.setter
    def sparse_table_configs(self, configs: dict[str, Any]) -> None:
        add_tables(self.strategy.downpour_table_param, configs or {})

    @property
    def fleet_desc_configs(self) -> Any:
        """The tables of a parameter server; set by the names that PSLib has."""
        return self.strategy.downpour_table_param

    @fleet_desc_configs.setter
    def fleet_desc_configs(self, configs: dict[str, Any]) -> None:
        describe_tables(self.strategy.downpour_table_param, configs or {})


__all__ = ["DistributedStrategy"]

__getattr__ = missing(__name__)
