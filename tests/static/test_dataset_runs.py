"""Training from datasets of files: lines and numbers of Paddle 1.8.5 and 2.6.2, the bits that feeding gives, and no thread is left."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import os
import re
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from processes import ROOT

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.core.errors import EnforceNotMet, ExternalError, InvalidArgumentError, NotFoundError
from paddle_compat.errors import UnsupportedError

sys.path.insert(0, str(ROOT / "scripts/references"))

import dataset_cases as cases

cases.use(paddle)

NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")


@pytest.fixture(autouse=True)
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    before = threading.active_count()
    yield
    assert threading.active_count() == before, [thread.name for thread in threading.enumerate()]
    paddle.disable_static()


@contextlib.contextmanager
def printed() -> Iterator[list[str]]:
    """What Python prints inside."""
    text, found = io.StringIO(), list[str]()
    with contextlib.redirect_stdout(text):
        yield found
    found.append(text.getvalue())


def scrubbed(text: str) -> tuple[str, list[float]]:
    """A printed text without times and numbers that are not whole, and these."""
    text = re.sub(r"device worker program id: .*\n", "", text)
    text = re.sub(r"time: \[[-0-9: ]+\]", "time: []", text)
    return NUMBER.sub("#", text), [float(word) for word in NUMBER.findall(text)]


@pytest.mark.parametrize("version", ["1.8.5", "2.6.2"])
def test_as_the_wheels_do(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "printed", printed)
    recorded = json.loads((ROOT / f"tests/references/datasets_{version}.json").read_text())
    found = cases.answers(version == "1.8.5")
    assert found.keys() == recorded.keys()
    for name, case in recorded.items():
        ours = found[name]
        assert ours["desc"] == case["desc"], name
        assert ours.get("loaded") == case.get("loaded")
        (shape, numbers), (expected_shape, expected) = scrubbed(ours["printed"]), scrubbed(case["printed"])
        assert shape == expected_shape, name
        np.testing.assert_allclose(numbers, expected, rtol=2e-5)
        for value, wanted in zip(ours["parameters"], case["parameters"], strict=True):
            np.testing.assert_allclose(value, wanted, rtol=1e-5, atol=1e-6)


class Job:
    """The network of the cases, its files, and runs of it."""

    def __init__(self, folder: Path) -> None:
        self.paths = cases.write(str(folder))
        self.main, self.startup, self.variables, (self.loss, _) = cases.network(True)
        self.exe = fluid.Executor(fluid.CPUPlace())

    def dataset(self, kind: str = "QueueDataset", batch: int = 2, threads: int = 1) -> Any:
        made = cases.dataset(True, kind, self.variables, self.paths, batch, threads)
        if kind == "InMemoryDataset":
            made.load_into_memory()
        return made

    def parameters_after(self, run: Any) -> list[bytes]:
        scope = fluid.Scope()
        with fluid.scope_guard(scope):
            self.exe.run(self.startup)
            run()
            return [np.array(scope.find_var(p.name).get_tensor()).tobytes() for p in self.main.all_parameters()]

    def fed(self, rows: list[list[int]]) -> list[bytes]:
        """The parameters after batches of the files' lines, each in Python."""
        every = [line.split() for part in cases.lines() for line in part]

        def run() -> None:
            for batch in rows:
                ids, x, y = [], [], []
                for row in batch:
                    words, count = every[row], int(every[row][0])
                    ids.append([int(w) for w in words[1 : 1 + count]])
                    x.append([float(w) for w in words[2 + count : 4 + count]])
                    y.append([int(words[-1])])
                flat = np.array([[i] for some in ids for i in some], "int64")
                tensor = fluid.create_lod_tensor(flat, [[len(some) for some in ids]], fluid.CPUPlace())
                self.exe.run(
                    self.main, feed={"ids": tensor, "x": np.array(x, "float32"), "y": np.array(y, "int64")}, fetch_list=[self.loss]
                )

        return self.parameters_after(run)


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return Job(tmp_path)


