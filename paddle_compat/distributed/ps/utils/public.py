"""`paddle.distributed.ps.utils.public`: how workers and servers work together, who they are, and what of a Program is for whom."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from math import prod
from typing import Any

from paddle_compat._lazy import lazy
from paddle_compat.core.dtype import torch_dtype
from paddle_compat.core.operator import Operator, OpRole
from paddle_compat.core.program import Program
from paddle_compat.core.variable import Variable

_LOOKUPS = ("lookup_table", "lookup_table_v2", "distributed_lookup_table")
_SCHEDULES = (int(OpRole.LRSched), int(OpRole.LRSched) | int(OpRole.Optimize))


# ---- processes
def get_dist_env() -> dict[str, Any]:
    """What the environment says of this trainer's job.

    Returns:
        dict: trainer_id, num_trainers, current_endpoint, and trainer_endpoints, separated by commas.

    Example:
        >>> from paddle_compat.distributed.ps.utils.public import get_dist_env, is_distributed_env
        >>> sorted(get_dist_env()), is_distributed_env()
        (['current_endpoint', 'num_trainers', 'trainer_endpoints', 'trainer_id'], False)

    Follows Paddle 2.6.
    """
    number, said = int(os.getenv("PADDLE_TRAINER_ID", "0")), os.getenv("PADDLE_TRAINER_ENDPOINTS", "")
    endpoints = said.split(",") if said else []
    current = endpoints[number] if endpoints else ""
    return {"trainer_id": number, "num_trainers": len(endpoints), "current_endpoint": current, "trainer_endpoints": said}


def is_distributed_env() -> bool:
    """Whether a launcher has given this process a part, by TRAINING_ROLE.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.distributed.ps.utils.public import is_distributed_env
        >>> is_distributed_env()
        False

    Follows Paddle 2.6.
    """
    return os.getenv("TRAINING_ROLE") is not None


def _asked(role_maker: Any, name: str) -> Any:
    """An answer of a role maker of Paddle 2, or of 1.8, whose methods have no underscore in front."""
    return getattr(role_maker, f"_{name}", None) or getattr(role_maker, name)


def get_role_id(role_maker: Any) -> int:
    """This process's number among those of its kind.

    Args:
        role_maker (RoleMakerBase): says it.
    Returns:
        int: from 0 on.

    Example:
        >>> from paddle_compat.distributed.fleet import Role, UserDefinedRoleMaker
        >>> from paddle_compat.distributed.ps.utils import public
        >>> role = UserDefinedRoleMaker(current_id=1, role=Role.SERVER, worker_num=3, server_endpoints=["10.0.0.1:6174", "10.0.0.2:6174"])
        >>> role._generate_role()
        >>> public.get_role_id(role), public.get_ps_endpoint(role), public.get_trainers(role)
        (1, '10.0.0.2:6174', 3)
        >>> public.get_ps_endpoints(role), public.get_trainer_endpoints(role)
        (['10.0.0.1:6174', '10.0.0.2:6174'], [])

    Follows Paddle 2.6.
    """
    number: int = _asked(role_maker, "role_id")()
    return number


def get_ps_endpoint(role_maker: Any) -> str:
    """Where the server is whose number is this process's.

    Args:
        role_maker (RoleMakerBase): says it.
    Returns:
        str: "host:port".

    Example:
        >>> from paddle_compat.distributed.fleet import Role, UserDefinedRoleMaker
        >>> from paddle_compat.distributed.ps.utils.public import get_ps_endpoint
        >>> role = UserDefinedRoleMaker(current_id=0, role=Role.SERVER, worker_num=1, server_endpoints=["10.0.0.1:6174"])
        >>> role._generate_role()
        >>> get_ps_endpoint(role)
        '10.0.0.1:6174'

    Follows Paddle 2.6.
    """
    return get_ps_endpoints(role_maker)[get_role_id(role_maker)]


def get_ps_endpoints(role_maker: Any) -> list[str]:
    """Where the servers are.

    Args:
        role_maker (RoleMakerBase): says it.
    Returns:
        list: "host:port" of each.

    Example:
        >>> from paddle_compat.distributed.fleet import Role, UserDefinedRoleMaker
        >>> from paddle_compat.distributed.ps.utils.public import get_ps_endpoints
        >>> role = UserDefinedRoleMaker(current_id=0, role=Role.SERVER, worker_num=1, server_endpoints=["10.0.0.1:6174"])
        >>> role._generate_role()
        >>> get_ps_endpoints(role)
        ['10.0.0.1:6174']

    Follows Paddle 2.6.
    """
    found: list[str] = _asked(role_maker, "get_pserver_endpoints")()
    return found


def get_trainers(role_maker: Any) -> int:
    """How many trainers there are.

    Args:
        role_maker (RoleMakerBase): says it.
    Returns:
        int: at least 1.

    Example:
        >>> from paddle_compat.distributed.fleet import Role, UserDefinedRoleMaker
        >>> from paddle_compat.distributed.ps.utils.public import get_trainers
        >>> role = UserDefinedRoleMaker(current_id=0, role=Role.SERVER, worker_num=3, server_endpoints=["10.0.0.1:6174"])
        >>> role._generate_role()
        >>> get_trainers(role)
        3

    Follows Paddle 2.6.
    """
    found: int = _asked(role_maker, "worker_num")()
    return found


def get_trainer_endpoint(role_maker: Any) -> str:
    """Where this trainer is.

    Args:
        role_maker (RoleMakerBase): says it.
    Returns:
        str: "host:port".
    Raises:
        AssertionError: this process is no trainer.

    Example:
        >>> from paddle_compat.distributed.fleet import PaddleCloudRoleMaker
        >>> from paddle_compat.distributed.ps.utils.public import get_trainer_endpoint
        >>> role = PaddleCloudRoleMaker(is_collective=True)
        >>> role._generate_role()
        >>> get_trainer_endpoint(role)
        '127.0.0.1:6170'

    Follows Paddle 2.6.
    """
    found: str = role_maker._get_trainer_endpoint()
    return found


def get_trainer_endpoints(role_maker: Any) -> list[str]:
    """Where the trainers are.

    Args:
        role_maker (RoleMakerBase): says it.
    Returns:
        list: "host:port" of each.

    Example:
        >>> from paddle_compat.distributed.fleet import PaddleCloudRoleMaker
        >>> from paddle_compat.distributed.ps.utils.public import get_trainer_endpoints
        >>> role = PaddleCloudRoleMaker(is_collective=True)
        >>> role._generate_role()
        >>> get_trainer_endpoints(role)
        ['127.0.0.1:6170']

    Follows Paddle 2.6.
    """
    found: list[str] = role_maker._get_trainer_endpoints()
    return found


# ---- operators
def is_sparse_op(op: Operator) -> bool:
    """Whether an operator looks up rows of a table that each trainer has whole, and gives gradients of these rows alone.

    Args:
        op (Operator): one of a Program's.
    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.ps.utils import public
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main, paddle.static.Program()):
        ...     ids = paddle.static.data("ids", [None, 1], "int64")
        ...     _ = paddle.static.nn.embedding(ids, [100, 2], is_sparse=True, param_attr="mine")
        ...     _ = paddle.static.nn.sparse_embedding(ids, [100, 2], param_attr="servers")
        >>> ops = main.global_block().ops
        >>> [(public.is_sparse_op(op), public.is_distributed_sparse_op(op), public.get_sparse_tablename(op)) for op in ops]
        [(True, False, 'mine'), (False, True, 'servers')]
        >>> public.get_sparse_tablenames([main], True), public.get_sparse_tablenames([main], False)
        (['servers'], ['mine'])

    Follows Paddle 2.6.
    """
    return op.type in _LOOKUPS and op.attr("is_sparse") is True and op.attr("is_distributed") is False


def is_distributed_sparse_op(op: Operator) -> bool:
    """Whether an operator looks up rows of a table that servers have.

    Args:
        op (Operator): one of a Program's.
    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.ps.utils.public import is_distributed_sparse_op
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     rows = paddle.static.nn.sparse_embedding(paddle.static.data("ids", [None, 1], "int64"), [100, 2])
        >>> [is_distributed_sparse_op(op) for op in rows.block.ops]
        [True]

    Follows Paddle 2.6.
    """
    return op.type in _LOOKUPS and op.attr("is_distributed") is True


def get_sparse_tablename(op: Operator) -> str:
    """The table that an operator looks up rows of.

    Args:
        op (Operator): one for which `is_sparse_op` or `is_distributed_sparse_op` says True.
    Returns:
        str: its name.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.ps.utils.public import get_sparse_tablename
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     rows = paddle.static.nn.embedding(paddle.static.data("ids", [None, 1], "int64"), [100, 2], param_attr="table")
        >>> get_sparse_tablename(rows.block.ops[0])
        'table'

    Follows Paddle 2.6.
    """
    return op.input("W")[0]


def get_sparse_tablenames(programs: Iterable[Program], is_distributed: bool) -> list[str]:
    """The tables of some Programs.

    Args:
        programs (list): Programs.
        is_distributed (bool): those that servers have; False: those that each trainer has whole.
    Returns:
        list: names, each once.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.ps.utils.public import get_sparse_tablenames
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     rows = paddle.static.nn.embedding(paddle.static.data("ids", [None, 1], "int64"), [9, 2], is_sparse=True, param_attr="t")
        >>> get_sparse_tablenames([rows.block.program], False)
        ['t']

    Follows Paddle 2.6.
    """
    wanted = is_distributed_sparse_op if is_distributed else is_sparse_op
    return list(dict.fromkeys(get_sparse_tablename(op) for program in programs for op in program.global_block().ops if wanted(op)))


def get_optimize_ops(_program: Program, remote_sparse: Collection[str] = ()) -> list[Operator]:
    """The operators of a Program that update parameters.

    Args:
        _program (Program): a training one.
        remote_sparse (list): names of tables: their updates alone; none: all.
    Returns:
        list: Operators.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.ps.utils import public
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main, paddle.static.Program()):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 3]), 1, weight_attr="w", bias_attr=False))
        ...     _ = paddle.optimizer.Adam().minimize(loss)
        >>> [op.type for op in public.get_optimize_ops(main)], public.get_optimize_ops(main, ["other"]), public.get_lr_ops(main)
        (['adam'], [], [])
        >>> sparse, dense = public.get_param_grads(main)
        >>> sparse, [(parameter.name, gradient.name) for parameter, gradient in dense]
        ([], [('w', 'w@GRAD')])
        >>> public.get_var_mem_size(dense[0][0])
        12

    Follows Paddle 2.6.
    """
    updates = [op for op in _program.global_block().ops if op.role == OpRole.Optimize and op.inputs.get("Param")]
    return [op for op in updates if not remote_sparse or op.input("Param")[0] in remote_sparse]


def get_lr_ops(program: Program) -> list[Operator]:
    """The operators of a Program that say the learning rate.

    Args:
        program (Program): a training one.
    Returns:
        list: Operators.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.ps.utils.public import get_lr_ops
        >>> get_lr_ops(paddle.static.Program())
        []

    Follows Paddle 2.6.
    """
    return [op for op in program.global_block().ops if op.role in _SCHEDULES]


def get_param_grads(origin_program: Program) -> tuple[list[tuple[Variable, Variable]], list[tuple[Variable, Variable]]]:
    """What a Program trains.

    Args:
        origin_program (Program): a training one.
    Returns:
        tuple: pairs of parameter and gradient, first those of tables whose gradients are rows, then the others.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.ps.utils.public import get_param_grads
        >>> get_param_grads(paddle.static.Program())
        ([], [])

    Follows Paddle 2.6.
    """
    block = origin_program.global_block()
    tables = {name for kind in (True, False) for name in get_sparse_tablenames([origin_program], kind)}
    named = {op.input("Param")[0]: op.input("Grad")[0] for op in get_optimize_ops(origin_program)}
    pairs = [(block.var(parameter), block.var(gradient)) for parameter, gradient in named.items()]
    return [pair for pair in pairs if pair[0].name in tables], [pair for pair in pairs if pair[0].name not in tables]


def get_var_mem_size(var: Variable) -> int:
    """The bytes of a variable's values.

    Args:
        var (Variable): an unknown dimension counts as -1.
    Returns:
        int.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.ps.utils.public import get_var_mem_size
        >>> get_var_mem_size(paddle.static.Program().global_block().create_var(name="x", shape=[3, 5], dtype="float64"))
        120

    Follows Paddle 2.6.
    """
    return prod(var.shape) * torch_dtype(var.dtype).itemsize


__getattr__, __dir__, __all__ = lazy(__name__, {".fluid.transpiler.distribute_transpiler": ("DistributedMode",)})
__all__ += [
    "get_dist_env", "get_lr_ops", "get_optimize_ops", "get_param_grads", "get_ps_endpoint", "get_ps_endpoints",
    "get_role_id", "get_sparse_tablename", "get_sparse_tablenames", "get_trainer_endpoint", "get_trainer_endpoints", "get_trainers",
    "get_var_mem_size", "is_distributed_env", "is_distributed_sparse_op", "is_sparse_op",
]  # fmt: skip
