"""The rules of the tree: floors, file sizes and names, docstrings, nothing of one machine, no unfinished work."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import ROOT

from paddle_compat._missing import known_names

PACKAGE = ROOT / "paddle_compat"
# A file imports only from its own floor or from floors below it (docs/design.md). What is not named here is Paddle's public API.
PUBLIC = 3
FLOORS = {
    **dict.fromkeys(("core", "errors", "_alias", "version", "_missing", "_absent", "_lazy", "_numpy", "_python", "_startup"), 0),
    "ops": 1,
    "engine": 2,
    **dict.fromkeys(("complex", "fluid"), 4),  # what Paddle 1.8 has
    **dict.fromkeys(("", "__main__", "_runner", "_environment", "migrate"), 5),  # "" is the package's own __init__.py
}
# What may be looked up on a floor above by its name, when it is first used: file or folder -> what. Nothing else is.
LOOKED_UP = {
    "core/layer_helper.py": ("static.nn._weight_norm",),  # weights that operators make of others
    "core/op.py": ("ops",),  # the library, by an operator's type
    "core/param_attr.py": ("fluid.initializer", "nn.initializer"),  # the default ones of both ages
    "core/program.py": ("engine.executor",),  # `Program.to_fx`
    "core/rings.py": ("engine.processes",),  # how processes meet
    "core/serialize.py": ("pir._models",),  # models of Paddle 3.x, which public functions make Programs of
    "static/variables.py": ("fluid.initializer",),  # as core/param_attr.py
    "static/_native_profiler.py": ("fluid.profiler",),  # one profiler, whoever starts it
    # where Paddle 2 has modules of 1.8 under other paths
    "distributed/ps/utils": ("fluid.transpiler",),
    "utils/profiler.py": ("fluid.profiler",),
    "distributed/transpiler": ("fluid.transpiler", "fluid._memory"),
    "incubate/distributed/fleet": ("fluid.transpiler", "fluid.incubate.fleet"),
}
# What operators never hear of: modules of core.
BEYOND_OPERATORS = ("backward", "block", "capture", "clone", "direct", "eager", "mode", "program", "record", "scope", "tensor", "variable")
THIRD_PARTY = {"numpy", "torch"}
LONGEST = 600
SAY_NOTHING = ("utils", "util", "misc", "common", "helpers", "helper")
# These names are the ones that the trainer in Paddle's documentation has for its own files.
NAMED_BY_PADDLE = ("scripts/demo_mlp/utils.py",)
TOP_LEVEL = {
    ".ci", ".gitignore", "LICENSE", "README.md", "benchmarks", "constraints.txt", "docs", "paddle_compat", "ruff.toml",
    "scripts", "setup.cfg", "setup.py", "tests",
}  # fmt: skip
# Folders of a machine rather than of the project, and hosts but those that Paddle names (/tmp/profile and /tmp/cinn/ are its defaults) and
# those in names of XML.
FOREIGN = re.compile(
    r"(?<![\w.])/(work|root|farm|tmp(?!/profile\b|/cinn/)|home|opt)/\w|"
    r"https?://(?!www\.apache\.org|(\w+\.)?bj\.bcebos\.com/|www-lium\.univ-lemans\.fr/|www\.bigdatalab\.ac\.cn/|"
    r"schemas\.openxmlformats\.org/)|"
    r"pypi\.org",
    re.IGNORECASE,
)
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX)\b|raise NotImplementedError")

SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts)
FILES = {path.relative_to(PACKAGE).as_posix().removesuffix(".py") for path in SOURCES}
NAME = re.compile(r"(paddle_compat)?(\.\w+)+")  # of a module, in a text
TRACKED = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()


def module_of(path: Path) -> str:
    """`paddle_compat/core/op.py` -> `paddle_compat.core.op`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def floor_of(module: str) -> int:
    """The floor of a module of the package, by its first folder."""
    parts = module.split(".")
    return FLOORS.get(parts[1] if len(parts) > 1 else "", PUBLIC)


