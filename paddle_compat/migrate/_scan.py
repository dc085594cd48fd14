"""Which names of Paddle Python files use, and which of them would fail here, without running the files."""

from __future__ import annotations

import argparse
import ast
import functools
import importlib
import inspect
import os
import sys
import tokenize
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from paddle_compat.core.errors import UnsupportedError

WHAT = """Names each use of Paddle in Python files, or folders of them, that would fail here, and what to use instead; nothing is run. Names
that a `try` would catch are left out, and what methods of Tensors and Layers take is seen only by running. PADDLE_COMPAT_VERSION says
whose names count, as for the runner. The status is 1 if something would fail."""
ROOT = "paddle"
_HERE = __package__.partition(".")[0]
_CAUGHT = {"ImportError", "ModuleNotFoundError", "AttributeError", "NotImplementedError", "Exception", "BaseException"}


class Finding(NamedTuple):
    """A use of Paddle that would fail."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


class Use(NamedTuple):
    """A name of Paddle in a file."""

    name: str
    line: int
    call: tuple[int, tuple[str, ...]] | None = None  # how many arguments by position, and the names of the others


class Script(NamedTuple):
    """What a file has of Paddle."""

    path: str
    uses: list[Use]
    made: set[str]  # names that it gives to Paddle's modules and classes


def main(arguments: Sequence[str]) -> int:
    """The command line.

    Args:
        arguments: files and folders.
    Returns:
        The status of the process.
    """
    parser = argparse.ArgumentParser(usage="python -m paddle_compat scan PATH [PATH ...]", description=WHAT)
    parser.add_argument("paths", nargs="+", help="files and folders")
    scripts = []
    for path in _files(parser.parse_args(arguments).paths):
        try:
            scripts.append(read(path))
        except (OSError, SyntaxError, ValueError) as error:
            print(f"{path}: cannot be read: {error}", file=sys.stderr)
    findings = complaints(scripts)
    for finding in findings:
        print(finding)
    names = {use.name for script in scripts for use in script.uses}
    print(f"{len(scripts)} files, {len(names)} names of Paddle, {len(findings)} uses that would fail")
    return int(bool(findings))


def scan(paths: Iterable[str | os.PathLike[str]]) -> list[Finding]:
    """What would fail in files.

    Args:
        paths: files, or folders whose `.py` files are looked at.
    Returns:
        list of Finding: path, line and text of each use.
    Raises:
        OSError, SyntaxError, ValueError: a file cannot be read.

    Example:
        >>> import pathlib, tempfile
        >>> from paddle_compat.migrate import scan
        >>> script = pathlib.Path(tempfile.mkdtemp()) / "train.py"
        >>> _ = script.write_text("import paddle.nn as nn\\nnn.Linear(2, 3)\\nnn.Linear(2, 3, units=4)\\n")
        >>> [(found.line, found.text) for found in scan([script])]
        [(3, "paddle.nn.Linear: got an unexpected keyword argument 'units'")]
    """
    return complaints(map(read, _files(paths)))


def _files(paths: Iterable[str | os.PathLike[str]]) -> Iterator[Path]:
    for path in map(Path, paths):
        yield from sorted(path.rglob("*.py")) if path.is_dir() else (path,)


def read(path: Path) -> Script:
    """The names of Paddle in a file, and how they are called."""
    with tokenize.open(path) as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the script's own syntax
        finder = _Finder()
        finder.visit(ast.parse(file.read(), str(path)))
    return Script(str(path), finder.found, finder.made)


class _Finder(ast.NodeVisitor):
    """Walks through a file; what a name is bound to first holds for all of it."""

    def __init__(self) -> None:
        self.found: list[Use] = []
        self.made: set[str] = set()
        self._bound: dict[str, str] = {}
        self._guarded = 0  # how many `try` catch what would fail

    def _use(self, use: Use) -> None:
        if not self._guarded:
            self.found.append(use)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            if alias.name.partition(".")[0] == ROOT:
                self._bound.setdefault(alias.asname or ROOT, alias.name if alias.asname else ROOT)
                self._use(Use(alias.name, node.lineno))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        if node.level == 0 and module.partition(".")[0] == ROOT:
            for alias in node.names:
                name = module if alias.name == "*" else f"{module}.{alias.name}"
                self._use(Use(name, node.lineno))
                if alias.name != "*":
                    self._bound.setdefault(alias.asname or alias.name, name)

    def visit_Try(self, node: ast.Try) -> None:
        caught = any(handler.type is None or _CAUGHT & _names(handler.type) for handler in node.handlers)
        self._guarded += caught
        for inner in node.body:
            self.visit(inner)
        self._guarded -= caught
        for rest in (*node.handlers, *node.orelse, *node.finalbody):
            self.visit(rest)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        name = self._spelled(node)
        if name is None:
            self.generic_visit(node)
        elif isinstance(node.ctx, ast.Store):
            self.made.add(name)
        else:
            self._use(Use(name, node.lineno))

    def visit_Call(self, node: ast.Call) -> None:
        name = self._spelled(node.func)
        stars = any(isinstance(each, ast.Starred) for each in node.args) or any(each.arg is None for each in node.keywords)
        if name is None or stars:
            self.visit(node.func)
        else:
            self._use(Use(name, node.lineno, (len(node.args), tuple(str(each.arg) for each in node.keywords))))
        for part in (*node.args, *node.keywords):
            self.visit(part)

    def _spelled(self, node: ast.AST) -> str | None:
        """The whole name of what stands there, if it is Paddle's."""
        words: list[str] = []
        while isinstance(node, ast.Attribute):
            words.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self._bound:
            return None
        return ".".join((self._bound[node.id], *reversed(words)))


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def complaints(scripts: Iterable[Script]) -> list[Finding]:
    """What would fail of what files use, but for what one of them has made itself."""
    scripts = list(scripts)
    made = {name for script in scripts for name in script.made}
    found: dict[Finding, None] = {}
    for script in scripts:
        for use in script.uses:
            value, text = _looked_up(use.name)
            if text is None and use.call is not None and value is not None:
                text = _refused(use.name, value, *use.call)
            if text is not None and not any(f"{use.name}.".startswith(f"{name}.") for name in made):
                found[Finding(script.path, use.line, text)] = None
    return list(found)


