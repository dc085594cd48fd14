"""`paddle.static.nn.control_flow`: branches and loops that depend on values, Assert and Print."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import capture
from paddle_compat.core.dtype import VarType, convert_dtype
from paddle_compat.core.errors import type_error
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.program import default_main_program
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.ops import debug
from paddle_compat.static.nn._arguments import NUMBERS, all_run_now, layer, need_type, need_variable, static_only
from paddle_compat.static.nn._blocks import (
    ConditionalBlock,
    Switch,
    While,
    assign_to,
    call,
    need_condition,
    parent_of,
)
from paddle_compat.static.nn._structure import flatten, is_nest, map_structure, need_same_structure, pack
from paddle_compat.tensor.creation import assign, full

Branch = Callable[[], Any]
_prints = itertools.count()


def _constant(value: bool | int | float, shape: list[int], dtype: str) -> Variable:
    """A filled Variable."""
    if default_main_program().age > 1:
        return full(shape, value, dtype)
    attrs: dict[str, Any] = {"value": float(value), "str_value": str(value), "force_cpu": False}
    out: Variable = call("fill_constant", shape=shape, dtype=convert_dtype(dtype), **attrs)
    out.stop_gradient = True
    return out


# ---- branches
def _callable(fn: Any, name: str, api: str) -> None:
    if not callable(fn):
        raise type_error(name, "a callable", fn, api)


def _outside(value: Any) -> Any:
    """A variable of the enclosing block that takes a branch's result."""
    if not isinstance(value, Variable):
        return value
    program = default_main_program()
    parent = parent_of(program)
    if program.age > 1 and value.type == VarType.LOD_TENSOR_ARRAY and parent.has_var_recursive(value.name):
        return value
    made = parent._add_var(dtype=value.dtype, shape=value.shape, type=value.type)
    assign_to(value, made)
    return made


def _branch(condition: Variable, fn: Branch) -> Any:
    """Record a branch; what it returns, as variables of the enclosing block."""
    with ConditionalBlock([condition], is_scalar_condition=True).block():
        result = fn()
        return None if result is None else map_structure(_outside, result)


_NUMBER_TYPES = {bool: "bool", int: "int64", float: "float64"}


def _pair(false: Any, true: Any) -> Any:
    """Results of both branches as 2.6 merges them: a number that they agree on, or two Variables to choose from."""
    if type(false) in _NUMBER_TYPES and type(false) is type(true) and false == true:
        return false
    if false is None and true is None:
        return None
    pair = [_constant(v, [], _NUMBER_TYPES[type(v)]) if type(v) in _NUMBER_TYPES else v for v in (false, true)]
    if not all(isinstance(v, Variable) for v in pair):
        raise TypeError(
            "Invalid results of `true_fn` and `false_fn`. Expected Variables or numbers in both. "
            f"Received: {type(true).__name__} and {type(false).__name__}"
        )
    return _Pair(pair)


class _Pair:
    """Two Variables, the one of the false branch first."""

    def __init__(self, variables: list[Variable]) -> None:
        self.variables = variables


def branches(pred: Any, true_fn: Branch | None, false_fn: Branch | None, name: str | None) -> Any:
    """`cond` of both ages."""
    if all_run_now(pred):
        chosen, which = (true_fn, "true_fn") if bool(pred) else (false_fn, "false_fn")
        if chosen is None:
            return None
        _callable(chosen, which, "cond")
        return chosen()
    need_variable(pred, "pred", "cond", ("bool",))
    need_type(name, "name", "cond", str, type(None))
    layer("cond", name=name)
    true = false = None
    if true_fn is not None:
        _callable(true_fn, "true_fn", "cond")
        true = _branch(pred, true_fn)
    if false_fn is not None:
        _callable(false_fn, "false_fn", "cond")
        false = _branch(call("logical_not", pred), false_fn)
    if true is None and false is None:
        return None
    if true is None or false is None:
        words = (f"{which} returns {'None' if given is None else 'non-None'}" for which, given in (("true_fn", true), ("false_fn", false)))
        raise ValueError(f"Incompatible return values of true_fn and false_fn in cond: {' while '.join(words)}")
    try:
        need_same_structure(true, false)
    except ValueError as error:
        raise ValueError(f"Incompatible return values of true_fn and false_fn in cond: {error}") from error
    mask = call("cast", pred, in_dtype=pred.dtype, out_dtype=VarType.INT32)
    make: Callable[[Any, Any], Any] = _pair if default_main_program().age > 1 else lambda f, t: _Pair([f, t])
    merged = map_structure(make, false, true)
    return map_structure(lambda m: _chosen(m.variables, mask) if isinstance(m, _Pair) else m, merged)


