"""`paddle.enable_compat`: from then on `import torch` in a script means Paddle.

The package itself, and the libraries that torch is made of, need the real torch, which is loaded already. So what is changed is
the `import` statement, which knows who imports, and not the table of loaded modules, which all share.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import importlib
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion

PACKAGE = __name__.partition(".")[0]
# Whose own imports of torch are never changed.
_TORCHS_OWN = (PACKAGE, "torch", "torchgen", "functorch", "triton")
_POOLS = tuple(f"AvgPool{n}{d}" for n in (1, 2, 3) for d in "Dd")
# What torch's modules have from elsewhere than Paddle's modules of the same names: path -> module, names.
_OTHERWISE: dict[str, tuple[str, tuple[str, ...]]] = {
    "": ("nn.functional", ("relu",)),
    ".nn": ("compat.nn", ("Linear", "MultiheadAttention", "Softmax", "Unfold", *_POOLS)),
    ".nn.functional": ("compat.nn.functional", ("linear", "pad", "scaled_dot_product_attention", "softmax", "unfold")),
}
_import = builtins.__import__


class ProxyModule(ModuleType):
    """One of Paddle's modules under torch's name, with torch's arguments where `paddle.compat` has them.

    Args:
        path: the module's name below `torch`, with the dot in front.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.compat.proxy import ProxyModule
        >>> torch = ProxyModule("")
        >>> torch.sin is paddle.sin, torch.nn.Linear is paddle.compat.nn.Linear
        (True, True)

    Follows Paddle 3.3.
    """

    def __init__(self, path: str) -> None:
        super().__init__("torch" + path)
        self._path = path
        self._original_module = importlib.import_module(PACKAGE + path)
        self.__file__, self.__package__ = self._original_module.__file__, self.__name__
        self.__all__ = getattr(self._original_module, "__all__", [])

    def __getattr__(self, name: str) -> Any:
        if name == "__path__":  # which would lead to torch's own files
            raise AttributeError(name)
        module, names = _OTHERWISE.get(self._path, ("", ()))
        source = importlib.import_module(f"{PACKAGE}.{module}") if name in names else self._original_module
        value = getattr(source, name)
        return _proxy(f"{self._path}.{name}") if getattr(value, "__name__", "") == f"{PACKAGE}{self._path}.{name}" else value

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What the module gives that is a function, too: `torch.tensor`, `torch.device`."""
        function: Any = self._original_module
        return function(*args, **kwargs)

    def __dir__(self) -> list[str]:
        return sorted({*dir(self._original_module), *_OTHERWISE.get(self._path, ("", ()))[1]})

    def __repr__(self) -> str:
        return f"<module {self.__name__!r} ({self.__file__})>"


@functools.cache
def _proxy(path: str) -> ProxyModule:
    return ProxyModule(path)


class _Scope:
    """Who is given Paddle for torch."""

    def __init__(self) -> None:
        self.close()

    def close(self) -> None:
        """Nobody is."""
        self.on = False
        self.modules: set[str] | None = None  # None: all
        self.blocked: set[str] = set()

    def holds(self, importer: Any) -> bool:
        """Whether a module is given Paddle; what says no name for itself is code that some library made."""
        if not isinstance(importer, str) or _within(importer, _TORCHS_OWN) or _within(importer, self.blocked):
            return False
        return self.modules is None or _within(importer, self.modules)


_scope = _Scope()


def _within(module: str, packages: Iterable[str]) -> bool:
    return any(f"{module}.".startswith(f"{package}.") for package in packages)


def _importing(
    name: str,
    globals: Mapping[str, Any] | None = None,
    locals: Mapping[str, Any] | None = None,
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> ModuleType:
    """`__import__` while Paddle stands for torch."""
    if level or not _within(name, ("torch",)) or not _scope.holds((globals or {}).get("__name__")):
        return _import(name, globals, locals, fromlist or (), level)
    path = name.removeprefix("torch")
    _found(path)
    for member in fromlist or ():
        if member != "*" and not hasattr(_proxy(path), member):
            _found(f"{path}.{member}")
    return _proxy(path if fromlist else "")


def _found(path: str) -> None:
    """ModuleNotFoundError, as Paddle's finder words it, where Paddle has no such module."""
    try:
        _proxy(path)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"No module named 'paddle{path}'", name=f"torch{path}") from error


