"""The import hook: while it is on, `paddle` and everything below it is another name for paddle_compat.

Start-up code loads this file by its path, before anything else runs, in processes that may never use Paddle. So it
needs the standard library only, and importing it imports neither the package nor torch.
"""

from __future__ import annotations

import collections
import collections.abc
import importlib
import importlib.machinery
import importlib.util
import os
import sys
import time
from types import ModuleType

TYPE_CHECKING = False  # as in typing, whose import would take longer than the rest of this file
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from importlib.metadata import Distribution
    from types import CodeType
    from typing import Any

ALIAS, PACKAGE = "paddle", "paddle_compat"
PACKAGE_DIR = os.path.dirname(os.path.abspath(__file__))
STARTUP_DIR = os.path.join(PACKAGE_DIR, "_startup")
# The file in site-packages that gives child processes the hook: an installed package has it, a checkout does not.
CHILD_PTH = "paddle_compat.pth"
# What importlib writes into a module when it thinks that it loads it.
_MODULE_ATTRIBUTES = ("__name__", "__loader__", "__package__", "__spec__", "__path__", "__file__", "__cached__")


def paddle_version() -> str:
    """The Paddle version that is reported: PADDLE_COMPAT_VERSION, or 2.6.2."""
    version = os.environ.get("PADDLE_COMPAT_VERSION", "2.6.2")
    if [part.isdecimal() for part in version.split(".")] != [True] * 3:
        raise ValueError(
            "Invalid value for environment variable `PADDLE_COMPAT_VERSION`. "
            f"Expected three numbers such as 2.6.2. Received: {version!r}"
        )
    return version


def since(first: str) -> bool:
    """Whether the version that is reported is this one, such as "3.2", or a later one."""
    return [*map(int, paddle_version().split("."))] >= [*map(int, first.split("."))]


def _real_name(fullname: str) -> str | None:
    """`paddle.x` -> `paddle_compat.x`; None where the hook has no business."""
    head, dot, rest = fullname.partition(".")
    return PACKAGE + dot + rest if head == ALIAS else None


class AliasLoader:
    """Hands out the module that the real name stands for, unchanged.

    `runpy`, `inspect` and `linecache` ask a loader for code and source by the alias's name: those questions go to the
    real loader under the real name.
    """

    def __init__(self, real: importlib.machinery.ModuleSpec) -> None:
        self.real = real
        self._attributes: dict[str, Any] = {}

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """Import the real module."""
        module = importlib.import_module(self.real.name)
        self._attributes = {name: vars(module)[name] for name in _MODULE_ATTRIBUTES if name in vars(module)}
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Undo what importlib wrote into the shared module; its code has run already.

        A loader around this one may have made a module of its own: it gets what the real one has.
        """
        real = importlib.import_module(self.real.name)
        if module is not real:
            vars(module).update((name, value) for name, value in vars(real).items() if name not in _MODULE_ATTRIBUTES)
            module.__class__ = real.__class__
            return
        for name in _MODULE_ATTRIBUTES:
            vars(module).pop(name, None)
        vars(module).update(self._attributes)
        parent, _, child = module.__name__.rpartition(".")
        package = sys.modules.get(parent)
        if package is not None and not isinstance(getattr(package, child, module), ModuleType):
            package.__class__ = _Keeping  # importlib is about to put the module in place of, say, the function `amp.auto_cast`

    def _ask(self, question: str) -> Any:
        return getattr(self.real.loader, question)(self.real.name)

    def get_code(self, fullname: str) -> CodeType | None:
        """The code of the real module, for `python -m`."""
        code: CodeType | None = self._ask("get_code")
        return code

    def get_source(self, fullname: str) -> str | None:
        """The source of the real module, for tracebacks."""
        source: str | None = self._ask("get_source")
        return source

    def get_filename(self, fullname: str) -> str:
        """The file of the real module."""
        return str(self._ask("get_filename"))

    def is_package(self, fullname: str) -> bool:
        """Whether the real module is a package."""
        return self.real.submodule_search_locations is not None


class _Keeping(ModuleType):
    """A package that keeps what it has under the name of one of its modules."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (isinstance(value, ModuleType) and not isinstance(vars(self).get(name, value), ModuleType)):
            super().__setattr__(name, value)


class AliasFinder:
    """The entry of `sys.meta_path`."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Find `paddle.x` where `paddle_compat.x` exists; nothing is loaded yet, so probing for Paddle is cheap."""
        if fullname == PACKAGE:
            # The package beside this file, also where it is not on the path (a checkout, seen from a child process).
            return importlib.util.spec_from_file_location(fullname, os.path.join(PACKAGE_DIR, "__init__.py"))
        if fullname == "PIL":
            return _pillow_spec()
        name = _real_name(fullname)
        real = importlib.util.find_spec(name) if name else None
        if real is None:
            if name and sys._getframe(2).f_code.co_name == "_find_and_load_unlocked":  # an import, not a probe
                _explain_missing(fullname)
            return None
        is_package = real.submodule_search_locations is not None
        spec = importlib.machinery.ModuleSpec(fullname, AliasLoader(real), origin=real.origin, is_package=is_package)  # type: ignore[arg-type]
        if is_package:
            spec.submodule_search_locations = list(real.submodule_search_locations or ())
        return spec

    def find_distributions(self, context: Any = None) -> Iterable[Distribution]:
        """Answer `importlib.metadata` for `paddlepaddle`, but not searches of given folders, such as pip's."""
        name = getattr(context, "name", None)
        ours = name is None or name.lower() == "paddlepaddle"
        return _distributions() if ours and "path" not in vars(context or object) else []

    def invalidate_caches(self) -> None:
        """Nothing is cached."""


