"""`core.Graph`: what stands in a graph of a Program, node by node, and what is remembered beside it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from paddle_compat.base._ir_nodes import IrBareNode, IrNode, NodeType
from paddle_compat.core.errors import AlreadyExistsError, InvalidArgumentError, NotFoundError, type_error
from paddle_compat.core.program import Program

if TYPE_CHECKING:
    from paddle_compat.base._ir_graph import IrGraph

_KINDS = {bool: "bool", int: "int", float: "float", str: "string"}


class Graph:
    """What an `IrGraph` is made of: a copy of a Program.

    Args:
        desc (ProgramDesc): a Program's `desc`.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.framework import core
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program()) as _, paddle.utils.unique_name.guard():
        ...     out = paddle.nn.functional.relu(paddle.static.data("x", [2]))
        ...     graph = core.Graph(paddle.static.default_main_program().desc)
        >>> sorted(node.name() for node in graph.nodes()), len(graph.clone().nodes())
        (['relu', 'relu_0.tmp_0', 'x'], 3)
        >>> graph.set("width", 2)
        >>> graph.set("rate", 0.5)
        >>> graph.set("name", "first")
        >>> graph.set("kept", True)
        >>> graph.get_int("width"), graph.get_float("rate"), graph.get_string("name"), graph.get_bool("kept")
        (2, 0.5, 'first', True)
        >>> graph.erase("kept")
        >>> graph.has("width"), graph.has("kept")
        (True, False)
        >>> first = graph.create_control_dep_var()
        >>> first.is_ctrl_var(), graph.create_empty_node("fused", core.Node.Type.Operation).name()
        (True, 'fused')
        >>> relu, x = graph.retrieve_node(0), graph.retrieve_node(1)
        >>> again, copy = graph.create_op_node(relu.op()), graph.create_var_node(x.var())
        >>> graph.remove_node(first) is first, len(graph.nodes()), len(graph.release_nodes()), len(graph.nodes())
        (True, 6, 6, 0)
        >>> graph.resolve_hazard()
        >>> graph.origin_program_desc().num_blocks()
        1

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self, desc: Any) -> None:
        self._program: Program = desc._program.clone()
        self._rewritten: IrGraph | None = None  # what knows the nodes, and the order that passes left the operators in
        self._kept: dict[str, Any] = {}

    def _to_program(self) -> Program:
        return self._program.clone() if self._rewritten is None else self._rewritten.to_program()

    def _view(self) -> IrGraph:
        if self._rewritten is None:
            from paddle_compat.base._ir_graph import IrGraph

            self._rewritten = IrGraph(self)
        return self._rewritten

    def clone(self) -> Graph:
        """A copy.

        Returns:
            Graph.
        """
        return Graph(self._to_program().desc)

    def origin_program_desc(self) -> Any:
        """The Program that it was made of.

        Returns:
            ProgramDesc.
        """
        return self._program.desc

    def nodes(self) -> set[Any]:
        """All nodes.

        Returns:
            set of Node.
        """
        return set(self._view()._nodes)

    def retrieve_node(self, id: int) -> Any:
        """A node by its number.

        Args:
            id (int): the number.
        Returns:
            Node: None where there is none.
        """
        return next((node for node in self._view()._nodes if node.id() == id), None)

    def create_var_node(self, var_desc: Any) -> Any:
        """A variable, which nothing is linked to.

        Args:
            var_desc (VarDesc): what it is like.
        Returns:
            Node.
        """
        return self._view().create_var_node_from_desc(var_desc)

    def create_op_node(self, op_desc: Any) -> Any:
        """An operator, which nothing is linked to.

        Args:
            op_desc (OpDesc): what it is like.
        Returns:
            Node.
        """
        return self._view().create_op_node_from_desc(op_desc)

    def create_control_dep_var(self) -> Any:
        """A variable without values, which only says that one operator comes before another.

        Returns:
            Node.
        """
        return self._view().create_control_dep_var()

    def create_empty_node(self, name: str, node_type: Any) -> Any:
        """A node that describes nothing.

        Args:
            name (str): its name.
            node_type (Node.Type): whether it stands for an operator or for a variable.
        Returns:
            Node.
        """
        view = self._view()
        return view._keep(IrBareNode(view._next(), name, NodeType(node_type)))

    def remove_node(self, node: Any) -> Any:
        """Take a node out, without a look at what is linked to it.

        Args:
            node (Node): which.
        Returns:
            Node: the same.
        Raises:
            NotFoundError: it is not here.
        """
        if node not in self._view()._nodes:
            raise NotFoundError(f"Invalid value for argument `node` of `Graph.remove_node`. Expected a node of it. Received: {node.name()}")
        del self._view()._nodes[node]
        return node

    def release_nodes(self) -> list[Any]:
        """Take all nodes out.

        Returns:
            list of Node.
        """
        found = list(self._view()._nodes)
        self._view()._nodes.clear()
        return found

    def resolve_hazard(self) -> None:
        """Nothing is left to do: each write of a variable has a node of its own."""

    def has(self, attr_name: str) -> bool:
        """Whether something is remembered under a name.

        Args:
            attr_name (str): the name.
        Returns:
            bool.
        """
        return attr_name in self._kept

    def set(self, attr_name: str, attr: Any) -> None:
        """Remember something beside the graph.

        Args:
            attr_name (str): the name.
            attr (bool|int|float|str|set): what.
        Raises:
            TypeError: it is none of these.
            AlreadyExistsError: there is something of that name.
        """
        if not isinstance(attr, (bool, int, float, str, set)):
            raise type_error("attr", "a bool, int, float, str or set", attr, "Graph.set")
        if attr_name in self._kept:
            raise AlreadyExistsError(f"Invalid value for argument `attr_name` of `Graph.set`. Expected a new name. Received: {attr_name}")
        self._kept[attr_name] = attr

    def erase(self, attr_name: str) -> None:
        """Forget what is remembered under a name.

        Args:
            attr_name (str): the name.
        Raises:
            NotFoundError: there is nothing.
        """
        self._get(attr_name, None)
        del self._kept[attr_name]

    def _get(self, name: str, kind: type | None) -> Any:
        if name not in self._kept:
            raise NotFoundError(f"Invalid value for argument `attr_name` of `Graph`. Expected one of {list(self._kept)}. Received: {name}")
        found = self._kept[name]
        if kind is not None and type(found) is not kind:
            raise InvalidArgumentError(
                f"Invalid type of attribute `{name}` of `Graph`. Expected {_KINDS[kind]}. Received: {type(found).__name__}"
            )
        return found

    def get_bool(self, attr_name: str) -> bool:
        """A bool that is remembered.

        Args:
            attr_name (str): its name.
        Returns:
            bool.
        Raises:
            NotFoundError: there is nothing of that name.
            InvalidArgumentError: it is something else.
        """
        return bool(self._get(attr_name, bool))

    def get_int(self, attr_name: str) -> int:
        """An integer that is remembered.

        Args:
            attr_name (str): its name.
        Returns:
            int.
        Raises:
            NotFoundError: there is nothing of that name.
            InvalidArgumentError: it is something else.
        """
        return int(self._get(attr_name, int))

    def get_float(self, attr_name: str) -> float:
        """A number that is remembered.

        Args:
            attr_name (str): its name.
        Returns:
            float.
        Raises:
            NotFoundError: there is nothing of that name.
            InvalidArgumentError: it is something else.
        """
        return float(self._get(attr_name, float))

    def get_string(self, attr_name: str) -> str:
        """A text that is remembered.

        Args:
            attr_name (str): its name.
        Returns:
            str.
        Raises:
            NotFoundError: there is nothing of that name.
            InvalidArgumentError: it is something else.
        """
        return str(self._get(attr_name, str))


