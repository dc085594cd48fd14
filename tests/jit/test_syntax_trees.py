"""What `paddle.jit.dy2static` reads out of syntax trees, and what rewritten code calls; both were compared with 2.6.2."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import paddle_compat as paddle
from paddle_compat.jit.dy2static import (
    DygraphToStaticAst,
    NodeVarType,
    StaticAnalysisVisitor,
    convert_operators,
    origin_info,
    static_analysis,
    utils,
)
from paddle_compat.utils import gast

K = NodeVarType
NO, STATEMENT, NONE, BOOL, INT, FLOAT, STR = K.UNKNOWN, K.STATEMENT, K.NONE, K.BOOLEAN, K.INT, K.FLOAT, K.STRING

SCRIPTS: list[tuple[str, dict[str, set[int]]]] = [
    (
        "a = 1; b = a; c = 'x'; d = [1]; e = {}; f = 1.0; g = a * f; h = None; i = a < 2; j = True; k = (1, 2); l = {1}",
        dict(zip("abcdefghijkl", ({k} for k in (INT, INT, STR, 1, K.DICT, FLOAT, FLOAT, NONE, BOOL, BOOL, 1, K.SET)))),
    ),
    (
        "a = 1; m = -a; n = not a; o = a and 2.0; p = a if a else 2.0; q = [x for x in a]; t = a / 2; w = 'a' + 'b'; x = 'a' * 3; y = 1j",
        dict(zip("amnopqtwxy", ({k} for k in (INT, INT, INT, BOOL, 1, 1, INT, STR, NO, NO)))),
    ),
    (
        "a = paddle.to_tensor([1]); b = a + 1; c = a.numpy(); d = b[0]; g = a > 1; i = paddle.nn.Linear(1, 1); j = i(a)\n"
        "k = np.zeros(1); l = k + a; m = np.abs(k) * 2; n = numpy.ones(1); o = k[0]; p = base.dygraph.to_variable(k); q = p + k",
        dict(zip("abcdgijklmnopq", ({k} for k in (304, 304, 1, 105, BOOL, 304, 304, 106, 304, 106, 1, 1, 105, NO)))),
    ),
    ("a = 1\nif a > 0:\n  b = 1\nelse:\n  b = 2.0", {"a": {INT}, "b": {FLOAT}}),
    ("a, b = 1, 'x'\nc = d = 2\nd += 1.0\n[e, f] = [1, 2]", {"a": {STATEMENT}, "b": {STATEMENT}, "c": {INT}, "d": {INT}}),
    ("def f(x: int, y: paddle.Tensor = 1):\n  z = x\n  return z\nq = f(1)\nr = f", {"f": {INT}, "q": {INT}, "r": {INT}}),
    ("def f():\n  return 1\n  return 2.0\nq = f()", {"f": {INT, FLOAT}, "q": {INT, FLOAT}}),
    ("def f():\n  pass\nq = f()", {"q": {NO}}),
    ("for i in range(3):\n  j = i\nwhile True:\n  k = 1", {"j": {NO}, "k": {INT}}),
    ("x: int\ny: float = 1\nz: foo = 2\nw: Tensor = len(x)", {"x": {INT}, "y": {INT}, "z": {INT}, "w": {K.TENSOR}}),
    ("class A:\n  b = 1\na = A()\nc = foo(1)", {"b": {INT}, "a": {NO}, "c": {NO}}),
]


@pytest.mark.parametrize(("source", "kinds"), SCRIPTS)
def test_kinds_of_variables(source: str, kinds: dict[str, set[int]]) -> None:
    assert StaticAnalysisVisitor(gast.parse(source)).get_var_env().get_scope_var_type() == kinds


def test_kinds_inside_of_functions() -> None:
    tree = gast.parse("def f(a: int, b: paddle.Tensor, c):\n  a = True\n  e, g = paddle.shape(b)\n  return c\n")
    visitor = StaticAnalysisVisitor(tree)
    (scope,) = visitor.get_var_env().cur_scope.sub_scopes
    assert (scope.scope_name, scope.scope_type) == ("f", static_analysis.AstVarScope.SCOPE_TYPE_FUNCTION)
    assert {name: scope.get_var_type(name) for name in scope.name_to_id} == {"a": {BOOL}, "b": {K.TENSOR}, "e": {304}, "g": {304}}
    assert scope.get_var_type("f") == {NO} and visitor.is_tensor_node(tree.body[0].body[1].value)  # type: ignore[attr-defined]
    assert not visitor.is_tensor_node(gast.parse("a"))


def test_wrappers_of_nodes() -> None:
    tree = gast.parse("def f(a, b):\n  c = a + b\n  return c + a\n")
    visitor = StaticAnalysisVisitor(tree)
    wrappers = visitor.get_node_to_wrapper_map()

    def check(wrapper: Any) -> None:
        assert wrappers[wrapper.node] is wrapper
        assert [child.node for child in wrapper.children] == list(gast.iter_child_nodes(wrapper.node))
        for child in wrapper.children:
            assert child.parent is wrapper
            check(child)

    root = visitor.get_node_wrapper_root()
    assert root is not None and root.node is tree and root.parent is None
    check(root)


def test_scopes() -> None:
    env = static_analysis.AstVarEnv()
    env.enter_scope("f", 1)
    env.set_var_type("a", {INT})
    env.add_var_type("a", FLOAT)
    assert env.get_scope_var_type() == {"a": {INT, FLOAT}} and env.get_parent_scope().scope_type == 0
    assert env.exit_scope().sub_scopes[0].scope_name == "f" and env.get_var_type("a") == {NO}
    with pytest.raises(AssertionError, match="stands in another one"):
        env.exit_scope()


@pytest.mark.parametrize(
    ("call", "whose"),
    [
        ("paddle.nn.Linear(1)", "p"),
        ("foo(1)", ""),
        ("np.abs(1)", "n"),
        ("numpy.abs(1)", ""),
        ("base.dygraph.guard()", "dp"),
        ("nn.Linear(1)", ""),
    ],
)
def test_whose_function(call: str, whose: str) -> None:
    node = gast.parse(call).body[0].value  # type: ignore[attr-defined]
    found = {"d": utils.is_dygraph_api, "p": utils.is_paddle_api, "n": utils.is_numpy_api}
    assert "".join(letter for letter, check in found.items() if check(node)) == whose
    with pytest.raises(AssertionError):
        utils.is_numpy_api(node.func)


def branching(x: Any) -> Any:
    if x > 1:
        x = x + 1
    return x


def test_origins() -> None:
    first = inspect.getsourcelines(branching)[1]
    tree = origin_info.attach_origin_info(gast.parse(inspect.getsource(branching)), branching)
    info = getattr(tree.body[0].body[0].body[0], origin_info.ORIGI_INFO)
    assert info.location.line_location == (__file__, first + 2) and info.location.col_offset == 8
    assert (info.function_name, info.source_code) == ("branching", "        x = x + 1")
    assert info.as_frame() == (__file__, first + 2, "branching", "x = x + 1")
    assert info.formated_message() == f'    File "{__file__}", line {first + 2}, in branching (* user code *)\n\tx = x + 1'
    assert str(origin_info.OriginInfo(origin_info.Location("a.py", 3, 2), "fn", "a = 1")) == (
        "location: a.py:3:2 \nsource_code: a = 1  in function fn\n  "
    )
    rewriter = DygraphToStaticAst()
    made, _ = utils.ast_to_func(rewriter.get_static_ast(tree), branching)
    assert rewriter.get_module_name() == "branching" and float(made(paddle.to_tensor(3.0))) == 4.0
    lines = origin_info.create_and_update_origin_info_map(rewriter.root, made, is_global=False)
    assert {info.location.lineno for info in lines.values()} >= {first + 1, first + 2}
    with pytest.raises(AssertionError, match="defines a function"):
        rewriter.get_static_ast(gast.parse("a = 1"))
        rewriter.get_module_name()


CALLED = [  # what 2.6.2 and 3.3.1 give for Tensors outside of a recording
    ("Not(t([True, False]))", "bool", [False, True]), ("Not(t(3.0))", "bool", False), ("And(lambda: t(2), lambda: t(7))", "bool", True),
    ("And(lambda: t([1, 0]), lambda: t([1, 1]))", "bool", [True, False]), ("And(lambda: t(3.0), lambda: 5)", "float32", 3.0),
    ("Or(lambda: t(0.0), lambda: t(7.0))", "bool", True), ("Or(lambda: 0, lambda: t(1.5))", "float32", 1.5),
    ("AsDtype(t([1.5, -2.5]), 'int')", "int32", [1, -2]), ("AsDtype(t([1, 0]), 'bool')", "bool", [True, False]),
]  # fmt: skip


@pytest.mark.parametrize(("code", "dtype", "value"), CALLED)
def test_rewritten_code_treats_tensors_as_variables(code: str, dtype: str, value: object) -> None:
    names = {name: getattr(paddle.jit.dy2static, name) for name in ("Not", "And", "Or", "AsDtype")}
    made = eval(code, {**names, "t": paddle.to_tensor})
    assert str(made.dtype) == f"paddle.{dtype}" and made.tolist() == value
    assert paddle.jit.dy2static.Or(lambda: paddle.to_tensor(0.0), lambda: 5) == 5


@pytest.mark.parametrize("since_3", [False, True])
def test_shapes_are_those_of_eager_mode_where_it_may_take_over(since_3: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(convert_operators, "SINCE_3", since_3)
    for whole in (False, True):
        shape = paddle.jit.to_static(lambda x: str(x.shape), full_graph=whole)(paddle.ones([2, 3]))
        assert shape == ("paddle.Size([2, 3])" if since_3 and not whole else "[2, 3]")
