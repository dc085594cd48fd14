"""Making a function out of its rewritten tree, with the closure, defaults and globals of the first."""

from __future__ import annotations
import __future__ as futures

import ast
import inspect
import types
import weakref

from paddle_compat.jit.dy2static import _source, logging_utils
from paddle_compat.jit.dy2static._transform import JST, transform_function
from paddle_compat.jit.dy2static._transform import function as function_definition

_FUTURE = 0
for _name in futures.all_feature_names:
    _FUTURE |= getattr(futures, _name).compiler_flag
_made: weakref.WeakKeyDictionary[types.FunctionType, types.FunctionType] = weakref.WeakKeyDictionary()
_codes: dict[types.CodeType, tuple[types.CodeType, ast.AST]] = {}  # by the code of the function: the rewritten code, its tree
_rewritten: set[int] = set()  # ids of the codes that are rewritten ones
_kept: list[types.CodeType] = []  # which keeps them alive


def is_rewritten(function: types.FunctionType) -> bool:
    """Whether the function came out of a rewriting, itself or as a part of another one."""
    return id(function.__code__) in _rewritten


def rewritten(function: types.FunctionType) -> types.FunctionType:
    """The function with its control flow and calls going through `_jst`.

    Raises:
        NoSource: the source cannot be had.
        Unsupported: it is a generator or a coroutine.
    """
    if is_rewritten(function):
        return function
    found = _made.get(function)
    if found is None:
        code = _code_of(function)
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
        closure = tuple(_jst_cell() if name == JST else cells[name] for name in code.co_freevars)
        found = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
        found.__kwdefaults__ = function.__kwdefaults__
        found.__qualname__, found.__module__, found.__doc__ = function.__qualname__, function.__module__, function.__doc__
        found.__dict__.update(function.__dict__)
        _made[function] = found
    return found


def source(function: types.FunctionType) -> str:
    """The rewritten function as text."""
    function = rewritten(function)
    return next(ast.unparse(tree) for code, tree in _codes.values() if code is function.__code__) + "\n"


def _jst_cell() -> types.CellType:
    from paddle_compat.jit import dy2static

    return types.CellType(dy2static)


def _code_of(function: types.FunctionType) -> types.CodeType:
    code = function.__code__
    known = _codes.get(code)
    if known is not None and known[0].co_filename == code.co_filename:
        return known[0]
    node = _source.find(function)
    made = transform_function(node, _source.class_name(node))  # type: ignore[arg-type]
    inner: ast.stmt = made if isinstance(made, ast.FunctionDef) else ast.copy_location(ast.Return(made), made)
    free = [name for name in code.co_freevars if name != JST]
    arguments = ast.arguments(posonlyargs=[], args=[ast.arg(n) for n in (*free, JST)], kwonlyargs=[], kw_defaults=[], defaults=[])
    name = made.name if isinstance(made, ast.FunctionDef) else "<lambda>"
    if isinstance(made, ast.FunctionDef):
        made.name = "_pd_function"  # its own name means what it meant: a global, or one of the closure
    # the names of the closure are parameters around the function, so that they are found in cells
    around = function_definition("_pd_around", arguments, [inner])
    module = ast.fix_missing_locations(ast.Module([ast.copy_location(around, made)], []))
    flags = code.co_flags & _FUTURE
    whole = compile(module, code.co_filename, "exec", flags, dont_inherit=True)
    outer = next(c for c in whole.co_consts if isinstance(c, types.CodeType))
    result = next(c for c in outer.co_consts if isinstance(c, types.CodeType) and c.co_name in ("_pd_function", "<lambda>"))
    result = result.replace(co_name=name)
    if isinstance(made, ast.FunctionDef):
        made.name = name
    _mark(result)
    logging_utils.log_code(function.__qualname__, lambda: ast.unparse(made))
    _kept.append(result)
    _codes[code] = (result, made)
    return result


def _mark(code: types.CodeType) -> None:
    _rewritten.add(id(code))
    for part in code.co_consts:
        if isinstance(part, types.CodeType) and part.co_flags & inspect.CO_OPTIMIZED:  # the methods of a class are as they were
            _mark(part)
