"""Odd inputs of layers: whose sequences a result has, numbers of other kinds, nothing at all. The figures are those of Paddle 1.8.5."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_compat.fluid as fluid
from paddle_compat.core.errors import EnforceNotMet

pytestmark = pytest.mark.usefixtures("paddle_is_ours")

Build = Callable[[Any, Any, Any, Any], Any]
# x and y are [2, 4], number is int64 [2, 1], few is [2, 1]; the letters are those with sequences, then what the result has
CASES: dict[str, tuple[Build, str, list[Any]]] = {
    "add": (lambda x, y, n, f: x + y, "y", []),
    "add, first": (lambda x, y, n, f: x + y, "x", [[1, 1]]),
    "less": (lambda x, y, n, f: x < y, "y", []),
    "matmul": (lambda x, y, n, f: fluid.layers.matmul(x, y, transpose_y=True), "y", []),
    "addmm": (lambda x, y, n, f: fluid.layers.addmm(x, fluid.layers.matmul(x, y, transpose_y=True), y), "y", []),
    "gather_nd": (lambda x, y, n, f: fluid.layers.gather_nd(x, n), "n", []),
    "index_select": (lambda x, y, n, f: fluid.layers.index_select(x, fluid.layers.reshape(n, [2])), "n", []),
    "cos_sim": (lambda x, y, n, f: fluid.layers.cos_sim(x, y), "y", []),
    "square_error_cost": (lambda x, y, n, f: fluid.layers.square_error_cost(x, y), "y", []),
    "huber_loss": (lambda x, y, n, f: fluid.layers.huber_loss(f, fluid.layers.reduce_sum(y, 1, keep_dim=True), 1.0), "y", []),
    "with logits": (lambda x, y, n, f: fluid.layers.sigmoid_cross_entropy_with_logits(x, y), "y", []),
    "kldiv_loss": (lambda x, y, n, f: fluid.layers.kldiv_loss(x, y, "none"), "xy", []),
    "rank_loss": (lambda x, y, n, f: fluid.layers.rank_loss(f, f, f), "f", []),
    "margin_rank_loss": (lambda x, y, n, f: fluid.layers.margin_rank_loss(f, f, f), "f", []),
    "nce": (lambda x, y, n, f: fluid.layers.nce(x, n, 5, num_neg_samples=2), "xn", []),
    "mean_iou": (lambda x, y, n, f: fluid.layers.mean_iou(fluid.layers.cast(n, "int32"), fluid.layers.cast(n, "int32"), 2)[0], "n", []),
    "random_crop": (lambda x, y, n, f: fluid.layers.random_crop(x, [2]), "x", []),
    "sampling_id": (lambda x, y, n, f: fluid.layers.sampling_id(fluid.layers.softmax(x)), "x", [[1, 1]]),
    "embedding": (lambda x, y, n, f: fluid.layers.embedding(n, [3, 2]), "n", [[1, 1]]),
    "data_norm": (lambda x, y, n, f: fluid.layers.data_norm(x), "x", [[1, 1]]),
    "sums": (lambda x, y, n, f: fluid.layers.sums([x, y]), "y", []),
}


@pytest.mark.parametrize("name", CASES)
def test_of_the_first(name: str) -> None:
    build, have, expected = CASES[name]
    shapes = {"x": (2, 4), "y": (2, 4), "n": (2, 1), "f": (2, 1)}
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        kinds = {key: "int64" if key == "n" else "float32" for key in shapes}
        given = [fluid.data(key, shape, kinds[key], lod_level=int(key in have)) for key, shape in shapes.items()]
        out = build(*given)
        values = {key: np.ones(shape, kinds[key]) for key, shape in shapes.items()}
        place = fluid.CPUPlace()
        feed = {key: fluid.create_lod_tensor(value, [[1, 1]], place) if key in have else value for key, value in values.items()}
        executor = fluid.Executor(place)
        executor.run(startup)
        (found,) = executor.run(main, feed=feed, fetch_list=[out], return_numpy=False)
        assert found.recursive_sequence_lengths() == expected
        if not expected:  # which a NumPy array can hold
            assert isinstance(executor.run(main, feed=feed, fetch_list=[out])[0], np.ndarray)


def test_slice_from_the_end() -> None:
    """A dimension counted from the end is the one that is cut, as the shape says."""
    with fluid.program_guard(fluid.Program()):
        x = fluid.data("x", [2, 3])
        out = fluid.layers.slice(x, [-1], [0], [1])
        (found,) = fluid.Executor(fluid.CPUPlace()).run(feed={"x": np.arange(6, dtype="float32").reshape(2, 3)}, fetch_list=[out])
    assert out.shape == (2, 1)
    assert found.tolist() == [[0], [3]]


def test_sequences_of_nothing() -> None:
    """`sequence_slice` takes lengths of 0."""
    with fluid.program_guard(fluid.Program()):
        x = fluid.data("x", [None, 2], lod_level=1)
        bounds = [fluid.data(name, [2, 1], "int64") for name in ("offset", "length")]
        out = fluid.layers.sequence_slice(x, *bounds)
        place = fluid.CPUPlace()
        feed = {
            "x": fluid.create_lod_tensor(np.arange(6, dtype="float32").reshape(3, 2), [[1, 2]], place),
            "offset": np.zeros((2, 1), "int64"),
            "length": np.array([[0], [2]]),
        }
        (found,) = fluid.Executor(place).run(feed=feed, fetch_list=[out], return_numpy=False)
    assert found.recursive_sequence_lengths() == [[0, 2]]
    assert np.array(found).tolist() == [[2, 3], [4, 5]]


def test_accuracy_of_a_variable_number() -> None:
    with fluid.program_guard(fluid.Program()):
        x, label = fluid.data("x", [2, 3]), fluid.data("label", [2, 1], "int64")
        out = fluid.layers.accuracy(x, label, k=fluid.layers.fill_constant([1], "int32", 2))
        feed = {"x": np.array([[3, 2, 1], [1, 2, 3]], "float32"), "label": np.array([[1], [0]])}
        assert fluid.Executor(fluid.CPUPlace()).run(feed=feed, fetch_list=[out])[0].tolist() == [0.5]


def test_numbers_of_other_kinds_at_once() -> None:
    """Dygraph keeps attributes as Programs do: a number for a truth value, a truth value for a number."""
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.arange(6, dtype="float32").reshape(2, 3))
        assert fluid.layers.reduce_sum(x, [1], 1).shape == [2, 1]
        assert fluid.layers.softmax(x, axis=True).shape == [2, 3]
        assert fluid.layers.scale(x, scale=True).numpy().tolist() == x.numpy().tolist()


@pytest.mark.parametrize("name", ["reduce_max", "one_hot", "matmul", "conv2d", "cast"])
def test_nothing_for_a_variable(name: str) -> None:
    """None where a layer needs a Variable is refused by name."""
    more = {
        "one_hot": (2,), "matmul": (None,), "conv2d": (2, 3), "cast": ("float32",),
    }  # fmt: skip
    with fluid.program_guard(fluid.Program()), pytest.raises(TypeError, match="Expected a Variable. Received: NoneType"):
        getattr(fluid.layers, name)(None, *more.get(name, ()))


@pytest.mark.parametrize(
    ("padding", "expected"),
    [([-1, -1], [[24.48, 24.84], [26.64, 27.0]]), ([-1, 0], [[24.12, 24.48, 24.84, 25.2], [26.28, 26.64, 27.0, 27.36]])],
)
def test_a_convolution_whose_padding_is_below_zero(padding: list[int], expected: list[list[float]]) -> None:
    """It cuts images off at their edges."""
    ones = fluid.ParamAttr(initializer=fluid.initializer.Constant(1.0))
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.arange(144, dtype="float32").reshape(1, 4, 6, 6) / 100)
        out = fluid.dygraph.Conv2D(4, 1, 3, padding=padding, param_attr=ones)(x)
        np.testing.assert_allclose(out.numpy()[0, 0], expected, rtol=1e-5)


def data(*shape: int, dtype: str = "float32") -> Any:
    return fluid.data(fluid.unique_name.generate("x"), list(shape), dtype)


def density(**options: Any) -> Any:
    given = {"densities": [2], "fixed_sizes": [4.0], "fixed_ratios": [1.0], **options}
    return fluid.layers.density_prior_box(data(2, 3, 4, 4), data(2, 3, 9, 9), **given)


REFUSED: dict[str, Callable[[Any], Any]] = {
    "rank_loss, wide": lambda L: L.rank_loss(data(3, 2), data(3, 2), data(3, 2)),
    "rank_loss, deep": lambda L: L.rank_loss(data(3, 1), data(3, 1, 1), data(3, 1)),
    "margin_rank_loss, flat": lambda L: L.margin_rank_loss(data(3), data(3), data(3)),
    "density_prior_box, volume": lambda L: L.density_prior_box(data(2, 3, 4), data(2, 3, 9, 9), [2], [4.0], [1.0]),
    "density_prior_box, variance": lambda L: density(variance=[0.1, 0.1]),
    "density_prior_box, size": lambda L: density(fixed_sizes=[-4.0]),
    "density_prior_box, density": lambda L: density(densities=[0]),
    "prior_box, size": lambda L: L.prior_box(data(2, 3, 4, 4), data(2, 3, 9, 9), [-4.0]),
    "prior_box, sizes": lambda L: L.prior_box(data(2, 3, 4, 4), data(2, 3, 9, 9), [4.0], [3.0]),
    "affine_grid": lambda L: L.affine_grid(data(2, 3, 3), [2, 3, 4, 4]),
    "chunk_eval": lambda L: L.chunk_eval(data(3, 1, dtype="int64"), data(4, 1, dtype="int64"), "IOB", 2),
    "instance_norm": lambda L: L.instance_norm(data(2, 3, 4, 4), epsilon=0.1),
    "group_norm": lambda L: L.group_norm(data(2, 4, 3, 3), 2, epsilon=2.0),
    "inplace_abn": lambda L: L.inplace_abn(data(2, 4, 3, 3), epsilon=0.1),
    "layer_norm": lambda L: L.layer_norm(data(2, 4, 3, 3), begin_norm_axis=0),
    "spectral_norm, dim": lambda L: L.spectral_norm(data(2, 4, 3, 3), dim=2),
    "spectral_norm, power_iters": lambda L: L.spectral_norm(data(2, 4), power_iters=-1),
    "affine_channel": lambda L: L.affine_channel(data(2, 3, 2, 2), data(1), data(3)),
    "bmm, width": lambda L: L.bmm(data(2, 3, 5), data(2, 4, 3)),
    "bmm, rank": lambda L: L.bmm(data(2, 4), data(2, 4, 3)),
    "cross": lambda L: L.cross(data(4, 3), data(1, 3)),
    "addmm": lambda L: L.addmm(data(2), data(3, 4), data(4, 2)),
    "allclose": lambda L: L.allclose(data(3), data(1)),
    "clip": lambda L: L.clip(data(3), None, 1.0),
    "gather_tree": lambda L: L.gather_tree(data(3, 2, 2, dtype="int64"), data(3, 2, 1, dtype="int64")),
    "pad_constant_like, larger": lambda L: L.pad_constant_like(data(2, 4), data(3, 4)),
    "pad_constant_like, flat": lambda L: L.pad_constant_like(data(3), data(2, 4)),
    "psroi_pool, channels": lambda L: L.psroi_pool(data(2, 9, 4, 4), data(-1, 4), 2, 1.0, 2, 2),
    "psroi_pool, regions": lambda L: L.psroi_pool(data(2, 8, 4, 4), data(-1, 5), 2, 1.0, 2, 2),
    "shard_index": lambda L: L.shard_index(data(4, dtype="int64"), 20, 2, 0),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused_when_it_is_recorded(name: str) -> None:
    """Paddle 1.8.5 refuses these; nothing may be broadcast, or computed otherwise, in silence."""
    with fluid.program_guard(fluid.Program(), fluid.Program()), pytest.raises(EnforceNotMet, match="Invalid value"):
        REFUSED[name](fluid.layers)


def test_chances_of_too_few_classes() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), pytest.raises(IndexError):
        fluid.layers.nce(data(3, 4), data(3, 1, dtype="int64"), 5, sampler="custom_dist", custom_dist=[0.5, 0.5])


def test_shards_of_several_columns() -> None:
    ids = np.arange(12, dtype="int64").reshape(4, 3)
    with fluid.dygraph.guard():
        found = fluid.layers.shard_index(fluid.dygraph.to_variable(ids), 20, 2, 0).numpy()
    assert found.tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, -1, -1]]


def test_the_usual_bound() -> None:
    """relu6 without a threshold ends at 6; layers of one NumPy size."""
    with fluid.dygraph.guard():
        assert fluid.layers.relu6(fluid.dygraph.to_variable(np.array([3, 9], "float32")), None).numpy().tolist() == [3, 6]
        assert fluid.dygraph.LayerNorm(np.int64(4)).weight.shape == [4]


@pytest.mark.parametrize(
    ("groups", "expected", "mean", "variance", "gradient"),
    [
        (
            2,
            [-2.32379, 0.0, -1.54919, 3.87298, -0.7746, 0.7746, 1.11417, 0.37139, -3.34251, 1.85695],
            [4.0, 5.5],
            [6.66667, 7.25],
            [12.66461, -9.29514, 2.55616, 9.87611, -4.76376, -11.03798, -1.56859, -7.07982, 2.24691, 6.4015],
        ),
        (
            4,
            [-1.94666, 0.0, -1.29777, 3.24443, -3.04255, -0.33806, 2.36643, 1.01418, -2.0, 2.0],
            [4.0, 5.25, 4.5, 0.0],
            [9.5, 2.1875, 12.25, 0.0],
            [5.41396, -7.78662, -0.62552, 2.99818, 10.59718, -16.9554, 14.83594, -8.47772, 0.0, 0.0],
        ),
    ],
)
def test_groups_that_do_not_share_the_channels_evenly(
    groups: int, expected: list[float], mean: list[float], variance: list[float], gradient: list[float]
) -> None:
    # figures of the 1.8.5 wheel: the last group has fewer channels, or none
    main, start = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, start):
        x = fluid.data("x", [None, 5, 1, 2], "float32")
        x.stop_gradient = False
        scale = fluid.ParamAttr(initializer=fluid.initializer.Constant(2.0))
        y = fluid.layers.group_norm(x, groups, param_attr=scale, bias_attr=fluid.ParamAttr())
        grads = fluid.gradients(fluid.layers.reduce_sum(y * y * y), [x])
    norm = next(op for op in main.global_block().ops if op.type == "group_norm")
    exe = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(fluid.Scope()):
        exe.run(start)
        feed = {"x": np.array([1, 4, 2, 9, 3, 5, 7, 6, 1, 8], "float32").reshape(1, 5, 1, 2)}
        fetched = exe.run(main, feed=feed, fetch_list=[y, *norm.output("Mean"), *norm.output("Variance"), *grads])
    for value, figures in zip(fetched, (expected, mean, variance, gradient)):
        np.testing.assert_allclose(value.ravel(), figures, rtol=1e-4, atol=1e-5)


def test_more_groups_than_channels_are_refused() -> None:
    with fluid.program_guard(fluid.Program()), pytest.raises(EnforceNotMet, match="groups.*8"):
        fluid.layers.group_norm(data(2, 4, 3, 3), 8)


@pytest.mark.parametrize("levels", [0, 1, 2])
def test_regions_are_declared_with_the_levels_of_those_they_come_from(levels: int) -> None:
    def sequences(*shape: int | None, dtype: str = "float32", lod_level: int = levels) -> Any:
        return fluid.data(fluid.unique_name.generate("x"), [None, *shape], dtype, lod_level=lod_level)

    def labels() -> Any:
        return sequences(1, dtype="int32", lod_level=1)

    with fluid.program_guard(fluid.Program()):
        rois = sequences(4)
        spread, _ = fluid.layers.distribute_fpn_proposals(rois, 2, 4, 3, 64)
        masks = fluid.layers.generate_mask_labels(
            data(2, 3), labels(), labels(), sequences(2, lod_level=3), rois, labels(), 4, 14
        )
        straight, mask, matrix = fluid.layers.roi_perspective_transform(data(2, 3, 8, 8), sequences(8), 4, 4)
        collected = fluid.layers.collect_fpn_proposals([rois, rois], [sequences(1), sequences(1)], 2, 3, 10)
    assert [v.lod_level for v in (*spread, *masks, straight, collected)] == [levels] * 8
    assert (mask.lod_level, matrix.lod_level) == (0, 0)