class _Pillow(ModuleType):
    """Pillow's package, which loads on demand what Paddle's wheels load: scripts say `PIL.Image` behind a bare `import PIL`."""

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            for module in ("Image", "ImageEnhance", "ImageOps"):
                importlib.import_module(f"{self.__name__}.{module}")
        if name in vars(self):
            return vars(self)[name]
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


class _PillowLoader(importlib.machinery.SourceFileLoader):
    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return _Pillow(spec.name)


def _pillow_spec() -> importlib.machinery.ModuleSpec | None:
    spec = importlib.machinery.PathFinder.find_spec("PIL")
    if spec is not None and type(spec.loader) is importlib.machinery.SourceFileLoader:
        spec.loader = _PillowLoader(spec.loader.name, spec.loader.path)
    return spec


def _explain_missing(fullname: str) -> None:
    """Say of a module that a real Paddle has that it is missing here; leave other names to importlib's own error."""
    from ._missing import alternative, known_names

    versions = known_names().get(fullname)
    if versions:
        text = f"PaddlePaddle {' and '.join(versions)} has a module `{fullname}`, but paddle_compat does not have it."
        instead = alternative(fullname)
        text += f" Use {instead} instead." if instead else ""
        raise ModuleNotFoundError(text, name=fullname)


def _distributions() -> Iterator[Distribution]:
    from importlib.metadata import Distribution  # a third of this file's import time, and seldom needed

    class PaddleDistribution(Distribution):
        """What an installed PaddlePaddle would say of itself."""

        def read_text(self, filename: str) -> str | None:
            files = {
                "METADATA": f"Metadata-Version: 2.1\nName: paddlepaddle\nVersion: {paddle_version()}\n",
                "top_level.txt": f"{ALIAS}\n",
            }
            return files.get(filename)

        def locate_file(self, path: Any) -> Any:
            return os.path.join(os.path.dirname(PACKAGE_DIR), path)

    yield PaddleDistribution()


class Installation:
    """What `install()` returns: at the end of a `with` block the hook goes off, if this call put it on."""

    def __init__(self, first: bool) -> None:
        self._first = first

    def __enter__(self) -> Installation:
        return self

    def __exit__(self, *error: object) -> None:
        if self._first:
            uninstall()


def install() -> Installation:
    """Make `import paddle` mean paddle_compat, here and in the processes started from here.

    Returns:
        Installation: may be ignored, or used as a context manager that takes the hook off again.
    Raises:
        ImportError: the real Paddle is imported already.
    Example:
        >>> import paddle_compat
        >>> with paddle_compat.install():
        ...     import paddle
        >>> paddle is paddle_compat
        True
    """
    first = not is_installed()
    if first:
        loaded = sys.modules.get(ALIAS)
        if loaded is not None and loaded is not sys.modules.get(PACKAGE):
            raise ImportError(
                f"`{ALIAS}` is imported already, from {getattr(loaded, '__file__', None)}. "
                "Call paddle_compat.install() before the first `import paddle`.",
                name=ALIAS,
            )
        sys.meta_path.insert(0, AliasFinder())
        _restore_python()
        if type(sys.modules.get("PIL")) is ModuleType:
            sys.modules["PIL"].__class__ = _Pillow
    _export()
    return Installation(first)


def uninstall() -> None:
    """Take the hook off: `import paddle` finds the real Paddle again, or nothing.

    Modules that a script holds already stay what they are.

    Example:
        >>> import paddle_compat
        >>> _ = paddle_compat.install()
        >>> paddle_compat.uninstall()
    """
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, AliasFinder)]
    for name, module in list(sys.modules.items()):
        real = _real_name(name)
        if real and module is sys.modules.get(real):
            del sys.modules[name]
    for variable in ("PADDLE_COMPAT", "PADDLE_COMPAT_PREFIX"):
        os.environ.pop(variable, None)
    _set_python_path([entry for entry in _python_path() if entry != STARTUP_DIR])


def is_installed() -> bool:
    """Whether the hook is on in this process."""
    return any(isinstance(finder, AliasFinder) for finder in sys.meta_path)


def _restore_python() -> None:
    """Put back what Python took away that scripts ask for above their first `import paddle`; the rest waits for that (`_python.py`)."""
    for name in collections.abc.__all__:  # gone in 3.10
        if not hasattr(collections, name):
            setattr(collections, name, getattr(collections.abc, name))
    if not hasattr(time, "clock"):  # gone in 3.8
        time.clock = time.process_time  # type: ignore[attr-defined]


def _export() -> None:
    """Tell child processes through the environment; `_startup/sitecustomize.py` reads it there."""
    os.environ["PADDLE_COMPAT"] = "1"
    os.environ["PADDLE_COMPAT_PREFIX"] = sys.prefix
    path = _python_path()
    if not _has_child_pth() and STARTUP_DIR not in path:
        _set_python_path([STARTUP_DIR, *path])


def _has_child_pth() -> bool:
    folder = os.path.dirname(PACKAGE_DIR)
    site = sys.modules.get("site")
    if site is None or not os.path.isfile(os.path.join(folder, CHILD_PTH)):
        return False
    return folder in [*site.getsitepackages(), site.getusersitepackages()]


def _python_path() -> list[str]:
    value = os.environ.get("PYTHONPATH", "")
    return value.split(os.pathsep) if value else []


def _set_python_path(entries: list[str]) -> None:
    if entries:
        os.environ["PYTHONPATH"] = os.pathsep.join(entries)
    else:
        os.environ.pop("PYTHONPATH", None)
