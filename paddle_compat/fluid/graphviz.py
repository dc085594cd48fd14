"""`paddle.fluid.graphviz`: drawings of networks in the language of Graphviz."""

from __future__ import annotations

import shutil
import subprocess
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion


def crepr(v: Any) -> str:
    """A value as Graphviz writes it: texts in quotes.

    Args:
        v: the value.
    Returns:
        str.

    Example:
        >>> from paddle_compat.fluid.graphviz import crepr
        >>> crepr("box"), crepr(3)
        ('"box"', '3')

    Follows Paddle 1.8.
    """
    return f'"{v}"' if isinstance(v, str) else str(v)


def _written(attrs: dict[str, Any]) -> str:
    return ",".join(f"{name}={crepr(value)}" for name, value in attrs.items())


class Node:
    """A node of a drawing.

    Args:
        label: what is written on it.
        prefix: what its name begins with; a number follows.
        description: kept with it.
        attrs: Graphviz's attributes.

    Example:
        >>> from paddle_compat.fluid.graphviz import Graph
        >>> Graph("net").node("relu", "op", shape="box").label
        'relu'

    Follows Paddle 1.8.
    """

    counter = 1

    def __init__(self, label: str, prefix: str, description: str = "", **attrs: Any) -> None:
        self.label, self.description, self.attrs = label, description, attrs
        self.name = f"{prefix}_{Node.counter}"
        Node.counter += 1

    def __str__(self) -> str:
        return f"{self.name} [label={self.label} {',' + _written(self.attrs) if self.attrs else ''} ];"


class Edge:
    """An edge of a drawing.

    Args:
        source, target: the nodes.
        attrs: Graphviz's attributes.

    Example:
        >>> from paddle_compat.fluid.graphviz import Graph
        >>> graph = Graph("net")
        >>> graph.edge(graph.node("a", "n"), graph.node("b", "n")).attrs
        {}

    Follows Paddle 1.8.
    """

    def __init__(self, source: Node, target: Node, **attrs: Any) -> None:
        self.source, self.target, self.attrs = source, target, attrs

    def __str__(self) -> str:
        return f"{self.source.name} -> {self.target.name} {f'[{_written(self.attrs)}]' if self.attrs else ''}"


class Rank:
    """Nodes that stand in one line.

    Args:
        kind: Graphviz's `rank`: "same", "min", "max", ...
        name: what the group is called.
        priority: groups of small numbers are written first.

    Example:
        >>> from paddle_compat.fluid.graphviz import Rank
        >>> Rank("same", "first", 1).nodes
        []

    Follows Paddle 1.8.
    """

    def __init__(self, kind: str, name: str, priority: int) -> None:
        self.kind, self.name, self.priority = kind, name, priority
        self.nodes: list[Node] = []

    def __str__(self) -> str:
        return f"{{rank={self.kind};{','.join(node.name for node in self.nodes)}}}" if self.nodes else ""


class Graph:
    """A drawing.

    Args:
        title: its title.
        attrs: Graphviz's attributes.

    Example:
        >>> import os, tempfile
        >>> from paddle_compat.fluid.graphviz import Graph
        >>> graph = Graph("net", rankdir="TB")
        >>> row = graph.rank_group("same", 1)
        >>> edge = graph.edge(graph.node("a", "n", rank=row), graph.node("b", "n"))
        >>> edge.source.label, graph.code().splitlines()[:2]
        ('a', ['digraph G {', 'title = "net"'])
        >>> file = os.path.join(tempfile.mkdtemp(), "net.dot")
        >>> graph.show(file); graph.compile(file) == file.removesuffix(".dot") + ".pdf"
        True

    Follows Paddle 1.8.
    """

    rank_counter = 0

    def __init__(self, title: str, **attrs: Any) -> None:
        self.title, self.attrs = title, attrs
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.rank_groups: dict[str, Rank] = {}

    def code(self) -> str:
        """The drawing's text.

        Returns:
            str.
        """
        return str(self)

    def rank_group(self, kind: str, priority: int) -> str:
        """A new group of nodes in one line.

        Args:
            kind (str): Graphviz's `rank`.
            priority (int): groups of small numbers are written first.
        Returns:
            str: the group's name.
        """
        name = f"rankgroup-{Graph.rank_counter}"
        Graph.rank_counter += 1
        self.rank_groups[name] = Rank(kind, name, priority)
        return name

    def node(self, label: str, prefix: str, description: str = "", **attrs: Any) -> Node:
        """A new node.

        Args:
            label (str): what is written on it.
            prefix (str): what its name begins with.
            description (str): kept with it.
            attrs: Graphviz's attributes; `rank` names its group.
        Returns:
            Node.
        """
        group = attrs.pop("rank", None)
        self.nodes.append(Node(label, prefix, description, **attrs))
        if group is not None:
            self.rank_groups[group].nodes.append(self.nodes[-1])
        return self.nodes[-1]

    def edge(self, source: Node, target: Node, **attrs: Any) -> Edge:
        """A new edge.

        Args:
            source, target (Node): from where to where.
            attrs: Graphviz's attributes.
        Returns:
            Edge.
        """
        self.edges.append(Edge(source, target, **attrs))
        return self.edges[-1]

    def compile(self, dot_path: str) -> str:
        """Write the drawing to a file and, where Graphviz's `dot` is installed, draw it into a PDF beside it.

        Args:
            dot_path (str): the file; its name ends with .dot.
        Returns:
            str: the PDF's path.
        Raises:
            AssertionError: the name ends otherwise.
        """
        if not dot_path.endswith(".dot"):
            raise failed_assertion("dot_path", "a path that ends in .dot", dot_path)
        with open(dot_path, "w", encoding="utf-8") as file:
            file.write(str(self))
        image = dot_path.removesuffix(".dot") + ".pdf"
        program = shutil.which("dot")
        if program is not None:
            subprocess.run([program, "-Tpdf", dot_path, "-o", image], check=False, capture_output=True)
        return image

    def show(self, dot_path: str) -> None:
        """Write and draw the drawing; nothing opens a window.

        Args:
            dot_path (str): the file; its name ends with .dot.
        """
        self.compile(dot_path)

    def __str__(self) -> str:
        ranks = sorted(self.rank_groups.values(), key=lambda rank: rank.priority)
        lines = ["digraph G {", f"title = {crepr(self.title)}", *(f"{name}={crepr(value)};" for name, value in self.attrs.items())]
        return "\n".join([*lines, *map(str, ranks), *map(str, self.nodes), *map(str, self.edges), "}"])


