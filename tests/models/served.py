"""Trainers and servers of a small CTR model, in the ways in which trainers need not wait for each other; losses and parameters.

    python served.py server|trainer NUMBER JOBS

Run under the 1.8.5 wheel as well, so this stays within Python 3.7 and imports nothing but `fluid`. JOBS is JSON: a list of endpoints and
case (see `case`), which a process takes part in one after the other. It prints a JSON list of what it saw.
"""

import json
import os
import signal
import sys
import time
from typing import Any, Dict, List

import numpy as np
import paddle.fluid as fluid
from paddle.fluid.communicator import Communicator
from paddle.fluid.transpiler.distribute_transpiler import DistributedMode
from paddle.fluid.transpiler.geo_sgd_transpiler import GeoSgdTranspiler

FLAGS = {
    "communicator_max_merge_var_num": "1",
    "communicator_send_queue_size": "1",
    "communicator_independent_recv_thread": "0",
    "communicator_min_send_grad_num_before_recv": "1",
    "communicator_thread_pool_size": "5",
    "communicator_send_wait_times": "1",  # of 10 ms
    "communicator_is_sgd_optimizer": "1",
}
TRUTH = np.random.RandomState(9).uniform(-1, 1, 300)


def case(mode: str = "async", **more: Any) -> Dict[str, Any]:
    """A case.

    Args:
        mode: "async", "dc", "split" (at run time, without a communicator), "half" (as that, waiting), or that of a communicator.
        more: `opt`, `decay`, `rate`, `trainers`, `servers`, `steps`, `batch`, `push` (steps of Geo-SGD), `seed`, `flags` of a communicator;
            `group`: so many steps are taken at a time, before everything has settled; `turns`: a folder in which trainers leave word whose
            turn it is; `repeats`: the second half of a batch has the ids of the first (1.8.5's Geo-SGD overlooks those of the second half);
            `period`: after so many steps the batches come again; `compiled`: a CompiledProgram runs;
            `names`: of the parameters that are told of; `meet`: a folder in which they wait for each other to begin; `dies`: the step
            behind which the last trainer is killed.
    """
    said = {"opt": "sgd", "decay": "", "rate": 0.1, "trainers": 1, "steps": 6, "batch": 8, "group": 1, "push": 2, "seed": 0, "flags": {}}
    return {"mode": mode, **said, **more}


def start_from(name: str, *shape: int, seed: int = 0) -> Any:
    """A parameter that begins with given numbers."""
    values = np.random.RandomState(sum(shape) + seed).uniform(-0.3, 0.3, shape).astype("float32")
    return fluid.ParamAttr(name=name, initializer=fluid.initializer.NumpyArrayInitializer(values))


def network(said: Dict[str, Any]) -> Any:
    """Three ids that share a table, and a dense slot."""
    layers, seed = fluid.layers, said["seed"]
    dense, y = layers.data("dense", [4]), layers.data("label", [1])
    ids = [layers.data("slot%d" % i, [1], dtype="int64") for i in range(3)]
    found = [layers.embedding(i, [300, 8], is_sparse=said["mode"] != "dc", param_attr=start_from("table", 300, 8, seed=seed)) for i in ids]
    wide = layers.fc(layers.concat(found + [dense], 1), 600, act="tanh", param_attr=start_from("wide", 28, 600, seed=seed))
    out = layers.fc(wide, 1, param_attr=start_from("deep", 600, 1, seed=seed))
    loss = layers.mean(layers.sigmoid_cross_entropy_with_logits(out, y))
    rate = said["rate"]
    if said["decay"] == "exponential":
        rate = layers.exponential_decay(rate, 2, 0.5, True)
    elif said["decay"] == "noam":
        rate = layers.noam_decay(4, 3)
    elif said["decay"] == "piecewise":
        rate = layers.piecewise_decay([2, 4], [rate, rate / 10, rate / 100])
    made = fluid.optimizer
    kinds = {"sgd": made.SGD, "adam": made.Adam, "adagrad": made.Adagrad}
    (made.Momentum(rate, 0.9) if said["opt"] == "momentum" else kinds[said["opt"]](rate)).minimize(loss)
    return loss


