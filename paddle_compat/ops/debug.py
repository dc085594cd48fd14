"""Operators that show or check values while a Program runs."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import torch

from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.core.finite import describe
from paddle_compat.core.lod import LoD, lod_to_offsets
from paddle_compat.core.op import Meta, op

Tensor = torch.Tensor

# what C++ calls the types that Paddle 1.8 shows
_LETTERS = {
    torch.float32: "f", torch.float64: "d", torch.int32: "i", torch.int64: "l", torch.bool: "b", torch.uint8: "h",
    torch.int8: "a", torch.int16: "s",
}  # fmt: skip
_shown: Counter[str] = Counter()


def _numbers(x: Tensor, summarize: int) -> list[str]:
    flat = x.detach().reshape(-1)
    if summarize >= 0:
        flat = flat[:summarize]
    whole = not (x.dtype.is_floating_point or x.dtype.is_complex)
    return [str(int(v)) if whole else f"{v:g}" for v in flat.tolist()]


def _old_style(x: Tensor, lod: LoD | None, message: str, show: dict[str, Any]) -> list[str]:
    place = "CPUPlace" if x.device.type == "cpu" else f"CUDAPlace({x.device.index or 0})"
    lines = [f"{int(time.time())}\t{message}\tThe place is:{place}"]
    if show["name"]:
        lines.append(f"Tensor[{show['name']}]")
    if show["shape"]:
        lines.append("\tshape: [" + "".join(f"{d}," for d in x.shape) + "]")
    if show["type"]:
        lines.append(f"\tdtype: {_LETTERS.get(x.dtype, dtype_name(x.dtype))}")
    if show["lod"] and lod:
        levels = (f"[ {','.join(map(str, level))}, ]" for level in lod_to_offsets(lod))
        lines.append(f"\tLoD: [{''.join(levels)}]")
    return [*lines, "\tdata: " + "".join(f"{n}," for n in _numbers(x, show["summarize"]))]


def _new_style(x: Tensor, lod: LoD | None, message: str, show: dict[str, Any]) -> list[str]:
    place = "cpu" if x.device.type == "cpu" else f"gpu:{x.device.index or 0}"
    lines = [f"Variable: {show['name']}"] if show["name"] else []
    if message:
        lines.append(f"  - message: {message}")
    if show["lod"]:
        levels = ("{" + ", ".join(map(str, level)) + "}" for level in lod_to_offsets(lod))
        lines.append("  - lod: {" + "".join(levels) + "}")
    lines.append(f"  - place: Place({place})")
    if show["shape"]:
        lines.append(f"  - shape: {list(x.shape)}")
    if show["layout"]:
        lines.append("  - layout: NCHW")
    if show["type"]:
        lines.append(f"  - dtype: {dtype_name(x.dtype)}")
    return [*lines, f"  - data: [{' '.join(_numbers(x, show['summarize']))}]"]


def _print_grad(op_: Any, grad_outs: dict[str, list[str]], grad_ins: dict[str, list[str]]) -> list[Any]:
    attrs = {k: v for k, v in op_.attrs.items() if not k.startswith("op_")}
    return [("print", {"In": grad_outs["Out"]}, {"Out": grad_ins["In"]}, {**attrs, "is_forward": False})]


@op(name="print", inputs=("In",), grad_maker=_print_grad, infer=lambda x, **_: x)
def print_(
    input: Tensor,
    *,
    first_n: int = -1,
    message: str = "",
    summarize: int = 20,
    print_tensor_name: bool = True,
    print_tensor_type: bool = True,
    print_tensor_shape: bool = True,
    print_tensor_layout: bool = True,
    print_tensor_lod: bool = True,
    print_phase: str = "BOTH",
    is_forward: bool = True,
    _name: str = "",
    _gradient: str = "",
    _key: str = "",
    _old: bool = False,
    input_lod: LoD | None = None,
) -> Tensor:
    """Show the value on standard output as it passes, and its gradient as that comes back.

    `_name` and `_gradient` are shown as names; `_key` tells apart what is counted for `first_n`; `_old`: as Paddle 1.8.
    """
    show = {
        "name": print_tensor_name and _name,
        "type": print_tensor_type,
        "shape": print_tensor_shape,
        "layout": print_tensor_layout,
        "lod": print_tensor_lod,
        "summarize": summarize,
    }

    def tell(x: Tensor, phase: str, name: str) -> None:
        key = f"{_key}/{phase}"
        _shown[key] += 1
        if print_phase.upper() in ("BOTH", phase) and (first_n <= 0 or _shown[key] <= first_n):
            lines = (_old_style if _old else _new_style)(
                x, input_lod, message, {**show, "name": print_tensor_name and name}
            )
            print("\n".join(lines), flush=True)

    tell(input, "FORWARD" if is_forward else "BACKWARD", _name)
    out = input.view_as(input)
    if out.requires_grad and is_forward:
        out.register_hook(lambda grad: tell(grad, "BACKWARD", _gradient))
    return out


@op(inputs=("tensor",), outputs=("stats", "values"), lod=None, infer=lambda *_, **__: (Meta((3,), torch.int64), Meta((3,))))
def check_numerics(
    tensor: Tensor,
    *,
    op_type: str = "",
    var_name: str = "",
    check_nan_inf_level: int = 0,
    stack_height_limit: int = -1,
    output_dir: str = "",
) -> tuple[Tensor, Tensor]:
    """How many numbers are NaN, infinite and zero, and the largest, the smallest and the mean; level 0 stops where one is not finite."""
    counts, numbers = describe(tensor, op_type, var_name, check_nan_inf_level)
    return torch.tensor(counts, device=tensor.device), torch.tensor(numbers, dtype=torch.float32, device=tensor.device)


@op(name="assert", inputs=("Cond", "Data*"), outputs=(), lod=None, infer=lambda *_, **__: ())
def assert_(cond: Tensor, data: list[Tensor], *, summarize: int = -1, _names: str = "") -> None:
    """Stop with InvalidArgumentError, showing the data, unless the condition holds."""
    if not bool(cond):
        name, *names = _names.split("\n")
        show = {"type": True, "shape": True, "layout": True, "lod": True, "summarize": summarize}
        for x, n in zip(data, names):
            print("\n".join(_new_style(x, None, "", {**show, "name": n})), flush=True)
        raise InvalidArgumentError(f"The condition variable '{name}' of `Assert` must be true. Received: false")