def has_circle(graph: Graph) -> bool:
    """Whether an operator comes before itself.

    Args:
        graph (core.Graph): the graph.
    Returns:
        bool.

    Example:
        >>> from paddle_compat.base.framework import core
        >>> core.has_circle(core.Graph(core.ProgramDesc()))
        False

    Follows Paddle 1.8 and 2.6.
    """
    return graph._view().has_circle()


def graph_num(graph: Graph) -> int:
    """How many parts that nothing links there are.

    Args:
        graph (core.Graph): the graph.
    Returns:
        int.

    Example:
        >>> from paddle_compat.base.framework import core
        >>> core.graph_num(core.Graph(core.ProgramDesc()))
        0

    Follows Paddle 1.8 and 2.6.
    """
    return graph._view().graph_num()


def topology_sort(graph: Graph) -> list[Any]:
    """The operators in an order in which they can run.

    Args:
        graph (core.Graph): the graph.
    Returns:
        list of Node.

    Example:
        >>> from paddle_compat.base.framework import core
        >>> core.topology_sort(core.Graph(core.ProgramDesc()))
        []

    Follows Paddle 1.8 and 2.6.
    """
    return graph._view().topology_sort()


def build_adjacency_list(graph: Graph) -> dict[Any, Any]:
    """What each operator needs.

    Args:
        graph (core.Graph): the graph.
    Returns:
        dict: Node -> set of Node.

    Example:
        >>> from paddle_compat.base.framework import core
        >>> core.build_adjacency_list(core.Graph(core.ProgramDesc()))
        {}

    Follows Paddle 1.8 and 2.6.
    """
    return graph._view().build_adjacency_list()


def graph_safe_remove_nodes(graph: Graph, nodes: Iterable[IrNode]) -> None:
    """Remove nodes, and the links to them.

    Args:
        graph (core.Graph): the graph.
        nodes (set of Node): which.

    Example:
        >>> from paddle_compat.base.framework import core
        >>> graph = core.Graph(core.ProgramDesc())
        >>> core.graph_safe_remove_nodes(graph, {graph.create_control_dep_var()})
        >>> len(graph.nodes())
        0

    Follows Paddle 1.8 and 2.6.
    """
    graph._view().safe_remove_nodes(set(nodes))
