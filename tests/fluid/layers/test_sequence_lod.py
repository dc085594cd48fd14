"""The sequence layers of `fluid.layers` against the wheel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sequence_layers_replay as layers

from paddle_compat import fluid
from paddle_compat.errors import InvalidArgumentError

L = fluid.layers


@layers.cases("sequence_")
def test_as_the_wheel(name: str) -> None:
    layers.replay(name)


def run(feed: dict[str, Any], build: Callable[..., list[Any]]) -> list[Any]:
    """What a Program of these inputs gives, as LoDTensors."""
    main, start = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, start), fluid.scope_guard(fluid.Scope()), fluid.unique_name.guard():
        given = []
        for name, tensor in feed.items():
            array = np.array(tensor)
            given.append(fluid.data(name, [None, *array.shape[1:]], str(array.dtype), lod_level=len(tensor.lod())))
            given[-1].stop_gradient = array.dtype.kind != "f"
        fetched = build(*given)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(start)
        return list(exe.run(main, feed=feed, fetch_list=fetched, return_numpy=False))


def test_ctc_reads_sequences_of_sequences_by_their_rows() -> None:
    rows = np.eye(4, dtype="float32")[[1, 1, 0, 2, 2, 3]] + 0.1
    logits = fluid.create_lod_tensor(rows, [[2, 1], [2, 3, 1]], fluid.CPUPlace())
    flat = fluid.create_lod_tensor(rows, [[5, 1]], fluid.CPUPlace())
    labels = fluid.create_lod_tensor(np.int32([[1], [2], [3]]), [[2, 1]], fluid.CPUPlace())
    (words,) = run({"x": logits}, lambda x: [fluid.layers.ctc_greedy_decoder(x, 0)])
    assert (np.array(words).ravel().tolist(), words.lod()) == ([1, 2, 3], [[0, 2, 3]])
    losses = [run({"x": x, "y": labels}, lambda x, y: [fluid.layers.warpctc(x, y)])[0] for x in (logits, flat)]
    assert np.array(losses[0]).tolist() == np.array(losses[1]).tolist()


def test_the_gradient_of_a_softmax_over_sequences_has_their_lod() -> None:
    x = fluid.create_lod_tensor(np.float32([[1], [2], [3]]), [[2, 1]], fluid.CPUPlace())
    (gradient,) = run({"x": x}, lambda x: fluid.gradients([fluid.layers.mean(fluid.layers.sequence_softmax(x))], [x]))
    assert gradient.lod() == [[0, 2, 3]]


def test_convolved_matches_are_described_without_a_lod() -> None:
    contrib = fluid.contrib.layers
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        x, y = (fluid.data(name, [None, 3], lod_level=1) for name in "xy")
        matches, products = contrib.match_matrix_tensor(x, y, 2)
        images = contrib.var_conv_2d(matches, x, y, 2, 3, [2, 2])
        pooled = contrib.sequence_topk_avg_pooling(images, row=x, col=y, topks=[1, 2], channel_num=3)
        assert [v.lod_level for v in (matches, products, images, pooled)] == [1, 0, 0, 0]
        assert images.block.var("var_conv_2d_0.tmp_1").lod_level == 0


def sequences(*lengths: list[int]) -> fluid.LoDTensor:
    """Rows of two numbers in sequences of these lengths."""
    count = sum(lengths[-1]) if lengths else 2
    rows = np.arange(2 * count, dtype="float32").reshape(count, 2)
    return fluid.create_lod_tensor(rows, list(lengths), fluid.CPUPlace())


def concat_at_a_tensor(x: Any, y: Any) -> Any:
    return fluid.layers.concat([x, y], axis=fluid.layers.fill_constant([1], "int32", 0))


@pytest.mark.parametrize(
    ("x", "y", "layer", "lengths"),
    [
        ([[1, 2]], [[1, 1, 2]], lambda x, y: fluid.layers.concat([x, y]), [[1, 2, 1, 1, 2]]),
        ([[1, 2]], [[1, 1, 2]], lambda x, y: fluid.layers.concat([x, y, x], axis=-2), [[1, 2, 1, 1, 2, 1, 2]]),
        ([[1, 2]], [[1, 1, 2]], concat_at_a_tensor, [[1, 2, 1, 1, 2]]),
        ([[2, 1], [1, 1, 1]], [[2, 1], [1, 1, 1]], lambda x, y: fluid.layers.concat([x, y]), [[2, 1, 2, 1], [1] * 6]),
        ([[1, 2]], [], lambda x, y: fluid.layers.concat([x, y]), [[1, 2]]),
        ([], [[1, 2]], lambda x, y: fluid.layers.concat([x, y]), []),
        ([[1, 2]], [[2, 1]], lambda x, y: fluid.layers.concat([x, y], axis=-1), [[1, 2]]),
    ],
)
def test_concat_lays_sequences_one_after_the_other(
    x: list[list[int]], y: list[list[int]], layer: Callable[..., Any], lengths: list[list[int]]
) -> None:
    def build(x: Any, y: Any) -> list[Any]:
        out = layer(x, y)
        return [out, *fluid.gradients(out, [x, y])]

    out, *gradients = run({"x": sequences(*x), "y": sequences(*y)}, build)
    assert out.recursive_sequence_lengths() == lengths
    assert [gradient.recursive_sequence_lengths() for gradient in gradients] == [x, y]


def test_concat_refuses_sequences_of_other_levels() -> None:
    with pytest.raises(InvalidArgumentError, match="equally many LoD levels"):
        run({"x": sequences([1, 2]), "y": sequences([2, 1], [1, 1, 1])}, lambda x, y: [fluid.layers.concat([x, y])])


@pytest.mark.parametrize(
    ("layer", "lengths"),
    [
        (lambda x: L.shuffle_channel(x, 2), []),
        (lambda x: L.pixel_shuffle(x, 2), []),
        (lambda x: L.unfold(x, [2, 2]), []),
        (lambda x: L.conv2d_transpose(x, 2, filter_size=2), []),
        (lambda x: L.conv3d_transpose(L.unsqueeze(x, [1]), 2, filter_size=2), []),
        (lambda x: L.adaptive_pool2d(x, [1, 1]), []),
        (lambda x: L.adaptive_pool3d(L.unsqueeze(x, [1]), [1, 1, 1]), []),
        (lambda x: L.resize_nearest(x, [3, 3]), []),
        (lambda x: L.resize_trilinear(L.unsqueeze(x, [1]), [2, 2, 2]), []),
        (lambda x: L.polygon_box_transform(x), []),
        (lambda x: L.multiplex([x, x], L.fill_constant([2, 1], "int32", 0)), []),
        (lambda x: L.adaptive_pool2d(x, [1, 1], "avg"), [[1, 1]]),
        (lambda x: L.conv2d(x, 2, 3), [[1, 1]]),
        (lambda x: L.space_to_depth(x, 2), [[1, 1]]),
    ],
)
def test_layers_of_images_keep_lengths_as_the_wheel_does(layer: Callable[..., Any], lengths: list[list[int]]) -> None:
    images = fluid.create_lod_tensor(np.ones((2, 4, 4, 4), "float32"), [[1, 1]], fluid.CPUPlace())
    levels = []

    def build(x: Any) -> list[Any]:
        out = layer(x)
        levels.append(out.lod_level)
        return [out]

    (out,) = run({"x": images}, build)
    assert (out.recursive_sequence_lengths(), levels) == (lengths, [len(lengths)])


def test_the_share_of_right_answers_alone_keeps_lengths() -> None:
    levels = []

    def build(x: Any, y: Any) -> list[Any]:
        L.accuracy(x, y)
        block = fluid.default_main_program().global_block()
        outs = [block.var(block.ops[-1].output(slot)[0]) for slot in ("Accuracy", "Correct", "Total")]
        levels.extend(out.lod_level for out in outs)
        return outs

    scores = fluid.create_lod_tensor(np.eye(3, dtype="float32"), [[1, 2]], fluid.CPUPlace())
    classes = fluid.create_lod_tensor(np.arange(3)[:, None], [[2, 1]], fluid.CPUPlace())
    outs = run({"x": scores, "y": classes}, build)
    assert [out.recursive_sequence_lengths() for out in outs] == [[[1, 2]], [], []] and levels == [1, 0, 0]


def test_arrays_of_tensors_take_tensors_alone() -> None:  # as 1.8.5
    array = fluid.LoDTensorArray()
    array.append(fluid.create_lod_tensor(np.ones((2, 1), "float32"), [[1, 1]], fluid.CPUPlace()))
    for wrong in (3, None, np.ones(2), [1]):
        with pytest.raises(TypeError, match="LoDTensorArray"):
            array.append(wrong)
        with pytest.raises(TypeError, match="LoDTensorArray"):
            array[0] = wrong
    array[0] = fluid.create_lod_tensor(np.zeros((3, 1), "float32"), [[3]], fluid.CPUPlace())
    assert len(array) == 1 and np.array(array[0]).shape == (3, 1) and array[0].lod() == [[0, 3]]
