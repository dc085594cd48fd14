"""Runs the test files on all cores: processes forked once everything is collected, whose reports one pytest tells as its own.

TEST_PROCESSES says how many; scripts/test sets it. A process asks for the next file when it begins the last test of one, so that
none waits for another, and the fixtures of a module are set up and torn down as where one process runs all.
"""

from __future__ import annotations

import gc
import itertools
import multiprocessing
import os
import signal
import sys
import traceback
import warnings
from collections import Counter, deque
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from typing import Any

import pytest

SLOWEST = 10  # files named at the end of a run


def processes(config: pytest.Config) -> int:
    """How many a run has: 1 where a debugger or the terminal belongs to the tests, or where a fork would lose threads."""
    option, torch = config.option, sys.modules.get("torch")
    alone = option.usepdb or option.capture == "no" or option.collectonly
    threads = torch is not None and (torch.get_num_threads() > 1 or torch.cuda.is_initialized())
    return 1 if alone or threads else int(os.environ.get("TEST_PROCESSES", "1"))


def parts(items: list[pytest.Item]) -> deque[list[int]]:
    """The numbers of the items, by file: those with slow tests first, then those that start processes, which lie on top."""
    found = [[i for i, _ in part] for _, part in itertools.groupby(enumerate(items), lambda pair: pair[1].path)]
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    return deque(sorted(found, key=lambda part: (items[part[0]].path not in slow, len(items[part[0]].path.parts))))


class Reporter:
    """In a forked process: hands on what pytest shows and counts."""

    def __init__(self, config: pytest.Config, pipe: Connection) -> None:
        self.config, self.pipe = config, pipe
        self.known = True
        config.pluginmanager.register(self)  # which repeats the warnings that came before
        self.known = False

    def pytest_runtest_logstart(self, nodeid: str, location: Any) -> None:
        self.pipe.send(("start", {"nodeid": nodeid, "location": location}))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.pipe.send(("report", self.config.hook.pytest_report_to_serializable(config=self.config, report=report)))

    def pytest_runtest_logfinish(self, nodeid: str, location: Any) -> None:
        self.pipe.send(("finish", {"nodeid": nodeid, "location": location}))

    def pytest_warning_recorded(self, warning_message: warnings.WarningMessage, when: Any, nodeid: str, location: Any) -> None:
        if self.known:
            return
        category = warning_message.category.__name__  # the class itself may be one that only this process has
        shown = {"text": str(warning_message.message), "category": category}
        shown |= {"filename": warning_message.filename, "lineno": warning_message.lineno}
        self.pipe.send(("warning", {**shown, "when": when, "nodeid": nodeid, "location": location}))


def drawn(pipe: Connection) -> Iterator[int]:
    """The numbers of the tests to run; asks for a part where the last one is used up."""
    while True:
        pipe.send(("more", {}))
        part = pipe.recv()
        if part is None:
            return
        yield from part


def work(session: pytest.Session, pipe: Connection) -> None:
    """In a forked process: runs tests until there are none left."""
    capture: Any = session.config.pluginmanager.getplugin("capturemanager")
    capture.stop_global_capturing()  # its files are shared with the others
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what the terminal shows is the first process's to say
    capture.start_global_capturing()
    capture.suspend_global_capture()
    Reporter(session.config, pipe)
    numbers = drawn(pipe)
    number = next(numbers, None)
    while number is not None and not session.shouldfail and not session.shouldstop and not pipe.poll():
        following = next(numbers, None)
        nextitem = None if following is None else session.items[following]
        session.config.hook.pytest_runtest_protocol(item=session.items[number], nextitem=nextitem)
        number = following
    session._setupstate.teardown_exact(None)  # of what a failure cut short


class Worker:
    """A forked process, as the one that started it sees it."""

    def __init__(self, session: pytest.Session) -> None:
        self.session = session
        self.given: deque[int] = deque()  # and not begun
        self.running: dict[str, Any] | None = None
        self.pipe, theirs = multiprocessing.Pipe()
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            status = 1
            try:
                self.pipe.close()
                work(session, theirs)
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)  # what is to be done at exit is the first process's
        theirs.close()

    def heard(self, kind: str, what: dict[str, Any], todo: deque[list[int]]) -> None:
        """Answer a message, or tell pytest."""
        config, hook = self.session.config, self.session.config.hook
        if kind == "more":
            part = todo.popleft() if todo and not self.session.shouldfail else None
            self.given.extend(part or ())
            self.pipe.send(part)
        elif kind == "start":
            assert self.session.items[self.given.popleft()].nodeid == what["nodeid"]
            self.running = what
            hook.pytest_runtest_logstart(**what)
        elif kind == "finish":
            self.running = None
            hook.pytest_runtest_logfinish(**what)
        elif kind == "report":
            hook.pytest_runtest_logreport(report=hook.pytest_report_from_serializable(config=config, data=what))
        else:
            category = type(what["category"], (Warning,), {})
            shown = warnings.WarningMessage(category(what["text"]), category, what["filename"], what["lineno"])
            where = {name: what[name] for name in ("when", "nodeid", "location")}
            hook.pytest_warning_recorded.call_historic(kwargs={"warning_message": shown, **where})

    def ended(self) -> None:
        """Wait for the end of the process; the test that it left half done has failed."""
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        if self.running is None and (status or self.given and not self.session.shouldfail):
            raise RuntimeError(f"a process that runs tests ended between two of them, with {status}")
        if self.running is not None:
            why = f"the process that ran this test ended with {status}"
            report = pytest.TestReport(**self.running, keywords={}, outcome="failed", longrepr=why, when="call")
            self.session.config.hook.pytest_runtest_logreport(report=report)
            self.session.config.hook.pytest_runtest_logfinish(**self.running)


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run everything in processes of its own; None: pytest runs it here."""
    count, todo = processes(session.config), parts(session.items)
    if min(count, len(todo)) < 2 or session.testsfailed:
        return None
    session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]  # one folder for the files of all
    gc.collect()
    gc.freeze()  # what is collected stays: looking through it again costs each pass of the garbage collector a second
    workers = {worker.pipe: worker for worker in (Worker(session) for _ in range(min(count, len(todo))))}
    try:
        while workers:
            for pipe in wait(list(workers)):
                worker = workers[pipe]
                try:
                    worker.heard(*pipe.recv(), todo)
                except EOFError:
                    del workers[pipe]
                    worker.ended()
                    if worker.given and not session.shouldfail:
                        todo.appendleft(list(worker.given))
                        replacement = Worker(session)
                        workers[replacement.pipe] = replacement
    finally:
        for worker in workers.values():
            os.kill(worker.pid, signal.SIGINT)
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    assert not todo
    return True


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Name the files that took longest, where there are many."""
    seconds: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[report.nodeid.partition("::")[0]] += report.duration  # type: ignore[assignment]
    if len(seconds) > SLOWEST:
        terminalreporter.section(f"slowest {SLOWEST} files")
        for name, duration in seconds.most_common(SLOWEST):
            terminalreporter.line(f"{duration:.1f} s {name}")
