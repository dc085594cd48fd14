"""One way to train the CTR model from a text file: examples each second of a pass over it, as JSON.

    PYTHON dataset_paths.py {dataset,memory,feeder,write} FILE --warm FILE [--batch 512] [--threads 1]

`dataset` is train_from_dataset with a QueueDataset, `memory` with an InMemoryDataset (loading counts), `feeder` a Python reader of the
same lines with a DataFeeder and Executor.run. It runs on Paddle 1.8.5, on 2.6.2, where the feeder is `paddle.base`'s, and on paddle_compat.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from typing import Any, Iterator  # noqa: UP035 - 1.8.5's Python is 3.7

import numpy as np
import paddle

SLOTS, DENSE, ROWS, WIDTH, HIDDEN = 26, 13, 100000, 16, (400, 400, 400)


def write(path: str, count: int, seed: int = 7) -> None:
    """A file of so many lines: 13 numbers, 26 ids, a click."""
    numbers = np.random.RandomState(seed)
    dense = numbers.random_sample((count, DENSE))
    ids = (numbers.zipf(1.2, (count, SLOTS)) + np.arange(SLOTS) * 3571) % ROWS
    clicks = (numbers.random_sample(count) < 0.3).astype(int)
    with open(path, "w") as file:
        for values, row, click in zip(dense.tolist(), ids.tolist(), clicks.tolist()):
            words = [str(DENSE), *(f"{value:.6f}" for value in values)]
            for number in row:
                words += ["1", str(number)]
            file.write(" ".join([*words, "1", str(click)]) + "\n")


def old_network() -> tuple[list[Any], Any]:
    """Variables in the lines' order and the loss, as a 1.8 script writes them."""
    fluid = paddle.fluid
    layers = fluid.layers
    dense = fluid.data("dense", [None, DENSE], "float32")
    slots = [fluid.data(f"C{i}", [None, 1], "int64", lod_level=1) for i in range(SLOTS)]
    click = fluid.data("click", [None, 1], "int64")
    table = fluid.ParamAttr(name="table")
    found = [layers.sequence_pool(layers.embedding(slot, [ROWS, WIDTH], is_sparse=True, param_attr=table), "sum") for slot in slots]
    hidden = layers.concat([*found, dense], axis=1)
    for size in HIDDEN:
        hidden = layers.fc(hidden, size, act="relu")
    logit = layers.elementwise_add(layers.fc(hidden, 1), layers.fc(dense, 1))
    loss = layers.mean(layers.sigmoid_cross_entropy_with_logits(logit, layers.cast(click, "float32")))
    fluid.optimizer.SGD(0.05).minimize(loss)
    return [dense, *slots, click], loss


def new_network() -> tuple[list[Any], Any]:
    """The same as a 2.x script writes it."""
    static = paddle.static
    dense = static.data("dense", [None, DENSE], "float32")
    slots = [static.data(f"C{i}", [None, 1], "int64", lod_level=1) for i in range(SLOTS)]
    click = static.data("click", [None, 1], "int64")
    table = paddle.ParamAttr(name="table")
    found = [static.nn.sequence_pool(static.nn.embedding(slot, [ROWS, WIDTH], is_sparse=True, param_attr=table), "sum") for slot in slots]
    hidden = paddle.concat([*(paddle.reshape(part, [-1, WIDTH]) for part in found), dense], axis=1)
    for size in HIDDEN:
        hidden = static.nn.fc(hidden, size, activation="relu")
    logit = static.nn.fc(hidden, 1) + static.nn.fc(dense, 1)
    loss = paddle.nn.functional.binary_cross_entropy_with_logits(logit, paddle.cast(click, "float32"))
    paddle.optimizer.SGD(0.05).minimize(loss)
    return [dense, *slots, click], loss


def batches(path: str, size: int) -> Iterator[list[list[Any]]]:
    """The lines as a Python reader parses them, so many at a time."""
    batch = []
    with open(path) as file:
        for line in file:
            words, sample, at = line.split(), [], 0
            for slot in range(SLOTS + 2):
                count = int(words[at])
                kind = int if slot else float
                sample.append([kind(word) for word in words[at + 1 : at + 1 + count]])
                at += 1 + count
            batch.append(sample)
            if len(batch) == size:
                yield batch
                batch = []
    if batch:
        yield batch


def main() -> None:
    """Train one pass to warm up on the first lines, one to measure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("way", choices=["dataset", "memory", "feeder", "write"])
    parser.add_argument("file")
    parser.add_argument("--warm", required=True)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--examples", type=int, default=60 * 512, help="lines to write")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--old", type=int, default=int(paddle.__version__[0] == "1"))
    arguments = parser.parse_args()
    if arguments.way == "write":
        write(arguments.file, arguments.examples)
        write(arguments.warm, 4 * arguments.batch)
        return
    if not arguments.old:
        paddle.enable_static()
    home = paddle.fluid if arguments.old else paddle.static
    main_program, startup = home.Program(), home.Program()
    with home.program_guard(main_program, startup):
        variables, loss = (old_network if arguments.old else new_network)()
    place = paddle.fluid.CPUPlace() if arguments.old else paddle.CPUPlace()
    exe = home.Executor(place)
    exe.run(startup)

    def dataset(path: str) -> Any:
        kind = "InMemoryDataset" if arguments.way == "memory" else "QueueDataset"
        if arguments.old:
            made = paddle.fluid.DatasetFactory().create_dataset(kind)
            made.set_batch_size(arguments.batch)
            made.set_thread(arguments.threads)
            made.set_use_var(variables)
            made.set_pipe_command("cat")
        else:
            made = getattr(paddle.distributed, kind)()
            made.init(batch_size=arguments.batch, thread_num=arguments.threads, use_var=variables, pipe_command="cat")
        made.set_filelist([path] * arguments.threads)
        return made

    def run(path: str) -> None:
        if arguments.way == "feeder":
            with home.program_guard(main_program, startup):
                feeder = (paddle.fluid if arguments.old else paddle.base).DataFeeder(feed_list=variables, place=place)
            for batch in batches(path, arguments.batch):
                exe.run(main_program, feed=feeder.feed(batch), fetch_list=[loss])
            return
        data = dataset(path)
        if arguments.way == "memory":
            data.load_into_memory()
        exe.train_from_dataset(main_program, data, thread=arguments.threads)

    run(arguments.warm)
    began, used, own = time.perf_counter(), os.times(), time.thread_time()
    run(arguments.file)
    seconds, now, own = time.perf_counter() - began, os.times(), time.thread_time() - own
    with open(arguments.file) as file:
        lines = sum(1 for _ in file) * (arguments.threads if arguments.way != "feeder" else 1)
    cpu = now.user + now.system - used.user - used.system
    found = {"examples_per_second": lines / seconds, "cpu_us": 1e6 * cpu / lines, "own_us": 1e6 * own / lines}
    print(json.dumps(found) + "\n", end="", flush=True)


if __name__ == "__main__":
    main()
