"""The signature of every public function, class and method of a wheel: name -> [[parameter, kind, default], ...]."""

import inspect
import sys
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

WHEELS = ("1.8.5", "2.6.2")
Row = List[List[Any]]


def parameters(function: Any) -> Optional[Row]:
    """Name, kind and default of each parameter; the default as text, which only simple values have."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # written in C++
        return None
    rows = []
    for parameter in found:
        row = [parameter.name, parameter.kind.name]
        if parameter.default is not parameter.empty:
            simple = parameter.default is None or isinstance(parameter.default, (bool, int, float, str, list, tuple))
            row.append(repr(parameter.default) if simple else "...")
        rows.append(row)
    return rows


def signatures() -> Dict[str, Row]:
    """Of all that scripts/list_paddle_names.py lists."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    import list_paddle_names
    import paddle

    found: Dict[str, Row] = {}

    def add(name: str, function: Any) -> None:
        row = parameters(function)
        if row is not None:
            found[name] = row

    for module_name, module in list_paddle_names.modules(paddle):
        for name in list_paddle_names.public_names(module_name, module):
            value = getattr(module, name, None)
            if inspect.isclass(value):
                add(module_name + "." + name, value)
                for member, method in vars(value).items():
                    if not member.startswith("_") and inspect.isroutine(method):
                        add(".".join((module_name, name, member)), getattr(value, member))
            elif inspect.isroutine(value):
                add(module_name + "." + name, value)
    return dict(sorted(found.items()))


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """One file for each wheel."""
    return {"signatures_" + version + ".json.gz": signatures}
