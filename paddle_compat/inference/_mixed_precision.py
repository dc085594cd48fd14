"""Saved models in low precision: `convert_to_mixed_precision`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from paddle_compat.core.dtype import VarType, torch_dtype
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.program import Program
from paddle_compat.core.scope import Scope, scope_guard
from paddle_compat.core.serialize import program_from_bytes, program_to_bytes
from paddle_compat.inference._config import PlaceType, PrecisionType
from paddle_compat.static._files import is_persistable, load_variables, save_variables
from paddle_compat.static.amp._rewriting import Rewriter
from paddle_compat.static.amp.fp16_lists import AutoMixedPrecisionLists
from paddle_compat.static.io import load_from_file, save_to_file

_LOW = {PrecisionType.Half: (VarType.FP16, "float16"), PrecisionType.Bfloat16: (VarType.BF16, "bfloat16")}


class _SavedModel(Rewriter):
    """Writes casts into a saved Program, whose weights are persistable variables and no Parameters any more."""

    def _parameters(self) -> Iterable[Any]:
        return (var for var in self.program.list_vars() if is_persistable(var))


def convert_to_mixed_precision(
    model_file: str, params_file: str, mixed_model_file: str, mixed_params_file: str, mixed_precision: Any, backend: Any,
    keep_io_types: bool = True, black_list: set[str] = set(), **kwargs: Any,  # noqa: B006 (Paddle's own signature; never changed)
) -> None:  # fmt: skip
    """Write a saved model again, so that it computes in low precision, with its weights in that.

    Args:
        model_file, params_file (str): the model's files, `.pdmodel` and `.pdiparams`.
        mixed_model_file, mixed_params_file (str): the files that are written.
        mixed_precision (PrecisionType): Half or Bfloat16.
        backend (PlaceType): where it will run: GPU, XPU or CUSTOM.
        keep_io_types (bool): whether inputs and outputs stay in float32.
        black_list (set): types of operators that compute in float32, beside those that do in mixed precision training.
        kwargs: `white_list` (set): types of operators that compute in low precision all the same.
    Raises:
        ValueError: another precision, or the CPU.
        TypeError: the precision is no PrecisionType, the backend no PlaceType, or black_list no set.
        OSError: there is no such file.

    Example:
        >>> import os, tempfile, paddle_compat as paddle
        >>> from paddle_compat.inference import PlaceType, PrecisionType, convert_to_mixed_precision
        >>> at = os.path.join(tempfile.mkdtemp(), "")
        >>> spec = [paddle.static.InputSpec([None, 4], "float32", "x")]
        >>> paddle.jit.save(paddle.nn.Linear(4, 2), at + "model", input_spec=spec)
        >>> files = [at + name for name in ("model.pdmodel", "model.pdiparams", "half.pdmodel", "half.pdiparams")]
        >>> convert_to_mixed_precision(*files, PrecisionType.Half, PlaceType.GPU)
        >>> [os.path.getsize(at + name + ".pdiparams") for name in ("model", "half")]
        [90, 70]

    Follows Paddle 2.6, which chooses by the kernels that its GPUs have.
    """
    low, kind = _checked(mixed_precision, backend, black_list)
    lists = AutoMixedPrecisionLists(kwargs.get("white_list"), black_list, dtype=kind)
    lists.unsupported_list = set(black_list)  # of the device that will run it, and not of this one
    scope = Scope()
    with scope_guard(scope):
        program = program_from_bytes(load_from_file(model_file), model_file)
        weights = [var for var in program.list_vars() if is_persistable(var)]
        load_variables(weights, None, load_from_file(params_file))
        if not keep_io_types:
            _feed(program, low)
        _SavedModel(program, lists, low, "O2").run()
        if keep_io_types:
            _fetch(program)
        for var in weights:
            held: Any = scope.var(var.name).tensor
            held.value = held.value.to(torch_dtype(var.dtype))
        for path in (mixed_model_file, mixed_params_file):
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        save_to_file(mixed_model_file, program_to_bytes(program))
        save_to_file(mixed_params_file, save_variables(weights, None, None) or b"")


def _checked(precision: Any, backend: Any, black_list: Any) -> tuple[VarType, str]:
    """The data type of a precision, and its name."""
    api = "convert_to_mixed_precision"
    if not isinstance(precision, PrecisionType):
        raise type_error("mixed_precision", "a paddle.inference.PrecisionType", precision, api)
    if not isinstance(backend, PlaceType):
        raise type_error("backend", "a paddle.inference.PlaceType", backend, api)
    if not isinstance(black_list, (set, frozenset)):
        raise type_error("black_list", "a set of types of operators", black_list, api)
    if backend not in (PlaceType.GPU, PlaceType.XPU, PlaceType.CUSTOM):
        raise invalid_argument("backend", "GPU, XPU or CUSTOM", backend.name, api)
    if precision not in _LOW:
        raise invalid_argument("mixed_precision", "Half or Bfloat16", precision.name, api)
    return _LOW[precision]


def _feed(program: Program, low: VarType) -> None:
    """Let float32 inputs come in low precision."""
    block = program.global_block()
    for op in block.ops:
        if op.type == "feed" and (var := block.var(op.output("Out")[0])).dtype == VarType.FP32:
            var.dtype = low


def _fetch(program: Program) -> None:
    """Give outputs in float32, under the names that they have."""
    block = program.global_block()
    for op in [op for op in block.ops if op.type == "fetch"]:
        out = block.var(op.input("X")[0])
        if out.dtype not in (VarType.FP16, VarType.BF16):
            continue
        name, kind = out.name, out.dtype
        made = block._add_var(name=f"{name}.low", shape=out.shape, dtype=kind, lod_level=out.lod_level, persistable=False)
        for other in block.ops:
            if other.type != "fetch":
                other._rename_everywhere(name, made.name)
        out.dtype = VarType.FP32
        attrs = {"in_dtype": int(kind), "out_dtype": int(VarType.FP32)}
        block._insert_op(block.ops.index(op), type="cast", inputs={"X": [made]}, outputs={"Out": [out]}, attrs=attrs)
    program._touch()
