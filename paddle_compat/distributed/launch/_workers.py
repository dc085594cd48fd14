"""The processes of one machine: their commands, Paddle's variables for them, and where their output goes."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any, TextIO

from torch.distributed.elastic.multiprocessing import LogsDest, LogsSpecs

from paddle_compat.distributed.launch._options import Options

_START = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_start.py")
_DETAIL = 3000  # characters of a failed process's log that are shown


def command(options: Options) -> tuple[str, ...]:
    """The words after Python's own: what runs the user's script under the import hook, or a command that is none of Python's."""
    python = (sys.executable, "-u", "-m", "paddle_compat")
    if options.module:
        words: tuple[str, ...] = (*python, "-m", options.script)
    elif options.script.endswith((".py", ".pyc")) or os.path.isdir(options.script):
        words = (*python, options.script)
    else:
        words = (options.script,)
    return ("-I", "-S", _START, *words, *options.arguments)


class Workers(LogsSpecs):
    """What torch asks for a group's environment and logs, once for each time that the group starts.

    Args:
        options: of the launcher.
        names: the log of each process of this machine.
        variables: gives Paddle's, from torch's for each process.
    """

    def __init__(
        self, options: Options, names: Sequence[str], variables: Callable[[dict[int, dict[str, str]]], dict[int, dict[str, str]]]
    ) -> None:
        super().__init__(options.log_dir)
        self._variables = variables
        self._folder = os.path.abspath(options.log_dir) if options.log_dir else None
        self.files = [os.path.join(self._folder, name) for name in names] if self._folder else []
        if self._folder:
            os.makedirs(self._folder, exist_ok=True)
        if options.overwrite:
            for file in self.files:
                open(file, "w").close()

        self._starts = [os.path.getsize(file) if os.path.exists(file) else 0 for file in self.files]

    def show_end(self, i: int, output: TextIO) -> None:
        """Show the end of what a process said in this job.

        Args:
            i: its number on this machine; output: where to.
        """
        with open(self.files[i], errors="replace") as log:
            log.seek(self._starts[i])
            text = log.read()[-_DETAIL:]
        output.write(text if text.endswith("\n") or not text else text + "\n")
        output.flush()

    @property
    def root_log_dir(self) -> str:
        """The folder."""
        return self._folder or ""

    def reify(self, envs: dict[int, dict[str, str]]) -> LogsDest:
        """Complete the processes' variables.

        Args:
            envs: torch's, by process; what is written here is what a process gets.
        """
        nowhere: dict[int, Any] = dict.fromkeys(envs)
        for i, variables in self._variables(envs).items():
            envs[i].update(variables, PADDLE_COMPAT_LAUNCHER=str(os.getpid()))
            if self.files:
                envs[i].update(PADDLE_LOG_DIR=self._folder or "", PADDLE_COMPAT_LOG=self.files[i])
        return LogsDest(stdouts=nowhere, stderrs=nowhere, error_files=dict.fromkeys(envs, ""))


class Follower:
    """Shows what is written to a file from now on.

    Args:
        file: its path; None: nothing is shown.
        output: where.
    """

    def __init__(self, file: str | None, output: TextIO) -> None:
        self._file, self._output, self._end = file, output, threading.Event()
        self._start = os.path.getsize(file) if file and os.path.exists(file) else 0
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def __enter__(self) -> Follower:
        if self._file:
            self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._end.set()
        if self._file:
            self._thread.join()

    def _follow(self) -> None:
        while self._file and not os.path.exists(self._file):
            if self._end.wait(0.05):
                return
        with open(self._file or "", errors="replace") as file:
            file.seek(self._start)
            ended = False
            while not ended:
                ended = self._end.wait(0.05)  # asked first: what is written before the end is still read
                text = file.read()
                if text:
                    self._output.write(text)
                    self._output.flush()


def status_of(exitcode: int) -> int:
    """What a process's end is for the shell: its status, or 128 and the signal that ended it."""
    return 128 - exitcode if exitcode < 0 else exitcode
