"""`paddle.jit.dy2static.ast_transformer`: the rewriting of a function's syntax tree, by itself."""

from __future__ import annotations

import ast
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.jit.dy2static._transform import transform_function


class DygraphToStaticAst:
    """Rewrites the function that a tree defines, as `to_static` does.

    Example:
        >>> from paddle_compat.jit.dy2static import DygraphToStaticAst
        >>> from paddle_compat.utils import gast
        >>> rewriter = DygraphToStaticAst()
        >>> tree = rewriter.get_static_ast(gast.parse("def f(x):\\n    return g(x)"))
        >>> print(gast.unparse(tree))
        def f(x):
            return _jst.Call(g)(x)
        >>> rewriter.get_module_name()
        'f'

    Follows Paddle 2.6.
    """

    def get_static_ast(self, root: Any) -> Any:
        """Rewrite a tree.

        Args:
            root (gast.Module): what defines the function.
        Returns:
            gast.Module: the tree, whose functions are rewritten.
        """
        self.root = root
        functions = [node for node in root.body if isinstance(node, ast.FunctionDef)]
        self.decorate_func_name = functions[0].name if functions else None
        for place, node in enumerate(root.body):
            if isinstance(node, ast.FunctionDef):
                root.body[place] = transform_function(node, None)
        return ast.fix_missing_locations(root)

    def get_module_name(self) -> str:
        """The name of the function that was rewritten.

        Raises:
            AssertionError: there was none.
        """
        if self.decorate_func_name is None:
            raise AssertionError("Expected a tree that defines a function. Received: one that defines none")
        return self.decorate_func_name


__all__: list[str] = []

__getattr__ = missing(__name__)
