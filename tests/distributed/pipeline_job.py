"""What two stages of a pipeline do: what Paddle's wheel was asked, and steps beside a whole model that both have.

python pipeline_job.py FOLDER/      in both processes of a job
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import paddle
import pipeline_training
from paddle import nn
from paddle.distributed import fleet
from paddle.nn import functional as F

from paddle_compat.distributed.fleet.meta_parallel.pp_utils import _messages

meta = fleet.meta_parallel
WORDS, WIDTH, BATCHES, STEPS = 12, 4, 4, 3


class Words(nn.Layer):
    """Words, a mask without a gradient, and whole numbers, as language models hand them on."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(WORDS, WIDTH)

    @property
    def weight(self) -> Any:
        return self.table.weight

    def forward(self, ids: Any) -> Any:
        mask = paddle.triu(paddle.full([ids.shape[1]] * 2, -1e4), 1)
        return {"hidden": self.table(ids), "rest": (mask, ids)}


class Block(nn.Layer):
    """Attention that goes on with what the first stage has made."""

    def __init__(self) -> None:
        super().__init__()
        self.q, self.v, self.norm = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH), nn.LayerNorm(WIDTH)
        self.k = nn.Linear(WIDTH, WIDTH, bias_attr=False)  # one would have a gradient of nothing but rounding

    def forward(self, given: Any) -> Any:
        x, (mask, ids) = given["hidden"], given["rest"]
        shares = F.softmax(self.q(x) @ self.k(x).transpose([0, 2, 1]) + mask)
        assert mask.stop_gradient and ids.stop_gradient and ids.dtype == paddle.int64
        return {"hidden": self.norm(x + shares @ self.v(x)), "rest": (mask, ids)}


def logits(layer: Any, given: Any) -> Any:
    return paddle.matmul(given["hidden"], layer.weight, transpose_y=True)


def entropy(out: Any, labels: Any) -> Any:
    return F.cross_entropy(out.reshape([-1, WORDS]), labels.reshape([-1]))


LAYERS = [meta.SharedLayerDesc("words", Words), *[meta.LayerDesc(Block)] * 4, meta.SharedLayerDesc("words", Words, logits)]


class Whole(nn.Layer):
    """All layers, with the first values of a pipeline's."""

    def __init__(self) -> None:
        super().__init__()
        made = []
        for place, desc in enumerate(LAYERS[:-1]):
            paddle.seed(1234 + place)
            made.append(desc.build_layer())
        self.parts = nn.LayerList(made)

    def forward(self, x: Any) -> Any:
        for part in self.parts:
            x = part(x)
        return logits(self.parts[0], x)


def adamw(parameters: Any) -> Any:
    return paddle.optimizer.AdamW(0.01, parameters=parameters, grad_clip=nn.ClipGradByGlobalNorm(0.2), epsilon=1e-4)


def beside(count: int = BATCHES, delays: bool = False, scaled: bool = False, each: bool = False, **settings: Any) -> list[Any]:
    """Train a pipeline and a whole model; the kind of the pipeline, and what it says of the last loss."""
    strategy = fleet.DistributedStrategy()
    strategy.hybrid_configs = {"dp_degree": 1, "pp_degree": 2, "pp_configs": {"delay_scale_loss": delays}}
    strategy.pipeline_configs = {"accumulate_steps": count, "micro_batch_size": 2}
    groups = fleet.get_hybrid_communicate_group()
    net = meta.PipelineLayer(LAYERS, topology=groups.topology(), loss_fn=entropy, **settings)
    whole, numbers = Whole(), np.random.RandomState(1)
    model = meta.pipeline_parallel.chosen(net, groups, strategy)
    steps, expected = fleet.distributed_optimizer(adamw(net.parameters())), adamw(whole.parameters())
    scaler = fleet.distributed_scaler(paddle.amp.GradScaler(init_loss_scaling=64.0)) if scaled else None
    loss: Any = None
    for length in range(3, 3 + STEPS):  # a step of its own length each
        data = paddle.to_tensor(numbers.randint(0, WORDS, (2, 2 * count, length)))
        loss = model.train_batch([data[0], data[1]], steps, scaler=scaler, return_micro_batch_loss=each)
        right = entropy(whole(data[0]), data[1])
        right.backward()
        expected.step()
        expected.clear_grad()
        np.testing.assert_allclose(float(loss.sum()), float(right), rtol=2e-6)
    places = {name: int(name.split(".")[1]) for name, _ in whole.named_parameters()}
    rights = [parameter for name, parameter in whole.named_parameters() if net.get_stage_from_index(places[name]) == groups.get_stage_id()]
    found = [
        parameter for parameter in net.parameters() if groups.get_stage_id() == 0 or parameter is not net.shared_layers["words"].weight
    ]
    assert len(found) == len(rights)
    for parameter, right in zip(found, rights):
        np.testing.assert_allclose(parameter.numpy(), right.numpy(), rtol=2e-5, atol=1e-6)
    outputs = model.eval_batch([data[0], data[1]])
    return [type(model).__name__, list(loss.shape), [list(each.shape) for each in outputs]]