def enable_compat(*, scope: Any = None, blocked_modules: Any = None, backend: str = "torch", silent: bool = False) -> None:
    """Let `import torch` mean Paddle, with torch's arguments where `paddle.compat` has them.

    Modules that import torch before, `importlib.import_module` and `sys.modules` have the real one: it is what this package runs on.

    Args:
        scope: the name of a package, or several, in which it means Paddle; None: in all.
        blocked_modules: the name of a package, or several, in which it does not.
        backend: "torch".
        silent: whether no warning says that a second call changes the scope.
    Raises:
        AssertionError: another backend.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_compat()
        >>> script = "import torch; print(torch.ones([2]).astype('int32').tolist())"
        >>> exec(script, {"__name__": "script"})
        [1, 1]
        >>> paddle.disable_compat()

    Follows Paddle 3.3.
    """
    if backend != "torch":
        raise failed_assertion("backend", '"torch"', backend, "enable_compat")
    told = _widened(_names(scope)) if _scope.on else None
    if told and not silent:
        warnings.warn(told, stacklevel=2)
    if not _scope.on:
        _scope.on, _scope.modules = True, _names(scope)
    _scope.blocked |= _names(blocked_modules) or set()
    builtins.__import__ = _importing


def _widened(modules: set[str] | None) -> str | None:
    """Take more modules into the scope; what there is to say about it."""
    before = _scope.modules
    if modules is None:
        _scope.modules = None
        return "Enabling PyTorch compat globally, previous scope will be ignored."
    if before is None:
        return "PyTorch already enabled globally, scope modification ignored."
    _scope.modules = before | modules
    return f"Extending PyTorch compat scope, previous scope: {before}, new scope: {modules}."


def _names(modules: Any) -> set[str] | None:
    return None if modules is None else {modules} if isinstance(modules, str) else set(modules)


def disable_compat() -> None:
    """Let `import torch` mean torch again; what was imported stays.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_compat()
        >>> paddle.disable_compat()

    Follows Paddle 3.3.
    """
    if builtins.__import__ is _importing:
        builtins.__import__ = _import
    _scope.close()


@contextlib.contextmanager
def use_compat_guard(*, enable: bool = True, scope: Any = None, silent: bool = False) -> Iterator[None]:
    """In a block, let `import torch` mean Paddle, or torch; behind it everything is as before.

    Args:
        enable: whether it means Paddle.
        scope: as that of `enable_compat`.
        silent: as that of `enable_compat`.
    Returns:
        What `with` takes.

    Example:
        >>> import paddle_compat as paddle
        >>> script = "import torch; print(torch.sin is sin)"
        >>> with paddle.use_compat_guard():
        ...     exec(script, {"__name__": "script", "sin": paddle.sin})
        ...     with paddle.use_compat_guard(enable=False):
        ...         exec(script, {"__name__": "script", "sin": paddle.sin})
        True
        False

    Follows Paddle 3.3.
    """
    on, modules, blocked = _scope.on, _scope.modules, set(_scope.blocked)
    enable_compat(scope=scope, silent=silent) if enable else disable_compat()
    try:
        yield
    finally:
        disable_compat()
        if on:
            enable_compat(scope=modules, blocked_modules=blocked)


def extend_compat_blocked_modules(modules: Iterable[str]) -> None:
    """Name further packages in which `import torch` does not mean Paddle, as long as it does elsewhere.

    Args:
        modules: the names of packages.

    Example:
        >>> import paddle_compat as paddle
        >>> with paddle.use_compat_guard():
        ...     paddle.compat.extend_compat_blocked_modules({"library"})
        ...     exec("import torch; print(torch.__file__ == paddle.__file__)", {"__name__": "library", "paddle": paddle})
        False

    Follows Paddle 3.3.
    """
    _scope.blocked |= _names(modules) or set()


enable_torch_proxy, disable_torch_proxy = enable_compat, disable_compat
use_torch_proxy_guard, extend_torch_proxy_blocked_modules = use_compat_guard, extend_compat_blocked_modules

__all__ = [
    "ProxyModule", "disable_compat", "disable_torch_proxy", "enable_compat", "enable_torch_proxy", "extend_compat_blocked_modules",
    "extend_torch_proxy_blocked_modules", "use_compat_guard", "use_torch_proxy_guard",
]  # fmt: skip

__getattr__ = missing(__name__)