@functools.cache
def _looked_up(name: str) -> tuple[Any, str | None]:
    """What a name stands for here, None where only a run can tell; and what is said of it if it is not there."""
    found: Any = importlib.import_module(_HERE)
    first, *words = name.split(".")
    so_far = first
    for word in words:
        if not isinstance(found, (ModuleType, type)):
            return None, None
        so_far = f"{so_far}.{word}"
        try:
            found = _member(found, so_far, word)
        except UnsupportedError as error:
            what = f"{error.api} is not there" + (f" with {error.argument}" if error.argument else "")
            return None, f"{what}. Use {error.instead} instead." if error.instead else what
        except (AttributeError, ImportError):
            return None, f"{so_far} is not there"
    return found, None


def _member(found: Any, name: str, word: str) -> Any:
    try:
        return getattr(found, word)
    except UnsupportedError:
        raise
    except AttributeError:
        return importlib.import_module(f"{_HERE}{name.removeprefix(ROOT)}")  # a module that nobody has asked for yet


def _refused(name: str, found: Any, by_position: int, named: tuple[str, ...]) -> str | None:
    """What is said of a call whose arguments a function does not take."""
    later = getattr(getattr(found, "paddle3", None), "names", {})  # other names of arguments
    try:
        inspect.signature(found).bind_partial(*[None] * by_position, **{each: None for each in named if each not in later})
    except TypeError as error:
        return f"{name}: {error}"
    except ValueError:  # it says nothing of its arguments
        pass
    return None
