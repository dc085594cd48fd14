"""What modules define from which scripts import by their whole path, rather than from the package above.

module_paths_2.6.2.json: {module: the public names that the module itself defines}.
"""

from __future__ import annotations

import importlib
from typing import Any, Callable

WHEELS = ("2.6.2",)

MODULES = (
    *("optimizer." + name for name in "adadelta adagrad adam adamax adamw lamb momentum rmsprop sgd".split()),
    *("nn.initializer." + name for name in "assign constant dirac initializer kaiming normal orthogonal uniform xavier".split()),
    *("nn.layer." + name for name in "activation common container conv distance loss norm pooling rnn transformer vision".split()),
    *("static.nn." + name for name in "common control_flow loss metric sequence_lod".split()),
    *("distributed.communication." + name for name in "all_gather all_reduce all_to_all batch_isend_irecv broadcast".split()),
    *("distributed.communication." + name for name in "gather recv reduce reduce_scatter scatter send".split()),
    *("distributed.communication.stream." + name for name in "all_gather all_reduce all_to_all broadcast gather recv".split()),
    *("distributed.communication.stream." + name for name in "reduce reduce_scatter scatter send".split()),
    *("distributed.fleet." + name for name in "model optimizer scaler".split()),
    *("geometric." + name for name in "math message_passing.send_recv reindex sampling.neighbors".split()),
    *("incubate.operators." + name for name in "graph_khop_sampler graph_reindex graph_sample_neighbors graph_send_recv".split()),
    *("incubate.operators." + name for name in "softmax_mask_fuse softmax_mask_fuse_upper_triangle".split()),
    *("incubate.nn.functional." + name for name in "fused_dropout_add fused_ec_moe fused_gate_attention fused_layer_norm".split()),
    *("incubate.nn.functional." + name for name in "fused_matmul_bias fused_rms_norm fused_rotary_position_embedding".split()),
    *("incubate.nn.functional." + name for name in "masked_multihead_attention variable_length_memory_efficient_attention".split()),
    *("autograd.saved_tensors_hooks incubate.tensor.math nn.functional.sparse_attention nn.initializer.Bilinear".split()),
    *("nn.utils.clip_grad_norm_ nn.utils.clip_grad_value_".split()),
    *("distributed.transpiler.details." + name for name in "program_utils ufind vars_distributed".split()),
    *("static.log_helper framework.framework framework.io_utils base.initializer utils.lazy_import utils.install_check".split()),
)


def names(module: Any) -> list[str]:
    """The public names that a module itself defines."""
    return sorted(n for n, o in vars(module).items() if n[0] != "_" and getattr(o, "__module__", None) == module.__name__)


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""

    def defined() -> Any:
        return {name: names(importlib.import_module("paddle." + name)) for name in MODULES}

    return {"module_paths_%s.json" % version: defined}