@functools.cache
def parsed(path: Path) -> tuple[list[ast.stmt], list[ast.AST]]:
    """The imports of a file's own level; and what there is anywhere in it of imports, names of modules and attributes that are set."""
    tree = ast.parse(path.read_text())
    return [node for node in tree.body if is_asked_for(node)], [node for node in ast.walk(tree) if is_asked_for(node)]


def is_asked_for(node: ast.AST) -> bool:
    """Whether the rules below look at a node: one walk through all files serves them all."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and NAME.fullmatch(node.value) is not None
    return isinstance(node, (ast.Import, ast.ImportFrom)) or isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)


@functools.cache
def references_of(path: Path) -> list[tuple[str, str, int]]:
    """Every module of the package that a file speaks of, anywhere in it: whether it "imports" or "names" it, which, and the line."""
    nodes = parsed(path)[1]
    found = (("imports", imports_of(path, nodes)), ("names", named_in(nodes)))
    return [(verb, name, line) for verb, names in found for name, line in names]


def imports_of(path: Path, nodes: list[ast.AST]) -> Iterator[tuple[str, int]]:
    """Every module of the package that a file imports, and the line."""
    package = module_of(path) if path.name == "__init__.py" else module_of(path).rpartition(".")[0]
    for node in nodes:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1]) if node.level else ""
            base = ".".join(filter(None, (base, node.module)))
            names = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from ((name, node.lineno) for name in names if name.split(".")[0] == "paddle_compat")


def named_in(nodes: list[ast.AST]) -> Iterator[tuple[str, int]]:
    """Every module of the package whose name is in a text, as `import_module` and the tables of `_lazy` take it, and the line."""
    for node in nodes:
        if isinstance(node, ast.Constant):
            below = node.value.removeprefix("paddle_compat").lstrip(".")
            if {below.replace(".", "/"), f"{below.replace('.', '/')}/__init__"} & FILES:
                yield f"paddle_compat.{below}", node.lineno


def may_look_up(path: Path, name: str) -> bool:
    """Whether a file is one of those that look that module up."""
    own = path.relative_to(PACKAGE).as_posix()
    allowed = [each for place, names in LOOKED_UP.items() if own == place or own.startswith(f"{place}/") for each in names]
    return any(f"{name}.".startswith(f"paddle_compat.{each}.") for each in allowed)


def test_floors() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} (floor {floor_of(module_of(path))}) {verb} {name} (floor {floor_of(name)})"
        for path in SOURCES
        for verb, name, line in references_of(path)
        if floor_of(name) > floor_of(module_of(path)) and not (verb == "names" and may_look_up(path, name))
    ]
    assert not wrong, "\n".join(wrong)


def test_what_is_looked_up_above_is_still_looked_up() -> None:
    for place, names in LOOKED_UP.items():
        paths = [PACKAGE / place] if place.endswith(".py") else [path for path in SOURCES if PACKAGE / place in path.parents]
        found = [f"{name}." for path in paths for verb, name, _ in references_of(path) if verb == "names"]
        assert all(any(each.startswith(f"paddle_compat.{name}.") for each in found) for name in names), place


def test_operators_know_nothing_of_programs() -> None:
    """An operator works on torch tensors; `core.operator.Operator` is what rules of gradients read and write."""
    beyond = {f"paddle_compat.core.{name}" for name in BEYOND_OPERATORS}
    wrong = [
        f"{path.relative_to(ROOT)}:{line} speaks of {name}"
        for path in SOURCES
        if floor_of(module_of(path)) == FLOORS["ops"]
        for _, name, line in references_of(path)
        if beyond & {name, name.rpartition(".")[0]}
    ]
    assert not wrong, "\n".join(wrong)


def test_whatever_has_no_floor_is_named_by_paddle() -> None:
    first = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in SOURCES} - {"__init__", *FLOORS}
    calls = {"_C_ops", "_legacy_C_ops"}  # modules that no wheel has a public list of
    assert first - calls <= {name.split(".")[1] for name in known_names() if "." in name}


def test_nothing_else_is_needed() -> None:
    """What is imported with a file is Python's, torch or numpy; what serves one call (images, pictures) may be imported by it."""
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno} imports {name}"
        for path in SOURCES
        for node in parsed(path)[0]
        if isinstance(node, (ast.Import, ast.ImportFrom)) and not getattr(node, "level", 0)
        for name in ([alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""])
        if name.split(".")[0] not in {"paddle_compat", *THIRD_PARTY, *sys.stdlib_module_names}
    ]
    assert not wrong, "\n".join(wrong)


