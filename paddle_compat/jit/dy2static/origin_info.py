"""`paddle.jit.dy2static.origin_info`: where rewritten functions come from."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.utils import gast  # noqa: F401 - harnesses take it from here

ORIGI_INFO = "Original information of source code for ast node."
global_origin_info_map: dict[tuple[str, int], OriginInfo] = {}


class Location:
    """A place in a file.

    Args:
        filepath (str): the file.
        lineno (int): the line, counted from one.
        col_offset (int|None): the column, counted from zero.
    """

    def __init__(self, filepath: str, lineno: int, col_offset: int | None = None) -> None:
        self.filepath, self.lineno, self.col_offset = filepath, lineno, col_offset

    def __str__(self) -> str:
        return f"location: {self.filepath}:{self.lineno}:{self.col_offset}"

    @property
    def line_location(self) -> tuple[str, int]:
        """The file and the line."""
        return self.filepath, self.lineno


class OriginInfo:
    """Where a node was written.

    Args:
        location (Location): the place.
        function_name (str): the function around it.
        source_code (str): the line.
    """

    def __init__(self, location: Location, function_name: str, source_code: str) -> None:
        self.location, self.function_name, self.source_code = location, function_name, source_code

    def __str__(self) -> str:
        return f"{self.location} \nsource_code: {self.source_code}  in function {self.function_name}\n  "

    def formated_message(self) -> str:
        """How it is shown in errors."""
        place = f'File "{self.location.filepath}", line {self.location.lineno}, in {self.function_name}'
        return f"    {place} (* user code *)\n\t{self.source_code.lstrip()}"

    def as_frame(self) -> tuple[str, int, str, str]:
        """The parts of a frame of a traceback."""
        return self.location.filepath, self.location.lineno, self.function_name, self.source_code.lstrip()


class OriginInfoAttacher:
    """Notes on the nodes of a function's tree where they were written.

    Args:
        root (gast.Module): the tree of the function's source.
        func (function): the function.
    """

    def __init__(self, root: Any, func: Callable[..., Any]) -> None:
        self.root = root
        self.func = unwrap(func)
        self.filepath = inspect.getsourcefile(self.func) or inspect.getfile(self.func)
        self.source_code, self.lineno_offset = inspect.getsourcelines(self.func)
        text = self.source_code[0]
        self.col_offset = len(text) - len(text.lstrip())

    def transform(self) -> None:
        """Note it on all nodes that have a place."""
        self._attach(self.root, [])

    def _attach(self, node: Any, functions: list[str]) -> None:
        inside = [*functions, node.name] if isinstance(node, ast.FunctionDef) else functions
        if hasattr(node, "lineno"):
            line = self.source_code[node.lineno - 1].rstrip("\n")
            place = Location(self.filepath, self.lineno_offset + node.lineno - 1, self.col_offset + node.col_offset)
            setattr(node, ORIGI_INFO, OriginInfo(place, inside[-1] if inside else self.func.__name__, line))
        for child in ast.iter_child_nodes(node):
            self._attach(child, inside)


def attach_origin_info(ast_node: Any, func: Callable[..., Any]) -> Any:
    """Note on the nodes of a tree where they were written.

    Args:
        ast_node (gast.Module): the tree of a function's source.
        func (function): the function.
    Returns:
        The tree.

    Example:
        >>> import inspect
        >>> from paddle_compat.jit.dy2static.origin_info import ORIGI_INFO, attach_origin_info, gast, unwrap
        >>> tree = attach_origin_info(gast.parse(inspect.getsource(unwrap)), unwrap)
        >>> getattr(tree.body[0], ORIGI_INFO).function_name
        'unwrap'

    Follows Paddle 2.6.
    """
    OriginInfoAttacher(ast_node, func).transform()
    return ast_node


def create_and_update_origin_info_map(
    transformed_node: Any, static_func: Callable[..., Any], is_global: bool = True
) -> dict[tuple[str, int], OriginInfo]:
    """Which lines of a rewritten function were written where.

    Args:
        transformed_node (gast.Module): its tree, on whose nodes `attach_origin_info` has noted it.
        static_func (function): the function made out of it.
        is_global (bool): whether to keep the lines in `global_origin_info_map`, too.
    Returns:
        dict: from (file, line) of the rewritten function to OriginInfo.
    """
    file = unwrap(static_func).__code__.co_filename
    found: dict[tuple[str, int], OriginInfo] = {}
    for node in ast.walk(transformed_node):
        if hasattr(node, ORIGI_INFO) and hasattr(node, "lineno"):
            found.setdefault((file, node.lineno), getattr(node, ORIGI_INFO))
    if is_global:
        global_origin_info_map.update(found)
    return found


def unwrap(func: Any) -> Any:
    """The function inside of decorators and of what `to_static` makes; anything else as it is.

    Args:
        func: what may wrap a function.
    Returns:
        What is wrapped innermost.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.jit.dy2static.origin_info import unwrap
        >>> def double(x):
        ...     return x * 2
        >>> unwrap(paddle.jit.to_static(double)) is double
        True

    Follows Paddle 2.6.
    """
    return inspect.unwrap(func)


__all__: list[str] = []

__getattr__ = missing(__name__)
