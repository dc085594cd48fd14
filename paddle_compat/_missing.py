"""What a public module answers for a name that it does not have.

    __getattr__ = missing(__name__)

at the end of a public package makes unknown attributes raise `UnsupportedError` instead of a bare AttributeError.
"""

from __future__ import annotations

import contextlib
import difflib
import functools
import importlib
import importlib.util
import opcode
import os
import sys
from collections.abc import Callable

from .core import _later, gpu_only
from .core._shown import SHOWN
from .core.errors import UnsupportedError

# Where another way leads to the same end; an entry speaks for everything below its name, and one that ends in a dot only for that.
INSTEAD = {
    "paddle.distributed.": "torch.distributed",
    "paddle.distributed.auto_parallel.": "torch.distributed.tensor",
    "paddle.distributed.fleet.meta_parallel.": "fleet.distributed_model, or torch.distributed.tensor.parallel",
    "paddle.incubate.nn.functional.block_multihead_attention": "paddle.incubate.nn.functional.masked_multihead_attention",
    "paddle.incubate.optimizer.distributed_fused_lamb": "paddle.optimizer.Lamb",
    "paddle.distributed.communicator.": "paddle.distributed.fleet, whose workers have one",
    "paddle.distributed.fleet.base.topology.EPHybridCommunicateGroup": "HybridCommunicateGroup",
    "paddle.incubate.passes.": "torch's compiler, by build_strategy.build_cinn_pass",
    "paddle.pir.translate_to_pir": "the Program itself, which is the only one here",
    "paddle.fluid.contrib.slim.": "QuantizationStrategy, or quantization's passes; oneDNN's kernels are not there",
    "paddle.static.quantization.Quant2Int8MkldnnPass": "QuantizationFreezePass; oneDNN's kernels are not there",
    "paddle.static.quantization.QuantInt8MkldnnPass": "QuantizationFreezePass; oneDNN's kernels are not there",
    "paddle.fluid.incubate.fleet": "paddle.distributed.fleet",
    "paddle.fluid.incubate.fleet.parameter_server.pslib": "fluid.incubate.fleet.parameter_server.distribute_transpiler",
    "paddle.fluid.net_drawer": "fluid.debugger.draw_block_graphviz",
    "paddle.static.quantization.": "paddle.static.quantization.PostTrainingQuantization, or paddle.quantization in eager mode",
}
# What most of Paddle's own files import from its inside, so that libraries take it from whichever file: name -> where it is
IMPORTED = {
    **dict.fromkeys(("check_dtype", "check_type", "check_variable_and_dtype", "convert_dtype"), "data_feeder"),
    **dict.fromkeys(("in_dygraph_mode", "in_dynamic_mode", "in_dynamic_or_pir_mode", "in_pir_mode"), "framework"),
    **dict.fromkeys(("Variable", "convert_np_dtype_to_dtype_", "default_main_program", "dygraph_only", "static_only"), "framework"),
    "LayerHelper": "layer_helper",
    **dict.fromkeys(("core", "framework", "unique_name"), ""),
    **dict.fromkeys(("_C_ops", "_legacy_C_ops"), ".."),
}
IMPORTING = ("amp", "device", "fluid.dygraph", "fluid.layers")  # the packages that show what they import
FAMILIES = ("nn.functional", "nn", "tensor")  # packages that offer what any file of theirs defines, in Paddle's layout or in ours
ABSENT = "absent"  # where modules come from that have no names
ROOT = __package__ or ""
NAMES_FILE = os.path.join(os.path.dirname(__file__), "_paddle_names.txt")


def missing(module: str) -> Callable[[str], object]:
    """The `__getattr__` of a public module that has nothing to load lazily but its submodules, if it is a package.

    Args:
        module: the module's `__name__`.
    """

    def __getattr__(name: str) -> object:
        if name.startswith("__"):  # `from module import x` asks for the `__path__` of each module, at every call of a function
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        if is_submodule(module, name):
            return importlib.import_module(f"{module}.{name}")
        for package in FAMILIES:
            if _is_of_family(package, module, name):
                return getattr(importlib.import_module(f"{ROOT}.{package}"), name)
        return elsewhere(module, name)

    return __getattr__


