"""`paddle.distributed.auto_parallel.interface`: the mesh that a script works on, and what it says of its models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core import capture
from paddle_compat.core.errors import UnsupportedError, failed_assertion, invalid_argument, type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.distributed.auto_parallel._tensors import shard_tensor as lay
from paddle_compat.distributed.auto_parallel.placement_type import to_placements
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh, get_current_process_mesh

_mesh: ProcessMesh | None = None


def get_mesh() -> ProcessMesh | None:
    """The mesh that `set_mesh` has set.

    Returns:
        ProcessMesh: None where none is set.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> dist.auto_parallel.set_mesh(dist.ProcessMesh([0]))
        >>> dist.auto_parallel.get_mesh()
        shape [1], process_ids [0], dim_names ['d0']

    Follows Paddle 3.3.
    """
    return _mesh


def set_mesh(mesh: ProcessMesh | None) -> None:
    """Set the mesh that the script works on.

    Args:
        mesh (ProcessMesh): the mesh; None: there is none any more.
    Raises:
        TypeError: it is no ProcessMesh.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> dist.auto_parallel.set_mesh(dist.ProcessMesh([0]))

    Follows Paddle 3.3.
    """
    global _mesh
    if mesh is not None and not isinstance(mesh, ProcessMesh):
        raise type_error("mesh", "a paddle.distributed.ProcessMesh", mesh, "set_mesh")
    _mesh = mesh


def create_mesh(mesh_dims: list[tuple[str, int]]) -> ProcessMesh:
    """Make a mesh of the first processes, row by row, and set it.

    Args:
        mesh_dims (list): name and size of each dimension.
    Returns:
        ProcessMesh.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> dist.auto_parallel.create_mesh([("dp", 1), ("mp", 1)])
        shape [1, 1], process_ids [0], dim_names ['dp', 'mp']

    Follows Paddle 3.3.
    """
    sizes = [size for _, size in mesh_dims]
    mesh = ProcessMesh(np.arange(int(np.prod(sizes))).reshape(sizes), [name for name, _ in mesh_dims])
    set_mesh(mesh)
    return mesh


def shard_tensor(x: Tensor, process_mesh: ProcessMesh | None = None, shard_spec: Sequence[str | None] | None = None) -> Tensor:
    """Lay a Tensor on a mesh, as Paddle 2.x spells it.

    Args:
        x (Tensor): what all processes hold.
        process_mesh (ProcessMesh): the processes; None: the mesh of the `with` block.
        shard_spec (list): for each dimension the name of the mesh's that cuts it, or None; None: none cuts any.
    Returns:
        Tensor: a dist tensor.
    Raises:
        AssertionError: there is no mesh, or shard_spec does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> mesh = dist.ProcessMesh([0], dim_names=["x"])
        >>> dist.auto_parallel.shard_tensor(paddle.ones([2, 2]), mesh, [None, "x"]).placements
        [Shard(dim=1)]

    Follows Paddle 2.6, which has it for Programs; those raise here.
    """
    if not isinstance(x, Tensor):
        raise UnsupportedError("paddle.distributed.auto_parallel.shard_tensor", "a Variable of a Program", "a Tensor in eager mode")
    mesh = process_mesh or get_current_process_mesh()
    if not isinstance(mesh, ProcessMesh):
        raise failed_assertion("process_mesh", "a ProcessMesh, or a `with` block of one", process_mesh, "shard_tensor")
    spec = [None] * x.ndim if shard_spec is None else list(shard_spec)
    if len(spec) != x.ndim or any(name is not None and name not in mesh.dim_names for name in spec):
        expected = f"{x.ndim} names of {mesh.dim_names} or None, one for each dimension"
        raise failed_assertion("shard_spec", expected, shard_spec, "shard_tensor")
    return lay(x, mesh, to_placements([-1 if name is None else mesh.dim_names.index(name) for name in spec], mesh))


class _Named:
    """A function in place of another one.

    Args:
        function: calls it.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._op = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._op(*args, **kwargs)


class RecomputeOperator(_Named):
    """What `recompute` makes.

    Args:
        op (callable): what it was given.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet import auto
        >>> type(auto.recompute(paddle.tanh)).__name__
        'RecomputeOperator'

    Follows Paddle 2.6 and 3.3.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it; what a DistModel records so is computed again, if its Strategy recomputes."""
        if capture.current is None or not capture.current.whole:
            return self._op(*args, **kwargs)
        from paddle_compat.distributed.fleet.recompute import recompute as again

        return again(self._op, *args, use_reentrant=False, **kwargs)


class ExcludeOperator(_Named):
    """What `exclude_ops_in_recompute` makes.

    Args:
        run_function (callable): what it was given.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet import auto
        >>> type(auto.exclude_ops_in_recompute(paddle.tanh)).__name__
        'ExcludeOperator'

    Follows Paddle 2.6 and 3.3.
    """