def test_one_thread_gives_the_bits_of_feeding(job: Job) -> None:
    expected = job.fed([[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11]])
    for kind in ("QueueDataset", "InMemoryDataset"):
        dataset = job.dataset(kind, 5)
        assert job.parameters_after(lambda dataset=dataset: job.exe.train_from_dataset(job.main, dataset)) == expected
        loader = fluid.io.DataLoader.from_dataset(dataset, [fluid.CPUPlace()], drop_last=False)
        assert job.parameters_after(lambda loader=loader: [job.exe.run(job.main, feed=feed) for feed in loader]) == expected


def test_threads_take_turns_and_lose_no_sample(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    # as they do where a Program calls other processes; in memory each has a block, as large as Paddle's: 12 // 2 + 1; of files every n-th
    monkeypatch.setattr("paddle_compat.static._dataset_runs.may_train_at_once", lambda *_: False)
    memory = job.fed([[0, 1], [7, 8], [2, 3], [9, 10], [4, 5], [11], [6]])
    dataset = job.dataset("InMemoryDataset")
    assert job.parameters_after(lambda: job.exe.train_from_dataset(job.main, dataset, thread=2)) == memory
    queue = job.fed([[0, 1], [5, 6], [2, 3], [7], [4, 8], [9, 10], [11]])
    dataset = job.dataset(threads=2)
    assert job.parameters_after(lambda: job.exe.train_from_dataset(job.main, dataset)) == queue


class Threads:
    """Rows of a table that are learnt by two threads, each from files with ids of its own, and a counter of all steps."""

    def __init__(self, folder: Path, in_step: Any) -> None:
        self.paths = [folder / f"rows-{i}" for i in range(2)]
        for i, path in enumerate(self.paths):
            path.write_text("".join(f"1 {10 * i + k % (i + 3)}\n" for k in range(24 - i)))  # as in-memory blocks divide 47
        self.main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(self.main, startup), fluid.unique_name.guard():
            self.ids = fluid.data("ids", [None, 1], "int64")
            table = fluid.ParamAttr(name="table", initializer=fluid.initializer.Constant(0.0))
            self.loss = fluid.layers.reduce_sum(-1.0 * fluid.embedding(self.ids, [20, 2], is_sparse=True, param_attr=table))
            seen = self.main.current_block().create_var(name="seen", shape=[-1, 1], dtype="int64")
            fluid.layers.py_func(in_step, self.ids, seen)
            self.counter = fluid.layers.autoincreased_step_counter()
            fluid.optimizer.SGD(1.0).minimize(self.loss)
        self.exe, self.scope = fluid.Executor(fluid.CPUPlace()), fluid.Scope()
        with fluid.scope_guard(self.scope):
            self.exe.run(startup)

    def run(self, kind: str) -> None:
        dataset = cases.dataset(True, kind, [self.ids], list(map(str, self.paths)), 2, 2)
        if kind == "InMemoryDataset":
            dataset.load_into_memory()
        with fluid.scope_guard(self.scope):
            fetched = [self.loss, self.counter]
            self.exe.train_from_dataset(self.main, dataset, thread=2, fetch_list=fetched, fetch_info=["loss", "steps"], print_period=4)

    def value(self, name: str) -> np.ndarray:
        return np.array(self.scope.find_var(name).get_tensor())


@pytest.mark.parametrize("kind", ["QueueDataset", "InMemoryDataset"])
def test_threads_train_at_once_on_shared_parameters(kind: str, tmp_path: Path) -> None:
    together = threading.Barrier(2, timeout=60)  # a step of each thread waits here for one of the other

    def in_step(ids: Any) -> np.ndarray:
        together.wait()
        return np.array(ids)

    job = Threads(tmp_path, in_step)
    with printed() as text:
        job.run(kind)
    counts = [sum(f"1 {row}" == line for path in job.paths for line in path.read_text().splitlines()) for row in range(20)]
    np.testing.assert_array_equal(job.value("table"), np.repeat(np.array(counts, "float32")[:, None], 2, 1))
    assert job.value(job.counter.name) == 24
    assert text[0].count("loss") == 3  # batches 4, 8 and 12 of the first thread


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("failing", [0, 10])  # an id of the calling thread's, and one of the other's
def test_an_error_in_one_thread_ends_all(failing: int, error: type[BaseException], tmp_path: Path) -> None:
    calling, fails = threading.get_ident(), threading.Event()

    def in_step(ids: Any) -> np.ndarray:
        if failing in np.array(ids):
            assert (threading.get_ident() == calling) == (failing == 0)
            fails.set()
            raise error("no further")
        fails.wait(60)
        return np.array(ids)

    job = Threads(tmp_path, in_step)
    job.paths[failing == 0].write_text("1 15\n" * 20000)  # what the others are at
    with pytest.raises(error, match="no further"):
        job.run("QueueDataset")
    assert job.value(job.counter.name) < 10000


def test_loader_of_several_places(job: Job) -> None:
    places = [fluid.CPUPlace()] * 2
    for drop, sizes in ((True, [[5, 5]]), (False, [[5, 5], [2]])):
        loader = fluid.io.DataLoader.from_dataset(job.dataset("InMemoryDataset", 5), places, drop)
        assert [[feed["y"].shape()[0] for feed in feeds] for feeds in loader()] == sizes
    with pytest.raises(AssertionError, match="InMemoryDataset"):
        fluid.io.DataLoader.from_dataset([], places)
    with pytest.raises(TypeError, match="list of places"):
        fluid.io.DataLoader.from_dataset(job.dataset(), fluid.CPUPlace())


def test_shuffles_repeat_and_lose_nothing(job: Job) -> None:
    def ids(dataset: Any) -> list[int]:
        loader = fluid.io.DataLoader.from_dataset(dataset, [fluid.CPUPlace()], False)
        return [int(i) for (feed,) in loader for i in np.array(feed["ids"]).reshape(-1)]

    dataset = job.dataset("InMemoryDataset")
    plain = ids(dataset)
    orders = []
    for _ in range(2):
        dataset = job.dataset("InMemoryDataset")
        dataset.local_shuffle()
        dataset.global_shuffle()
        assert (dataset.get_memory_data_size(), dataset.get_shuffle_data_size()) == (0, 12)
        orders.append(ids(dataset))
    assert orders[0] == orders[1] != plain and sorted(orders[0]) == sorted(plain)
    dataset.set_fea_eval(100)
    dataset.slots_shuffle(["y"])
    assert ids(dataset) == orders[0]
    dataset.release_memory()
    assert ids(dataset) == [] and dataset.get_shuffle_data_size() == 0
    dataset.preload_into_memory()  # nobody waits for this one
    dataset.preload_into_memory(2)
    with pytest.raises(RuntimeError, match="wait_preload_done"):
        ids(dataset)
    dataset.wait_preload_done()
    assert ids(dataset) == plain
    dataset.preload_into_memory()
    dataset.release_memory()
    assert ids(dataset) == [] and not [each for each in threading.enumerate() if each.name == "dataset reader"]


def test_zeros_of_sequences_in_memory_count_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_text("2 0 3 1 0 2 0.0 5.5\n3 0 0 0 1 1 1 0.0\n1 4 1 0 2 1e-7 -1e-5\n1 -0 1 2 2 -0.0 1e-6\n")
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        words, weights = (fluid.data(name, [None, 1], kind, lod_level=1) for name, kind in (("words", "int64"), ("weights", "float32")))
        variables = [words, fluid.data("label", [None, 1], "int64"), weights]
        found = {}
        for kind in ("QueueDataset", "InMemoryDataset"):
            dataset = cases.dataset(True, kind, variables, [str(path)], 4, 1)
            if kind == "InMemoryDataset":
                counted = paddle.base.core.get_int_stats()["STAT_total_feasign_num_in_mem"]
                for _ in range(2):  # the second time counts for nothing, as in Paddle 2.6.2
                    dataset.load_into_memory()
                    assert paddle.base.core.get_int_stats()["STAT_total_feasign_num_in_mem"] == counted + 6
            with printed() as text:
                arguments = {"fetch_list": variables, "fetch_info": ["w", "l", "v"], "print_period": 1}
                fluid.Executor(fluid.CPUPlace()).train_from_dataset(fluid.default_main_program(), dataset, **arguments)
            found[kind] = re.findall(r"data: \[(.*)\]", text[0])
    assert found == {
        "QueueDataset": ["0 3 0 0 0 4 0", "0 1 0 2", "0 5.5 0 1e-07 -1e-05 -0 1e-06"],
        "InMemoryDataset": ["3 0 4 0", "0 1 0 2", "5.5 0 -1e-05 0"],
    }


def test_lines_that_are_batches(tmp_path: Path) -> None:
    """As Paddle 2.6.2: in memory, each value of a slot with a LoD is a sample; a batch is one line."""
    path = tmp_path / "lines"
    path.write_text("1 5 2 6 7\n2 8 9 2 3 4\n")
    with paddle.static.program_guard(paddle.static.Program()):
        variables = [paddle.static.data("words", [None, 1], "int64", lod_level=1), paddle.static.data("dense", [None, 2], "int64")]
        main = paddle.static.default_main_program()
        for variable in variables:
            paddle.static.Print(variable)
        found = {}
        for kind in ("InMemoryDataset", "QueueDataset"):
            dataset = getattr(paddle.distributed, kind)()
            dataset.init(batch_size=1, thread_num=1, input_type=1, pipe_command="cat", use_var=variables)
            dataset.set_filelist([str(path)])
            if kind == "InMemoryDataset":
                dataset.load_into_memory()
            with printed() as text:
                paddle.static.Executor().train_from_dataset(main, dataset)
            found[kind] = re.findall(r"(?:lod|data): [\[{](.*)[]}]", text[0])
        assert found["InMemoryDataset"] == ["{0, 1}", "5", "", "6 7", "{0, 1, 2}", "8 9", "", "3 4"]
        assert found["QueueDataset"] == ["{0, 1}", "5", "", "6 7", "{0, 2}", "8 9", "", "3 4"]
        several = paddle.distributed.InMemoryDataset()
        several.init(batch_size=2, input_type=1, use_var=variables)
        several.set_filelist([str(path)])
        several.load_into_memory()
        with pytest.raises(InvalidArgumentError, match="batch_size"):
            paddle.static.Executor().train_from_dataset(main, several)
        with pytest.raises(UnsupportedError, match="input_type=2"):
            several.set_input_type(2)


def test_samples_that_are_to_be_merged(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_text("1 a 1 1\n1 a 1 3\n1 b 1 5\n")
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        words = fluid.data("words", [None, 1], "int64", lod_level=1)
    dataset = cases.dataset(True, "InMemoryDataset", [words], [str(path)], 4, 1)
    dataset.set_merge_by_lineid(2)  # which trainers that shuffle together do
    assert (dataset.merge_by_lineid, dataset.parse_ins_id, dataset.merge_by_sid, dataset.enable_pv_merge) == (True, True, True, False)
    dataset.load_into_memory()
    dataset.global_shuffle()
    assert (dataset.get_shuffle_data_size(), dataset.get_pv_data_size()) == (3, 0)
    for refused in (dataset.set_parse_logkey, dataset.set_enable_pv_merge):
        refused(True)
        with pytest.raises(UnsupportedError, match="=True"):
            dataset.load_into_memory()
        refused(False)

    class Two:
        def worker_num(self) -> int:
            return 2

    with pytest.raises(UnsupportedError, match="merge_by_lineid=True"):
        dataset.global_shuffle(Two())


def test_files_go_through_a_command(job: Job, tmp_path: Path) -> None:
    expected = job.fed([[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11]])
    for path in job.paths:
        packed = Path(path + ".gz")
        packed.write_bytes(gzip.compress(Path(path).read_bytes()))
    paths = job.paths
    for suffix, command in ((".gz", "cat"), (".gz", "sed s/x/y/"), ("", "cat | tr ' ' ' '")):
        job.paths = [path + suffix for path in paths]
        dataset = job.dataset(batch=5)
        dataset.set_pipe_command(command)
        assert job.parameters_after(lambda dataset=dataset: job.exe.train_from_dataset(job.main, dataset)) == expected, command
    dataset.set_filelist([f"hdfs:{path}" for path in paths])
    with pytest.raises(UnsupportedError, match="set_download_cmd"):
        job.exe.train_from_dataset(job.main, dataset)
    dataset.set_download_cmd("f() { cat ${1#hdfs:}; }; f")
    assert job.parameters_after(lambda: job.exe.train_from_dataset(job.main, dataset)) == expected


@pytest.mark.parametrize("kind", ["QueueDataset", "InMemoryDataset"])
@pytest.mark.parametrize(
    ("content", "command", "error", "text"),
    [
        ("1 5 2 1 2 1 1\n" * 3 + "1 5 2 1 2 1\n", "cat", InvalidArgumentError, r"bad.txt, line 4: slot `y`"),
        ("1 5 2 1 2 1 1\n" * 3 + "1 5 2 1 z 1 1\n", "cat | cat", InvalidArgumentError, r"bad.txt, line 4: slot `x`.*'z'"),
        ("1 5 2 1 2 1 1\n", "cat; exit 3", ExternalError, "exit status 3"),
        (None, "cat", NotFoundError, "bad.txt"),
    ],
)
def test_what_fails(job: Job, tmp_path: Path, kind: str, content: str | None, command: str, error: type[Exception], text: str) -> None:
    job.paths = [*job.paths, str(tmp_path / "bad.txt")]
    if content is not None:
        (tmp_path / "bad.txt").write_text(content)
    dataset = cases.dataset(True, kind, job.variables, job.paths, 2, 2)
    dataset.set_pipe_command(command)
    with pytest.raises(error, match=text):
        job.parameters_after(
            lambda: (kind == "InMemoryDataset" and dataset.load_into_memory(), job.exe.train_from_dataset(job.main, dataset))
        )


def test_an_error_in_a_step_ends_readers_and_commands(job: Job, tmp_path: Path) -> None:
    dataset = job.dataset()
    # a command that never ends by itself, and says who it is
    dataset.set_pipe_command(f"echo $$ >> {tmp_path}/pids; yes '1 5 2 1 2 1 1'")
    with fluid.program_guard(job.main):
        fluid.layers.Print(job.loss)
        absent = fluid.data("absent", [None, 1])
        fluid.layers.mean(absent + 1.0)
    with pytest.raises((EnforceNotMet, ValueError), match="absent"):
        job.parameters_after(lambda: job.exe.train_from_dataset(job.main, dataset))
    for pid in (tmp_path / "pids").read_text().split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)


def test_wrong_arguments(job: Job) -> None:
    dataset, train = job.dataset(), job.exe.train_from_dataset
    for arguments, error, text in (
        ((job.main,), RuntimeError, "dataset"),
        (("main", dataset), TypeError, "program"),
        ((job.main, [1]), TypeError, "dataset"),
        ((job.main, dataset, "scope"), TypeError, "scope"),
        ((job.main, dataset, None, -1), ValueError, "thread"),
        ((job.main, dataset, None, 0, False, [job.loss]), AssertionError, "fetch_info"),
        ((job.main, dataset, None, 0, False, ["loss"], ["loss"]), TypeError, "fetch_list"),
        ((job.main, dataset, None, 0, False, [job.loss], ["loss"], 0), ValueError, "print_period"),
    ):
        with pytest.raises(error, match=text):
            train(*arguments)
    with pytest.raises(UnsupportedError, match="CompiledProgram"):
        train(fluid.CompiledProgram(job.main), dataset)
    with pytest.raises(RuntimeError, match="set_use_var"):
        train(job.main, fluid.DatasetFactory().create_dataset())
    job.exe.close()
    with pytest.raises(RuntimeError, match="closed"):
        train(job.main, dataset)


def test_days_and_passes() -> None:
    """What a dataset in memory answers in Paddle 2.6.2."""
    dataset = paddle.distributed.InMemoryDataset()
    assert dataset.get_pass_id() == 0 and dataset.trainer_num == -1
    dataset.set_date("20211111")
    dataset.set_pass_id(3)
    dataset._set_trainer_num(2)
    assert dataset.get_pass_id() == dataset.pass_id == 3 and dataset.trainer_num == 2
    for date in ("20211", "2021111x"):
        with pytest.raises(ValueError, match="invalid literal"):
            dataset.set_date(date)
    with pytest.raises(TypeError, match="Expected an int. Received: str"):
        dataset.set_pass_id("3")


def test_a_handler_sees_values(job: Job) -> None:
    seen: list[dict[str, Any]] = []

    class Seen(fluid.executor.FetchHandler):
        def handler(self, res_dict: dict[str, Any]) -> None:
            seen.append(res_dict)

    dataset = job.dataset()
    dataset.set_pipe_command("cat; sleep 0.3")
    variables = {"loss": job.loss, "weight": job.main.all_parameters()[0], "nothing": None}
    job.parameters_after(lambda: job.exe.train_from_dataset(job.main, dataset, fetch_handler=Seen(variables, 0.05)))
    assert seen[-1]["loss"].shape == (1,) and seen[-1]["weight"].shape == (2, 1) and seen[-1]["nothing"] is None
    count = len(seen)
    time.sleep(0.15)
    assert len(seen) == count


class _Servers:
    """A fleet whose workers do not meet."""

    class _role_maker:
        _is_collective = False

    @staticmethod
    def worker_num() -> int:
        return 2


def test_trainers_that_do_not_meet_shuffle_nothing_in_silence(job: Job) -> None:
    dataset = job.dataset("InMemoryDataset")
    for asked in (dataset.global_shuffle, dataset.get_memory_data_size, dataset.get_shuffle_data_size):
        with pytest.raises(UnsupportedError, match="local_shuffle"):
            asked(_Servers)


def test_values_are_written_as_fleet_asks(tmp_path: Path) -> None:
    """The lines are those that 2.6.2 writes, which deals them to its files as its threads come."""
    (tmp_path / "a").write_text("".join(f"1 {i % 2} 2 {i} {i + 3} 2 0.{i} 1.5\n" for i in range(3)))
    with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()), paddle.utils.unique_name.guard():
        label, ids = paddle.static.data("click", [None, 1], "int64"), paddle.static.data("ids", [None, 1], "int64", lod_level=1)
        x = paddle.static.data("x", [None, 2])
        half = paddle.ParamAttr(name="w", initializer=paddle.nn.initializer.Constant(0.5))
        y = paddle.static.nn.fc(x, 3, weight_attr=half, bias_attr=False)
        loss = paddle.mean(y)
        paddle.optimizer.SGD(0.1).minimize(loss)
        exe, main = paddle.static.Executor(paddle.CPUPlace()), paddle.static.default_main_program()
        exe.run(paddle.static.default_startup_program())
        dataset = paddle.distributed.QueueDataset()
        dataset.init(use_var=[label, ids, x], pipe_command="cat", batch_size=2, thread_num=1)
        dataset.set_filelist([str(tmp_path / "a")])
        main._fleet_opt = {
            "mpi_size": 5, "mpi_rank": 1, "dump_fields_path": str(tmp_path / "out"), "dump_param": ["w"],
            "dump_fields": ["click", "ids", y.name, f"{y.name}@GRAD", loss.name, "nope"],
        }  # fmt: skip
        exe.train_from_dataset(main, dataset)
        main._fleet_opt["dump_converter"] = "gzip"
        with pytest.raises(UnsupportedError, match="dump_converter='gzip'"):
            exe.train_from_dataset(main, dataset)
    found = {path.name: path.read_text().splitlines() for path in (tmp_path / "out").iterdir()}
    assert sorted(found) == [f"part-001-0000{i}" for i in range(3)]  # of 16 for five workers
    assert sorted(line for lines in found.values() for line in lines) == sorted([
        "\tclick:1:0\tids:2:0,3\tfc_0.tmp_0:3:0.75,0.75,0.75\tfc_0.tmp_0@GRAD:3:0.166667,0.166667,0.166667",
        "\tclick:1:1\tids:2:1,4\tfc_0.tmp_0:3:0.8,0.8,0.8\tfc_0.tmp_0@GRAD:3:0.166667,0.166667,0.166667",
        "(0,0,w)0.498333,0.498333,0.498333,0.45,0.45,0.45",
        "\tclick:1:0\tids:2:2,5\tfc_0.tmp_0:3:0.774667,0.774667,0.774667\tfc_0.tmp_0@GRAD:3:0.333333,0.333333,0.333333",
        "(0,1,w)0.491667,0.491667,0.491667,0.4,0.4,0.4",
    ])  # fmt: skip