def in_step() -> list[Any]:
    """The same where stages send and receive together, as NCCL wants it."""
    began = _messages.Line.__init__

    def begin(self: Any, group: Any) -> None:
        began(self, group)
        self.in_step = True

    _messages.Line.__init__ = begin  # type: ignore[method-assign]
    try:
        return [beside(), beside(seg_method="layer:Block", num_virtual_pipeline_stages=2), failed(1)]
    finally:
        _messages.Line.__init__ = began  # type: ignore[method-assign]


class Fails(nn.Layer):
    """A layer that fails when it is called for the third time."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def forward(self, x: Any) -> Any:
        self.calls += 1
        if self.calls == 3:
            raise ValueError("the third batch is a bad one")
        return x


def failed(stage: int) -> list[Any]:
    """A stage fails in the middle of a batch: what each sees of it, and that they go on with the next one."""
    layers = [meta.LayerDesc(nn.Linear, 4, 4), nn.ReLU(), meta.LayerDesc(nn.Linear, 4, 4), nn.ReLU()]
    layers[2 * stage + 1] = meta.LayerDesc(Fails)
    groups, strategy = fleet.get_hybrid_communicate_group(), fleet.DistributedStrategy()
    strategy.pipeline_configs = {"accumulate_steps": BATCHES, "micro_batch_size": 1}
    net = meta.PipelineLayer(layers, topology=groups.topology(), loss_fn=nn.MSELoss())
    model, steps = meta.PipelineParallel(net, groups, strategy), fleet.distributed_optimizer(adamw(net.parameters()))
    found = []
    for _ in range(2):
        try:
            found.append(round(float(model.train_batch([paddle.ones([4, 4]), paddle.zeros([4, 4])], steps)), 4))
        except (ValueError, RuntimeError) as error:
            found.append(f"{type(error).__name__}: {error}")
    return found


def told_by_hooks() -> list[str]:
    """Where hooks are called, and the other ways of a loss."""
    seen: list[str] = []
    groups, strategy = fleet.get_hybrid_communicate_group(), fleet.DistributedStrategy()
    strategy.pipeline_configs = {"accumulate_steps": 2, "micro_batch_size": 1}
    layers = [meta.LayerDesc(nn.Linear, 2, 2), meta.LayerDesc(nn.Linear, 2, 2)]
    net = meta.PipelineLayer(layers, topology=groups.topology(), loss_fn=[nn.MSELoss(), nn.L1Loss()])
    model, steps = meta.PipelineParallel(net, groups, strategy), fleet.distributed_optimizer(adamw(net.parameters()))
    for place in meta.PipelineParallelMicroStepLocations:
        model.register_hook(place, lambda place=place, **told: seen.append(f"{place.value} {told['step_id']} {len(told)}"))
    data = meta.PipelineDatasetPreprocessor(lambda: [paddle.ones([2, 2]), paddle.zeros([2, 2])])
    losses = model.train_batch(data, steps, loss_fn_idx=1)
    return [*seen, *(str(round(float(loss), 4)) for loss in losses)]


if __name__ == "__main__":
    folder = sys.argv[1]
    found: dict[str, Any] = {"asked": pipeline_training.answers(folder)}
    found["beside"] = [
        beside(), beside(1), beside(5, delays=True), beside(each=True), beside(scaled=True),
        beside(recompute_interval=1, recompute_ctx={"mp_group": fleet.get_hybrid_communicate_group().get_model_parallel_group()}),
        beside(seg_method="layer:Block", num_virtual_pipeline_stages=2),
        beside(3, seg_method="layer:Block", num_virtual_pipeline_stages=2),
    ]  # fmt: skip
    found |= {"failed": [failed(0), failed(1)], "step": in_step(), "hooks": told_by_hooks()}
    with open(folder + str(paddle.distributed.get_rank()), "w") as file:
        json.dump(found, file)