def recompute(op: Callable[..., Any]) -> RecomputeOperator:
    """Say that a layer's values are computed again for the backward pass of a DistModel or an Engine whose Strategy recomputes.

    Args:
        op (callable): a layer or a function.
    Returns:
        callable: in place of it. In eager mode it does as it did, as in Paddle: `fleet.utils.recompute` saves memory there.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet import auto
        >>> auto.recompute(paddle.nn.Linear(2, 3))(paddle.ones([1, 2])).shape
        [1, 3]

    Follows Paddle 2.6 and 3.3.
    """
    return RecomputeOperator(op)


def exclude_ops_in_recompute(run_function: Callable[..., Any]) -> ExcludeOperator:
    """Say that a part of what `recompute` was given need not be computed again.

    Args:
        run_function (callable): a layer or a function.
    Returns:
        callable: in place of it, which does the same; it is computed again here, with the same values.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet import auto
        >>> auto.exclude_ops_in_recompute(paddle.tanh)(paddle.zeros([1])).tolist()
        [0.0]

    Follows Paddle 2.6 and 3.3.
    """
    return ExcludeOperator(run_function)


def fetch(tensor: Variable | str, name: str | None = None, logging: bool = False) -> None:
    """Have an `Engine` fetch a value that the model computes, whenever it runs; called while the model computes it.

    Args:
        tensor (Variable|str): the value, or a Variable's name.
        name (str): what it is called in the "fetches" of the Engine's results; None: as the Variable.
        logging (bool): of no effect: progress bars show losses and metrics only.
    Raises:
        TypeError: it is neither. So is what a model computes in eager mode.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet import auto
        >>> class Net(paddle.nn.Layer):
        ...     def forward(self, x):
        ...         auto.fetch(x * 2, "twice")
        ...         return x + 1
        >>> auto.Engine(Net()).run([paddle.ones([1])], mode="predict")["fetches"]
        {'twice': array([2.], dtype=float32)}

    Follows Paddle 2.6.
    """
    if not isinstance(tensor, (Variable, str)):
        raise type_error("tensor", "a Variable, or its name", tensor, "fetch")
    found = tensor if isinstance(tensor, str) else tensor.name
    if capture.current is not None:
        capture.current.fetches[name or found] = found


def shard_op(
    op: Callable[..., Any], process_mesh: ProcessMesh | None = None, in_shard_specs: Any = None, out_shard_specs: Any = None, **kwargs: Any
) -> Callable[..., Any]:
    """Say how what an operator takes and gives lies on a mesh, for planners of Programs; values are the same.

    Args:
        op (callable): a function or a layer.
        process_mesh (ProcessMesh): the processes; None: the mesh of the `with` block.
        in_shard_specs (list): for each argument, and `out_shard_specs` for each result, None or a list as of `shard_tensor`. They are
            checked, and change nothing: DTensor decides where operators run.
        out_shard_specs (list): likewise.
        kwargs: kept.
    Returns:
        callable: in place of op.
    Raises:
        AssertionError: there is no mesh, specs are no lists, or there are more or fewer than arguments or results.
        ValueError: a name is none of the mesh's.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet import auto
        >>> mesh = auto.ProcessMesh([0], dim_names=["x"])
        >>> add = auto.shard_op(paddle.add, mesh, in_shard_specs=[["x", None], None])
        >>> add(paddle.ones([1, 2]), paddle.ones([1, 2])).tolist()
        [[2.0, 2.0]]

    Follows Paddle 2.6; in eager mode Paddle 3.3 fails.
    """
    mesh = process_mesh or get_current_process_mesh()
    if not isinstance(mesh, ProcessMesh):
        raise failed_assertion("process_mesh", "a ProcessMesh, or a `with` block of one", process_mesh, "shard_op")
    for name, specs in (("in_shard_specs", in_shard_specs), ("out_shard_specs", out_shard_specs)):
        for spec in specs or ():
            if spec is not None and not isinstance(spec, list):
                raise failed_assertion(name, "a list of lists or None", specs, "shard_op")
            for axis in spec or ():
                if axis is not None and axis not in mesh.dim_names:
                    raise invalid_argument(name, f"names of {mesh.dim_names} or None", axis, "shard_op")

    def call(*args: Any, **given: Any) -> Any:
        if in_shard_specs and len(in_shard_specs) != len(args) + len(given):
            raise failed_assertion("in_shard_specs", f"one for each of {len(args) + len(given)} arguments", in_shard_specs, "shard_op")
        out = op(*args, **given)
        count = len(out) if isinstance(out, (list, tuple)) else 1
        if out_shard_specs and len(out_shard_specs) != count:
            raise failed_assertion("out_shard_specs", f"one for each of {count} results", out_shard_specs, "shard_op")
        return out

    return _Named(call)


__all__ = ["create_mesh", "exclude_ops_in_recompute", "fetch", "get_mesh", "recompute", "set_mesh", "shard_op", "shard_tensor"]
__getattr__ = missing(__name__)