def _chosen(pair: list[Variable], mask: Variable) -> Variable:
    """The result of one branch; whether gradients stop at it is for the true branch to say in Programs of Paddle 3."""
    out = select_input(pair, mask)
    if _of_paddle3():
        out.stop_gradient = pair[1].stop_gradient
    return out


def _of_paddle3() -> bool:
    """Whether a Program is recorded that is Paddle 3's, and no function of eager mode."""
    return SINCE_3 and default_main_program().age > 1 and capture.current is None


def cond(
    pred: Any,
    true_fn: Branch | None = None,
    false_fn: Branch | None = None,
    name: str | None = None,
    return_names: Any = None,
) -> Any:
    """The result of one of two functions, chosen when the Program runs.

    Args:
        pred: a bool Variable (or Tensor) of one element.
        true_fn, false_fn: functions without arguments; both return equally nested Variables, or None.
        name: prefix of the names.
        return_names: names of the results, for messages only.
    Returns:
        What the functions return.
    Raises:
        TypeError: `pred` is no bool, or a function cannot be called.
        ValueError: the functions' results do not fit each other.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2], "float32")
        >>> pred = paddle.static.data("pred", [1], "bool")
        >>> paddle.static.nn.control_flow.cond(pred, lambda: x, lambda: x).shape
        (2,)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    return branches(pred, true_fn, false_fn, name)


def case(pred_fn_pairs: Sequence[tuple[Any, Branch]], default: Branch | None = None, name: str | None = None) -> Any:
    """The result of the first function whose condition holds.

    Args:
        pred_fn_pairs: pairs of a bool Variable and a function without arguments.
        default: what runs when no condition holds; None: the last of the pairs.
        name: prefix of the names.
    Returns:
        What the functions return.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2], "float32")
        >>> pred = paddle.static.data("pred", [1], "bool")
        >>> paddle.static.nn.control_flow.case([(pred, lambda: x)], default=lambda: x).shape
        (2,)
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    layer("case", name=name)
    need_type(pred_fn_pairs, "pred_fn_pairs", "case", list, tuple)
    for pair in pred_fn_pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise type_error("pred_fn_pairs", "tuples of a condition and a function", pair, "case")
        if not isinstance(pair[0], (Variable, Tensor)):
            raise type_error("pred_fn_pairs", "bool Variables as conditions", pair[0], "case")
        _callable(pair[1], "pred_fn_pairs", "case")
    pairs = list(pred_fn_pairs)
    if default is None:
        default = pairs.pop()[1]
    _callable(default, "default", "case")
    chosen = default
    for pred, fn in reversed(pairs):
        chosen = partial(branches, pred, fn, chosen, None)
    return chosen()


