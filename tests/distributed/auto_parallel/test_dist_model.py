"""DistModel on one, two and four processes: losses, Programs, collectives and states, against one process and the 3.3.1 wheel."""

from __future__ import annotations

import json
from collections import Counter
from difflib import ndiff
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from jobs import free_ports, run_job, run_together
from processes import ROOT

JOB = Path(__file__).with_name("dist_model_job.py")
# what the 3.3.1 wheel prints on one process, training and then evaluating with the weights of dist_model_weights.npz
LOSSES = [0.6020982, 0.4653170, 0.3741851, 0.3094824, 0.2627127, 0.2256706]
EVERYWHERE = ("example", "eager", "optimizers", "eager_optimizers", "schedule")
CASES = (*EVERYWHERE, "last_batch", "dropout", "states", "stages", "untraced", "laid")


@cache
def results(count: int) -> list[dict[str, Any]]:
    """What each process of a job found."""
    with TemporaryDirectory() as folder:
        said = run_job(JOB, count, 240, arguments=EVERYWHERE if count > 2 else CASES, folder=Path(folder), PADDLE_COMPAT_CPU="1")
    assert all(status == 0 for status, _ in said), "\n".join(text[-3000:] for _, text in said)
    return [json.loads(text.split("RESULT ", 1)[1].splitlines()[0]) for _, text in said]


@pytest.mark.parametrize("count", [1, 2, 4])
def test_losses_are_those_of_the_wheel(count: int) -> None:
    """In eager mode, too."""
    for found in results(count):
        np.testing.assert_allclose(found["example"]["losses"], LOSSES, atol=1e-6, rtol=0)
        np.testing.assert_allclose(found["eager"], LOSSES, atol=1e-6, rtol=0)