def batch(said: Dict[str, Any], step: int, trainer: int) -> Dict[str, Any]:
    """Ids of which some are frequent, and a label that depends on them."""
    random = np.random.RandomState(1000003 * said["seed"] + 1000 * (step % said.get("period", step + 1)) + trainer)
    ids = (300 * random.rand(3, said["batch"], 1) ** 2).astype("int64")
    if said.get("repeats"):
        ids[:, said["batch"] // 2 :] = ids[:, : said["batch"] // 2]
    dense = random.rand(said["batch"], 4).astype("float32")
    score = TRUTH[ids[:, :, 0]].sum(0) + dense.sum(1) - 2
    label = (random.rand(said["batch"]) < 1 / (1 + np.exp(-3 * score))).astype("float32")
    return {"dense": dense, "label": label[:, None], "slot0": ids[0], "slot1": ids[1], "slot2": ids[2]}


def transpiler(said: Dict[str, Any]) -> Any:
    """One for the mode."""
    mode = said["mode"]
    config = fluid.DistributeTranspilerConfig()
    config.sync_mode = False
    config.runtime_split_send_recv = mode not in ("async", "dc")
    config.enable_dc_asgd = mode == "dc"
    config.half_async = mode in ("HALF_ASYNC", "SYNC", "half")
    config.completely_not_async = mode == "SYNC"
    if mode == "GEO":
        config.geo_sgd_mode, config.geo_sgd_need_push_nums = True, said["push"]
        return GeoSgdTranspiler(config)
    return fluid.DistributeTranspiler(config)


def communicator(said: Dict[str, Any], made: Any, program: Any, number: int, endpoints: List[str]) -> Any:
    """What runs beside the training; None: nothing."""
    flags = dict(FLAGS, **said["flags"])
    more = None
    if said["mode"] == "GEO":
        more = {"push_vars": made.vars_info, "trainers": said["trainers"], "push_nums": said["push"]}
    elif said["mode"] == "SYNC":
        more = {"pserver_endpoints": endpoints, "trainer_id": number}
    elif said["mode"] not in ("ASYNC", "HALF_ASYNC"):
        return None
    return Communicator(program, getattr(DistributedMode, said["mode"]), more, flags)


def settle(beside: Any) -> None:
    """Wait until what was sent is in the parameters here; the wheel gives no sign of it."""
    engine = getattr(beside, "_engine", None)
    if engine is not None:
        engine.recv()
    elif beside is not None:
        time.sleep(0.5)


def await_turn(said: Dict[str, Any], turn: int) -> None:
    """Wait until the turns before have been taken."""
    while "turns" in said and turn and not os.path.exists(os.path.join(said["turns"], str(turn - 1))):
        time.sleep(0.01)


def meet(said: Dict[str, Any], number: int) -> None:
    """Begin together."""
    folder = said.get("meet", said.get("turns"))
    if folder:
        open(os.path.join(folder, "ready%d" % number), "w").close()
        while len(os.listdir(folder)) < said["trainers"]:
            time.sleep(0.01)


def give_turn(said: Dict[str, Any], turn: int) -> None:
    """Leave word that a turn was taken."""
    if "turns" in said:
        open(os.path.join(said["turns"], str(turn)), "w").close()


def values(names: Any) -> Dict[str, Any]:
    """Of variables the sum and the first values."""
    held = [(name, fluid.global_scope().find_var(name)) for name in names]
    arrays = {name: np.array(var.get_tensor()).ravel() for name, var in held if var is not None}
    return {name: [float(array.astype("float64").sum()), array[:5].tolist()] for name, array in arrays.items()}


def run(role: str, number: int, endpoints: List[str], said: Dict[str, Any]) -> Dict[str, Any]:
    """What a process sees."""
    main, start = fluid.Program(), fluid.Program()
    main.random_seed = start.random_seed = 1
    with fluid.program_guard(main, start), fluid.unique_name.guard():
        loss = network(said)
    exe = fluid.Executor(fluid.CPUPlace())
    made = transpiler(said)
    rank = 0 if role == "server" else number
    made.transpile(rank, program=main, pservers=",".join(endpoints), trainers=said["trainers"], sync_mode=False, startup_program=start)
    if role == "server":
        serve, begin = made.get_pserver_programs(endpoints[number])
        exe.run(begin)
        exe.run(serve)
        return values(["table"])
    trained = made.get_trainer_program()
    beside = communicator(said, made, trained, number, endpoints)
    if beside is not None:
        beside.start()
    running = fluid.CompiledProgram(trained).with_data_parallel(loss_name=loss.name) if said.get("compiled") else trained
    exe.run(start)
    meet(said, number)
    names = said.get("names", ["wide", "deep", "fc_0.b_0", "fc_1.b_0"])
    losses, trainers, began = [], said["trainers"], time.time()
    for step in range(said["steps"]):
        turn = step // said["group"] * trainers + number
        if step % said["group"] == 0:
            await_turn(said, turn)
        losses.append(exe.run(running, feed=batch(said, step, number), fetch_list=[loss])[0].item())
        if said.get("dies") == step and number == trainers - 1:
            os.kill(os.getpid(), signal.SIGKILL)
        if (step + 1) % said["group"] == 0:
            settle(beside)
            held = values(names)  # before others take their turns: what goes on beside this may fetch what they send
            give_turn(said, turn)
    seconds = time.time() - began
    if beside is not None:
        beside.stop()
    found = {"losses": losses, "parameters": held if "turns" in said else values(names), "seconds": seconds}
    exe.close()
    return found


def take_part(role: str, number: int, endpoints: List[str], said: Dict[str, Any]) -> Any:
    """One job; None: this process has no part in it."""
    if number >= said.get("servers", 1) if role == "server" else number >= said["trainers"]:
        return None
    with fluid.scope_guard(fluid.Scope()):
        return run(role, number, endpoints, said)


if __name__ == "__main__":
    jobs = json.loads(sys.argv[3])
    told = [take_part(sys.argv[1], int(sys.argv[2]), endpoints, case(**said)) for endpoints, said in jobs]
    sys.stdout.write("\n" + json.dumps(told) + "\n")
