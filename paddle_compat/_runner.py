"""Runs a Paddle script as Python itself would, with `import paddle` meaning paddle_compat.

    python -m paddle_compat SCRIPT [ARGUMENT ...]      a script, or a folder or zip file with a __main__.py
    python -m paddle_compat -m MODULE [ARGUMENT ...]   a module
    python -m paddle_compat -c CODE [ARGUMENT ...]     a line of code
    python -m paddle_compat [- [ARGUMENT ...]]         standard input; a prompt when that is a terminal
    python -m paddle_compat alias on|off|status        plain `python` for this whole environment (see alias --help)
    python -m paddle_compat scan PATH ...              what of Paddle scripts would fail here, without running them
    python -m paddle_compat compare THERE HERE         where two runs part that migrate/recorder.py has written down
    python -m paddle_compat --version

Processes that the script starts with the same Python inherit it. Name a script that is called like a command ./alias.
"""

from __future__ import annotations

import builtins
import importlib.machinery
import os
import sys
from collections.abc import Callable
from types import CodeType, ModuleType, TracebackType
from typing import Any, NoReturn

from . import _alias


def main(arguments: list[str] | None = None) -> None:
    """The command line.

    Args:
        arguments: the words after ``python -m paddle_compat``; default: those of this process.
    """
    words = sys.argv[1:] if arguments is None else arguments
    if not _is_path_safe():
        del sys.path[0]  # the folder that `-m paddle_compat` was given in, whose files must not pass for Python's own
    first, rest = (words[0], words[1:]) if words else ("-", [])
    if first == "alias":
        from ._environment import main as alias_command

        sys.exit(alias_command(rest))
    if first in ("-h", "--help"):
        print(__doc__)
        return
    if first in ("-V", "--version"):
        from .version import RELEASE, full_version

        print(f"paddle_compat {RELEASE} (as PaddlePaddle {full_version})")
        return
    if first in ("-m", "-c") and not rest:
        _usage(f"{first} needs an argument")
    if first.startswith("-") and first not in ("-m", "-c", "-"):
        _usage(f"unknown option {first}; options of Python itself go before -m paddle_compat")
    _alias.install()
    del sys.modules[_alias.PACKAGE]  # found without its first modules; the script's import loads it whole
    if first in ("scan", "compare"):  # with the whole package
        sys.exit(importlib.import_module(f"{_alias.PACKAGE}.migrate._{first}").main(rest))
    if first == "-m":
        _run_module(rest[0], rest[1:])
    elif first == "-c":
        _run_text(rest[0], "<string>", words[:1] + rest[1:])
    elif first != "-":
        _run_script(first, rest)
    elif sys.stdin is not None and sys.stdin.isatty():
        _run_prompt(words or [""])
    else:
        _run_text(sys.stdin.buffer.read() if sys.stdin else "", "<stdin>", words or [""])


def _usage(problem: str) -> NoReturn:
    print(f"paddle_compat: {problem}\n\n{__doc__}", file=sys.stderr)
    sys.exit(2)


def _run_script(path: str, arguments: list[str]) -> None:
    import pkgutil

    sys.argv[:] = [path, *arguments]
    full = os.path.join(os.getcwd(), path)  # absolute and, like Python's, not normalised
    if pkgutil.get_importer(path) is not None:  # a folder or an archive; Python puts it there also on a safe path
        full = os.getcwd() if path in ("", ".") and sys.version_info >= (3, 11) else full
        sys.path.insert(0, full)
        _run_as_main("__main__", alter_argv=False)
        return
    compiled = path.endswith(".pyc")
    loader: Any = (importlib.machinery.SourcelessFileLoader if compiled else importlib.machinery.SourceFileLoader)("__main__", full)
    try:
        source = loader.get_data(full)
    except OSError as error:
        problem = f"[Errno {error.errno}] {error.strerror}"
        print(f"{sys.executable}: can't open file {full!r}: {problem}", file=sys.stderr)
        sys.exit(2)
    _set_first_path(os.path.dirname(os.path.realpath(path)))
    module = _new_main(loader, __file__=full, __cached__=None)

    def code() -> CodeType:
        return loader.get_code("__main__") if compiled else _compile(source, full)

    _run(lambda: exec(code(), vars(module)))


