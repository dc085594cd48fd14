"""Samples that lie in files, read through a shell command by threads of their own, while the caller's thread runs a Program.

Whatever happens to the caller, `Readers.close` ends the threads and the child processes.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import torch

from paddle_compat.core import int_stats
from paddle_compat.core.errors import ExternalError, NotFoundError, UnsupportedError
from paddle_compat.core.lod import LoDTensor
from paddle_compat.engine.multislot import Columns, Slot, parse

_CHUNK = 1 << 19  # bytes that are parsed at once: what a second-level cache holds several times
_AHEAD = 4  # batches that a thread may be ahead of the caller
_REMOTE = ("hdfs:", "afs:")


class Source(NamedTuple):
    """How files become samples."""

    slots: tuple[Slot, ...]
    command: str = "cat"  # what a file goes through before it is parsed
    skipped: int = 0  # fields that come before the slots
    download: str = ""  # a command that writes a remote file to its standard output


class Readers:
    """Threads that read, and the processes that they read from; a context that ends them all."""

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self._lock = threading.Lock()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Readers:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End everything."""
        self.stopped.set()
        with self._lock:
            for process in self._processes:
                _kill(process)
        for thread in self._threads:
            thread.join()

    def ahead(self, make: Callable[[], Iterable[Any]]) -> Iterator[Any]:
        """What an iterable gives, made by a thread that begins now and is a little ahead."""
        made: queue.Queue[tuple[Any, BaseException | None] | None] = queue.Queue(_AHEAD)

        def put(item: Any) -> bool:
            while not self.stopped.is_set():
                with contextlib.suppress(queue.Full):
                    made.put(item, timeout=0.1)
                    return True
            return False

        def work() -> None:
            try:
                for item in make():
                    if not put((item, None)):
                        return
                put(None)
            except BaseException as error:  # raised where the items are taken
                put((None, error))

        def taken() -> Iterator[Any]:
            while not self.stopped.is_set():
                try:
                    item = made.get(timeout=0.1)
                except queue.Empty:
                    continue
                if item is None:
                    return
                if item[1] is not None:
                    raise item[1]
                yield item[0]

        thread = threading.Thread(target=work, name="dataset reader", daemon=True)
        self._threads.append(thread)
        thread.start()
        return taken()

    def columns(self, source: Source, path: str) -> Iterator[Columns]:
        """The samples of a file, some thousands at a time.

        Raises:
            NotFoundError: there is no such file.
            ExternalError: the command failed; the text has its exit status.
            InvalidArgumentError: a line is malformed.
        """
        line, rest = 1, b""
        with self._opened(source, path) as file:
            while block := file.read(_CHUNK):
                end = block.rfind(b"\n") + 1
                if not end:
                    rest += block
                    continue
                text, rest = rest + block[:end], block[end:]
                yield parse(text, source.slots, path, line, source.skipped)
                line += text.count(b"\n")
        if rest and not self.stopped.is_set():
            yield parse(rest, source.slots, path, line, source.skipped)

    @contextlib.contextmanager
    def _opened(self, source: Source, path: str) -> Iterator[Any]:
        """A file's text, as the command gives it; `.gz` files are unpacked before."""
        remote, packed = path.startswith(_REMOTE), path.endswith(".gz")
        if remote and not source.download:
            raise UnsupportedError("set_filelist", path, "set_download_cmd, or files that fleet.utils.HDFSClient has fetched")
        if not remote and not os.path.isfile(path):
            raise NotFoundError(f"A dataset's file is not there. Expected a file for set_filelist. Received: {path}")
        if not remote and source.command.strip() == "cat":
            with gzip.open(path) if packed else open(path, "rb") as file:
                yield file
            return
        with contextlib.ExitStack() as stack:
            if remote or packed:
                unpacking = f'{source.download} "$0"' if remote else 'gzip -dc -- "$0"'
                commands = {unpacking: self._started(stack, ["bash", "-c", unpacking, path], subprocess.DEVNULL)}
                stdin = commands[unpacking].stdout
            else:
                commands, stdin = {}, stack.enter_context(open(path, "rb"))
            commands[source.command] = last = self._started(stack, ["bash", "-c", source.command], stdin)
            assert last.stdout is not None
            yield last.stdout
            for command, process in commands.items():
                status = process.wait()
                # one whose reader wants no more may end by the signal for that
                if status and not self.stopped.is_set() and (process is last or status not in (-signal.SIGPIPE, 128 + signal.SIGPIPE)):
                    raise ExternalError(
                        f"A dataset's pipe command failed. Expected exit status 0 of `{command}` on {path}. Received: exit status {status}"
                    )

    def _started(self, stack: contextlib.ExitStack, arguments: list[str], stdin: Any) -> subprocess.Popen[bytes]:
        """A child process that is gone when the stack is left."""
        with self._lock:
            if self.stopped.is_set():
                raise ExternalError("The reading of a dataset has ended.")
            process = subprocess.Popen(arguments, stdin=stdin, stdout=subprocess.PIPE, start_new_session=True)
            self._processes.append(process)
        stack.callback(self._ended, process)
        if not isinstance(stdin, int):
            stdin.close()  # the child has it
        return process

    def _ended(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            _kill(process)
            self._processes.remove(process)
        assert process.stdout is not None
        process.stdout.close()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a child process and those that it started."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def batches(parts: Iterable[Columns], size: int) -> Iterator[Columns]:
    """Batches of what comes in parts of any size; the last one holds what is left."""
    waiting: list[Columns] = []
    count = 0
    for part in parts:
        waiting.append(part)
        count += part.size
        if count < size:
            continue
        whole = Columns.joined(part.slots, waiting)
        begin = 0
        while count - begin >= size:
            yield whole.part(begin, begin + size)
            begin += size
        count -= begin
        waiting = [whole.part(begin, whole.size)]
    if count:
        yield Columns.joined(waiting[0].slots, waiting)


def feed_of(samples: Columns, whole: bool = False) -> tuple[int, dict[str, np.ndarray | LoDTensor]]:
    """How many samples a batch has, and the batch as an Executor is fed; what is fed is its own.

    Args:
        whole: there is one sample, which is a batch itself: each value stands for one of its own.
    """
    feed: dict[str, np.ndarray | LoDTensor] = {}
    for slot, values, offsets in zip(samples.slots, samples.values, samples.offsets, strict=True):
        if slot.shape is not None:
            feed[slot.name] = values.reshape(samples.size, *slot.shape).copy()
        else:
            assert offsets is not None
            if whole:
                offsets = np.arange(len(values) + 1)
            feed[slot.name] = LoDTensor(torch.from_numpy(values.reshape(-1, 1).copy()), (torch.from_numpy(offsets.copy()),))
    return samples.size, feed


def kept(samples: Columns, first: bool) -> Columns:
    """What a dataset keeps of the samples that it has loaded; the values other than zero are counted, once for each dataset."""
    found = samples.without_zeros()
    if first:
        int_stats.add(int_stats.IN_MEMORY, sum(int(np.count_nonzero(np.abs(values) >= 1e-6)) for values in found.values))
    return found


def loaded(source: Source, files: Sequence[str], threads: int) -> Columns:
    """All samples of files, in their order, read by several threads."""
    threads = max(1, min(threads, len(files)))
    with Readers() as readers:

        def read(begin: int) -> Iterator[list[list[Columns]]]:
            yield [list(readers.columns(source, path)) for path in files[begin::threads]]

        shares = [readers.ahead(partial(read, begin)) for begin in range(threads)]
        found = [next(share) for share in shares]
    return Columns.joined(source.slots, [part for i in range(len(files)) for part in found[i % threads][i // threads]])


def streamed(readers: Readers, source: Source, files: Sequence[str], size: int, threads: int) -> list[Iterator[Any]]:
    """Feeds from files, in turn for each thread, as they are read."""
    threads = max(1, min(threads, len(files)))

    def feeds(begin: int) -> Iterator[Any]:
        parts = (part for path in files[begin::threads] for part in readers.columns(source, path))
        return map(feed_of, batches(parts, size))

    return [readers.ahead(partial(feeds, begin)) for begin in range(threads)]


def divided(readers: Readers, samples: Columns, size: int, threads: int, whole: bool = False) -> list[Iterator[Any]]:
    """Feeds from samples in memory (`whole`: which are batches), a block of them for each thread, as large as Paddle makes them."""
    block = samples.size // threads + 1 if threads > 1 else max(samples.size, 1)

    def feeds(begin: int) -> Iterator[Any]:
        own = batches([samples.part(begin, min(begin + block, samples.size))], size)
        return (feed_of(batch, whole) for batch in own)

    return [readers.ahead(partial(feeds, begin)) for begin in range(0, samples.size, block)]


def in_turn(streams: Iterable[Iterator[Any]]) -> Iterator[tuple[int, int, Any]]:
    """The feeds of streams, one after another, with the stream's number and the batch's size, until all have ended."""
    going = dict(enumerate(streams))
    while going:
        for number, stream in list(going.items()):
            try:
                size, feed = next(stream)
            except StopIteration:
                del going[number]
            else:
                yield number, size, feed
