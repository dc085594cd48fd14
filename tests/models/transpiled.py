"""Networks, what `DistributeTranspiler` is told about them, and the Programs that it writes, as plain values.

Read by the recording script under the 1.8.5 wheel as well, so this stays within Python 3.7 and imports nothing but `fluid`.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any, Callable, Dict, List, Sequence

from written import plain_op, plain_var

Plain = Dict[str, Any]
SERVERS = ["127.0.0.1:6174", "127.0.0.1:6175", "127.0.0.1:6176"]
CONTROL = re.compile(r"__control_var@[0-9.e-]+")
GEO = {"sync_mode": False, "geo_sgd_mode": True, "geo_sgd_need_push_nums": 5}
ASYNC = {"sync_mode": False}


def line(fluid: Any, hidden: int = 20, reg: Any = None, rate: float = 1.0) -> Any:
    """Two full layers; with 2000 in between, the first weight is sliced."""
    layers = fluid.layers
    x, y = layers.data("x", [13]), layers.data("y", [1])
    wide = layers.fc(x, hidden, act="relu", param_attr=fluid.ParamAttr(learning_rate=rate))
    return layers.mean(layers.square_error_cost(layers.fc(wide, 1, bias_attr=fluid.ParamAttr(learning_rate=rate)), y))


def deep(fluid: Any) -> Any:
    """Many parameters of sizes in no order."""
    layers = fluid.layers
    x, y = layers.data("x", [30]), layers.data("label", [1], dtype="int64")
    for size in (500, 60, 300, 7):
        x = layers.fc(x, size, act="tanh")
    return layers.mean(layers.cross_entropy(layers.fc(x, 3, act="softmax"), y))


def image(fluid: Any) -> Any:
    """Convolution and batch norm."""
    layers = fluid.layers
    x, y = layers.data("img", [3, 8, 8]), layers.data("label", [1], dtype="int64")
    h = layers.pool2d(layers.batch_norm(layers.conv2d(x, 16, 3, bias_attr=False), act="relu"), 2, "max", 2)
    return layers.mean(layers.cross_entropy(layers.fc(h, 10, act="softmax"), y))


def ctr(fluid: Any, sparse: bool = True, dist: bool = False, shared: bool = False, rows: int = 3000) -> Any:
    """Two slots of ids, pooled, and a dense one."""
    layers = fluid.layers
    attr = fluid.ParamAttr(name="table") if shared else None
    slots = [layers.data("slot%d" % i, [1], dtype="int64", lod_level=1) for i in range(2)]
    found = [layers.embedding(i, [rows, 8], is_sparse=sparse, is_distributed=dist, param_attr=attr) for i in slots]
    parts = [layers.sequence_pool(e, "sum") for e in found] + [layers.data("dense", [4])]
    y = layers.data("label", [1], dtype="int64")
    h = layers.fc(layers.concat(parts, axis=1), 16, act="relu")
    return layers.mean(layers.cross_entropy(layers.fc(h, 2, act="softmax"), y))


def words(fluid: Any, sparse: bool = True, dist: bool = False, rows: int = 3000) -> Any:
    """The next word after three, which share a table."""
    layers, attr = fluid.layers, fluid.ParamAttr(name="emb")
    ids = [layers.data("word%d" % i, [1], dtype="int64") for i in range(3)]
    found = [layers.embedding(i, [rows, 8], is_sparse=sparse, is_distributed=dist, param_attr=attr) for i in ids]
    h = layers.fc(layers.concat(found, axis=1), 16, act="sigmoid")
    y = layers.data("next", [1], dtype="int64")
    return layers.mean(layers.cross_entropy(layers.fc(h, 40, act="softmax"), y))


def newer(fluid: Any, padding: Any = None) -> Any:
    """`fluid.embedding`, whose operator is lookup_table_v2."""
    layers = fluid.layers
    ids, y = fluid.data("ids", [None, 2], "int64"), fluid.data("y", [None, 1])
    e = fluid.embedding(ids, [2500, 8], is_sparse=True, padding_idx=padding)
    return layers.mean(layers.square_error_cost(layers.fc(e, 1), y))


def tree(fluid: Any) -> Any:
    """A word among many, by a tree."""
    layers = fluid.layers
    word, y = layers.data("word", [1], dtype="int64"), layers.data("next", [1], dtype="int64")
    return layers.mean(layers.hsigmoid(layers.embedding(word, [2000, 8], is_sparse=True), y, 2000, is_sparse=True))


NETS: Dict[str, Callable[..., Any]] = {"line": line, "deep": deep, "image": image, "ctr": ctr, "words": words, "newer": newer, "tree": tree}


def optimizer(fluid: Any, kind: str, decay: str = "", regular: bool = False, rate: Any = 0.1) -> Any:
    """The optimizer of a case."""
    layers, made = fluid.layers, fluid.optimizer
    if decay == "exponential":
        rate = layers.exponential_decay(rate, 100, 0.5, True)
    elif decay == "piecewise":
        rate = layers.piecewise_decay([10, 20], [0.1, 0.01, 0.001])
    elif decay == "noam":
        rate = layers.noam_decay(16, 100)
    more = {"regularization": fluid.regularizer.L2Decay(1e-4)} if regular else {}
    table: Dict[str, Callable[[], Any]] = {
        "sgd": lambda: made.SGD(rate, **more),
        "momentum": lambda: made.Momentum(rate, 0.9, **more),
        "adam": lambda: made.Adam(rate, **more),
        "lazy": lambda: made.Adam(rate, lazy_mode=True, **more),
        "adamax": lambda: made.Adamax(rate, **more),
        "adagrad": lambda: made.Adagrad(rate, **more),
        "decayed": lambda: made.DecayedAdagrad(rate, **more),
        "rmsprop": lambda: made.RMSProp(rate, **more),
        "adadelta": lambda: made.Adadelta(rate, **more),
        "ftrl": lambda: made.Ftrl(rate, **more),
    }
    return table[kind]()


def case(net: str = "line", opt: str = "sgd", servers: int = 2, trainers: int = 2, sync: bool = True, **more: Any) -> Plain:
    """What a case says: the network and its arguments, the optimizer and its, the configuration, and the cluster."""
    return dict(net=net, opt=opt, servers=servers, trainers=trainers, sync=sync, **more)


LARGE = {"hidden": 2000}
CASES: Dict[str, Plain] = {
    "line/sgd": case(),
    "line/sgd sliced": case(args=LARGE),
    "line/momentum": case(opt="momentum"),
    "line/adam sliced": case(opt="adam", args=LARGE),
    "line/adam decay 3 servers": case(opt="adam", args=LARGE, servers=3, decay="exponential"),
    "line/sgd piecewise": case(decay="piecewise"),
    "line/adam noam 1 server": case(opt="adam", decay="noam", servers=1),
    "line/regularized": case(opt="momentum", regular=True),
    "line/regularized sliced": case(opt="momentum", regular=True, args=LARGE),
    "line/clip by norm of all": case(clip="global", regular=True, opt="momentum"),
    "line/clip by norm of all sliced": case(clip="global", args=LARGE),
    "line/clip by norm": case(clip="norm"),
    "line/clip by value": case(clip="value", regular=True),
    "line/clip by value sliced": case(clip="value", regular=True, args=LARGE),
    "line/own rates": case(args={**LARGE, "rate": 0.2}),
    "line/own rates async": case(args={"rate": 0.2}, opt="adam", sync=False, decay="exponential"),
    "line/one trainer": case(trainers=1),
    "line/second trainer": case(trainer=1, args=LARGE),
    "line/1 server": case(servers=1, args=LARGE),
    "line/3 servers": case(servers=3, args=LARGE, trainers=3),
    "line/async": case(sync=False),
    "line/async config": case(config=ASYNC),
    "line/async sliced adam": case(sync=False, opt="adam", args=LARGE, decay="exponential"),
    "line/dc asgd": case(sync=False, config={"enable_dc_asgd": True}),
    "line/dc asgd sliced": case(sync=False, args=LARGE, config={"enable_dc_asgd": True}),
    "line/not sliced": case(args=LARGE, config={"slice_var_up": False}),
    "line/large blocks": case(args=LARGE, config={"min_block_size": 20000}),
    "line/hash": case(args=LARGE, config={"split_method": "HashName"}),
    "line/split at run time": case(args=LARGE, sync=False, config={"sync_mode": False, "runtime_split_send_recv": True}),
    "line/half async": case(
        args=LARGE, sync=False, config={"sync_mode": False, "half_async": True, "runtime_split_send_recv": True}
    ),
    "line/not completely async": case(args=LARGE, sync=False, config={"sync_mode": False, "completely_not_async": True}),
    "line/async noam 3 trainers": case(sync=False, opt="adam", decay="noam", trainers=3),
    "line/async decay 3 trainers": case(sync=False, decay="exponential", trainers=3, trainer=2),
    "line/async piecewise": case(sync=False, decay="piecewise", servers=1),
    "line/averaged": case(average=True),
    "deep/adam": case("deep", "adam"),
    "deep/not sliced": case("deep", servers=3, config={"slice_var_up": False}),
    "deep/not sliced seeded": case("deep", servers=3, config={"slice_var_up": False}, seed=5),
    "deep/hash": case("deep", servers=3, config={"split_method": "HashName"}),
    "deep/async": case("deep", "momentum", sync=False),
    "image/momentum": case("image", "momentum", regular=True),
    "image/async": case("image", "adam", sync=False),
    "ctr/dense": case("ctr", args={"sparse": False}),
    "ctr/sparse": case("ctr"),
    "ctr/sparse adam": case("ctr", "adam"),
    "ctr/sparse lazy async": case("ctr", "lazy", sync=False, decay="exponential"),
    "ctr/sparse split at run time": case("ctr", sync=False, config={"sync_mode": False, "runtime_split_send_recv": True}),
    "ctr/sparse half async": case("ctr", sync=False, config={"sync_mode": False, "half_async": True, "runtime_split_send_recv": True}),
    "ctr/sparse small": case("ctr", args={"rows": 40}),
    "ctr/sparse shared": case("ctr", args={"shared": True}, opt="adagrad"),
    "ctr/sparse 1 server": case("ctr", servers=1),
    "ctr/sparse 3 servers": case("ctr", servers=3),
    "ctr/sparse regularized": case("ctr", regular=True),
    "ctr/sparse dc asgd": case("ctr", sync=False, config={"enable_dc_asgd": True}),
    "ctr/distributed": case("ctr", args={"sparse": False, "dist": True, "shared": True}),
    "ctr/distributed sparse": case("ctr", args={"dist": True, "shared": True}),
    "ctr/distributed two tables": case("ctr", args={"dist": True}),
    "words/sparse": case("words"),
    "words/sparse not sliced": case("words", config={"slice_var_up": False}),
    "words/distributed": case("words", args={"sparse": False, "dist": True}),
    "words/distributed async": case("words", args={"sparse": False, "dist": True}, sync=False),
    "words/distributed sparse": case("words", args={"dist": True}),
    "words/distributed 1 trainer": case("words", args={"sparse": False, "dist": True}, trainers=1),
    "tree": case("tree"),
    "newer/sparse": case("newer"),
    "newer/padded": case("newer", args={"padding": 3}),
    "line/geo": case(args=LARGE, sync=False, config=GEO, geo=True),
    "line/geo by the usual class": case(args=LARGE, sync=False, config=GEO),
    "ctr/geo": case("ctr", sync=False, config=GEO, geo=True),
    "words/geo": case("words", sync=False, config=GEO, geo=True, opt="adam"),
    "line/nccl2": case(config={"mode": "nccl2"}, nccl=True),
    "line/nccl2 rings": case(config={"mode": "nccl2", "nccl_comm_num": 2}, nccl=True),
    "line/collective": case(config={"mode": "collective", "collective_mode": "grad_allreduce"}, nccl=True),
    "line/local sgd": case(config={"mode": "collective", "collective_mode": "local_sgd"}, nccl=True),
}  # fmt: skip
for _kind in ("adamax", "adagrad", "decayed", "rmsprop", "adadelta", "ftrl"):
    CASES["line/%s sliced" % _kind] = case(opt=_kind, args=LARGE)


def plain_program(program: Any) -> List[Any]:
    """Its blocks: parent, operators, and variables. Names of control variables are numbers in the order in which they are met."""
    numbers: Dict[str, str] = {}

    def numbered(name: str) -> str:
        return CONTROL.sub(lambda found: "__control_var@%d" % int(numbers.setdefault(found.group(), str(len(numbers)))), name)

    def operator(op: Any) -> List[Any]:
        blocks = op._blocks_attr_ids("optimize_blocks") if op.type == "listen_and_serv" else []
        type_, inputs, outputs, attrs = plain_op(op)
        if "optimize_blocks" in attrs:
            attrs["optimize_blocks"][1] = blocks
        if "grad_to_block_id" in attrs:
            attrs["grad_to_block_id"][1] = sorted(attrs["grad_to_block_id"][1])
        slots = [{slot: [numbered(n) for n in names] for slot, names in s.items()} for s in (inputs, outputs)]
        return [type_, slots[0], slots[1], attrs]

    found = []
    for block in program.blocks:
        ops = [operator(op) for op in block.ops]
        found.append([block.parent_idx, ops, {numbered(n): plain_var(block.vars[n]) for n in sorted(block.vars)}])
    return found


def transpiled(fluid: Any, said: Plain, programs: Sequence[Any]) -> Any:
    """A transpiler that has seen a case's Programs."""
    main, startup = programs
    if "seed" in said:
        main.random_seed = startup.random_seed = said["seed"]
    cost = NETS[said["net"]](fluid, **said.get("args", {}))
    clips = {
        "global": lambda: fluid.clip.GradientClipByGlobalNorm(1.0),
        "norm": lambda: fluid.clip.GradientClipByNorm(1.0),
        "value": lambda: fluid.clip.GradientClipByValue(1.0),
    }
    if "clip" in said:
        fluid.clip.set_gradient_clip(clips[said["clip"]]())
    optimizer(fluid, said["opt"], said.get("decay", ""), said.get("regular", False)).minimize(cost)
    if said.get("average"):
        fluid.optimizer.ExponentialMovingAverage(0.9).update()
    config = fluid.DistributeTranspilerConfig()
    config.wait_port = False
    for name, value in said.get("config", {}).items():
        setattr(config, name, getattr(fluid.transpiler, str(value)) if name == "split_method" else value)
    if said.get("geo"):
        made = import_module(fluid.__name__ + ".transpiler.geo_sgd_transpiler").GeoSgdTranspiler(config)
    else:
        made = fluid.DistributeTranspiler(config)
    servers = ",".join(SERVERS[: said["servers"]])
    if said.get("nccl"):
        made.transpile(0, trainers=servers, current_endpoint=SERVERS[0])
    else:
        made.transpile(said.get("trainer", 0), pservers=servers, trainers=said["trainers"], sync_mode=said["sync"])
    return made


