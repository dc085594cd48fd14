"""Stages of `paddle.distributed.auto_parallel.pipelining` train as one process does, on dist tensors, too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mesh_jobs import answers

import paddle_compat as paddle
from paddle_compat import nn
from paddle_compat.distributed.auto_parallel.pipelining import microbatch, schedules, stage, utils
from paddle_compat.distributed.fleet.meta_parallel import _schedules

KINDS = ("FThenB", "1F1B", "VPP")


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    return answers(Path(__file__).with_name("pipelining_job.py"), 4, tmp_path_factory.mktemp("stages"), "")


def of_parts(whole: Any, numbers: list[int], count: int) -> Any:
    """The weights of some of so many equal parts."""
    size = len(whole) // count
    return np.concatenate([whole[number * size : (number + 1) * size] for number in numbers])


@pytest.mark.parametrize("kind", KINDS)
def test_stages_train_as_one_process_does(four: dict[str, list[Any]], kind: str) -> None:
    one = four["one"][0]
    for rank, found in enumerate(four[kind]):
        numbers, count = ([rank, 4 + rank], 8) if kind == "VPP" else ([rank], 4)
        np.testing.assert_allclose(found["weights"], of_parts(one["weights"], numbers, count), rtol=1e-5, atol=2e-6)
        for (losses, out), (right, whole) in zip(found["said"], one["said"]):
            assert losses == (pytest.approx(right, rel=1e-5) if rank == 3 else [])
            assert out == (pytest.approx(whole, rel=1e-5) if rank == 3 else None)


@pytest.mark.parametrize("kind", KINDS)
def test_stages_on_meshes_train_as_one_process_does(four: dict[str, list[Any]], kind: str) -> None:
    """Each small batch has rows of both processes of a stage, so that the means of its losses are others."""
    one = four["one"][0]
    for rank, found in enumerate(each[kind] for each in four["meshes"]):
        place = rank % 2
        numbers, count = ([place, 2 + place], 4) if kind == "VPP" else ([place], 2)
        np.testing.assert_allclose(found["weights"], of_parts(one["weights"], numbers, count), rtol=1e-5, atol=2e-6)
        for (losses, out), (right, whole) in zip(found["said"], one["said"]):
            assert len(losses) == 4 * place and out == (pytest.approx(whole, rel=1e-5) if place else None)
            assert not place or np.mean(losses) == pytest.approx(np.mean(right), rel=1e-5)


def test_two_stages_have_one_weight(four: dict[str, list[Any]]) -> None:
    rows = np.random.RandomState(0)
    x, y = (paddle.to_tensor(rows.rand(8, 8).astype("float32")) for _ in range(2))
    weight = paddle.to_tensor(x.numpy(), stop_gradient=False)
    out = paddle.matmul(paddle.tanh(paddle.tanh(paddle.matmul(x, weight))), weight, transpose_y=True)
    losses = ((out - y) ** 2).reshape([4, -1]).mean(-1)
    losses.sum().backward()
    first, last = four["shared"][0], four["shared"][3]
    assert last[0] == pytest.approx(losses.tolist(), rel=1e-5) and first[0] == []
    np.testing.assert_allclose(first[1], (weight - 0.5 * weight.grad).numpy(), rtol=1e-4, atol=1e-5)
    assert first[1] == last[1] and four["shared"][1:3] == [[], []]


def test_wrong_use_of_stages(four: dict[str, list[Any]]) -> None:
    """Where one process is given something wrong, all hear of it, and can go on."""
    for rank, found in enumerate(four["wrong"]):
        assert "value 0 has a shape mismatch: expected [2, 8] actual [3, 8]" in found["shape"][1]
        assert (rank > 0) == ("of this pipeline failed" in found["shape"][1])
        assert found["after"] == (4 if rank == 3 else 0) and "`target` of `step`" in found["target"][1]
        assert f"Expected stages [{rank}] of 4, as process {rank} of 4" in found["place"][1]


def shapes(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [shapes(each) for each in value]
    if isinstance(value, dict):
        return {name: shapes(each) for name, each in value.items()}
    return list(value.shape) if isinstance(value, paddle.Tensor) else value


def test_batches_are_cut_as_in_the_wheel() -> None:
    """As in Paddle 3.3.1."""
    cut, Cut = microbatch.split_args_kwargs_into_chunks, microbatch.TensorChunkSpec
    x, y = paddle.arange(12, dtype="float32").reshape([6, 2]), paddle.arange(6).reshape([6, 1])
    args, kwargs = cut((x,), None, 4)
    assert shapes(args) == [[[2, 2]], [[2, 2]], [[1, 2]], [[1, 2]]] and kwargs == [{}] * 4
    assert args[2][0].tolist() == [[8.0, 9.0]]
    args, kwargs = cut(([x, y], {"a": x}), {"m": y}, 2)
    assert shapes(args) == [[[[3, 2], [3, 1]], {"a": [3, 2]}]] * 2 and shapes(kwargs) == [{"m": [3, 1]}] * 2
    assert shapes(cut(([x, y],), {}, 2, ([Cut(1), Cut(0)],))[0]) == [[[[6, 1], [3, 1]]]] * 2
    assert shapes(cut((x,), {"m": y}, 2, None, {"m": Cut(0)})[1]) == [{"m": [3, 1]}] * 2
    assert cut((), {}, 2) == ([(), ()], [{}, {}])
    assert cut((3, "a", None), {"k": 2.0}, 2) == ([(3, "a", None)] * 2, [{"k": 2.0}] * 2)
    for wrong, kind, said in (
        (((x,), {}, 12), ValueError, "size of 6, smaller than the number of chunks 12"),
        (((x,), {}, 0), ValueError, "must be larger than 0"),
        (((x, y), {}, 2, (Cut(1),)), AssertionError, "args_chunk_spec"),
        (((x,), {}, 2, (0,)), TypeError, "Unrecognized chunk spec: 0"),
        (((paddle.to_tensor(3.0),), {}, 2), IndexError, ""),
    ):
        with pytest.raises(kind, match=said or None):
            cut(*wrong)  # type: ignore[arg-type]


def test_outputs_are_put_together_as_in_the_wheel() -> None:
    """As in Paddle 3.3.1."""
    merge, Cut = microbatch.merge_chunks, microbatch.TensorChunkSpec
    x, y = paddle.ones([6, 2]), paddle.ones([6, 1])
    assert shapes(merge([x, x], None)) == [12, 2] and shapes(merge([x, x], Cut(1))) == [6, 4]
    assert shapes(merge([(x, y), (x, y)], (Cut(0), Cut(1)))) == [[12, 2], [6, 2]]
    assert shapes(merge([{"a": x}, {"a": x}], None)) == {"a": [12, 2]} and merge([3, 3], None) == 3
    with pytest.warns(UserWarning, match="No chunks"):
        assert merge([], None) == []
    for parts in ([3, 4], [(x,), (x, y)], [x, 3]):
        with pytest.raises(AssertionError):
            merge(parts, None)


def test_stages_in_one_process() -> None:
    """Losses of the small batches are added up: as in Paddle 3.3.1."""
    paddle.seed(3)
    layer = nn.Linear(4, 4)
    x, y = paddle.arange(24, dtype="float32").reshape([6, 4]) / 10, paddle.ones([6, 4])
    for kind in (schedules.ScheduleFThenB, schedules.Schedule1F1B):
        losses: list[Any] = [1.5]
        schedule = kind(stage.PipelineStage(layer, 0, 1), 3, loss_fn=nn.MSELoss())
        assert schedule.step(x, target=y, losses=losses) is None and schedule._stage.has_backward
        assert [float(loss) for loss in losses] == pytest.approx([1.0523654, 1.3854334, 1.8398051])
        assert layer.weight.grad.numpy().ravel()[:3] == pytest.approx([-2.3406782, -2.5213442, -0.68116385], rel=1e-5)
        layer.clear_gradients()
    with pytest.raises(TypeError, match="losses must be a list"):
        schedule.step(x, target=y, losses=())
    with pytest.raises(TypeError, match="outputs and labels"):
        schedules.ScheduleFThenB(stage.PipelineStage(layer, 0, 1), 3).step(x, target=y)
    with pytest.raises(TypeError, match="Expected a PipelineStage"):
        schedules.Schedule1F1B(layer, 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="abstract"):
        schedules.PipelineScheduleSingle(stage.PipelineStage(layer, 0, 1), 3)  # type: ignore[abstract]


def test_what_stages_refuse() -> None:
    """As Paddle 3.3.1."""
    layer, meta = nn.Linear(4, 4), utils.TensorMeta(paddle.ones([2, 4]))
    assert repr(meta) == "TensorMeta(global_shape=[2, 4],local_shape=None, dtype=paddle.float32, placements=None)"
    one = paddle.distributed.shard_tensor(layer.weight, paddle.distributed.ProcessMesh([0]), [paddle.distributed.Replicate()])
    shared: Any
    for shared, said in (
        ({"params": [one, one]}, "a list, but got dict"),
        ([[one, one]], "expected dict, but got list"),
        ([{"x": [one, one]}], "Available keys"),
        ([{"params": [one]}], "only support 2 shared parameters"),
        ([{"params": [one, layer.weight]}], "dist parameters"),
        ([{"params": [one, one]}], "must be on different stage meshes"),
    ):
        with pytest.raises(AssertionError, match=said):
            stage.PipelineStage(layer, 0, 1, shared_parameters=shared)
    with pytest.raises(ValueError, match="Stage index 1 is out of range of 1"):
        stage.PipelineStage(layer, 1, 1)
    with pytest.raises(AssertionError, match="also pass output_args"):
        stage.PipelineStage(layer, 0, 1, input_args=meta)
    with pytest.raises(TypeError, match="a Tensor"):
        utils.TensorMeta(3)  # type: ignore[arg-type]
    with pytest.raises(utils.PipeliningShapeError, match=r"Number of values \(2\) does not match expected number \(1\)"):
        utils.check("Stage 0 outputs", (meta,), (1, 2))
    with pytest.raises(utils.PipeliningShapeError, match="dtype mismatch"):
        utils.check("Stage 0 outputs", (meta,), (paddle.ones([2, 4], "int32"),))


@pytest.mark.parametrize(
    ("sizes", "right"),  # of Paddle 3.3.1
    [
        ((0, 2, 1, 2), "0F0 0F1 0B0 0B1"),
        ((0, 3, 2, 4), "0F0 0F1 0F2 0F3 3F0 3F1 3F2 3F3 3B0 3B1 3B2 3B3 0B0 0B1 0B2 0B3"),
        ((1, 3, 2, 4), "1F0 1F1 1F2 1F3 4F0 4F1 4F2 4B0 4F3 4B1 4B2 4B3 1B0 1B1 1B2 1B3"),
        ((2, 3, 2, 4), "2F0 2F1 2F2 2F3 5F0 5B0 5F1 5B1 5F2 5B2 5F3 5B3 2B0 2B1 2B2 2B3"),
        ((1, 2, 2, 6), "1F0 1F1 3F0 3B0 3F1 3B1 1F2 1B0 1F3 1B1 3F2 3B2 3F3 3B3 1F4 1B2 1F5 1B3 3F4 3B4 3F5 3B5 1B4 1B5"),
    ],
)
def test_rounds_of_several_stages(sizes: tuple[int, int, int, int], right: str) -> None:
    process, processes, chunks, count = sizes
    turns = _schedules.in_rounds(*sizes, count // max(1, count // processes))
    assert " ".join(f"{turn.chunk * processes + process}{'F' if turn.forward else 'B'}{turn.micro}" for turn in turns) == right


class _Config:
    num_hidden_layers, virtual_pp_degree = 5, 2


def test_schedules_of_language_models() -> None:
    """As in Paddle 3.3.1."""
    model: Any = nn.Layer()
    model.config, model.layers = _Config(), [nn.Linear(4, 4) for _ in range(5)]
    with pytest.warns(UserWarning, match=r"\[4\] of 5"):
        schedule = schedules.get_pipeline_schedule(model, 2, nn.MSELoss(), "VPP", 1, None)
    chunks = [each.layer for each in schedule._stages]
    assert [chunk.layers for chunk in chunks] == [model.layers[:2], model.layers[2:4]]
    assert [(chunk.is_first, chunk.is_last) for chunk in chunks] == [(True, False), (False, True)]
    assert chunks[0].sublayers() == [] and len(chunks[0].parameters()) == 4
    single = schedules.get_pipeline_schedule(model, 2, nn.MSELoss(), "FThenB", 1, None)._stage.layer
    assert (len(single.layers), single.is_first, single.is_last) == (5, True, False)
    with pytest.raises(AssertionError, match="Invalid pipeline schedule mode: X"):
        schedules.get_pipeline_schedule(model, 2, nn.MSELoss(), "X", 1, None)
    with pytest.raises(AssertionError, match="cannot be both first and last"):
        schedules.PipelineChunk([], True, True)
    seen: list[Any] = []
    first = schedules.PipelineChunk([lambda given: seen.append(given) or (1, 2)], True)
    assert first(9, attention_mask=5, other=6) == (1, 2) and seen == [(None, 5, None)]
    assert schedules.PipelineChunk([lambda given: given], False, True)(7, 8) == 7
    assert schedules.PipelineChunk([lambda given: given])(7, 8) == (7, 8)


def test_small_batches_make_whole_rounds() -> None:
    with pytest.raises(ValueError, match="multiple of the number of rounds"):
        one = stage.PipelineStage(nn.Linear(1, 1), 0, 2)
        one.group_size = 2
        other = stage.PipelineStage(nn.Linear(1, 1), 2, 4)
        one.num_stages = 4
        schedules.ScheduleVPP([one, other], 5, nn.MSELoss())
