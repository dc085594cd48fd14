"""What `fluid.contrib.slim` has besides quantization: pruners, and a search by simulated annealing; values as Paddle 1.8.5 gives them."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

import paddle_compat.fluid as fluid

SLIM_LOSSES = [0.32311389, 0.19380259, 0.06250568]  # of Paddle 1.8.5
WEIGHT = np.arange(24.0).reshape(4, 6) % 7


def part(name: str) -> Any:
    return importlib.import_module(f"paddle_compat.fluid.contrib.slim.{name}")


def test_slices_with_the_least_magnitudes_go() -> None:
    pruner = part("prune").StructurePruner({"*": 0, "conv2d_0.w_0": 1}, {"*": "l1_norm"})
    assert pruner.cal_pruned_idx("fc_0.w_0", WEIGHT, 0.5).tolist() == [0, 1]
    assert pruner.cal_pruned_idx("conv2d_0.w_0", WEIGHT, 0.3).tolist() == [3, 2]
    assert pruner.cal_pruned_idx("fc_0.w_0", WEIGHT, 0.5, axis=1).tolist() == [3, 2, 4]
    np.testing.assert_array_equal(pruner.prune_tensor(WEIGHT, [0, 2], 0), WEIGHT[[1, 3]])
    lazy = pruner.prune_tensor(WEIGHT, [1], 1, lazy=True)
    assert lazy.shape == (4, 6) and not lazy[:, 1].any() and (np.delete(lazy, 1, 1) == np.delete(WEIGHT, 1, 1)).all()
    with pytest.raises(AssertionError, match="l1_norm"):
        part("prune").StructurePruner({"*": 0}, {"*": "median"}).cal_pruned_idx("a", WEIGHT, 0.5)
    with pytest.raises(KeyError):
        part("prune").StructurePruner({"a": 0}, {"a": "l1_norm"}).cal_pruned_idx("b", WEIGHT, 0.5)


def test_a_search_draws_as_paddle_does() -> None:
    np.random.seed(5)
    search = part("searcher").SAController([7] * 6, reduce_rate=0.9, init_temperature=100, max_iter_number=10)
    search.reset([7] * 6, [1, 2, 3, 4, 5, 6], None)
    found = []
    for step in range(6):
        found.append(search.next_tokens())
        search.update(found[-1], step * 0.1 * (-1) ** step)
    assert found == [
        [1, 1, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6], [5, 2, 3, 4, 5, 6], [5, 2, 4, 4, 5, 6], [5, 1, 4, 4, 5, 6], [5, 1, 4, 1, 5, 6],
    ]  # fmt: skip
    assert (search._reward, search._max_reward, search._best_tokens, search._iter) == (-0.5, 0.4, [5, 1, 4, 4, 5, 6], 6)
    assert search.next_tokens([0] * 6) == [5, 0, 0, 0, 0, 0]


def test_a_search_keeps_to_what_may_be_tried() -> None:
    search = part("searcher").SAController([7] * 6)
    found = []
    for seed in range(5):
        np.random.seed(seed)
        search.reset([9] * 4, [1, 2, 3, 4], lambda tokens: sum(tokens) < 9)
        found.append(search.next_tokens())
    assert found == [[1, 2, 0, 4], [1, 2, 0, 4], [1, 2, 3, 2], [1, 2, 1, 4], [1, 2, 3, 1]]
    base = part("searcher").EvolutionaryController()
    for call in (base.next_tokens, lambda: base.update([1], 1.0), lambda: base.reset([3])):
        with pytest.raises(NotImplementedError):
            call()


def test_a_rewritten_graph_is_compiled_and_trained() -> None:
    """What `quant_aware` of PaddleSlim 1 hands out for training."""
    passes = part("quantization")
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 5
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 3, bias_attr=False))
        fluid.optimizer.SGD(0.1).minimize(loss)
    exe, scope, place = fluid.Executor(fluid.CPUPlace()), fluid.Scope(), fluid.CPUPlace()
    with fluid.scope_guard(scope):
        exe.run(startup)
        graph = fluid.framework.IrGraph(fluid.core.Graph(main.desc))
        assert fluid.CompiledProgram(graph.graph)._program.global_block().ops[0].type == "mul"
        passes.QuantizationTransformPass(scope=scope, place=place, activation_quantize_type="range_abs_max").apply(graph)
        compiled = fluid.CompiledProgram(graph.graph).with_data_parallel(loss_name=loss.name, places=[place])
        feed = {"x": np.ones((2, 4), "float32")}
        losses = [float(exe.run(compiled, feed=feed, fetch_list=[loss.name])[0][0]) for _ in range(3)]
    assert "fake_quantize_range_abs_max" in [op.type for op in compiled._program.global_block().ops]
    np.testing.assert_allclose(losses, SLIM_LOSSES, rtol=1e-5)
    with pytest.raises(TypeError, match="program_or_graph"):
        fluid.CompiledProgram(graph)