def elsewhere(module: str, name: str) -> object:
    """A name of Paddle's inside that its file imports or shows, or that Paddle 2.0 to 2.5 had there; the error where it is none.

    Args:
        module: a public module that has no such name.
    """
    path = module.removeprefix(f"{ROOT}.")
    if f"{path}.{name}" in SHOWN:
        shown: object = getattr(importlib.import_module(f"{ROOT}.{SHOWN[f'{path}.{name}']}"), name)
        return shown
    if name in IMPORTED and ("__path__" not in vars(sys.modules[module]) or path in IMPORTING):
        return _imported("fluid" if path.startswith("fluid.") else "base", name)
    if refusing := gpu_only.refusing(path, name, alternative(f"paddle.{path}.{name}")):
        return refusing
    if not name.startswith("__"):
        for home in _later.homes("" if module == ROOT else path, name):
            with contextlib.suppress(ImportError, AttributeError):
                found: object = getattr(importlib.import_module(f"{ROOT}.{home}"), name)
                return found
    raise unsupported(module, name, 3)


def _imported(package: str, name: str) -> object:
    """What Paddle's files import by that name, from `base` or from `fluid`."""
    home = IMPORTED[name]
    if home == "..":
        return importlib.import_module(f"{ROOT}.{name}")
    value: object = getattr(importlib.import_module(f"{ROOT}.{package}.{home}" if home else f"{ROOT}.{package}"), name)
    return value


def _is_of_family(package: str, module: str, name: str) -> bool:
    """Whether a package offers what Paddle has in that module of it, and we have elsewhere."""
    inside = module.startswith(f"{ROOT}.{package}.") and f"paddle{module.removeprefix(ROOT)}.{name}" in known_names()
    return inside and name in importlib.import_module(f"{ROOT}.{package}").__all__


def is_submodule(package: str, name: str) -> bool:
    """Whether a package that is loaded has a module of that name, with something in it."""
    if name.startswith("__") or "__path__" not in vars(sys.modules[package]):
        return False
    found = importlib.util.find_spec(f"{package}.{name}")
    return found is not None and found.origin != ABSENT


def unsupported(module: str, name: str, depth: int = 2) -> AttributeError | ImportError:
    """The error for `name`, which `module` does not have: does some Paddle have it, and which?

    To be called by a module's `__getattr__`. Names with two leading underscores are Python's questions, not a script's, and get
    the plain error. `from module import name` would replace an AttributeError by one of its own, which says nothing of Paddle: `depth`
    is how far up the stack the script is.
    """
    if name.startswith("__"):
        return AttributeError(f"module {module!r} has no attribute {name!r}")
    api = f"paddle{module.removeprefix('paddle_compat')}.{name}"
    versions = known_names().get(api)
    home = None if versions else _home(api)
    error = UnsupportedError(api, instead=alternative(home or api))
    if home:
        note = f"PaddlePaddle has it in {' and '.join(known_names()[home])}, from `{home.rpartition('.')[0]}`."
    elif versions:
        note = f"PaddlePaddle has it in {' and '.join(versions)}."
    else:
        note = "No release of PaddlePaddle that paddle_compat knows has a function, class or module of that name there."
        note += _nearest(module, name)
    error.args = (f"{error} {note}",)
    asking = sys._getframe(depth)
    if asking.f_code.co_code[asking.f_lasti] == opcode.opmap["IMPORT_FROM"]:
        return ImportError(f"cannot import name {name!r}: {error}", name=module)
    return error


@functools.cache
def _nearest(module: str, name: str) -> str:
    """The question whether another name of a module was meant: kept, as tools put theirs (`_mock_name`) to everything they meet."""
    near = difflib.get_close_matches(name, dir(sys.modules.get(module)), 1)
    return f" Did you mean `{near[0]}`?" if near else ""


def _home(api: str) -> str | None:
    """Where Paddle defines what one of its packages shows without listing it."""
    package, _, name = api.rpartition(".")
    return next((path for path in _paths().get(name, ()) if path.startswith(f"{package}.")), None)


@functools.cache
def _paths() -> dict[str, list[str]]:
    """The names of the real wheels by their last part: scripts that look for what there may be ask again and again."""
    paths: dict[str, list[str]] = {}
    for path in known_names():
        paths.setdefault(path.rpartition(".")[2], []).append(path)
    return paths


def alternative(api: str) -> str | None:
    """What to use instead of an API of Paddle's; what holds for a package holds for all in it."""
    while api:
        if api in INSTEAD or f"{api}." in INSTEAD:
            return INSTEAD.get(api) or INSTEAD[f"{api}."]
        api = api.rpartition(".")[0]
    return None


@functools.cache
def known_names() -> dict[str, list[str]]:
    """Every name of a module, function or class in the real wheels that does not begin with an underscore -> the versions that have it."""
    names: dict[str, list[str]] = {}
    with open(NAMES_FILE, encoding="ascii") as file:
        for line in file:
            version, module, *members = line.split()
            for api in (module, *(f"{module}.{member}" for member in members)):
                versions = names.setdefault(api, [])
                if versions[-1:] != [version]:
                    versions.append(version)
    return names
