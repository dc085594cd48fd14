"""`paddle.jit.dy2static.utils_helper`: what nodes of a syntax tree stand for, as far as their text says, and whose functions they call."""

from __future__ import annotations

import ast
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.jit.dy2static._harness import index_in_list  # noqa: F401 - harnesses take it from here


class NodeVarType:
    """Numbers for what a node's value is.

    Example:
        >>> from paddle_compat.jit.dy2static import NodeVarType
        >>> NodeVarType.binary_op_output_type(NodeVarType.INT, NodeVarType.FLOAT) == NodeVarType.FLOAT
        True

    Follows Paddle 2.6.
    """

    ERROR = -1
    UNKNOWN = 0
    STATEMENT = 1
    CALLABLE = 2
    NONE = 100
    BOOLEAN = 101
    INT = 102
    FLOAT = 103
    STRING = 104
    TENSOR = 105
    NUMPY_NDARRAY = 106
    LIST = 200
    SET = 201
    DICT = 202
    PADDLE_DYGRAPH_API = 300
    PADDLE_CONTROL_IF = 301
    PADDLE_CONTROL_WHILE = 302
    PADDLE_CONTROL_FOR = 303
    PADDLE_RETURN_TYPES = 304
    TENSOR_TYPES = {TENSOR, PADDLE_RETURN_TYPES}
    Annotation_map = {"Tensor": TENSOR, "paddle.Tensor": TENSOR, "int": INT, "float": FLOAT, "bool": BOOLEAN, "str": STRING}
    _mixing = (BOOLEAN, INT, FLOAT, NUMPY_NDARRAY, TENSOR, PADDLE_RETURN_TYPES)  # the later one wins

    @staticmethod
    def binary_op_output_type(in_type1: int, in_type2: int) -> int:
        """What an operator with two sides gives: what is known, or the winner of what can be mixed; UNKNOWN for the rest."""
        kinds = {in_type1, in_type2}
        if len(kinds) == 1 or NodeVarType.UNKNOWN in kinds:
            return in_type1 or in_type2
        order = NodeVarType._mixing
        if kinds == {NodeVarType.TENSOR, NodeVarType.NUMPY_NDARRAY} or not kinds <= set(order):
            return NodeVarType.UNKNOWN
        return max(kinds, key=order.index)

    @staticmethod
    def type_from_annotation(annotation: Any) -> int:
        """What an annotation says; UNKNOWN where it is none of a few."""
        return NodeVarType.Annotation_map.get(ast.unparse(annotation).strip(), NodeVarType.UNKNOWN)


def is_api_in_module(node: Any, module_prefix: str) -> bool:
    """Whether a call names something that a module has, by one of the usual short names (`paddle`, `base`, `np`, `to_variable`).

    Args:
        node: the call.
        module_prefix (str): how the module's name begins.
    """
    if not isinstance(node, ast.Call):
        raise AssertionError(f"Expected the node of a call for is_api_in_module. Received: {type(node).__name__}")
    first, *rest = ast.unparse(node.func).split(".")
    homes = {"paddle": "paddle", "base": "paddle.base", "np": "numpy", "to_variable": "paddle.base.dygraph.to_variable"}
    return first in homes and (".".join([homes[first], *rest])).startswith(module_prefix)


def is_dygraph_api(node: Any) -> bool:
    """Whether a call names something of `paddle.base.dygraph`."""
    return is_api_in_module(node, "paddle.base.dygraph")


def is_paddle_api(node: Any) -> bool:
    """Whether a call names something of Paddle's."""
    return is_api_in_module(node, "paddle.")


def is_numpy_api(node: Any) -> bool:
    """Whether a call names something of numpy's."""
    return is_api_in_module(node, "numpy")


__all__: list[str] = []

__getattr__ = missing(__name__)
