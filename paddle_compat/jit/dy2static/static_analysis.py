"""`paddle.jit.dy2static.static_analysis`: what the variables of a function's source are, as far as its text says."""

from __future__ import annotations

import ast
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.jit.dy2static.utils_helper import NodeVarType, is_dygraph_api, is_numpy_api, is_paddle_api


class AstNodeWrapper:
    """A node with what is around it, what is in it, and the kinds that its value may be of.

    Args:
        node: the node.
    """

    def __init__(self, node: Any) -> None:
        self.node = node
        self.parent: AstNodeWrapper | None = None
        self.children: list[AstNodeWrapper] = []
        self.node_var_type = {NodeVarType.UNKNOWN}


class AstVarScope:
    """The variables that a script, a function or a class assigns, with the kinds that they may be of.

    Args:
        scope_name (str): its name.
        scope_type (int): one of SCOPE_TYPE_SCRIPT, SCOPE_TYPE_FUNCTION and SCOPE_TYPE_CLASS.
        parent_scope (AstVarScope|None): the one around it.
    """

    SCOPE_TYPE_SCRIPT = 0
    SCOPE_TYPE_FUNCTION = 1
    SCOPE_TYPE_CLASS = 2

    def __init__(self, scope_name: str = "", scope_type: int = SCOPE_TYPE_SCRIPT, parent_scope: AstVarScope | None = None) -> None:
        self.sub_scopes: list[AstVarScope] = []
        self.name_to_id: dict[str, int] = {}
        self.id_to_type: dict[int, set[int]] = {}
        self.cur_id = 0
        self.scope_name, self.scope_type, self.parent_scope = scope_name, scope_type, parent_scope
        if parent_scope is not None:
            parent_scope.sub_scopes.append(self)

    def add_var_type(self, var_name: str, node_var_type: int | set[int]) -> None:
        """A variable may be of these kinds, too."""
        if var_name in self.name_to_id:
            self.id_to_type[self.name_to_id[var_name]].update(_kinds(node_var_type))
        else:
            self.set_var_type(var_name, node_var_type)

    def set_var_type(self, var_name: str, node_var_type: int | set[int]) -> None:
        """A variable is of these kinds from here on."""
        if var_name not in self.name_to_id:
            self.name_to_id[var_name] = self.cur_id
            self.cur_id += 1
        self.id_to_type[self.name_to_id[var_name]] = _kinds(node_var_type)

    def get_var_type(self, var_name: str) -> set[int]:
        """The kinds of a variable, of this scope or of one around it."""
        if var_name in self.name_to_id:
            return self.id_to_type[self.name_to_id[var_name]]
        return {NodeVarType.UNKNOWN} if self.parent_scope is None else self.parent_scope.get_var_type(var_name)


class AstVarEnv:
    """The scopes of a source, one of which is the current one."""

    def __init__(self) -> None:
        self.cur_scope = AstVarScope()

    def enter_scope(self, scope_name: str, scope_type: int) -> AstVarScope:
        """Make a scope in the current one, which is the current one then."""
        self.cur_scope = AstVarScope(scope_name, scope_type, self.cur_scope)
        return self.cur_scope

    def exit_scope(self) -> AstVarScope:
        """Make the scope around the current one the current one."""
        self.cur_scope = self.get_parent_scope()
        return self.cur_scope

    def get_parent_scope(self) -> AstVarScope:
        """The scope around the current one.

        Raises:
            AssertionError: there is none.
        """
        if self.cur_scope.parent_scope is None:
            raise AssertionError("Expected a current scope in AstVarEnv that stands in another one. Received: the outermost scope")
        return self.cur_scope.parent_scope

    def add_var_type(self, var_name: str, node_var_type: int | set[int]) -> None:
        """A variable of the current scope may be of these kinds, too."""
        self.cur_scope.add_var_type(var_name, node_var_type)

    def set_var_type(self, var_name: str, node_var_type: int | set[int]) -> None:
        """A variable of the current scope is of these kinds from here on."""
        self.cur_scope.set_var_type(var_name, node_var_type)

    def get_var_type(self, var_name: str) -> set[int]:
        """The kinds of a variable as the current scope sees it."""
        return self.cur_scope.get_var_type(var_name)

    def get_scope_var_type(self) -> dict[str, set[int]]:
        """The variables of the current scope with their kinds."""
        return {name: self.cur_scope.id_to_type[number] for name, number in self.cur_scope.name_to_id.items()}


