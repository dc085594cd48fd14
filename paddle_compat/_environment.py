"""`python -m paddle_compat alias on|off|status`: the import hook for every process of a Python environment.

    alias on [--force]   from now on, plain `python train.py` runs Paddle scripts on paddle_compat in this environment.
                         Refused where the real Paddle is installed, unless forced: it could not be imported any more.
    alias off            take it back; nothing remains.
    alias status         say which it is.

It is one file, paddle_compat_alias.pth, in the environment's site-packages.
"""

from __future__ import annotations

import importlib.machinery
import os
import site
import sys
import sysconfig

from ._alias import ALIAS, STARTUP_DIR, AliasFinder

PTH = "paddle_compat_alias.pth"


def main(words: list[str]) -> int | str | None:
    """The `alias` command.

    Args:
        words: what follows `alias` on the command line.
    Returns:
        None for success, a message or status for `sys.exit` otherwise.
    """
    if words == ["status"]:
        print(status())
        return None
    if words == ["off"]:
        return off()
    if words in (["on"], ["on", "--force"], ["--force", "on"]):
        return on(force="--force" in words)
    print(__doc__, file=sys.stdout if words in (["-h"], ["--help"]) else sys.stderr)
    return None if words in (["-h"], ["--help"]) else 2


def on(force: bool = False) -> str | None:
    """Write the file.

    Args:
        force: also where the real Paddle is installed.
    Returns:
        None, or why not.
    """
    real = real_paddle()
    if real and not force:
        return f"alias: PaddlePaddle is installed in {real}. Uninstall it, or hide it with `alias on --force`."
    path = os.path.join(sysconfig.get_path("purelib"), PTH)
    start = os.path.join(STARTUP_DIR, "sitecustomize.py")
    line = (
        f"import os; path = {start!r}; os.path.isfile(path) and "
        "exec(compile(open(path).read(), path, 'exec'), {'__name__': 'paddle_compat_alias', '__file__': path})\n"
    )
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(line)
    except OSError as error:
        return f"alias: cannot write {path}: {error.strerror}. Is this a virtual environment of yours?"
    print(status())
    return None


def off() -> str | None:
    """Remove the file.

    Returns:
        None, or why not.
    """
    for path in files():
        try:
            os.remove(path)
        except OSError as error:
            return f"alias: cannot remove {path}: {error.strerror}"
    print(status())
    return None


def status() -> str:
    """Whether the alias is on, and by which file."""
    found, real = files(), real_paddle()
    text = f"alias: on ({', '.join(found)})" if found else f"alias: off (in {sys.prefix})"
    if real:
        text += f"\nthe real PaddlePaddle is installed in {real}" + (" and hidden" if found else "")
    return text


def files() -> list[str]:
    """The files that put the alias on in this environment, none or one."""
    paths = (os.path.join(folder, PTH) for folder in _site_folders())
    return [path for path in paths if os.path.isfile(path)]


def real_paddle() -> str | None:
    """The folder of the real Paddle that `import paddle` finds in this environment, or None.

    Wherever it is: in site-packages, in a folder that a .pth file or PYTHONPATH names, or installed as editable, which
    adds a finder. What the current folder holds is not installed.
    """
    here = ("", os.getcwd())
    for finder in sys.meta_path:
        if not isinstance(finder, AliasFinder):
            path = [entry for entry in sys.path if entry not in here] if finder is importlib.machinery.PathFinder else None
            spec = finder.find_spec(ALIAS, path)
            if spec is not None and spec.origin:
                return os.path.dirname(spec.origin)
    return None


def _site_folders() -> list[str]:
    user = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    return list(dict.fromkeys([sysconfig.get_path("purelib"), *site.getsitepackages(), *user]))