def switch_case(branch_index: Any, branch_fns: Any, default: Branch | None = None, name: str | None = None) -> Any:
    """The result of the function of a number.

    Args:
        branch_index: an integer Variable of one element.
        branch_fns: functions without arguments (numbered from 0), pairs of a number and a function, or a dict of these.
        default: what runs for any other number; None: the function of the largest number.
        name: prefix of the names.
    Returns:
        What the functions return.
    Raises:
        TypeError: an argument is nothing of the kind.
        ValueError: a number stands twice.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2], "float32")
        >>> index = paddle.static.data("index", [1], "int32")
        >>> paddle.static.nn.control_flow.switch_case(index, [lambda: x, lambda: x]).shape
        (2,)
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    layer("switch_case", name=name)
    if not isinstance(branch_index, Tensor):
        need_variable(branch_index, "branch_index", "switch_case", ("uint8", "int32", "int64"))
    if convert_dtype(branch_index.dtype) != VarType.INT64:
        branch_index = call("cast", branch_index, in_dtype=branch_index.dtype, out_dtype=VarType.INT64)
    need_type(branch_fns, "branch_fns", "switch_case", list, tuple, dict)
    pairs = list(branch_fns.items() if isinstance(branch_fns, dict) else branch_fns)
    if all(callable(fn) for fn in pairs):
        pairs = list(enumerate(pairs))
    seen = set()
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[0], int):
            raise type_error("branch_fns", "pairs of a number and a function", pair, "switch_case")
        _callable(pair[1], "branch_fns", "switch_case")
        if pair[0] in seen:
            raise ValueError(f"Invalid value for argument `branch_fns`. Expected each number once. Received: {pair[0]} twice")
        seen.add(pair[0])
    if default is None:
        pairs.sort(key=lambda pair: pair[0])
        default = pairs.pop()[1]
    _callable(default, "default", "switch_case")
    preds = [(call("equal", branch_index, _constant(number, [1], "int64")), fn) for number, fn in pairs]
    for pred, _ in preds:
        pred.stop_gradient = True
    chosen = default
    for pred, fn in preds:
        chosen = partial(branches, pred, fn, chosen, None)
    return chosen()


# ---- loops
def loop(cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, is_test: bool, name: str | None) -> Any:
    """`while_loop` of both ages."""
    _callable(cond, "cond", "while_loop")
    _callable(body, "body", "while_loop")
    need_type(loop_vars, "loop_vars", "while_loop", list, tuple)
    if not loop_vars:
        raise ValueError("Invalid value for argument `loop_vars` of `while_loop`. Expected at least one. Received: none")
    apart = SINCE_3 and default_main_program().age > 1
    if apart:  # what the loop is given stays as it is
        loop_vars = map_structure(_copied, list(loop_vars))
    going = cond(*loop_vars)
    if all_run_now(going):
        return _loop_at_once(cond, body, loop_vars, going)
    need_condition(going, "cond", "while_loop")
    recorded = While(going, is_test, name)
    with recorded.block():
        # the body may change lists and dicts; it gets copies
        nested = any(is_nest(v) for v in loop_vars)
        results = body(*(pack(loop_vars, flatten(loop_vars)) if nested else loop_vars))
        if not isinstance(results, (list, tuple)):
            results = [results]
        try:
            need_same_structure(list(results), list(loop_vars))
        except ValueError as error:
            raise ValueError(f"`body` of `while_loop` must return what `loop_vars` holds: {error}") from error
        again = cond(*results)
        if apart:
            held = flatten(list(loop_vars))


            def before(value: Any, own: Any) -> Any:  # another loop variable as it is before any of them is written
                return _copied(value) if value is not own and any(value is each for each in held) else value

            results = map_structure(before, list(results), list(loop_vars))
        map_structure(_carry, list(results), list(loop_vars))
        assign_to(again, going)
    if _of_paddle3():  # what is no Variable is what the body made of it
        loop_vars = map_structure(lambda own, new: own if isinstance(own, Variable) else new, list(loop_vars), list(results))
    return loop_vars


def _copied(value: Any) -> Any:
    """A tensor of a Program that nothing else writes to; arrays and values of eager mode are those themselves."""
    return assign(value) if isinstance(value, Variable) and value.type == VarType.LOD_TENSOR else value


def _carry(value: Any, target: Any) -> None:
    """Assign a result of the body to the loop variable."""
    program = default_main_program()
    if isinstance(target, Variable) and isinstance(value, (bool, int, float)) and program.age > 1:
        call("fill_constant", shape=[1], dtype=target.dtype, value=float(value), _outputs={"Out": target})
    if not isinstance(value, Variable) or not isinstance(target, Variable):
        return
    if value is target and program.age > 1:
        return
    if program.age > 1 and value.type == VarType.LOD_TENSOR_ARRAY:
        if parent_of(program).has_var_recursive(value.name):
            return  # the body wrote into the array itself
    assign_to(value, target)


def _loop_at_once(cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, going: Any) -> Any:
    while bool(going):
        results = body(*loop_vars)
        if not isinstance(results, (list, tuple)):
            results = [results]
        if len(results) != len(loop_vars):
            raise ValueError(
                f"`body` of `while_loop` must return as many values as `loop_vars` holds. Expected {len(loop_vars)}. "
                f"Received: {len(results)}"
            )
        loop_vars = results
        going = cond(*loop_vars)
    return loop_vars


def while_loop(cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, is_test: bool = False, name: str | None = None) -> Any:
    """Apply `body` to variables as long as `cond` of them holds.

    Args:
        cond: takes the loop variables, returns a bool Variable of one element.
        body: takes the loop variables, returns as many.
        loop_vars: a list or tuple of (nested) Variables.
        is_test: the loop runs for inference only.
        name: prefix of the names.
    Returns:
        The loop variables after the last turn.
    Raises:
        TypeError: an argument is nothing of the kind.
        ValueError: there are no loop variables, or `body` returns others.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> go = paddle.static.data("go", [1], "bool")
        >>> x = paddle.static.data("x", [2], "float32")
        >>> (out,) = paddle.static.nn.control_flow.while_loop(lambda x: go, lambda x: [x], [x])
        >>> out.shape
        (2,)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    return loop(cond, body, loop_vars, is_test, name)


