"""What test harnesses and scripts of Paddle 1.8 reach for inside fluid's modules, as 1.8.5 has it."""

from __future__ import annotations

import pytest

from paddle_compat import fluid
from paddle_compat.base.device_worker import Hogwild
from paddle_compat.errors import UnsupportedError
from paddle_compat.fluid.trainer_desc import DistMultiTrainer
from paddle_compat.fluid.transpiler import distribute_transpiler


def test_the_transpiler_names_what_it_looks_for() -> None:
    assert distribute_transpiler.LOOKUP_TABLE_TYPE == ["lookup_table", "lookup_table_v2"]
    assert distribute_transpiler.LOOKUP_TABLE_GRAD_TYPE == ["lookup_table_grad", "lookup_table_v2_grad"]
    assert (distribute_transpiler.OP_NAME_SCOPE, distribute_transpiler.CLIP_OP_NAME_SCOPE) == ("op_namescope", "@CLIP")
    roles = [getattr(distribute_transpiler, f"{kind}_ATTR_VALUE") for kind in ("RPC_OP_ROLE", "DIST_OP_ROLE", "LR_SCHED_OP_ROLE")]
    assert roles == [4, 8, 16]
    assert distribute_transpiler.UnionFind([1, 2]).is_connected(1, 2) is False


def test_a_block_takes_what_another_knows_of_parameters() -> None:
    source, block = fluid.Program(), fluid.Program().global_block()
    with fluid.program_guard(source, fluid.Program()):
        fluid.layers.fc(fluid.data("x", [2, 3]), 4, param_attr=fluid.ParamAttr(name="w", learning_rate=2.0, trainable=False))
    block.create_var(name="w", shape=[3, 4], dtype="float32", persistable=True)
    block._copy_param_info_from(source.global_block())
    assert [p.name for p in block.all_parameters()] == ["w"]
    assert block.var("w").optimize_attr == {"learning_rate": 2.0}
    assert not block.var("w").trainable
    with pytest.raises(TypeError):
        block._copy_param_info_from(source)  # type: ignore[arg-type]


def test_blocks_know_that_of_their_gradients() -> None:
    program = fluid.Program()
    with fluid.program_guard(program, fluid.Program()):
        x = fluid.data("x", [1])
        x.stop_gradient = False
        step, steps = fluid.layers.fill_constant([1], "int64", 0), fluid.layers.fill_constant([1], "int64", 3)
        out = fluid.layers.while_loop(lambda i, x: i < steps, lambda i, x: [i + 1, x * 2.0], [step, x])
        fluid.gradients(fluid.layers.mean(out[1]), x)
    assert [(b.idx, b.forward_block_idx, b.backward_block_idx) for b in program.blocks] == [(0, -1, -1), (1, -1, 2), (2, 1, -1)]


def test_a_dataset_of_files_in_memory_maps_is_described_but_not_read() -> None:
    dataset = fluid.DatasetFactory().create_dataset("FileInstantDataset")
    assert dataset.desc() == 'name: "MultiSlotFileInstantDataFeed"\npipe_command: "cat"\n'
    for shuffle in (dataset.local_shuffle, dataset.global_shuffle):
        with pytest.raises(NotImplementedError, match="FileInstantDataset does not support"):
            shuffle()
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        dataset.set_use_var([fluid.data("words", [None, 1], "int64", lod_level=1)])
        dataset.set_filelist(["words.txt"])
        with pytest.raises(UnsupportedError, match="QueueDataset"):
            fluid.Executor(fluid.CPUPlace()).train_from_dataset(fluid.default_main_program(), dataset)


def test_trainers_of_jobs_describe_themselves() -> None:
    trainer, worker = DistMultiTrainer(), Hogwild()
    worker._set_program(fluid.Program())
    trainer._set_device_worker(worker)
    trainer._gen_trainer_desc()
    assert str(trainer) == 'class_name: "DistMultiTrainer"\ndevice_worker_name: "HogwildWorker"\nthread_num: 2\n'
