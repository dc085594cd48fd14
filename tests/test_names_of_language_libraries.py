"""Names of Paddle's inside that libraries for language models import: there, and refusing no earlier than when they are used."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle


def test_names_of_language_libraries() -> None:
    """What PaddleNLP imports at its start; operators in C++ refuse when they are asked for, and not before."""
    from paddle_compat.distributed.communication.reduce import ReduceOp, _get_reduce_op

    from paddle_compat.base.libpaddle import DataType
    from paddle_compat.distributed import fleet
    from paddle_compat.distributed.fleet.base import topology
    from paddle_compat.distributed.fleet.model import PipelineParallel, distributed_model
    from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import obtain_optimizer_parameters_list
    from paddle_compat.framework.io import EagerParamBase
    from paddle_compat.nn.layer.layers import in_declarative_mode
    from paddle_compat.utils.cpp_extension import load_op_meta_info_and_register_op
    from paddle_compat.utils.cpp_extension.cpp_extension import BuildExtension

    layer = paddle.nn.Linear(2, 3)
    assert isinstance(layer.weight, EagerParamBase) and issubclass(PipelineParallel, paddle.nn.Layer)
    assert distributed_model is not None and DataType is paddle.base.core.DataType and not in_declarative_mode()
    for parameters in (layer.parameters(), [{"params": [layer.weight]}, {"params": [layer.bias]}]):
        found = obtain_optimizer_parameters_list(paddle.optimizer.SGD(parameters=parameters))
        assert found[0] is layer.weight and found[1] is layer.bias and len(found) == 2
    group = fleet.HybridCommunicateGroup(fleet.CommunicateTopology())
    assert topology._HYBRID_PARALLEL_GROUP is group
    assert not paddle.distributed.parallel.parallel_helper._is_parallel_ctx_initialized()
    assert _get_reduce_op(ReduceOp.SUM, "all_reduce") != _get_reduce_op(ReduceOp.MAX, "all_reduce")
    with paddle.framework._no_check_dy2st_diff():
        assert layer(paddle.ones([1, 2])).shape == [1, 3]
    with pytest.raises(NotImplementedError, match="load_op_meta_info_and_register_op.*torch.utils.cpp_extension"):
        load_op_meta_info_and_register_op("mine.so")
    with pytest.raises(NotImplementedError, match="BuildExtension"):
        type("Build", (BuildExtension,), {})()


def test_helpers_of_layers_tell_the_data_type_of_their_parameters() -> None:
    helper = paddle.nn.Linear(2, 3)._helper
    assert helper.get_default_dtype() == "float32"
    attr = paddle.ParamAttr._to_attr(None)
    helper.set_default_dtype("float64")
    assert helper.create_parameter(attr, [2], None).dtype == paddle.float64
    assert helper.create_parameter(attr, [2], helper.get_default_dtype()).shape == [2]


def test_random_numbers_are_switched_for_a_while() -> None:
    """What libraries build their own recompute from."""
    from paddle_compat.distributed.fleet.recompute.recompute import check_recompute_necessary, switch_rng_state_tracker

    from paddle_compat.distributed.fleet.layers.mpu.random import get_rng_state_tracker

    states = get_rng_state_tracker().get_states_tracker()
    begun, of_numpy, of_python = paddle.get_rng_state(), np.random.get_state(), random.getstate()
    drawn = paddle.rand([3]).tolist(), np.random.rand(3).tolist(), random.random()
    after = paddle.get_rng_state()
    following = paddle.rand([3]).tolist()
    paddle.set_rng_state(after)
    kept: list[int] = []
    with switch_rng_state_tracker(begun, states, of_numpy, of_python, 1, lambda: 2, kept.append):
        assert (paddle.rand([3]).tolist(), np.random.rand(3).tolist(), random.random()) == drawn
    assert kept == [1, 2] and paddle.rand([3]).tolist() == following
    check_recompute_necessary((paddle.nn.Linear(2, 3).weight,))


def test_paddle_core_is_the_module_of_cpp() -> None:
    assert paddle.core.CPUPlace is paddle.base.core.CPUPlace and paddle.core.AmpLevel.O0 == paddle.base.core.AmpLevel.O0
    assert not hasattr(paddle.core, "nobody")


def test_layers_take_attributes_of_a_scripts_own() -> None:
    embedding, pad = paddle.nn.Embedding(3, 2), paddle.nn.Pad2D(1)
    assert embedding.padding_idx is None
    embedding.padding_idx, pad.padding = 1, "mine"
    assert (embedding.padding_idx, pad.padding) == (1, "mine") and embedding(paddle.to_tensor([1])).abs().sum() > 0
    assert paddle.nn.Embedding(3, 2, padding_idx=1).padding_idx == 1


def test_fleet_has_no_groups_before_it_begins() -> None:
    from paddle_compat.distributed.fleet._fleet import Fleet

    made = Fleet()
    assert not hasattr(made, "_hcg")
    made.init(is_collective=True)
    assert made._hcg is made.get_hybrid_communicate_group()


def test_attention_by_chosen_kernels() -> None:
    flash_attention = importlib.import_module("paddle_compat.nn.functional.flash_attention")
    q = paddle.arange(24.0).reshape([1, 3, 2, 4]) / 10
    expected = paddle.nn.functional.scaled_dot_product_attention(q, q, q).tolist()
    for chosen in ({"enable_math": True}, {"enable_flash": False}, {}):
        with flash_attention.sdp_kernel(**chosen):
            assert paddle.nn.functional.scaled_dot_product_attention(q, q, q).tolist() == expected
    with pytest.raises(AssertionError, match="enable_math"), flash_attention.sdp_kernel(False, False, False):
        pass


def test_epochs_of_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [importlib.import_module(f"paddle_compat.{name}.incubate.checkpoint.auto_checkpoint") for name in ("base", "fluid")]
    for each in (*found, paddle.incubate.auto_checkpoint, paddle.incubate.checkpoint.auto_checkpoint):
        assert list(each.train_epoch_range(3)) == [0, 1, 2] and not list(each.train_epoch_range(0, save_checkpoint_inter=10))
    monkeypatch.setenv("PADDLE_RUNNING_ENV", "PADDLE_EDL_AUTO_CHECKPOINT")
    with pytest.raises(NotImplementedError, match="PADDLE_EDL_AUTO_CHECKPOINT"):
        paddle.incubate.auto_checkpoint.train_epoch_range(3)


def test_the_clip_of_experts_has_two_names() -> None:
    moe = importlib.import_module("paddle_compat.incubate.distributed.models.moe")
    assert moe.ClipGradByGlobalNorm is moe.grad_clip.ClipGradByGlobalNorm is moe.ClipGradForMOEByGlobalNorm
    assert moe.ClipGradByGlobalNorm(1.0, lambda parameter: False, None).group_name == "default_moe_group"


def test_what_operators_keep_is_packed_between_two_calls_of_the_core() -> None:
    """As libraries that move activations away do."""
    eager, seen = paddle.base.core.eager, []

    def noted(word: str) -> Callable[[Any], Any]:
        return lambda value: (seen.append(word), value)[1]

    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    eager.register_saved_tensors_hooks(noted("pack"), noted("unpack"))
    y = x * x
    eager.reset_saved_tensors_hooks()
    eager.reset_saved_tensors_hooks()  # which began nothing
    (y * x).sum().backward()
    assert x.grad.tolist() == [3.0, 12.0] and seen == ["pack", "pack", "unpack", "unpack"]


def test_gpus_that_are_not_there_take_no_memory_and_draw_nothing() -> None:
    core, far = paddle.base.core, 1000
    assert core.device_memory_stat_current_value("Allocated", far) == core.device_memory_stat_peak_value("Reserved", far) == 0
    with pytest.raises(ValueError, match=r"`stat_type`.*Received: Taken"):
        core.device_memory_stat_peak_value("Taken", far)
    with pytest.raises(RuntimeError, match=r"`dev_id`.*Received: 1000"):
        core.default_cuda_generator(far)
