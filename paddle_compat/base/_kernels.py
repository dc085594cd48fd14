"""The kernels of Paddle's operators on CPUs, by which harnesses of its own tests see what has a gradient, and of which types.

`_kernels.txt` lists them (`scripts/list_kernels.py`).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PLACES = {
    "1.8": "data_type[{}]:data_layout[ANY_LAYOUT]:place[CPUPlace]:library_type[PLAIN]",
    "phi": "{{data_type[{}]; data_layout[Undefined(AnyLayout)]; place[Place(cpu)]; library_type[PLAIN]}}",
}
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


def kernels_of_fluid() -> dict[str, list[str]]:
    """The kernels of Paddle 1.8's operators: a text for each type of data of each operator."""
    return _texts("1.8", _PLACES["1.8"])
