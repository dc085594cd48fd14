"""`paddle.distributed.parallelize` cuts the layers that plans name, gives the optimizer the new parameters, and refuses what it cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mesh_jobs import answers

import paddle_compat as paddle
import paddle_compat.distributed as dist
from paddle_compat.errors import UnsupportedError


class Net(paddle.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.table = paddle.nn.Embedding(5, 4)
        self.blocks = paddle.nn.LayerList([paddle.nn.Linear(4, 4) for _ in range(4)])

    def forward(self, words: Any) -> Any:
        x = self.table(words)
        for block in self.blocks:
            x = block(x)
        return x


@pytest.fixture
def mesh() -> dist.ProcessMesh:
    return dist.ProcessMesh([[0]], dim_names=["dp", "mp"])


def config(level: Any = None, **plans: Any) -> dict[str, Any]:
    data = {} if level is None else {"dp_config": {"sharding_level": level}}
    return {**data, "mp_config": {"parallelize_plan": {name.replace("__", "."): plan for name, plan in plans.items()}}}


def test_names_are_patterns_and_may_be_of_parameters(mesh: dist.ProcessMesh) -> None:
    plans = {"blocks.[01]": dist.ColWiseParallel(), "blocks.2": [dist.RowWiseParallel()], "table.weight": dist.ColWiseParallel()}
    model, none = dist.parallelize(Net(), None, mesh, {"mp_config": {"parallelize_plan": plans}})
    whole, columns, rows = "[Replicate(), Replicate()]", "[Replicate(), Shard(dim=1)]", "[Replicate(), Shard(dim=0)]"
    placed = [str(param.placements) for param in model.parameters()]
    assert placed == [columns, columns, rows, columns, rows, rows, whole, whole, whole] and none is None
    assert dist.get_mesh() == mesh


@pytest.mark.parametrize("level", [0, 1, "2", 3])
def test_training_goes_on(level: Any, mesh: dist.ProcessMesh) -> None:
    words = paddle.to_tensor([[0, 1, 4]])
    ends = []
    for plans in (None, config(level, blocks__0=dist.ColWiseParallel(gather_output=True), blocks__1=dist.RowWiseParallel(False))):
        paddle.seed(3)
        model: Any = Net()
        adam: Any = paddle.optimizer.AdamW(0.1, parameters=model.parameters(), grad_clip=paddle.nn.ClipGradByGlobalNorm(0.1))
        if plans is not None:
            model, adam = dist.parallelize(model, adam, mesh, plans)
            assert all(param.is_dist() for param in adam._parameter_list)
        for _ in range(2):
            (model(words) ** 2).mean().backward()
            adam.step()
            adam.clear_grad()
        ends.append([param.numpy() for param in model.parameters()])
    for own, alone in zip(*ends):
        np.testing.assert_allclose(own, alone, rtol=1e-5, atol=1e-6)


def test_model_and_optimizer_one_after_the_other(mesh: dist.ProcessMesh) -> None:
    from paddle_compat.distributed.auto_parallel.intermediate import parallelize as each

    given = config(2, blocks__0=dist.ColWiseParallel())
    plain = paddle.optimizer.AdamW(0.1, parameters=Net().parameters())
    with pytest.raises(AssertionError, match="parallelize_model"):
        each.parallelize_optimizer(plain, mesh, given)
    model: Any = each.parallelize_model(Net(), mesh, given)
    adam = each.parallelize_optimizer(paddle.optimizer.AdamW(0.1, parameters=model.parameters()), mesh, given)
    (model(paddle.to_tensor([[0, 1, 4]])) ** 2).mean().backward()
    adam.step()
    ways = {name.split("_", 1)[1]: str(value.placements) for name, value in adam.state_dict().items() if "moment1" in name}
    assert set(ways.values()) == {"[Shard(dim=0), Replicate()]", "[Shard(dim=0), Shard(dim=1)]", "[Replicate(), Shard(dim=0)]"}
    with pytest.warns(UserWarning, match="will do nothing"):
        assert each.parallelize_optimizer(adam) is adam


def test_states_are_loaded_where_they_lie(mesh: dist.ProcessMesh) -> None:
    """From before the first step, into an optimizer that cuts its states."""
    saved = {}
    for stage in (0, 2):
        model = Net()
        momentum = paddle.optimizer.Momentum(0.1, parameters=model.parameters())
        model, momentum = dist.parallelize(model, momentum, mesh, config(stage))
        state = momentum.state_dict()
        if stage:
            momentum.set_state_dict(dict(zip(state, saved.values())))
            assert [value.numpy().tolist() for value in momentum.state_dict().values()] == list(map(np.ndarray.tolist, saved.values()))
            assert str(next(iter(momentum.state_dict().values())).placements) == "[Shard(dim=0), Replicate()]"
        saved = {name: np.full(value.shape, number, "float32") for number, (name, value) in enumerate(state.items())}


def test_wrong_use(mesh: dist.ProcessMesh) -> None:
    with pytest.warns(UserWarning, match="will do nothing"):
        assert dist.parallelize(paddle.nn.Linear(2, 2))[1] is None
    with pytest.warns(UserWarning, match="no layer of the Net has the name 'nothing'"):
        dist.parallelize(Net(), None, mesh, config(nothing=dist.ColWiseParallel()))
    for wrong, message in ((3, "`config`"), (config(blocks=3), "plans such as"), (config(7), "0, 1, 2 or 3"), ({"mp_config": 3}, "a dict")):
        with pytest.raises(AssertionError, match=message):
            dist.parallelize(Net(), paddle.optimizer.SGD(0.1, parameters=Net().parameters()), mesh, wrong)  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="`mp`"):
        dist.parallelize(Net(), None, dist.ProcessMesh([0], dim_names=["dp"]), config())
    with pytest.raises(AssertionError, match="`sep`, which cp_config needs"):
        dist.parallelize(Net(), None, mesh, {"cp_config": {}})
    with pytest.warns(UserWarning, match="No split_spec"):
        dist.parallelize(Net(), None, mesh, {"pp_config": {}})
    dist.parallelize(Net(), None, dist.ProcessMesh([[0]], dim_names=["pp", "mp"]), {**config(), "pp_config": {"split_spec": "blocks"}})
    dist.auto_parallel.set_mesh(mesh)
    with pytest.raises(AssertionError, match="Expected a convolution. Received: 'Linear'"):
        dist.ConvParallel().apply(paddle.nn.Linear(2, 2), mesh, [])


def test_convolutions_of_cut_images(tmp_path: Path) -> None:
    """Two processes train as one does; what comes of a convolution is cut, as in Paddle 3.3.1."""
    found = answers(Path(__file__).with_name("conv_parallel_job.py"), 2, tmp_path, "")
    for cut, whole in zip(found["cut"], found["whole"]):
        assert cut["losses"] == pytest.approx(whole["losses"], rel=1e-5) and whole["ways"] == "None"
        assert cut["ways"] == "[Replicate(), Shard(dim=3)]" and cut["line"] == "[Replicate(), Shard(dim=2)]"


def test_wrong_splits(mesh: dist.ProcessMesh) -> None:
    two, end = dist.ProcessMesh([[0], [1]], dim_names=["pp", "mp"]), dist.SplitPoint.END
    for held, spec, message in (
        (mesh, "blocks", "a dimension `pp`"),
        (two, "nothing", "names of 2 layers or more"),
        (two, {"nothing": end}, "each with SplitPoint.END"),
        (two, {"blocks.0": dist.SplitPoint.BEGINNING}, "each with SplitPoint.END"),
        (two, {"blocks.0": end, "blocks.1": end}, "1 of .*each with SplitPoint.END"),
        (two, {"blocks": end}, "2 stages of layers"),
    ):
        with pytest.raises(AssertionError, match=message):
            dist.parallelize(Net(), None, held, {"pp_config": {"split_spec": spec}})
    with pytest.raises(AssertionError, match="`global_spec`.*some of"):
        dist.parallelize(Net(), None, two, {"pp_config": {"split_spec": "blocks", "global_spec": "nothing"}})


def test_wrong_stages(mesh: dist.ProcessMesh) -> None:
    weight = dist.shard_tensor(paddle.create_parameter([2, 2], "float32"), mesh, [dist.Shard(0), dist.Shard(1)])
    adam = paddle.optimizer.AdamW(parameters=[weight])
    with pytest.raises(AssertionError, match="whole along a dimension"):
        dist.shard_optimizer(adam, dist.ShardingStage1("dp", mesh))
    with pytest.raises(TypeError, match="shard_fn"):
        dist.shard_optimizer(adam, 3)  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="optimizer"):
        dist.shard_optimizer(weight)
    with pytest.raises(TypeError, match="scaler"):
        dist.shard_scaler(adam)


@pytest.mark.parametrize("stage", [dist.ShardingStage1, dist.ShardingStage2, dist.ShardingStage3])
def test_stages_lay_copies_of_parameters(stage: Any, mesh: dist.ProcessMesh) -> None:
    """Of a dist parameter; a plain one's stays as it is."""
    weight = dist.shard_tensor(paddle.create_parameter([2, 2], "float32"), mesh, [dist.Replicate(), dist.Shard(0)])
    found = stage("dp", mesh).shard_master_weight(weight, paddle.ones([2, 2]))
    assert found.placements == [dist.Shard(1), dist.Shard(0)] and found.tolist() == [[1.0, 1.0]] * 2
    plain = paddle.ones([2, 2])
    assert stage("dp", mesh).shard_master_weight(paddle.ones([2, 2]), plain) is plain


def test_settings_of_nccl() -> None:
    for call in (dist.new_group, dist.init_parallel_env):
        with pytest.raises(UnsupportedError, match=f"{call.__name__}.* with nccl_config"):
            call(nccl_config={})  # type: ignore[operator]
    assert dist.new_group([0], nccl_comm_init_option=1).ranks == [0]  # as in the wheel


def test_volumes_on_paper() -> None:
    """The page has the table that the script writes."""
    import runpy

    from processes import ROOT

    script = runpy.run_path(str(ROOT / "benchmarks/communication_volume.py"))
    assert script["table"]() in (ROOT / "docs/auto_parallel_training.md").read_text()
