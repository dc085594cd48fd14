"""What Paddle 2.0 to 2.5 had at places that neither 1.8 nor 2.6 has: where it is here.

`paddle.fluid` lived on beside the names of Paddle 2, and got modules and names that moved out when it went.
"""

from __future__ import annotations

# A module whose file has moved, and those below it with it
FILES = {
    "distributed.fleet.base.fleet_base": "distributed.fleet.fleet",
    "distributed.fleet.utils.recompute": "distributed.fleet.recompute",
    "fluid": "base",
    "fluid.contrib.mixed_precision": "static.amp",
    "fluid.contrib.slim.quantization": "static.quantization",
    "fluid.contrib.slim.quantization.imperative": "quantization.imperative",
    "fluid.contrib.slim.quantization.imperative.quant_nn": "nn.quant.quant_layers",
    "fluid.contrib.sparsity": "incubate.asp",
    "fluid.dataloader": "io.dataloader",
    "fluid.dygraph.dygraph_to_static": "jit.dy2static",
    "fluid.dygraph.io": "jit.translated_layer",
    "fluid.entry_attr": "distributed.entry_attr",
    "fluid.generator": "framework.random",
    "fluid.incubate.fleet.parameter_server": "incubate.distributed.fleet.parameter_server",
    "fluid.inference": "inference",
    "incubate.sparse": "sparse",
    "jit.dy2static.ast_utils": "jit.dy2static.utils",  # this and the next two: as Paddle 3 has them
    "jit.dy2static.transformers": "jit.dy2static",
    "jit.pir_translated_layer": "jit.translated_layer",
    "static.sparsity": "incubate.asp",
}
# A module ("." is the first), where else what it has is looked for, and which names; any name if none stands there
_ROWS = """
. core.place MLUPlace NPUPlace
common_ops_import fluid dygraph_utils
common_ops_import fluid.framework _varbase_creator
common_ops_import fluid.layers.layer_function_generator templatedoc
fluid core.place MLUPlace NPUPlace
fluid device is_compiled_with_mlu is_compiled_with_npu
fluid fluid.core VarBase _cuda_synchronize
fluid fluid.framework _in_legacy_dygraph _non_static_mode
fluid framework.random Generator
fluid static mlu_places npu_places
fluid.clip nn.clip
fluid.contrib fluid.contrib.optimizer Momentum
fluid.contrib.layers incubate.layers.nn
fluid.contrib.layers static.nn sparse_embedding
fluid.contrib.layers.nn incubate.layers.nn
fluid.contrib.layers.nn static.nn sparse_embedding
fluid.contrib.mixed_precision static.amp
fluid.contrib.mixed_precision.fp16_lists static.amp.fp16_lists
fluid.contrib.mixed_precision.fp16_utils static.amp.fp16_utils
fluid.contrib.slim.quantization quantization
fluid.contrib.slim.quantization static.quantization
fluid.contrib.slim.quantization.quantization_pass static.quantization.quantization_pass
fluid.core core.place MLUPlace NPUPlace
fluid.core device is_compiled_with_mlu is_compiled_with_npu
fluid.dataloader io.dataloader
fluid.dataloader.batch_sampler io.dataloader.batch_sampler
fluid.dataloader.dataloader_iter io.dataloader.dataloader_iter
fluid.dataloader.worker io.dataloader.worker
fluid.dygraph amp AmpScaler amp_guard
fluid.dygraph autograd set_grad_enabled
fluid.dygraph base.dygraph no_grad_
fluid.dygraph jit not_to_static
fluid.dygraph jit.translated_layer TranslatedLayer
fluid.dygraph nn Flatten LayerDict
fluid.dygraph.amp.auto_cast amp.auto_cast
fluid.dygraph.container nn LayerDict
fluid.dygraph.dygraph_to_static.convert_call_func jit.dy2static.convert_call_func
fluid.dygraph.dygraph_to_static.program_translator jit.dy2static.program_translator
fluid.dygraph.jit jit
fluid.dygraph.layers nn.layer.layers
fluid.dygraph.nn nn Flatten
fluid.dygraph.parallel distributed.parallel
fluid.framework device is_compiled_with_mlu is_compiled_with_npu
fluid.framework static mlu_places npu_places
fluid.initializer nn.initializer calculate_gain
fluid.io static.io
fluid.layers fluid.layers._later resize_linear
fluid.layers incubate identity_loss
fluid.layers static.nn.control_flow Assert
fluid.layers tensor.ops acosh asinh atanh expm1
fluid.layers.control_flow static.nn.control_flow Assert
fluid.layers.loss incubate identity_loss
fluid.layers.nn fluid.layers._later resize_linear
fluid.layers.ops tensor.ops acosh asinh atanh expm1
fluid.layers.utils utils.layers_utils
fluid.optimizer incubate.optimizer GradientMergeOptimizer
fluid.reader io.dataloader.collate default_convert_fn
fluid.reader io.reader
fluid.regularizer regularizer WeightDecayRegularizer
framework core.place MLUPlace NPUPlace
framework distributed DataParallel ParallelEnv
framework fluid.core VarBase
framework base.framework in_dygraph_mode
framework fluid.framework _in_legacy_dygraph _non_static_mode
framework nn LayerList
framework static append_backward create_parameter gradients name_scope program_guard
jit fluid.dygraph.dygraph_to_static.program_translator ProgramTranslator
static fluid.layers exponential_decay
static static._foreign_chips mlu_places npu_places
"""
_SPLIT = [row.split() for row in _ROWS.strip().splitlines()]


def homes(path: str, name: str) -> list[str]:
    """The modules that may have what `path.name` was; nothing is loaded.

    Args:
        path: a module, without the package's own name; "" is the package.
        name: what is asked of it.
    """
    found = [row[1] for row in _SPLIT if row[0] == (path or ".") and (not row[2:] or name in row[2:])]
    return found or ([path.replace("fluid", "base", 1)] if path.partition(".")[0] == "fluid" else [])


def file(path: str) -> str | None:
    """The module that one of Paddle's files has become, without the package's own name; None where no table says so."""
    parts = path.split(".")
    for stop in range(len(parts), 0, -1):
        home = FILES.get(".".join(parts[:stop]))
        if home is not None:
            return None if any(part.startswith("_") for part in parts) else ".".join([home, *parts[stop:]])
    return None
