"""Lists the names that scripts may find in the modules of an installed PaddlePaddle, for paddle_compat/_paddle_names.txt.

    WHEEL/bin/python scripts/list_paddle_names.py >> names     once per wheel, oldest first

A line is: version, module, names. paddle_compat reads it to say of a missing name which Paddle has it.
"""

import importlib
import pkgutil
import types
import warnings

# Packages and modules without an `__all__` that scripts use all the same.
GATHERING = ("paddle.fluid", "paddle.base", "paddle.base.core", "paddle.base.framework")


def public_names(name, module):
    """What the module exports: its `__all__`, or else, in packages and fluid's modules, what of Paddle's it holds."""
    names = getattr(module, "__all__", None) or ()
    if not names and (hasattr(module, "__path__") or name in GATHERING or name.startswith("paddle.fluid.")):
        names = [n for n, value in vars(module).items() if str(getattr(value, "__module__", "")).startswith("paddle")]
    return sorted(n for n in set(names) if n[0] != "_" and not isinstance(getattr(module, n, module), types.ModuleType))


def defined_names(name, module):
    """What the module itself defines without a word in its `__all__`: functions and classes that some scripts import all the same."""
    found = vars(module).items()
    return [n for n, value in found if n[0] != "_" and callable(value) and getattr(value, "__module__", None) == name]


def modules(package):
    """The package and every module below it that is meant for users, imported."""
    yield package.__name__, package
    for info in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        part = info.name.rsplit(".", 1)[1]
        if part.startswith("_") or part in ("tests", "proto", "libs", "core_avx", "libpaddle", "sot", "gast"):
            continue
        try:
            module = importlib.import_module(info.name)
        except BaseException:  # needs a package or a device that is not there
            continue
        if info.ispkg:
            yield from modules(module)
        else:
            yield info.name, module


def main():
    """Print one line per module."""
    warnings.simplefilter("ignore")
    import paddle

    for name, module in modules(paddle):
        names = set(public_names(name, module))
        names.update(defined_names(name, module))
        names.update(info.name for info in pkgutil.iter_modules(getattr(module, "__path__", ())) if info.name[0] != "_")
        if names:
            print(" ".join([paddle.__version__, name, *sorted(names)]))


if __name__ == "__main__":
    main()