_TABLE = """<<table cellpadding="5">
  <tr>
    <td bgcolor="#2b787e">
    <b>
{name}
    </b>
    </td>
  </tr>
  <tr>
    <td>
{type}
    </td>  </tr>
</table>>"""
_ROUNDED = "rounded,filled,bold"


class GraphPreviewGenerator:
    """A drawing of a network: parameters, operators and what goes from one to the next.

    Args:
        title: its title.

    Example:
        >>> from paddle_compat.fluid.graphviz import GraphPreviewGenerator
        >>> preview = GraphPreviewGenerator("net")
        >>> weight, x, relu = preview.add_param("w", "float32"), preview.add_arg("x"), preview.add_op("relu")
        >>> preview.add_edge(x, relu).source.description, weight.description, relu.description
        ('x', 'w', 'relu')

    Follows Paddle 1.8.
    """

    def __init__(self, title: str) -> None:
        self.graph = Graph(title, layout="dot", concentrate="true", rankdir="TB")
        self.op_rank = self.graph.rank_group("same", 2)
        self.param_rank = self.graph.rank_group("same", 1)
        self.arg_rank = self.graph.rank_group("same", 0)

    def __call__(self, path: str = "temp.dot", show: bool = False) -> None:
        """Write the drawing to a file."""
        self.graph.compile(path)

    def add_param(self, name: str, data_type: Any, highlight: bool = False) -> Node:
        """A parameter, with its type.

        Args:
            name (str): its name.
            data_type: what is written below.
            highlight (bool): draw it in orange.
        Returns:
            Node.
        """
        label, color = _TABLE.format(name=name, type=data_type), "orange" if highlight else "#148b97"
        attrs = {"shape": "none", "style": _ROUNDED, "width": "1.3", "color": color, "fontcolor": "#ffffff", "fontname": "Arial"}
        return self.graph.node(label, prefix="param", description=name, **attrs)

    def add_op(self, opType: str, **kwargs: Any) -> Node:
        """An operator.

        Args:
            opType (str): the operator's type.
            kwargs: `highlight` draws it in orange; others are of no effect.
        Returns:
            Node.
        """
        color = "orange" if kwargs.get("highlight") else "#303A3A"
        attrs = {"shape": "box", "style": "rounded, filled, bold", "color": color, "fontname": "Arial", "fontcolor": "#ffffff"}
        return self.graph.node(f"<<B>{opType}</B>>", prefix="op", description=opType, **attrs, width="1.3", height="0.84")

    def add_arg(self, name: str, highlight: bool = False) -> Node:
        """What goes from one operator to the next.

        Args:
            name (str): its name.
            highlight (bool): draw it in orange.
        Returns:
            Node.
        """
        color = "orange" if highlight else "#dddddd"
        attrs = {"shape": "box", "style": _ROUNDED, "fontname": "Arial", "fontcolor": "#999999", "color": color}
        return self.graph.node(crepr(name), prefix="arg", description=name, **attrs)

    def add_edge(self, source: Node, target: Node, **kwargs: Any) -> Edge:
        """Draw who reads or writes what.

        Args:
            source, target (Node): from where to where.
            kwargs: Graphviz's attributes; `highlight` draws it in orange.
        Returns:
            Edge.
        """
        return self.graph.edge(source, target, color="orange" if kwargs.pop("highlight", False) else "#00000", **kwargs)


__all__ = ["Edge", "Graph", "GraphPreviewGenerator", "Node", "Rank", "crepr"]

__getattr__ = missing(__name__)
