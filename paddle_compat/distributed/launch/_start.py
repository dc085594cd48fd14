"""Becomes a process of a job: `python _start.py COMMAND ...`, run by its path, before anything of the package is imported.

Output goes behind what the log has (torch's own redirection would begin it anew, and open it once for each of the two streams). However the
launcher ends, this process does not outlive it: the system kills it then.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_ON_PARENTS_DEATH = 1  # PR_SET_PDEATHSIG; it outlives exec


def main() -> None:
    """Prepare this process, and run the command in it."""
    log = os.environ.pop("PADDLE_COMPAT_LOG", "")
    if log:
        file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        os.dup2(file, 1)
        os.dup2(file, 2)
        os.close(file)
    launcher = os.environ.pop("PADDLE_COMPAT_LAUNCHER", "")
    if launcher and sys.platform == "linux":
        ctypes.CDLL(None).prctl(_ON_PARENTS_DEATH, signal.SIGKILL)
        if str(os.getppid()) != launcher:  # it ended before the line above
            sys.exit(1)
    try:
        os.execvp(sys.argv[1], sys.argv[1:])
    except OSError as error:
        print(f"{sys.argv[1]}: {error.strerror}", file=sys.stderr)
        sys.exit(127 if isinstance(error, FileNotFoundError) else 126)


if __name__ == "__main__":
    main()
