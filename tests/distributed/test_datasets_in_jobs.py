"""Datasets of files in jobs: trainers of parameter servers train on them as on what they are fed; a global shuffle loses no sample."""

from __future__ import annotations

import json
from pathlib import Path

from jobs import free_ports, run_job, run_together

TRAINING = """
import json, sys
import numpy as np
from paddle_compat import fluid

role, number, folder, *endpoints = sys.argv[1:]
number, said = int(number), []
for way, endpoint in zip(("dataset", "fed"), endpoints):
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        words = fluid.data("words", [None, 1], "int64", lod_level=1)
        x, y = fluid.data("x", [None, 2]), fluid.data("y", [None, 1])
        start = fluid.initializer.NumpyArrayInitializer(np.linspace(-0.3, 0.3, 40).reshape(10, 4).astype("float32"))
        rows = fluid.layers.embedding(words, [10, 4], is_sparse=True, param_attr=fluid.ParamAttr(name="table", initializer=start))
        pooled = fluid.layers.sequence_pool(rows, "sum")
        first = fluid.initializer.NumpyArrayInitializer(np.linspace(-0.4, 0.5, 6).reshape(6, 1).astype("float32"))
        out = fluid.layers.fc(fluid.layers.concat([pooled, x], 1), 1, param_attr=fluid.ParamAttr(initializer=first))
        loss = fluid.layers.mean(fluid.layers.square_error_cost(out, y))
        fluid.optimizer.Momentum(0.05, 0.9).minimize(loss)
        transpiler = fluid.DistributeTranspiler()
        transpiler.transpile(number, program=main, pservers=endpoint, trainers=2, startup_program=startup)
        exe = fluid.Executor(fluid.CPUPlace())
        if role == "server":
            serve, begin = transpiler.get_pserver_programs(endpoint)
            exe.run(begin)
            exe.run(serve)
            continue
        exe.run(startup)
        trained = transpiler.get_trainer_program()
        dataset = fluid.DatasetFactory().create_dataset("QueueDataset")
        dataset.set_use_var([words, x, y])
        dataset.set_batch_size(3)
        dataset.set_pipe_command("cat | cat")
        dataset.set_filelist([f"{folder}/part-{number}"])
        if way == "dataset":
            exe.train_from_dataset(trained, dataset)
        else:
            for feed, in fluid.io.DataLoader.from_dataset(dataset, [fluid.CPUPlace()], drop_last=False):
                exe.run(trained, feed=feed)
        held = {name: fluid.global_scope().find_var(name).get_tensor() for name in ("table", "fc_0.w_0", "fc_0.b_0")}
        said.append({name: np.array(value).tolist() for name, value in held.items()})
        exe.close()
print(json.dumps(said) + "\\n", end="", flush=True)
"""
SHUFFLE = """
import json, os
import numpy as np
import paddle
from paddle import fluid
from paddle.distributed import fleet
from paddle.fluid.incubate.fleet.base import role_maker
from paddle.fluid.incubate.fleet.collective import fleet as old_fleet

paddle.enable_static()
fleet.init(is_collective=True)
old_fleet.init(role_maker.PaddleCloudRoleMaker(is_collective=True))
rank, said = fleet.worker_index(), []
with fluid.program_guard(fluid.Program(), fluid.Program()):
    ids = fluid.data("ids", [None, 1], "int64", lod_level=1)
for job in (fleet.fleet, old_fleet, fleet):
    dataset = paddle.distributed.InMemoryDataset()
    dataset.init(batch_size=4, use_var=[ids])
    dataset.set_filelist([f"ids-{rank}"])
    dataset.load_into_memory()
    loaded = int(dataset.get_memory_data_size(job))
    dataset.global_shuffle(job)
    loader = paddle.io.DataLoader.from_dataset(dataset, [paddle.CPUPlace()], drop_last=False)
    found = [int(i) for feed, in loader for i in np.array(feed["ids"]).reshape(-1)]
    said.append([loaded, int(dataset.get_shuffle_data_size(job)), int(dataset.get_shuffle_data_size()), found])
print(json.dumps(said) + "\\n", end="", flush=True)
"""