def maps(made: Any) -> Plain:
    """What a transpiler tells of its plan, but for what crashes the wheel when it is looked at."""

    def named(variables: Any) -> Any:
        return [[var.name, [int(size) for size in var.shape]] for var in variables]

    found: Plain = {name: dict(getattr(made, name)) for name in ("sparse_param_to_height_sections", "param_name_to_grad_name")}
    for name in ("param_var_mapping", "grad_var_mapping"):
        found[name] = [[key, named(parts)] for key, parts in getattr(made, name).items()]
    found["param_grad_ep_mapping"] = [
        [where, named(kept["params"]), named(kept["grads"])] for where, kept in made.param_grad_ep_mapping.items()
    ]
    return found


def observe(fluid: Any, said: Plain) -> Plain:
    """The Programs of a case; the trainer's and the servers' are written from networks of their own."""
    found: Plain = {}
    for role in ("trainer", "server"):
        main, startup = fluid.Program(), fluid.Program()
        with fluid.unique_name.guard(), fluid.program_guard(main, startup):
            try:
                made = transpiled(fluid, said, (main, startup))
                if said.get("nccl"):
                    return {"main": plain_program(main), "startup": plain_program(startup)}
                if role == "trainer":
                    found["maps"] = maps(made)
                    found["trainer"] = plain_program(made.get_trainer_program(wait_port=False))
                    found["startup"] = plain_program(startup)
                else:
                    found["servers"] = []
                    for endpoint in SERVERS[: said["servers"]]:
                        program, begin = made.get_pserver_programs(endpoint)
                        found["servers"].append([plain_program(program), plain_program(begin)])
            except Exception as error:  # which the wheel raises is part of the answer
                found["%s error" % role] = [type(error).__name__, str(error)[:200]]
    return found
