"""`paddle.distributed.auto_parallel.static.dist_attribute`: how tensors lie on a mesh, and what operators make of that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import NotFoundError, UnsupportedError, invalid_argument, type_error
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.distributed.auto_parallel._attributes import TensorDistAttr
from paddle_compat.distributed.auto_parallel._cut_rules import RULES, SINCE_3_RULES, Found
from paddle_compat.distributed.auto_parallel._cuts import Cut, Laid
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh

__all__ = ["DistTensorSpec", "TensorDistAttr"]

_WITHOUT = frozenset({"fused_linear_param_grad_add", "moe_gate_dispatch", "squared_l2_norm"})  # operators that Paddle 3 has rules for


class DistTensorSpec:
    """A tensor's sizes and how it lies on a mesh.

    Args:
        shape (list | DistTensorSpec): the sizes; or another, which is copied.
        dist_attr (TensorDistAttr): how it lies; None beside None: of a tensor without dimensions.
    Raises:
        TypeError: dist_attr is no TensorDistAttr.

    Example:
        >>> from paddle_compat.distributed.auto_parallel.static.dist_attribute import DistTensorSpec, TensorDistAttr
        >>> lies = TensorDistAttr()
        >>> lies.dims_mapping = [0, -1]
        >>> tensor = DistTensorSpec([4, 6], lies)
        >>> tensor.set_dims_mapping([-1, 0])
        >>> tensor.shape, tensor.dims_mapping(), lies.dims_mapping
        ([4, 6], [-1, 0], [0, -1])

    Follows Paddle 2.6.
    """

    _dist_attr: TensorDistAttr

    def __init__(self, shape: Sequence[int] | DistTensorSpec | None = None, dist_attr: TensorDistAttr | None = None) -> None:
        if isinstance(shape, DistTensorSpec):
            dist_attr, shape = shape._dist_attr, shape.shape
        elif shape is None and dist_attr is None:
            shape, dist_attr = [], TensorDistAttr()
        if not isinstance(dist_attr, TensorDistAttr):
            raise type_error("dist_attr", "a TensorDistAttr", dist_attr, "DistTensorSpec")
        self._shape = [int(size) for size in shape or ()]
        self._dist_attr = TensorDistAttr(dist_attr)

    @property
    def shape(self) -> list[int]:
        """The sizes."""
        return list(self._shape)

    def dims_mapping(self) -> list[int]:
        """For each dimension the number of the mesh's that cuts it, or -1.

        Returns:
            list.
        """
        return list(self._dist_attr.dims_mapping)

    def set_dims_mapping(self, dims_mapping: Sequence[int]) -> None:
        """Say what cuts each dimension.

        Args:
            dims_mapping (list): for each the number of the mesh's dimension, or -1.
        """
        self._dist_attr.dims_mapping = list(dims_mapping)

    def process_mesh(self) -> ProcessMesh | None:
        """The mesh.

        Returns:
            ProcessMesh: or None.

        Example:
            >>> from paddle_compat.distributed.auto_parallel.static.dist_attribute import DistTensorSpec
            >>> print(DistTensorSpec().process_mesh())
            None
        """
        return self._dist_attr.process_mesh

    def set_process_mesh(self, process_mesh: ProcessMesh) -> None:
        """Say which mesh it lies on.

        Args:
            process_mesh (ProcessMesh): the mesh.

        Example:
            >>> from paddle_compat.distributed import ProcessMesh
            >>> from paddle_compat.distributed.auto_parallel.static.dist_attribute import DistTensorSpec
            >>> tensor = DistTensorSpec()
            >>> tensor.set_process_mesh(ProcessMesh([0, 1]))
            >>> tensor.process_mesh().shape
            [2]
        """
        self._dist_attr.process_mesh = process_mesh

    def __str__(self) -> str:
        return f"{{tensor_shape:[{','.join(map(str, self._shape))}], dist_attr:{self._dist_attr}}}"


class SpmdRule:
    """How an operator's tensors lie on a mesh; `get_phi_spmd_rule` gives it.

    Args:
        name (str): the operator's.
    Raises:
        RuntimeError: there is no rule for it.
        UnsupportedError: Paddle has one.

    Example:
        >>> from paddle_compat.base import core
        >>> from paddle_compat.distributed import ProcessMesh
        >>> from paddle_compat.distributed.auto_parallel.static.dist_attribute import DistTensorSpec, TensorDistAttr
        >>> def tensor(shape, dims_mapping):
        ...     lies = TensorDistAttr()
        ...     lies.process_mesh, lies.dims_mapping = ProcessMesh([[0, 1, 2], [3, 4, 5]]), dims_mapping
        ...     return DistTensorSpec(shape, lies)
        >>> rule = core.get_phi_spmd_rule("matmul")
        >>> inputs, outputs = rule.infer_forward(tensor([64, 32], [-1, 0]), tensor([32, 48], [-1, -1]), False, False)
        >>> [each.dims_mapping for each in inputs], outputs[0].dims_mapping, outputs[0]._partial_dims()
        ([[-1, 0], [0, -1]], [-1, -1], {0})
        >>> inputs, outputs = rule.infer_backward(
        ...     tensor([64, 32], [-1, -1]), tensor([32, 48], [-1, -1]), tensor([64, 48], [1, 0]), False, False)
        >>> [each.dims_mapping for each in inputs]
        [[1, -1], [-1, 0]]

    Follows Paddle 2.6.
    """

    def __init__(self, name: str) -> None:
        if name in _WITHOUT:
            raise UnsupportedError(f"paddle.base.core.get_phi_spmd_rule({name!r})")
        if not contains_spmd_rule(name):
            raise NotFoundError(f"Invalid value for argument `name`. Expected an operator that has a rule. Received: {name!r}")
        self._rule, self._name = RULES[name], name

    def infer_forward(self, *args: Any) -> tuple[list[Any], list[Any]]:
        """How the inputs have to lie, and how the outputs lie then.

        Args:
            args: the inputs (`DistTensorSpec`, or lists of them), then the operator's attributes in their order.
        Returns:
            tuple: a list with a TensorDistAttr for each input (a list of them for a list), and one for the outputs.
        Raises:
            ValueError: a dims_mapping has not the tensor's number of dimensions, or the operator cannot work so.
            NotImplementedError: a dimension is cut along two of the mesh's.
        """
        return _attributes(args, self._rule.forward(*map(_laid, args)))

    def infer_backward(self, *args: Any) -> tuple[list[Any], list[Any]]:
        """How the inputs and the outputs lie where it is known how the outputs do.

        Args:
            args: the inputs (`DistTensorSpec`, or lists of them), the outputs, then the operator's attributes in their order.
        Returns:
            tuple: a list with a TensorDistAttr for each input (a list of them for a list), and one for the outputs.
        Raises:
            RuntimeError: the operator has no such rule.
            ValueError: a dims_mapping has not the tensor's number of dimensions.
        """
        if self._rule.backward is None:
            raise NotFoundError(f"Invalid value for argument `name`. Expected an operator with a backward rule. Received: {self._name!r}")
        return _attributes(args, self._rule.backward(*map(_laid, args)))


def _laid(given: Any) -> Any:
    if isinstance(given, list) and given and isinstance(given[0], DistTensorSpec):
        return [_laid(one) for one in given]
    if not isinstance(given, DistTensorSpec):
        return given
    mesh, mapping = given.process_mesh(), given.dims_mapping()
    if len(mapping) != len(given.shape):
        raise invalid_argument("dims_mapping", f"{len(given.shape)} numbers, one for each dimension", mapping, "infer_forward")
    return Laid(given.shape, mapping, mesh.shape if mesh is not None else [1] * (1 + max(mapping, default=-1)))


def _attributes(args: Sequence[Any], found: Found) -> tuple[list[Any], list[Any]]:
    first = next(one for each in args for one in (each if isinstance(each, list) else [each]) if isinstance(one, DistTensorSpec))

    def attribute(cut: Any) -> Any:
        if not isinstance(cut, Cut):
            return [attribute(one) for one in cut]
        made = TensorDistAttr()
        made.process_mesh, made.dims_mapping = first.process_mesh(), cut.mapping
        made._set_partial_dims(cut.partial)
        return made

    return attribute(found[0]), attribute(found[1])


def get_phi_spmd_rule(name: str) -> SpmdRule:
    """How an operator's tensors lie on a mesh of processes.

    Args:
        name (str): the operator's.
    Returns:
        SpmdRule.
    Raises:
        RuntimeError: there is no rule for it.

    Example:
        >>> from paddle_compat.base import core
        >>> type(core.get_phi_spmd_rule("relu")).__name__
        'SpmdRule'

    Follows Paddle 2.6.
    """
    return SpmdRule(name)


def contains_spmd_rule(name: str) -> bool:
    """Whether there is a rule for an operator.

    Args:
        name (str): the operator's.
    Returns:
        bool.

    Example:
        >>> from paddle_compat.base import core
        >>> core.contains_spmd_rule("matmul"), core.contains_spmd_rule("nosuch")
        (True, False)

    Follows Paddle 2.6.
    """
    return name in RULES and bool(SINCE_3 or name not in SINCE_3_RULES)


__getattr__ = missing(__name__)
