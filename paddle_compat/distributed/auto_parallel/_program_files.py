"""Files of the Program that a DistModel predicts by."""

from __future__ import annotations

from paddle_compat.core import mode
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.place import CPUPlace
from paddle_compat.core.scope import Scope, scope_guard
from paddle_compat.distributed.auto_parallel._dist_model import DistModel
from paddle_compat.distributed.auto_parallel._dist_model_recording import Recording
from paddle_compat.distributed.auto_parallel._tensors import is_dist, unshard_dtensor
from paddle_compat.static.executor import Executor
from paddle_compat.static.io import save_inference_model


def write_program(path: str, model: DistModel) -> None:
    """Write what a model runs in mode "predict", with all of its parameters; all processes call it.

    Args:
        path: how the files' names begin.
        model: the model, which has entered the mode.
    Raises:
        UnsupportedError: it lies on several meshes.
    """
    recording = model._recording("predict")
    if not isinstance(recording, Recording):
        instead = "paddle.jit.save of the layers"
        raise UnsupportedError("paddle.distributed.auto_parallel.Engine.save", "training=False of a model on several meshes", instead)
    scope, block = Scope(), recording.main.global_block()
    for name, state in recording.states.items():
        whole = unshard_dtensor(state) if is_dist(state) else state
        scope.var(name).get_tensor().set(whole.numpy(), CPUPlace())
    feeds = [block.var(name) for name in recording.feeds]
    with mode.inside(static=True), scope_guard(scope):
        save_inference_model(path, feeds, list(recording.outputs), Executor(CPUPlace()), program=recording.main)
