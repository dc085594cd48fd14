"""The kernels of Paddle's operators on CPUs, by which harnesses of its own tests see what has a gradient, and of which types.

`_kernels.txt` lists them (`scripts/list_kernels.py`).
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import type_error
from paddle_compat.static import native

_PLACES = {
    "1.8": "data_type[{}]:data_layout[ANY_LAYOUT]:place[CPUPlace]:library_type[PLAIN]",
    "phi": "{{data_type[{}]; data_layout[Undefined(AnyLayout)]; place[Place(cpu)]; library_type[PLAIN]}}",
}
_IN_C = {
    "BF16": "bfloat16", "BOOL": "bool", "COMPLEX128": "complex<double>", "COMPLEX64": "complex<float>", "FP16": "float16", "FP32": "float",
    "FP64": "double", "INT16": "int16_t", "INT32": "int", "INT64": "int64_t", "INT8": "int8_t", "UINT8": "uint8_t",
}  # fmt: skip
_OF_GRADIENTS = re.compile("(_double|_triple|_grad)?_grad$")
_CLASSES = ("float16", "bfloat16", "complex")


@cache
def _listed() -> dict[str, list[tuple[str, list[str]]]]:
    """Library -> operators with the types of data that they have kernels for."""
    found: dict[str, list[tuple[str, list[str]]]] = {}
    for line in Path(__file__).with_suffix(".txt").read_text().splitlines():
        name, library, *kinds = line.replace(":", "", 1).split()
        found.setdefault(library, []).append((name, kinds))
    return found


def _texts(library: str, place: str) -> dict[str, list[str]]:
    def written(kind: str) -> str:
        return place.format("::paddle::platform::" + kind if kind.startswith(_CLASSES) else kind)

    return {name: [written(kind) for kind in kinds] for name, kinds in _listed()[library]}


def _get_all_register_op_kernels(lib: str = "all") -> dict[str, list[str]]:
    """The kernels of operators: what has none here has no gradient to check, for one.

    Args:
        lib (str): "phi", "fluid", the older library, or "all".
    Returns:
        dict: an operator's type -> a text for each type of data, with the place that it runs at.

    Example:
        >>> from paddle_compat.base import core
        >>> kernels = core._get_all_register_op_kernels()
        >>> "relu_grad" in kernels, "shape_grad" in kernels
        (True, False)

    Follows Paddle 2.6, on CPUs and without oneDNN.
    """
    found: dict[str, list[str]] = {}
    for library in ("phi", "fluid"):
        if lib in (library, "all"):
            found |= _texts(library, _PLACES["phi"])
    return found


def op_supported_infos(place: str, dtype: VarType) -> tuple[set[str], set[str], set[str]]:
    """Which operators have kernels for a type of data.

    Args:
        place (str): "CPU"; other places have none.
        dtype (core.VarDesc.VarType): the type of data.
    Returns:
        tuple of three sets of str: all operators, those that have such a kernel there, and those that have none.
    Raises:
        TypeError: an argument is of another type.

    Example:
        >>> from paddle_compat.base import core
        >>> every, some, others = core.op_supported_infos("CPU", core.VarDesc.VarType.FP64)
        >>> "matmul_v2" in some, "while" in others, some | others == every
        (True, True, True)

    Follows Paddle 2.6, on CPUs and without oneDNN.
    """
    if not isinstance(place, str):
        raise type_error("place", "a str", place, "op_supported_infos")
    if not isinstance(dtype, VarType):
        raise type_error("dtype", "a VarType", dtype, "op_supported_infos")
    kind = _IN_C.get(dtype.name)
    listed = [pair for library in ("phi", "fluid") for pair in _listed()[library]]
    every = set(native.get_all_op_names())  # some kernels are no operator's
    every |= {name for name, _ in listed if _OF_GRADIENTS.sub("", name) in every}
    found = {name for name, kinds in listed if place.upper() == "CPU" and kind in kinds} & every
    return every, found, every - found


def kernels_of_fluid() -> dict[str, list[str]]:
    """The kernels of Paddle 1.8's operators: a text for each type of data of each operator."""
    return _texts("1.8", _PLACES["1.8"])