def _run_module(name: str, arguments: list[str]) -> None:
    sys.argv[:] = ["-m", *arguments]  # runpy puts the file there once it has found it
    _run_as_main(name, alter_argv=True)


def _run_as_main(name: str, alter_argv: bool) -> None:
    import runpy

    if alter_argv:
        _set_first_path(os.getcwd())
    _new_main(importlib.machinery.BuiltinImporter)
    # What `python -m` calls. run_module() would take `__main__` away at the end, from threads, atexit and pickle.
    run_module: Callable[..., Any] = runpy._run_module_as_main  # type: ignore[attr-defined]
    _run(lambda: run_module(name, alter_argv=alter_argv))


def _run_text(text: str | bytes, name: str, argv: list[str]) -> None:
    if name == "<string>" and sys.version_info >= (3, 13):  # its tracebacks quote the code
        import linecache

        linecache.cache[name] = (len(text), None, str(text).splitlines(keepends=True), name)
    sys.argv[:] = argv
    _set_first_path("")
    file = {"__file__": name, "__cached__": None} if name == "<stdin>" else {}
    module = _new_main(importlib.machinery.BuiltinImporter, **file)
    _run(lambda: exec(_compile(text, name), vars(module)))


def _run_prompt(argv: list[str]) -> None:
    import code

    sys.argv[:] = argv
    _set_first_path("")
    module = _new_main(importlib.machinery.BuiltinImporter)
    prepare = getattr(sys, "__interactivehook__", None)  # history and completion
    if prepare is not None:
        prepare()
    code.interact(banner=f"Python {sys.version}\n`import paddle` is paddle_compat.", local=vars(module), exitmsg="")


def _compile(text: str | bytes, name: str) -> CodeType:
    return compile(text, name, "exec", dont_inherit=True)  # not this file's __future__ features


def _set_first_path(entry: str) -> None:
    """`sys.path[0]` holds the folder of what runs."""
    if not _is_path_safe():
        sys.path.insert(0, entry)


def _is_path_safe() -> bool:
    return getattr(sys.flags, "safe_path", bool(sys.flags.isolated))


def _new_main(loader: object, **attributes: Any) -> ModuleType:
    """A fresh `__main__`, as Python prepares it; the runner's own stays alive in its frame."""
    module = ModuleType("__main__")
    annotations: dict[str, Any] = {"__annotations__": {}} if sys.version_info < (3, 14) else {}
    vars(module).update({"__loader__": loader, **annotations, "__builtins__": builtins, **attributes})
    sys.modules["__main__"] = module
    return module


def _run(body: Callable[[], object]) -> None:
    """Run the script, and what it has begun; an exception that it leaves uncaught is reported without the runner's frames."""
    try:
        body()
        if (processes := sys.modules.get("paddle_compat.engine.processes")) is not None:
            processes.finish()
    except BaseException as error:
        # Left to the interpreter, which then also chooses the exit status (of a KeyboardInterrupt, say).
        if not isinstance(error, SystemExit) or _is_prompt_next():
            _report_without_runner(error)
        raise


def _is_prompt_next() -> bool:
    """Whether Python goes on with a prompt (`python -i`), before which it reports also a SystemExit."""
    return bool(sys.flags.inspect or os.environ.get("PYTHONINSPECT"))


def _report_without_runner(error: BaseException) -> None:
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename == __file__:
        frames = frames.tb_next
    report = sys.excepthook

    def report_script(kind: type[BaseException], value: BaseException, trace: TracebackType | None) -> None:
        nonlocal frames
        mine, frames = frames, None  # the hook outlives the script: it must not keep what the script's frames hold
        sys.excepthook, sys.last_traceback = report, mine
        try:
            report(kind, value.with_traceback(mine), mine)
        except SystemExit:
            raise
        except BaseException as second:  # a hook of the script's that fails; the interpreter would show this frame
            _show("Error in sys.excepthook:", second, second.__traceback__ and second.__traceback__.tb_next)
            _show("\nOriginal exception was:", value, mine)

    sys.excepthook = report_script


def _show(title: str, error: BaseException, trace: TracebackType | None) -> None:
    print(title, file=sys.stderr)
    sys.__excepthook__(type(error), error.with_traceback(trace), trace)
