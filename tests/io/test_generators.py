"""Loaders over generators where they go wrong, and in Programs that are copied, trained and fed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import fluid


def rows(count: int) -> Iterator[list[np.ndarray]]:
    return ([np.full((2, 2), i, "float32")] for i in range(count))


def failing() -> Iterator[list[np.ndarray]]:
    yield [np.ones((2, 2), "float32")]
    raise KeyError("generator")


def reading(generator: Any, capacity: int = 2) -> tuple[Any, Any, Any]:
    x = fluid.data("x", [None, 2])
    loader = fluid.io.DataLoader.from_generator([x], capacity, iterable=False).set_batch_generator(generator)
    return loader, fluid.layers.reduce_sum(x), fluid.Executor(fluid.CPUPlace())


def test_an_exception_of_the_generator() -> None:
    loader, total, exe = reading(failing)
    for _ in range(2):
        loader.start()
        assert exe.run(fetch_list=[total])[0] == 4
        with pytest.raises(KeyError, match="the data reader raises an exception. KeyError: 'generator'") as caught:
            exe.run(fetch_list=[total])
        assert isinstance(caught.value, fluid.core.EnforceNotMet) and isinstance(caught.value.__cause__, KeyError)
        loader.reset()
    x = fluid.default_main_program().global_block().var("x")
    batches = iter(fluid.io.DataLoader.from_generator([x], 2).set_batch_generator(failing, fluid.cpu_places(1)))
    next(batches)
    with pytest.raises(KeyError, match="the data reader raises"):
        next(batches)
    for kind in ("process", "thread"):
        with fluid.dygraph.guard():
            batches = iter(fluid.io.DataLoader.from_generator(capacity=2, use_multiprocess=kind == "process").set_batch_generator(failing))
            next(batches)
            with pytest.raises(KeyError, match="generator"):
                next(batches)


def test_a_reader_that_was_not_started() -> None:
    loader, total, exe = reading(lambda: rows(1))
    with pytest.raises(RuntimeError, match=r"Expected a call of `start\(\)`"):
        exe.run(fetch_list=[total])
    loader.start()
    assert exe.run(fetch_list=[total])[0] == 0
    for _ in range(2):
        with pytest.raises(fluid.core.EOFException, match="There is no next data"):
            exe.run(fetch_list=[total])


def test_lists_of_different_lengths() -> None:
    loader, total, exe = reading(lambda: iter([[[[1.0], [2.0, 3.0]]]]))
    loader.start()
    with pytest.raises(TypeError, match="Failed to convert input data to a regular ndarray"):
        exe.run(fetch_list=[total])


def test_what_does_not_fit_the_variable() -> None:
    loader, total, exe = reading(lambda: iter([[np.ones((2, 3), "float32")], [np.ones((2, 2), "float64")]]))
    loader.start()
    for text in ("shape", "data type"):
        with pytest.raises(ValueError, match=text):
            exe.run(fetch_list=[total])


def test_what_is_fed_is_not_read() -> None:
    loader, total, exe = reading(lambda: rows(2))
    assert exe.run(feed={"x": np.ones((3, 2), "float32")}, fetch_list=[total])[0] == 6
    loader.start()
    assert [exe.run(fetch_list=[total])[0].item() for _ in range(2)] == [0.0, 4.0]


def test_copies_of_a_program_read_too() -> None:
    loader, total, exe = reading(lambda: rows(3))
    test = fluid.default_main_program().clone(for_test=True)
    again = fluid.Program.parse_from_string(fluid.default_main_program().desc.serialize_to_string())
    loader.start()
    assert [exe.run(program, fetch_list=[total.name])[0].item() for program in (test, fluid.default_main_program(), again)] == [0, 4, 8]


def test_a_program_that_changes_is_read_anew() -> None:
    loader, total, exe = reading(lambda: rows(4))
    loader.start()
    exe.run(fetch_list=[total])
    y = fluid.data("y", [None, 2])
    other = fluid.io.DataLoader.from_generator([y], 2, iterable=False).set_batch_generator(lambda: rows(2))
    both = total + fluid.layers.reduce_sum(y)
    other.start()
    assert [exe.run(fetch_list=[both])[0].item() for _ in range(2)] == [4.0, 12.0]
    with pytest.raises(fluid.core.EOFException):
        exe.run(fetch_list=[both])


def test_training_on_what_py_reader_reads() -> None:
    fluid.default_startup_program().random_seed = 1  # some weights separate the samples from the start
    reader = fluid.layers.py_reader(4, [[-1, 2], [-1, 1]], ["float32", "int64"])
    x, label = fluid.layers.read_file(reader)
    loss = fluid.layers.mean(fluid.layers.softmax_with_cross_entropy(fluid.layers.fc(x, 2), label))
    fluid.optimizer.SGD(0.5).minimize(loss)
    samples = [(np.array([i % 2, 1 - i % 2], "float32"), i % 2) for i in range(20)]
    reader.decorate_paddle_reader(fluid.io.batch(lambda: iter(samples), 4))
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    losses = []
    for _ in range(3):
        reader.start()
        with pytest.raises(fluid.core.EOFException):
            while True:
                losses.append(exe.run(fetch_list=[loss])[0].item())
        reader.reset()
    assert len(losses) == 15 and losses[-1] < losses[0] / 2


def test_parameters_are_saved_without_readers(tmp_path: Any) -> None:
    reader = fluid.layers.py_reader(4, [[-1, 2]], ["float32"])
    fluid.layers.fc(fluid.layers.read_file(reader), 1)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    fluid.io.save_persistables(exe, str(tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fc_0.b_0", "fc_0.w_0"]


def test_2x_has_it_in_paddle_io() -> None:
    loader = paddle.io.DataLoader.from_generator(capacity=2).set_batch_generator(lambda: rows(2))
    assert [batch[0].tolist() for batch in loader()] == [[[0, 0], [0, 0]], [[1, 1], [1, 1]]]
    paddle.enable_static()
    x = paddle.static.data("x", [None, 2])
    loader = paddle.io.DataLoader.from_generator([x], 2, return_list=True)
    with pytest.raises(AssertionError, match="places"):
        loader.set_batch_generator(lambda: rows(2))
    loader.set_batch_generator(lambda: rows(2), paddle.CPUPlace())
    assert [np.array(place[0]).tolist() for (place,) in loader] == [[[0, 0], [0, 0]], [[1, 1], [1, 1]]]  # a list for each place


def test_a_pass_that_is_left_ends_its_thread() -> None:
    read = []
    x = fluid.data("x", [None, 2])
    generator = lambda: (read.append(1) or row for row in rows(1000))  # noqa: E731
    loader = fluid.io.DataLoader.from_generator([x], 3).set_batch_generator(generator, fluid.cpu_places(1))
    for _ in loader():
        break
    assert len(list(zip(loader(), range(5)))) == 5
    assert len(read) < 30


@pytest.mark.parametrize("kind", ["batches", "samples", "lists", "process", "py_reader", "dataset"])
def test_dygraph_batches_go_by_the_rules_of_1_8(kind: str) -> None:
    """They are a VarBase, whose integers stay integers when they are divided (2.x: 0.5)."""

    class Ones(fluid.io.Dataset):
        def __getitem__(self, index: int) -> tuple[np.ndarray]:
            return (np.ones(1, "int64"),)

        def __len__(self) -> int:
            return 2

    with fluid.dygraph.guard(fluid.CPUPlace()):
        place = fluid.CPUPlace()
        if kind == "dataset":
            loader = fluid.io.DataLoader(Ones(), places=place, batch_size=2)
        elif kind == "py_reader":
            loader = fluid.io.PyReader(capacity=2, return_list=True)
            loader.decorate_batch_generator(lambda: iter([[np.ones((2, 1), "int64")]]), place)
        else:
            loader = fluid.io.DataLoader.from_generator(capacity=2, return_list=True, use_multiprocess=kind == "process")
            if kind == "samples":
                loader.set_sample_generator(lambda: iter([(np.ones(1, "int64"),)] * 2), 2, places=place)
            elif kind == "lists":
                loader.set_sample_list_generator(lambda: iter([[(np.ones(1, "int64"),)] * 2]), place)
            else:
                loader.set_batch_generator(lambda: iter([[np.ones((2, 1), "int64")]]), place)
        ((batch,),) = list(loader())
        assert isinstance(batch, fluid.core.VarBase) and batch.stop_gradient
        assert (batch / 2).numpy().tolist() == [[0], [0]]


@pytest.mark.parametrize(("divided", "expected"), [(False, [1, 2, 4, 5, 6]), (True, [1, 2, 3, 4, 4])])
def test_what_stands_ahead_of_a_reader_has_run_when_it_ends(divided: bool, expected: list[int]) -> None:
    """As in Paddle 1.8.5, whose counters of steps stand first: the end of a pass counts as a step, but not in a ParallelExecutor."""
    loader, total, exe = reading(lambda: rows(2))
    count = fluid.layers.autoincreased_step_counter(counter_name="steps")
    exe.run(fluid.default_startup_program())
    main = fluid.default_main_program()
    program = fluid.CompiledProgram(main).with_data_parallel(total.name, places=fluid.cpu_places(1)) if divided else main
    found = []
    for _ in range(2):
        loader.start()
        with pytest.raises(fluid.core.EOFException):
            while True:
                found.append(exe.run(program, fetch_list=[count.name])[0].item())
        loader.reset()
    held = fluid.global_scope().find_var("steps").get_tensor()
    assert [*found, *np.array(held)] == expected
