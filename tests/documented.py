"""Every public function, class and method of the package, and what its docstring lacks."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any, NamedTuple

from test_architecture import public_modules

VERSION = re.compile(r"Paddle (1\.8|2\.[0-6x]|3\.3)")
SECTIONS = ("Args", "Returns", "Yields", "Raises", "Example")


class Public(NamedTuple):
    """A function, a class, a method or a property that users may name."""

    api: str
    value: Any
    owner: type | None = None  # the class that has the method or the property

    @property
    def kind(self) -> str:
        if inspect.isclass(self.value):
            return "class"
        if self.owner is None:
            return "function"
        return "property" if isinstance(self.value, property) else "method"


def ours(value: Any) -> bool:
    return str(getattr(value, "__module__", "")).startswith("paddle_compat")


def members(api: str, cls: type) -> Iterator[Public]:
    """The public methods and properties of a class, those of its bases too."""
    for name in dir(cls):
        owner = next((base for base in cls.__mro__ if name in vars(base)), None)
        if name.startswith("_") or owner is None or not ours(owner):
            continue
        if getattr(cls, name, None) is None:  # methods that load on first use do so, and what only Paddle has says so
            continue
        value = vars(owner)[name]
        value = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
        if isinstance(value, property) or inspect.isroutine(value):
            yield Public(f"{api}.{name}", value, cls)


@functools.cache
def public() -> tuple[Public, ...]:
    """Everything public, each thing once, under the first of its names."""
    found: dict[int, Public] = {}
    for module in public_modules():
        loaded = importlib.import_module(module)
        for name in loaded.__all__:
            value, api = getattr(loaded, name), f"{module}.{name}"
            if inspect.isclass(value) and ours(value):
                found.setdefault(id(value), Public(api, value))
                for member in members(api, value):
                    found.setdefault(id(member.value), member)
            elif inspect.isroutine(value):
                found.setdefault(id(value), Public(api, value))
    return tuple(found.values())


def document(value: Any) -> str:
    return inspect.cleandoc(getattr(value, "__doc__", None) or "")


def sections(text: str) -> dict[str, str]:
    """The parts of a docstring, by their headings; "" is what stands in front of the first."""
    parts = re.split(rf"^({'|'.join(SECTIONS)}):(?=\s)", text, flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2]))}


def overridden(item: Public) -> list[str]:
    """The docstrings of the methods that this one overrides, where those take the same arguments."""
    if item.owner is None:
        return []
    name = item.api.rpartition(".")[2]
    bases = [vars(base)[name] for base in item.owner.__mro__ if name in vars(base) and ours(base)]
    return [document(base) for base in bases if parameters(base) == parameters(item.value)]


def parameters(value: Any) -> list[str]:
    """The names of what a function or a class takes."""
    function = getattr(value, "__func__", value)
    if inspect.isclass(value) and "__signature__" in vars(value):
        function = value
    elif inspect.isclass(value):
        function = next((vars(base)["__init__"] for base in value.__mro__ if "__init__" in vars(base) and ours(base)), None)
    if function is None or isinstance(function, property):
        return []
    found = list(inspect.signature(function).parameters)
    return [name for name in found if not name.startswith("_") and name not in ("self", "cls")]


def gives_nothing(value: Any) -> bool:
    return getattr(value, "__annotations__", {}).get("return", "") in ("None", None, "NoReturn")


def raises(value: Any) -> bool:
    """Whether a function's own lines raise something."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(value)))
    except (OSError, TypeError, SyntaxError):
        return False
    return any(isinstance(node, ast.Raise) and node.exc is not None for node in ast.walk(tree))


def lacks(item: Public) -> list[str]:
    """What the docstring of something public does not say and should."""
    own = document(item.value)
    if not own:
        return ["a docstring"]
    kind, texts = item.kind, [own, *overridden(item)]
    wrong = [] if re.fullmatch(r"\S.*[.:]", own.splitlines()[0]) and own.splitlines()[1:2] in ([], [""]) else ["one line"]
    if kind == "property":
        return wrong
    parts = [sections(text) for text in texts]
    args = " ".join(part.get("Args", "") for part in parts)
    missing = [name for name in parameters(item.value) if not re.search(rf"(?<!\w){re.escape(name)}\b", args)]
    wrong += [f"Args: {', '.join(missing)}"] if missing else []
    if kind != "class" and not gives_nothing(item.value) and not any({"Returns", "Yields"} & set(part) for part in parts):
        wrong.append("Returns")
    if kind != "class" and not any("Raises" in part for part in parts) and raises(item.value):
        wrong.append("Raises")
    classes = [document(base) for base in item.owner.__mro__ if ours(base)] if item.owner else []
    if not any(">>> " in text for text in texts) and not any(shows(text, item) for text in classes):
        wrong.append("Example")
    if not any(VERSION.search(text) for text in [*texts, *classes]):
        wrong.append("the version of Paddle")
    return wrong


def shows(text: str, item: Public) -> bool:
    """Whether the example of a class shows one of its methods; to call a layer is to show its `forward`."""
    name = item.api.rpartition(".")[2]
    example = sections(text).get("Example", "")
    return bool(example) and (name in ("forward", "call") or re.search(rf"\.{name}\b", example) is not None)


if __name__ == "__main__":
    for thing in public():
        if lacking := lacks(thing):
            print(thing.kind, thing.api, thing.value.__module__ if hasattr(thing.value, "__module__") else "", "|", "; ".join(lacking))