class StaticAnalysisVisitor:
    """Reads a source once, from its first line to its last, and tells what its variables are.

    Args:
        ast_root: the tree, as `paddle.utils.gast.parse` gives it.

    Example:
        >>> from paddle_compat.jit.dy2static import StaticAnalysisVisitor
        >>> from paddle_compat.utils import gast
        >>> StaticAnalysisVisitor(gast.parse("a = 1; b = a * 2.0")).get_var_env().get_scope_var_type()
        {'a': {102}, 'b': {103}}

    Follows Paddle 2.6.
    """

    def __init__(self, ast_root: Any = None) -> None:
        if ast_root is not None:
            self.run(ast_root)

    def run(self, ast_root: Any) -> None:
        """Read a tree."""
        self.node_wrapper_root: AstNodeWrapper | None = None
        self.ancestor_wrappers: list[AstNodeWrapper] = []
        self.node_to_wrapper_map: dict[Any, AstNodeWrapper] = {}
        self.var_env = AstVarEnv()
        self.dfs_visit(ast_root)

    def dfs_visit(self, node: Any) -> AstNodeWrapper:
        """Read a node, all that is in it first."""
        wrapper = self.node_to_wrapper_map.setdefault(node, AstNodeWrapper(node))
        if self.ancestor_wrappers:
            wrapper.parent = self.ancestor_wrappers[-1]
            wrapper.parent.children.append(wrapper)
        else:
            self.node_wrapper_root = wrapper
        self.ancestor_wrappers.append(wrapper)
        if isinstance(node, ast.FunctionDef):
            self.var_env.enter_scope(node.name, AstVarScope.SCOPE_TYPE_FUNCTION)
        for child in ast.iter_child_nodes(node):
            self.dfs_visit(child)
        self.ancestor_wrappers.pop()
        wrapper.node_var_type = self._get_node_var_type(wrapper)
        if isinstance(node, ast.FunctionDef):
            self.var_env.exit_scope()
        return wrapper

    def get_node_wrapper_root(self) -> AstNodeWrapper | None:
        """The wrapper of the whole tree."""
        return self.node_wrapper_root

    def get_node_to_wrapper_map(self) -> dict[Any, AstNodeWrapper]:
        """The wrappers by their nodes."""
        return self.node_to_wrapper_map

    def get_var_env(self) -> AstVarEnv:
        """The scopes."""
        return self.var_env

    def is_tensor_node(self, node: Any) -> bool:
        """Whether a node of the tree may be a Tensor."""
        return node in self.node_to_wrapper_map and bool(self.node_to_wrapper_map[node].node_var_type & NodeVarType.TENSOR_TYPES)

    def _kind(self, node: Any) -> set[int]:
        return self.node_to_wrapper_map[node].node_var_type

    def _get_node_var_type(self, cur_wrapper: AstNodeWrapper) -> set[int]:
        """The kinds of a node, those of what is in it being known."""
        node = cur_wrapper.node
        match node:
            case ast.Constant():
                return {_CONSTANTS.get(type(node.value), NodeVarType.UNKNOWN)}
            case ast.BoolOp() | ast.Compare():
                return {NodeVarType.BOOLEAN}
            case ast.Dict():
                return {NodeVarType.DICT}
            case ast.Set():
                return {NodeVarType.SET}
            case ast.UnaryOp():
                return self._kind(node.operand)
            case ast.BinOp():
                return {NodeVarType.binary_op_output_type(a, b) for a in self._kind(node.left) for b in self._kind(node.right)}
            case ast.Name():
                return self.var_env.get_var_type(node.id)
            case ast.arg():
                return self._get_func_argument_type(node)
            case ast.Subscript() if self.is_tensor_node(node.value):
                return {NodeVarType.TENSOR}
            case ast.Call():
                return self._of_call(node)
            case ast.Return():
                return self._of_return(node)
            case ast.Assign():
                return self._of_assignment(node)
            case ast.AnnAssign():
                return self._of_annotated(node)
        return {NodeVarType.STATEMENT}

    def _get_func_argument_type(self, node: ast.arg) -> set[int]:
        """A parameter is what its annotation says."""
        kinds = {NodeVarType.type_from_annotation(node.annotation) if node.annotation is not None else NodeVarType.UNKNOWN}
        if node.annotation is not None:
            self.var_env.set_var_type(node.arg, kinds)
        return kinds

    def _of_call(self, node: ast.Call) -> set[int]:
        if is_dygraph_api(node):
            made = ast.unparse(node.func).rpartition(".")[2]
            return {NodeVarType.TENSOR if made == "to_variable" else NodeVarType.PADDLE_RETURN_TYPES}
        if is_paddle_api(node):
            return {NodeVarType.PADDLE_RETURN_TYPES}
        if is_numpy_api(node):
            return {NodeVarType.NUMPY_NDARRAY}
        return self._kind(node.func)

    def _of_return(self, node: ast.Return) -> set[int]:
        """What is returned is what the function's name stands for in the scope around it."""
        kinds = {NodeVarType.NONE} if node.value is None else self._kind(node.value)
        scope = self.var_env.cur_scope
        if scope.parent_scope is not None:
            scope.parent_scope.add_var_type(scope.scope_name, kinds)
        return kinds

    def _of_assignment(self, node: ast.Assign) -> set[int]:
        kinds = self._kind(node.value)
        for target in node.targets:
            for name in target.elts if isinstance(target, ast.Tuple) else [target]:
                self._assign(name, kinds)
        return kinds

    def _of_annotated(self, node: ast.AnnAssign) -> set[int]:
        kinds = {NodeVarType.type_from_annotation(node.annotation)}
        if node.value is not None and (known := self._kind(node.value)) != {NodeVarType.UNKNOWN}:
            kinds = known
        self._assign(node.target, kinds)
        return kinds

    def _assign(self, target: Any, kinds: set[int]) -> None:
        if isinstance(target, ast.Name):
            self.node_to_wrapper_map[target].node_var_type = kinds
            self.var_env.set_var_type(target.id, kinds)


_CONSTANTS = {
    type(None): NodeVarType.NONE,
    bool: NodeVarType.BOOLEAN,
    int: NodeVarType.INT,
    float: NodeVarType.FLOAT,
    str: NodeVarType.STRING,
}


def _kinds(node_var_type: int | set[int]) -> set[int]:
    return node_var_type if isinstance(node_var_type, set) else {node_var_type}


__all__: list[str] = []

__getattr__ = missing(__name__)
