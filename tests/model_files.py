"""The model files that the wheels wrote, and what a program file says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from paddle_compat.core._kernel_attributes import kernel_choices
from paddle_compat.core.proto import ATTR_FIELD, AttrType, decode

REFERENCES = Path(__file__).resolve().parent / "references"
# what an operator keeps elsewhere, or what says nothing
SILENT = ("op_callstack", "with_quant_attr")
_SLOTS = ("inputs", "outputs")
GENERIC = ("op_role", "op_role_var", "op_namescope", "op_device")


def names(version: str) -> list[str]:
    """The files, feeds and fetches that a wheel recorded."""
    with np.load(REFERENCES / f"files_{version}.npz") as content:
        return list(content.files)


def array(version: str, name: str) -> np.ndarray:
    """A feed or fetch."""
    with np.load(REFERENCES / f"files_{version}.npz") as content:
        return content[name]


def data(version: str, name: str) -> bytes:
    """A file's bytes."""
    return array(version, name).tobytes()


def unpack(version: str, folder: Path) -> Path:
    """Put all files of a wheel into a folder."""
    with np.load(REFERENCES / f"files_{version}.npz") as content:
        for name in content.files:
            if not name.startswith(("feed/", "fetch/")):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(content[name].tobytes())
    return folder


def meaning(program: bytes, generic: bool = False, choices: bool = True) -> list[Any]:
    """What a program says, without order and without the difference between absent and default.

    Args:
        program: the bytes.
        generic: whether to tell the attributes that every operator has.
        choices: whether to tell the attributes by which real Paddle chooses among kernels.
    """
    left_out = SILENT if generic else SILENT + GENERIC
    blocks = []
    for block in decode(program, "ProgramDesc")["blocks"]:
        ops = []
        for op in block.get("ops", []):
            # the wheels collect what control flow reads and writes in sets, so its order says nothing
            order = sorted if op["type"] in ("while", "conditional_block") else list
            slots = [{s["parameter"]: order(s.get("arguments", [])) for s in op.get(part, [])} for part in _SLOTS]
            attrs = {a["name"]: (a["type"], a.get(ATTR_FIELD[AttrType(a["type"])], [])) for a in op["attrs"]}
            attrs = {n: v for n, v in attrs.items() if n not in left_out}
            ops.append((op["type"], *slots, attrs if choices else without_kernel_choices(op["type"], attrs)))
        blocks.append((block["idx"], block["parent_idx"], {v["name"]: _about(v) for v in block.get("vars", [])}, ops))
    return blocks


def _about(var: dict[str, Any]) -> tuple[Any, ...]:
    kind = var["type"]
    shaped = kind.get("lod_tensor") or kind.get("tensor_array") or {}
    tensor = shaped.get("tensor") or kind.get("selected_rows") or {}
    flags = [var.get(f, False) for f in ("persistable", "need_check_feed", "is_parameter", "stop_gradient")]
    return (kind["type"], tensor.get("data_type"), tensor.get("dims", []), shaped.get("lod_level", 0), *flags)


def without_kernel_choices(op: str, attrs: dict[str, Any]) -> dict[str, Any]:
    """Attributes without those by which real Paddle chooses among kernels."""
    choices = {*kernel_choices(op), "use_cudnn", "use_mkldnn", "mkldnn_data_type", "x_data_format", "y_data_format"}
    return {name: value for name, value in attrs.items() if name not in choices}


def links(program: Any) -> list[Any]:
    """Of each operator of a backward pass: which operator it differentiates, the pass, and the gradients it handles."""
    block = program.global_block()
    places = {id(op): i for i, op in enumerate(block.ops)}
    passes: dict[Any, int] = {}
    found = []
    for i, op in enumerate(block.ops):
        if "_region" in op.attrs:
            number = passes.setdefault(op.attrs["_region"], len(passes))
            forward = None if op.forward is None else places[id(op.forward)]
            marks = (op.attrs["_grads"], bool(op.attrs.get("_zero")), sorted(op.attrs.get("_zeros") or []))
            found.append((i, op.type, forward, number, *marks))
    return found