# a fleet of 1.8 and one of 2.x, each with a server
SERVED = """
import json, sys
import numpy as np
import paddle
from paddle import fluid
from paddle.distributed import fleet
from paddle.fluid.incubate.fleet.base import role_maker
from paddle.fluid.incubate.fleet.parameter_server.distribute_transpiler import StrategyFactory, fleet as old_fleet

paddle.enable_static()
role, number, *endpoints = sys.argv[1:]
number, said = int(number), []
for job, endpoint in zip((fleet.fleet, old_fleet), endpoints):
    newer = job is fleet.fleet
    module, more = (fleet, {"is_collective": False}) if newer else (role_maker, {})
    kind = module.Role.SERVER if role == "server" else module.Role.WORKER
    job.init(module.UserDefinedRoleMaker(current_id=number, role=kind, worker_num=2, server_endpoints=[endpoint], **more))
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        ids = fluid.data("ids", [None, 1], "int64", lod_level=1)
        loss = fluid.layers.mean(fluid.layers.embedding(ids, [2000, 2], is_sparse=True))
        strategy = fleet.DistributedStrategy() if newer else StrategyFactory.create_sync_strategy()
        if newer:
            strategy.a_sync = False
        job.distributed_optimizer(fluid.optimizer.SGD(0.1), strategy).minimize(loss)
        startup = paddle.static.default_startup_program()
    if role == "server":
        job.init_server()
        job.run_server()
        continue
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(startup if newer else job.startup_program)
    job.init_worker()
    dataset = paddle.distributed.InMemoryDataset()
    dataset.init(batch_size=4, use_var=[ids])
    dataset.set_filelist([f"ids-{number}"])
    dataset.load_into_memory()
    loaded = int(dataset.get_memory_data_size(job))
    dataset.global_shuffle(job)
    loader = paddle.io.DataLoader.from_dataset(dataset, [paddle.CPUPlace()], drop_last=False)
    found = [int(i) for feed, in loader for i in np.array(feed["ids"]).reshape(-1)]
    said.append([loaded, int(dataset.get_shuffle_data_size(job)), int(dataset.get_shuffle_data_size()), found])
    job.stop_worker()
print(json.dumps(said) + "\\n", end="", flush=True)
"""
SAMPLES = [
    [[10 * k + j for j in range(1 + k % 3)] for k in range(5)],
    [[1000 + 10 * k + j for j in range(1 + k % 2)] for k in range(8)],
]


def test_trainers_of_servers_train_on_files(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(TRAINING)
    for number in range(2):
        lines = [
            f"{1 + i % 2} {' '.join(str((3 * i + j + number) % 10) for j in range(1 + i % 2))} 2 0.{i} 1 1 {number}\n" for i in range(8)
        ]
        (tmp_path / f"part-{number}").write_text("".join(lines))
    endpoints = [f"127.0.0.1:{port}" for port in free_ports(2)]
    roles = [("server", 0), ("trainer", 0), ("trainer", 1)]
    done = run_together([[str(script), role, str(n), str(tmp_path), *endpoints] for role, n in roles], [{}] * 3, tmp_path)
    assert [status for status, _ in done] == [0, 0, 0], "\n".join(text[-2000:] for _, text in done)
    first, second = (json.loads(text.splitlines()[-1]) for _, text in done[1:])
    assert first == second and first[0] == first[1]


def write_samples(folder: Path) -> None:
    """Each trainer's own."""
    for number, rows in enumerate(SAMPLES):
        (folder / f"ids-{number}").write_text("".join(f"{len(row)} {' '.join(map(str, row))}\n" for row in rows))


def check_shuffled(done: list[tuple[int, str]]) -> None:
    """All samples are there, each trainer has some of both, and every shuffle is the same."""
    answers = [json.loads(text.splitlines()[-1]) for _, text in done]
    plain = [sum(rows, []) for rows in SAMPLES]
    for ours, others in zip(*answers, strict=True):
        assert ours[:2] == others[:2] == [13, 13] and {ours[2], others[2]} == {6, 7}
        assert sorted(ours[3] + others[3]) == sorted(sum(plain, []))
        assert {min(ours[3]) < 1000, min(others[3]) < 1000} == {True} and max(ours[3]) >= 1000 <= max(others[3])
        assert [ours[3], others[3]] != plain
    assert all(len({json.dumps(each) for each in answer}) == 1 for answer in answers)  # it repeats


def test_a_global_shuffle_loses_no_sample(tmp_path: Path) -> None:
    script = tmp_path / "shuffle.py"
    script.write_text(SHUFFLE)
    write_samples(tmp_path)
    done = run_job(script, 2, PADDLE_DISTRI_BACKEND="gloo")
    assert [status for status, _ in done] == [0, 0], "\n".join(text[-2000:] for _, text in done)
    check_shuffled(done)


def test_a_global_shuffle_among_trainers_of_servers_loses_no_sample(tmp_path: Path) -> None:
    (tmp_path / "served.py").write_text(SERVED)
    write_samples(tmp_path)
    endpoints = [f"127.0.0.1:{port}" for port in free_ports(2)]
    roles = [("server", 0), ("trainer", 0), ("trainer", 1)]
    words = [["-m", "paddle_compat", "served.py", role, str(number), *endpoints] for role, number in roles]
    done = run_together(words, [{}] * 3, tmp_path)
    assert [status for status, _ in done] == [0, 0, 0], "\n".join(text[-2000:] for _, text in done)
    check_shuffled(done[1:])