@pytest.mark.parametrize("count", [2, 4])
def test_collectives_are_those_counted_by_hand(count: int) -> None:
    """The second product is summed up; the first bias's gradient comes together again. Nothing else is sent."""
    for found in results(count):
        example = found["example"]
        assert example["listed"] == [["all_reduce", "linear_1.tmp_0"], ["all_gather", "linear_0.b_0@GRAD"]]
        assert example["executed"] == ["all_reduce", "all_gather_into_tensor"]
        assert [kind for kind in example["types"] if not kind.startswith("all_")] == example["serial"]
        assert example["types"].count("matmul_v2") == 2 and example["types"].count("sgd") == 4
        assert example["shapes"] == {"linear_0.w_0.dist": [16, 16 // count], "linear_0.tmp_0": [4, 16 // count], "linear_1.tmp_0": [4, 8]}
        assert example["placements"] == ["[Shard(dim=1)]", "[Replicate()]", "[Shard(dim=0)]", "[Replicate()]"]
        assert example["outs"] == {"out0": [4, 8]}
        assert example["startup"] == [{"learning_rate_0": []}] * 2 + [{}] * 2


def test_documented_programs() -> None:
    """The page has them as they are."""
    page = (ROOT / "docs/dist_model.md").read_text()
    for found in results(2):
        serial, own, startup = found["example"]["lines"]
        for line in [*(line for line in ndiff(serial, own) if line[0] != "?"), *startup]:
            assert f"    {line}\n" in page, line


@pytest.mark.parametrize("count", [2, 4])
def test_optimizers_and_schedules_as_on_one_process(count: int) -> None:
    """And as in eager mode. The norm of gradients is that over all pieces; a scheduler's value counts at each step."""
    (alone,) = results(1)
    for found in results(count):
        assert {"adamw", "clip"} <= found["optimizers"].keys()
        for name, losses in found["optimizers"].items():
            np.testing.assert_allclose(losses, alone["optimizers"][name], atol=1e-5, rtol=0, err_msg=name)
            np.testing.assert_allclose(losses, alone["eager_optimizers"][name], atol=1e-5, rtol=0, err_msg=name)
        for name, losses in found["eager_optimizers"].items():
            np.testing.assert_allclose(losses, alone["eager_optimizers"][name], atol=1e-5, rtol=0, err_msg=name)
        np.testing.assert_allclose(found["schedule"], alone["schedule"], atol=1e-5, rtol=0)
    np.testing.assert_allclose(alone["schedule"][:3], [0.6020982, 0.4653170, 0.4174667], atol=1e-6)


def test_smaller_last_batch() -> None:
    """Another shape is traced anew."""
    (alone,) = results(1)
    for found in results(2):
        np.testing.assert_allclose(found["last_batch"], alone["last_batch"], atol=1e-6, rtol=0)


@pytest.mark.parametrize("count", [1, 2])
def test_random_operators_draw_anew(count: int) -> None:
    """At each step, and not when the model evaluates."""
    for found in results(count):
        dropped = found["dropout"]
        assert len(set(dropped["train"])) == 5
        np.testing.assert_allclose(dropped["eval"], [0.6020982] * 2, atol=1e-6)


@pytest.mark.parametrize("count", [1, 2])
def test_states_continue_a_training(count: int) -> None:
    """Whatever the placements they come in; names are those of the wheel."""
    for found in results(count):
        kept = found["states"]
        assert kept["again"] == pytest.approx(kept["third"], abs=1e-7)
        assert kept["param"] == ["l0.bias", "l0.weight", "l1.bias", "l1.weight"]
        names = {name.split(".", 1)[1] if name.startswith("linear") else name: value for name, value in kept["names"].items()}
        assert {name: value for name, value in names.items() if "velocity" in name} == {
            "b_0_velocity_0": ["Replicate"],
            "w_0.dist_velocity_0": ["Shard"],
        }
        assert "learning_rate_0" in names


# what each stage sends in a step of four parameters whose batches are divided, counted by hand; the last sum is the loss's
SENT = {
    0: {"all_reduce": 5},
    1: {"reduce_scatter": 4, "all_gather": 4, "all_reduce": 1},
    2: {"reduce_scatter": 4, "all_gather": 4, "all_reduce": 1},
    3: {"all_gather": 4, "reduce_scatter": 4, "all_reduce": 1},
}


def test_stages_of_sharding_as_on_one_process() -> None:
    """Gradients go where their moments lie, and parameters come back; in stage 3 these come together where they are used."""
    (alone,) = results(1)
    for found in results(2):
        for stage, sent in SENT.items():
            case = found["stages"][stage]
            np.testing.assert_allclose(case["losses"], alone["stages"][0]["losses"], atol=1e-5, rtol=0)
            assert Counter(case["listed"]) == sent
            assert Counter(name.removesuffix("_tensor").removesuffix("_into") for name in case["executed"]) == sent
            assert case["startup"] == [[16, 16], [8 if stage else 16, 16]]
            assert case["kept"] and case["moment"] == ("[Shard(dim=0)]" if stage else "[Replicate()]")


def test_programs_that_values_decide_run_operator_by_operator() -> None:
    """With a warning; a branch is refused by name."""
    (alone,) = results(1)
    for found in results(2):
        case = found["untraced"]
        assert not case["graph"] and any("runs operator by operator" in said for said in case["said"])
        np.testing.assert_allclose(case["losses"], alone["untraced"]["losses"], atol=1e-6, rtol=0)
        assert len(set(case["losses"])) == 5 and "masked_select" in case["types"]
        # collectives that only the first run shows
        assert case["types"][-6:] == ["all_gather", "matmul_v2_grad", "sgd", "sgd", "sgd", "sgd"]
        assert case["sums"][0].startswith("linear_1.tmp_0")
        np.testing.assert_allclose(case["known"][0], alone["untraced"]["known"][0], atol=1e-6, rtol=0)
        assert case["known"][1]
        np.testing.assert_allclose(*case["overwritten"], atol=1e-6, rtol=0)  # as in eager mode
        assert case["placements"] == ["[Shard(dim=1)]", "[Replicate()]", "[Shard(dim=0)]", "[Replicate()]"]
        assert "conditional_block" in case["refused"] and "paddle.distributed.to_static" in case["refused"]


def test_layers_say_how_values_lie() -> None:
    """`reshard` and `shard_tensor` in a layer's `forward`; on another mesh they are refused by name."""
    (alone,) = results(1)
    for found in results(2):
        case = found["laid"]
        np.testing.assert_allclose(case["losses"], alone["laid"]["losses"], atol=1e-6, rtol=0)
        # forward: columns come together, the second weight does for the cut rows, and the loss; backward: that weight's gradient is cut,
        # rows come together for the first layer, its bias's gradient does, and that of the second one's is summed up
        meet = [type for type in case["listed"] if type in ("all_gather", "all_reduce", "reduce_scatter")]
        assert meet == ["all_gather", "all_gather", "all_reduce", "reduce_scatter", "all_gather", "all_gather", "all_reduce"]
        assert "reshard" in case["refused"] and "one mesh" in case["refused"] and "dist_model_job.py" in case["refused"]


# the documentation's script, and what each process then writes of it: what they print may come as one line
DEMO = Path(__file__).with_name("dist_model_demo.txt").read_text()
SAID = """
with open(f"said{dist.get_rank()}", "w") as out:
    print(list(outs), outs['out0'].shape, loss.shape, dist_model._mode, layer.linear_0.weight._local_value().shape, file=out)
"""


@pytest.mark.parametrize("words", [
    ("-m", "torch.distributed.run", "--nproc-per-node", "2", "--master-port", "{port}", "-m", "paddle_compat", "demo.py"),
    ("-m", "paddle_compat", "-m", "paddle.distributed.launch", "--nproc_per_node", "2", "--log_dir", "logs", "demo.py"),
], ids=["torchrun", "launch"])  # fmt: skip
def test_documented_script(words: tuple[str, ...], tmp_path: Path) -> None:
    """As it stands, by both launchers."""
    (tmp_path / "demo.py").write_text(DEMO + SAID)
    (port,) = free_ports(1)
    ((status, text),) = run_together([[word.format(port=port) for word in words]], [{"PADDLE_COMPAT_CPU": "1"}], tmp_path, 240)
    assert status == 0, text[-3000:]
    said = [(tmp_path / f"said{rank}").read_text().rstrip() for rank in (0, 1)]
    assert said == ["['out0'] (4, 8) () predict [16, 8]"] * 2


def test_documented_script_on_one_process(tmp_path: Path) -> None:
    """Its mesh names two: the job says how many it has."""
    (tmp_path / "demo.py").write_text(DEMO)
    ((status, text),) = run_together([["-m", "paddle_compat", "demo.py"]], [{"PADDLE_COMPAT_CPU": "1"}], tmp_path)
    assert status != 0 and "numbers of the 1 process of this job" in text and "--nproc_per_node" in text