def test_files_are_short_and_say_what_they_hold() -> None:
    wrong = []
    for name in TRACKED:
        path = ROOT / name
        if path.suffix != ".py" or not path.exists():
            continue
        paddle_name = name.replace("/", ".").removesuffix(".py").replace("paddle_compat", "paddle", 1)
        if path.stem in SAY_NOTHING and name not in NAMED_BY_PADDLE and paddle_name not in known_names():
            wrong.append(f"{name}: a name that says nothing")
        lines = len(path.read_text().splitlines())
        if lines > LONGEST:
            wrong.append(f"{name}: {lines} lines")
    assert not wrong, "\n".join(wrong)


def test_a_tensor_forgets_its_data_type_with_its_torch_tensor() -> None:
    """What holds another torch tensor is told so by `Tensor._become`; the files named here fill Tensors that nobody has seen yet."""
    fill = {PACKAGE / name for name in ("core/tensor.py", "core/direct.py", "core/op.py", "tensor/_tensor_indexing.py")}
    stores = [
        f"{path}:{node.lineno}"
        for path in SOURCES
        if path not in fill
        for node in parsed(path)[1]
        if isinstance(node, ast.Attribute) and node.attr == "_t"
    ]
    assert not stores, stores


def test_every_folder_is_a_package() -> None:
    folders = {path.parent for path in SOURCES} - {PACKAGE / "_startup"}
    assert not [folder for folder in folders if not (folder / "__init__.py").exists()]


def test_nothing_else_at_the_top() -> None:
    assert {name.split("/")[0] for name in TRACKED} <= TOP_LEVEL


def test_nothing_of_one_machine_or_registry() -> None:
    for name in TRACKED:
        path = ROOT / name
        if name in ("LICENSE", "tests/test_architecture.py") or not path.exists():
            continue
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue  # recorded data
        found = FOREIGN.search(text)
        assert found is None, f"{name}: {found and found.group()}"


def test_nothing_unfinished() -> None:
    found = [(path, UNFINISHED.search(path.read_text())) for path in SOURCES]
    wrong = [f"{path.relative_to(ROOT)}: {match.group()}" for path, match in found if match]
    assert not wrong, "\n".join(wrong)


def public_modules() -> list[str]:
    """The public floors' modules with an `__all__`; found by their text, so that a broken one fails alone."""
    with_all = [module_of(path) for path in SOURCES if "__all__" in path.read_text()]
    names = [name for name in with_all if not any(part.startswith("_") for part in name.split("."))]
    return ["paddle_compat", "paddle_compat.version", *(n for n in names if floor_of(n) in (PUBLIC, FLOORS["fluid"]))]


@pytest.mark.parametrize("module", public_modules())
def test_public_names_are_there_and_documented(module: str) -> None:
    loaded = importlib.import_module(module)
    for name in loaded.__all__:
        value = getattr(loaded, name)
        if inspect.isroutine(value) or inspect.isclass(value):
            text = value.__doc__
            assert text and text.strip(), f"{module}.{name} has no docstring"


def test_typed_package() -> None:
    assert (PACKAGE / "py.typed").exists()
