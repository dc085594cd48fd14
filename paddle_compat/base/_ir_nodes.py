"""The nodes of graphs that Programs are rewritten as."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from paddle_compat.core.operator import Operator


class NodeType(IntEnum):
    """What a node stands for.

    Example:
        >>> from paddle_compat.base.framework import core
        >>> str(core.Node.Type.Operation), core.Node.Type.Variable == core.Node.Variable
        ('Type.Operation', True)

    Follows Paddle 1.8 and 2.6.
    """

    Operation = 0
    Variable = 1

    def __str__(self) -> str:
        return f"Type.{self.name}"


class IrNode:
    """A node of a graph: an operator, or a variable as one operator leaves it.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.framework import IrGraph, core
        >>> graph = IrGraph(core.Graph(paddle.static.Program().desc))
        >>> node = graph.create_persistable_node("w", core.VarDesc.VarType.LOD_TENSOR, [2], core.VarDesc.VarType.FP32)
        >>> node.name(), node.is_var(), node.is_op(), node.is_ctrl_var(), node.op(), node.var().name()
        ('w', True, False, False, None, 'w')
        >>> node.node_type() == node.node_type(), node.id() >= 0, node.persistable(), node.shape()
        (True, True, True, [2])

    Follows Paddle 1.8 and 2.6.
    """

    Type = NodeType
    Operation, Variable = NodeType.Operation, NodeType.Variable

    def __init__(self, node: Any) -> None:
        self.node = self
        self._id: int = node
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []

    def name(self) -> str:
        """An operator's type, or a variable's name.

        Returns:
            str.
        """
        return ""

    def node_type(self) -> NodeType:
        """What it stands for: 0 for an operator, 1 for a variable.

        Returns:
            core.Node.Type.
        """
        return NodeType.Operation if self.is_op() else NodeType.Variable

    def var(self) -> Any:
        """The variable's description.

        Returns:
            VarDesc: None for an operator.
        """
        return None

    def op(self) -> Any:
        """The operator's description.

        Returns:
            OpDesc: None for a variable.
        """
        return None

    def id(self) -> int:
        """The node's number.

        Returns:
            int.
        """
        return self._id

    def is_op(self) -> bool:
        """Whether it is an operator.

        Returns:
            bool.
        """
        return False

    def is_var(self) -> bool:
        """Whether it is a variable.

        Returns:
            bool.
        """
        return False

    def is_ctrl_var(self) -> bool:
        """Whether it only says what comes first.

        Returns:
            bool.
        """
        return False

    def _join(self, node: Any, mine: list[Any], other: list[Any]) -> None:
        mine.append(node)
        other.append(self)

    def clear_inputs(self) -> None:
        """Forget what comes before."""
        self._inputs.clear()

    def remove_input_by_id(self, node_id: int) -> None:
        """Forget one that comes before.

        Args:
            node_id (int): its number.
        """
        self._inputs[:] = [node for node in self._inputs if node.id() != node_id]

    def remove_input(self, node: Any) -> None:
        """Forget one that comes before.

        Args:
            node (IrNode|int): which, or its number.
        """
        self.remove_input_by_id(node if isinstance(node, int) else node.id())

    def append_input(self, node: Any) -> None:
        """Note one that comes before.

        Args:
            node (IrNode): which.
        """
        self._inputs.append(node)

    def clear_outputs(self) -> None:
        """Forget what comes behind."""
        self._outputs.clear()

    def remove_output_by_id(self, node_id: int) -> None:
        """Forget one that comes behind.

        Args:
            node_id (int): its number.
        """
        self._outputs[:] = [node for node in self._outputs if node.id() != node_id]

    def remove_output(self, node: Any) -> None:
        """Forget one that comes behind.

        Args:
            node (IrNode|int): which, or its number.
        """
        self.remove_output_by_id(node if isinstance(node, int) else node.id())

    def append_output(self, node: Any) -> None:
        """Note one that comes behind.

        Args:
            node (IrNode): which.
        """
        self._outputs.append(node)

    @property
    def inputs(self) -> list[Any]:
        """What comes before."""
        return list(self._inputs)

    @property
    def outputs(self) -> list[Any]:
        """What comes behind."""
        return list(self._outputs)


class IrBareNode(IrNode):
    """A node with no more than a name: nothing of a Program stands behind it."""

    def __init__(self, node: int, name: str, kind: NodeType) -> None:
        super().__init__(node)
        self._name, self._kind = name, kind

    def name(self) -> str:
        """Its name."""
        return self._name

    def is_op(self) -> bool:
        """Whether it stands for an operator."""
        return self._kind == NodeType.Operation

    def is_var(self) -> bool:
        """Whether it stands for a variable."""
        return self._kind == NodeType.Variable

    def is_ctrl_var(self) -> bool:
        """Whether it only says what comes first."""
        return self.is_var() and self._name.startswith("__control_var")

    def persistable(self) -> bool:
        """False."""
        return False


class IrVarNode(IrNode):
    """A variable as one operator leaves it."""

    def __init__(self, node: int, var: Any) -> None:
        super().__init__(node)
        self._var = var

    def name(self) -> str:
        """The variable's name."""
        return str(self._var.name)

    def var(self) -> Any:
        """The variable's description."""
        return self._var.desc

    def is_var(self) -> bool:
        """True."""
        return True

    def set_shape(self, shape: Any) -> None:
        """Change the shape."""
        self._var.desc.set_shape(shape)

    def persistable(self) -> bool:
        """Whether it lives as long as its Scope."""
        return bool(self._var.persistable)

    def type(self) -> Any:
        """Its kind, such as LOD_TENSOR."""
        return self._var.type

    def dtype(self) -> Any:
        """Its data type."""
        return self._var.dtype

    def shape(self) -> list[int]:
        """Its shape."""
        return list(self._var.shape)


class IrOpNode(IrNode):
    """An operator."""

    def __init__(self, node: int, op: Operator) -> None:
        super().__init__(node)
        self._op = op

    def name(self) -> str:
        """The operator's type."""
        return self._op.type

    def op(self) -> Any:
        """The operator's description."""
        return self._op.desc

    def is_op(self) -> bool:
        """True."""
        return True

    def rename_input(self, old_input_name: str, new_input_name: str) -> None:
        """Read another variable."""
        self._op._rename_input(old_input_name, new_input_name)

    def rename_output(self, old_output_name: str, new_output_name: str) -> None:
        """Write another variable."""
        self._op._rename_output(old_output_name, new_output_name)

    def input(self, name: str) -> list[str]:
        """The names in a slot of inputs."""
        return list(self._op.input(name))

    def output(self, name: str) -> list[str]:
        """The names in a slot of outputs."""
        return list(self._op.output(name))

    def set_type(self, new_type: str) -> None:
        """Become another operator."""
        self._op.type = new_type

    def set_attr(self, name: str, val: Any) -> None:
        """Change an attribute."""
        self._op._set_attr(name, val)

    _update_desc_attr = set_attr

    def input_arg_names(self) -> list[str]:
        """The names of all inputs."""
        return list(self._op.input_arg_names)

    def output_arg_names(self) -> list[str]:
        """The names of all outputs."""
        return list(self._op.output_arg_names)


Node = IrNode