# ---- one of several
def select_input(inputs: Any, mask: Variable) -> Variable:
    """Input number `mask`.

    Args:
        inputs: Variables; only the chosen one needs a value.
        mask: int32, one element.
    Returns:
        A Variable like the inputs.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2], "float32")
        >>> mask = paddle.static.data("mask", [1], "int32")
        >>> paddle.static.nn.control_flow.select_input([x, x], mask).shape
        (2,)
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    helper = layer("select_input")
    need_type(inputs, "inputs", "select_input", list, tuple)
    need_variable(mask, "mask", "select_input", ("int32",))
    first, last = inputs[0], inputs[-1]
    shape = first.shape
    if helper.age > 1:
        first = last
        shape = tuple(a if a == b else -1 for a, b in zip(shape, last.shape)) if len(shape) == len(last.shape) else last.shape
    out = helper.create_variable(dtype=first.dtype, shape=shape, type=first.type)
    helper.append_op(type="select_input", inputs={"X": inputs, "Mask": mask}, outputs={"Out": out})
    return out


# ---- showing and checking
def show(input: Any, old: bool, helper_type: str, first_n: int, message: str | None, print_phase: str, **shown: Any) -> Any:
    """`Print` of both ages; `shown` are the operator's attributes that say what is shown."""
    out = layer(helper_type).create_variable_for_type_inference(input.dtype)
    public = {"first_n": first_n, "message": message or "", "print_phase": print_phase.upper(), **shown}
    private = {"_name": input.name, "_gradient": out.name + "@GRAD", "_key": str(next(_prints)), "_old": old}
    out.block.append_op(type="print", inputs={"In": input}, outputs={"Out": out}, attrs={**public, **private})
    return out


def Print(
    input: Any,
    first_n: int = -1,
    message: str | None = None,
    summarize: int = 20,
    print_tensor_name: bool = True,
    print_tensor_type: bool = True,
    print_tensor_shape: bool = True,
    print_tensor_layout: bool = True,
    print_tensor_lod: bool = True,
    print_phase: str = "both",
) -> Any:
    """Show a variable's value each time the Program computes it, and its gradient.

    Args:
        input: a Variable.
        first_n: show it that many times only; -1: always.
        message: goes with it.
        summarize: how many elements are shown; -1: all.
        print_tensor_name, print_tensor_type, print_tensor_shape, print_tensor_layout, print_tensor_lod: what is shown.
        print_phase: "forward", "backward" or "both".
    Returns:
        A Variable of the same value. What uses it is computed after it was shown.
    Raises:
        TypeError: `input` is no Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2], "float32")
        >>> paddle.static.nn.control_flow.Print(x, message="x is").shape
        (2,)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    static_only("Print")
    need_variable(input, "input", "Print", ("bfloat16", "float16", *NUMBERS, "bool"))
    return show(
        input, False, "print", first_n, message, print_phase,
        summarize=summarize, print_tensor_name=print_tensor_name, print_tensor_type=print_tensor_type,
        print_tensor_shape=print_tensor_shape, print_tensor_layout=print_tensor_layout, print_tensor_lod=print_tensor_lod,
    )  # fmt: skip


def Assert(cond: Any, data: Any = None, summarize: int = 20, name: str | None = None) -> Any:
    """Stop the run with ValueError, showing some variables, unless a condition holds.

    Args:
        cond: a bool Variable of one element.
        data: Variables to show, a list or tuple, or None.
        summarize: how many elements of each are shown; -1: all.
        name: prefix of the names.
    Returns:
        The Operator; None in eager mode.
    Raises:
        TypeError: an argument is nothing of the kind.
        InvalidArgumentError: the condition does not hold.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [1], "bool")
        >>> paddle.static.nn.control_flow.Assert(x).type
        'assert'
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    need_variable(cond, "cond", "Assert", ("bool",))
    need_type(data, "data", "Assert", list, tuple, type(None))
    need_type(summarize, "summarize", "Assert", int)
    need_type(name, "name", "Assert", str, type(None))
    shown = list(data or ())
    if isinstance(cond, Tensor):
        names = "\n".join(v.name for v in (cond, *shown))
        return debug.assert_.fn(cond._t, [v._t for v in shown], summarize=summarize, _names=names)
    return layer(name or "assert_" + cond.name, name=name).append_op(
        type="assert",
        inputs={"Cond": cond, "Data": shown},
        outputs={},
        attrs={"summarize": summarize, "_names": "\n".join(v.name for v in (cond, *shown))},
    )


__all__ = ["Assert", "Print", "Switch", "While", "case", "cond", "select_input", "switch_case", "while_loop"]

__getattr__ = missing(__name__)
