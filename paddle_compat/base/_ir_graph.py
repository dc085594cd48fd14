"""Programs as graphs of operators and of what flows between them, which passes rewrite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, KeysView
from typing import Any

from paddle_compat.base._graph import Graph
from paddle_compat.base._ir_nodes import IrBareNode, IrNode, IrOpNode, IrVarNode, NodeType
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import UnsupportedError, failed_assertion
from paddle_compat.core.operator import EMPTY_VAR, Operator
from paddle_compat.core.program import Program


class IrGraph:
    """A Program's global block as a graph that can be rewritten.

    Args:
        graph (core.Graph): made of a Program's `desc`.
        for_test (bool): it is for inference.
    Raises:
        AssertionError: it is no graph.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.framework import IrGraph, core
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main):
        ...     out = paddle.nn.functional.relu(paddle.static.data("x", [2]))
        >>> graph = IrGraph(core.Graph(main.desc), for_test=True)
        >>> [node.name() for node in graph.all_op_nodes()], [node.name() for node in graph.all_var_nodes()]
        (['relu'], ['x', 'relu_0.tmp_0'])
        >>> graph.is_test(), graph.has_circle(), graph.graph_num(), len(graph.all_nodes()), len(graph.all_persistable_nodes())
        (True, False, 1, 3, 0)
        >>> made = graph.create_var_node("y", core.VarDesc.VarType.LOD_TENSOR, [2], core.VarDesc.VarType.FP32)
        >>> relu, x = graph.topology_sort()[0], list(graph.all_var_nodes())[0]
        >>> double = graph.create_op_node("scale", {"scale": 2.0}, {"X": x}, {"Out": made})
        >>> graph.link_to(x, double)
        >>> graph.link_to(double, made)
        >>> graph.update_input_link(x, made, relu)
        >>> graph.resolve_hazard()
        >>> kept = graph.create_persistable_node("kept", core.VarDesc.VarType.LOD_TENSOR, [2], core.VarDesc.VarType.FP32)
        >>> graph.link_to(double, order := graph.create_control_dep_var())
        >>> graph.link_to(order, relu)
        >>> again, copy = graph.create_var_node_from_desc(kept.var()), graph.create_op_node_from_desc(double.op())
        >>> graph.update_output_link(made, again, copy)
        >>> graph.safe_remove_nodes({kept, again, copy})
        >>> graph.all_sub_graphs() == [graph], graph.get_sub_graph(0) is graph
        (True, True)
        >>> [op.type for op in graph.to_program().global_block().ops], [op.type for op in main.global_block().ops]
        (['scale', 'relu'], ['relu'])
        >>> sorted(node.name() for node in graph.clone().build_adjacency_list())
        ['relu', 'scale']

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self, graph: Graph, for_test: bool = False) -> None:
        if not isinstance(graph, Graph):
            raise failed_assertion("graph", "a core.Graph", graph, "IrGraph")
        self.graph, self._for_test = graph, for_test
        graph._rewritten = self
        self._program: Program = graph._program
        self._block: Any = self._program.global_block()
        self._nodes: dict[IrNode, None] = {}
        self._count = 0
        latest: dict[str, IrVarNode] = {}
        for op in self._block.ops:
            node = self._keep(IrOpNode(self._next(), op))
            for name in _names(op.input_arg_names):
                self.link_to(latest.get(name) or latest.setdefault(name, self._var_node(name)), node)
            for name in _names(op.output_arg_names):
                latest[name] = self._var_node(name)
                self.link_to(node, latest[name])

    def _next(self) -> int:
        self._count += 1
        return self._count - 1

    def _keep(self, node: Any) -> Any:
        self._nodes[node] = None
        return node

    def _var_node(self, name: str) -> IrVarNode:
        var = self._block._find_var_recursive(name)
        if var is None:
            var = self._block._add_var(name=name)
        made: IrVarNode = self._keep(IrVarNode(self._next(), var))
        return made

    def clone(self) -> IrGraph:
        """A copy.

        Returns:
            IrGraph.
        """
        return IrGraph(Graph(self.to_program().desc), self._for_test)

    def is_test(self) -> bool:
        """Whether it is for inference.

        Returns:
            bool.
        """
        return self._for_test

    def all_nodes(self) -> KeysView[Any]:
        """All nodes, in the order in which they came.

        Returns:
            A set of IrNode.
        """
        return dict.fromkeys(self._nodes).keys()

    def _those(self, nodes: Iterable[Any]) -> KeysView[Any]:
        return dict.fromkeys(nodes).keys()

    def all_var_nodes(self) -> KeysView[Any]:
        """The variables; one has a node for each operator that writes it.

        Returns:
            A set of IrVarNode.
        """
        return self._those(node for node in self._nodes if node.is_var())

    def all_persistable_nodes(self) -> KeysView[Any]:
        """The variables that live as long as their Scope.

        Returns:
            A set of IrVarNode.
        """
        return self._those(node for node in self._nodes if isinstance(node, IrVarNode) and node.persistable())

    def all_op_nodes(self) -> KeysView[Any]:
        """The operators.

        Returns:
            A set of IrOpNode.
        """
        return self._those(node for node in self._nodes if node.is_op())

    def all_sub_graphs(self, for_test: bool = False) -> list[IrGraph]:
        """The graphs of all blocks: this one alone.

        Args:
            for_test (bool): they are for inference.
        Returns:
            List of IrGraph.
        """
        return [self]

    def get_sub_graph(self, i: int, for_test: bool = False) -> IrGraph:
        """The graph of a block.

        Args:
            i (int): its number; 0.
            for_test (bool): it is for inference.
        Returns:
            IrGraph.
        Raises:
            UnsupportedError: another block than the first.
        """
        if i != 0:
            raise UnsupportedError("IrGraph.get_sub_graph", f"i={i}", "the graph of the global block")
        return self

    def create_persistable_node(self, name: str, var_type: Any, shape: Any, var_dtype: Any) -> Any:
        """A variable that lives as long as its Scope.

        Args:
            name (str): its name.
            var_type: its kind, such as LOD_TENSOR.
            shape (list): its dimensions.
            var_dtype: its data type.
        Returns:
            IrVarNode.
        """
        self._block._add_var(name=name, type=var_type, shape=shape, dtype=var_dtype, persistable=True)
        return self._var_node(name)

    def create_var_node(self, name: str, var_type: Any, shape: Any, var_dtype: Any) -> Any:
        """A variable that one step makes.

        Args:
            name (str): its name.
            var_type: its kind, such as LOD_TENSOR.
            shape (list): its dimensions.
            var_dtype: its data type.
        Returns:
            IrVarNode.
        """
        self._block._add_var(name=name, type=var_type, shape=shape, dtype=var_dtype, persistable=False)
        return self._var_node(name)

    def create_control_dep_var(self) -> Any:
        """A variable without values, which only says that one operator comes before another.

        Returns:
            IrVarNode.
        """
        return self._keep(IrBareNode(self._next(), f"__control_var@{len(self._nodes)}", NodeType.Variable))

    def create_var_node_from_desc(self, var_desc: Any) -> Any:
        """A variable like another one.

        Args:
            var_desc (VarDesc): what another node's `var()` gives.
        Returns:
            IrVarNode.
        """
        var = var_desc._var
        if var.name not in self._block.vars and var.type == VarType.LOD_TENSOR:
            self._block._add_var(name=var.name, type=var.type, shape=var.shape, dtype=var.dtype, persistable=var.persistable)
        return self._var_node(var.name)

    def create_op_node(self, op_type: str, attrs: dict[str, Any], inputs: dict[str, Any], outputs: dict[str, Any]) -> Any:
        """An operator; `link_to` links it.

        Args:
            op_type (str): its type.
            attrs (dict): its attributes.
            inputs, outputs (dict): slot -> node, or list of nodes.
        Returns:
            IrOpNode.
        """
        slots = [{slot: _names_of(nodes) for slot, nodes in part.items()} for part in (inputs, outputs)]
        op = Operator(self._block, op_type, slots[0], slots[1], {name: value for name, value in attrs.items() if name != "op_role"})
        role = attrs.get("op_role")
        if role is not None:
            op._set_attr("op_role", int(role))
        return self._keep(IrOpNode(self._next(), op))

    def create_op_node_from_desc(self, op_desc: Any) -> Any:
        """An operator like another one.

        Args:
            op_desc (OpDesc): what another node's `op()` gives.
        Returns:
            IrOpNode.
        """
        op = op_desc._op
        copies = [{slot: list(names) for slot, names in part.items()} for part in (op.inputs, op.outputs)]
        return self._keep(IrOpNode(self._next(), Operator(self._block, op.type, copies[0], copies[1], dict(op.attrs))))

    def update_input_link(self, old_input_node: Any, new_input_node: Any, op_node: Any) -> None:
        """Have an operator read another variable.

        Args:
            old_input_node, new_input_node (IrVarNode): what it reads, and what it will read.
            op_node (IrOpNode): the operator.
        """
        old_input_node.remove_output(op_node)
        op_node.remove_input(old_input_node)
        self.link_to(new_input_node, op_node)
        op_node.rename_input(old_input_node.name(), new_input_node.name())

    def update_output_link(self, old_output_node: Any, new_output_node: Any, op_node: Any) -> None:
        """Have an operator write another variable.

        Args:
            old_output_node, new_output_node (IrVarNode): what it writes, and what it will write.
            op_node (IrOpNode): the operator.
        """
        old_output_node.remove_input(op_node)
        op_node.remove_output(old_output_node)
        self.link_to(op_node, new_output_node)
        op_node.rename_output(old_output_node.name(), new_output_node.name())

    def link_to(self, node_in: Any, node_out: Any) -> None:
        """Let a node come before another one.

        Args:
            node_in, node_out (IrNode): the one, and the other.
        """
        node_in.append_output(node_out)
        node_out.append_input(node_in)

    def safe_remove_nodes(self, remove_nodes: Any) -> None:
        """Remove nodes, and the links to them.

        Args:
            remove_nodes (set|IrNode): which.
        """
        gone = [remove_nodes] if isinstance(remove_nodes, IrNode) else list(remove_nodes)
        for node in gone:
            self._nodes.pop(node, None)
            for before in node.inputs:
                before.remove_output(node)
            for behind in node.outputs:
                behind.remove_input(node)
        left = {node.name() for node in self._nodes if node.is_var()}
        for name in {node.name() for node in gone if node.is_var()} - left:
            self._block.vars.pop(name, None)

    def resolve_hazard(self) -> None:
        """Nothing is left to do: each write of a variable has a node of its own."""

    def has_circle(self) -> bool:
        """Whether an operator comes before itself.

        Returns:
            bool.
        """
        return len(self._sorted()) < len(self.all_op_nodes())

    def graph_num(self) -> int:
        """How many parts that nothing links there are.

        Returns:
            int.
        """
        left, parts = set(self._nodes), 0
        while left:
            reached = [left.pop()]
            parts += 1
            while reached:
                node = reached.pop()
                near = {other for other in (*node.inputs, *node.outputs) if other in left}
                left -= near
                reached += near
        return parts

    def topology_sort(self) -> list[Any]:
        """The operators in an order in which they can run.

        Returns:
            List of IrOpNode.
        """
        return self._sorted()

    def _before(self, node: Any) -> Iterator[Any]:
        """The operators that make what one reads, and those that read what it overwrites."""
        for var in node.inputs:
            yield from (op for op in var.inputs if op is not node)

    def _sorted(self) -> list[Any]:
        """As they stand, each behind those that it needs; new ones go right in front of the first that needs them."""
        done: dict[Any, None] = {}
        for start in self.all_op_nodes():
            way, entered = [start], {start}
            while way:
                node = way[-1]
                if node in done:
                    way.pop()
                    continue
                missing = [op for op in self._before(node) if op not in done and op in self._nodes]
                if not missing:
                    done[way.pop()] = None
                elif missing[0] in entered:  # a circle
                    return list(done)
                else:
                    entered.add(missing[0])
                    way.append(missing[0])
        return list(done)

    def build_adjacency_list(self) -> dict[Any, Any]:
        """What each operator needs.

        Returns:
            dict: IrOpNode -> set of IrOpNode.
        """
        return {node: set(self._before(node)) for node in self.all_op_nodes()}

    def draw(self, save_path: str, name: str, marked_nodes: Any = None, remove_ctr_var: bool = True) -> None:
        """Write the graph as a file of Graphviz's.

        Args:
            save_path (str): a folder, which is made.
            name (str): the file's name without `.dot`.
            marked_nodes (set): nodes to be coloured.
            remove_ctr_var (bool): of no effect.

        Example:
            >>> import os, tempfile
            >>> import paddle_compat as paddle
            >>> from paddle_compat.base.framework import IrGraph, core
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     IrGraph(core.Graph(paddle.static.Program().desc)).draw(folder, "graph")
            ...     os.listdir(folder)
            ['graph.dot']
        """
        import os

        marked, lines = set(marked_nodes or ()), ["digraph G {"]
        for node in self._nodes:
            shape = "box" if node.is_op() else "ellipse"
            colour = ", style=filled, fillcolor=yellow" if node in marked else ""
            lines.append(f'  n{node.id()} [label="{node.name()}", shape={shape}{colour}];')
            lines += [f"  n{node.id()} -> n{behind.id()};" for behind in node.outputs]
        os.makedirs(save_path, exist_ok=True)
        with open(os.path.join(save_path, f"{name}.dot"), "w", encoding="utf-8") as file:
            file.write("\n".join([*lines, "}\n"]))

    def to_program(self) -> Program:
        """The graph as a Program.

        Returns:
            Program: a new one.
        """
        self._block.ops = [node._op for node in self._sorted() if isinstance(node, IrOpNode)]
        self._program._touch()
        return self._program.clone()

    def _find_node_by_name(self, nodes: Iterable[Any], node_name: str) -> Any:
        found = next((node for node in nodes if node.name() == node_name), None)
        if found is None:
            raise failed_assertion("node_name", "the name of a node in the set", node_name, "IrGraph")
        return found

    def _update_desc_attr(self, desc: Any, name: str, val: Any) -> None:
        desc._op._set_attr(name, val)


def _names(names: Iterable[str]) -> list[str]:
    return [name for name in dict.fromkeys(names) if name != EMPTY_VAR]


def _names_of(nodes: Any) -> list[str]:
    return [node.name() for node in (nodes if isinstance(nodes, (list, tuple, set)) else [nodes])]
