"""What fleet answers about roles, what a strategy takes and writes, and what training together writes into Programs."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from typing import Any

WHEELS = ("2.6.2",)

TWO = {
    "PADDLE_TRAINER_ID": "1", "PADDLE_TRAINERS_NUM": "2", "PADDLE_TRAINER_ENDPOINTS": "127.0.0.1:6170,127.0.0.1:6171",
    "PADDLE_CURRENT_ENDPOINT": "127.0.0.1:6171",
}  # fmt: skip
SERVERS = {
    "TRAINING_ROLE": "TRAINER", "PADDLE_TRAINER_ID": "1", "PADDLE_TRAINERS_NUM": "2", "POD_IP": "127.0.0.1", "PADDLE_PORT": "6002",
    "PADDLE_PSERVERS_IP_PORT_LIST": "127.0.0.1:7001,127.0.0.1:7002", "PADDLE_TRAINER_ENDPOINTS": "127.0.0.1:6001,127.0.0.1:6002",
}  # fmt: skip


def changed(environment: dict[str, str], *left_out: str, **given: str) -> dict[str, str]:
    return {**{name: value for name, value in environment.items() if name not in left_out}, **given}


# environment -> whether it is one of a collective job
ENVIRONMENTS: dict[str, tuple[bool, dict[str, str]]] = {
    "alone": (True, {}),
    "two": (True, TWO),
    "first of two": (True, changed(TWO, PADDLE_TRAINER_ID="0", PADDLE_CURRENT_ENDPOINT="127.0.0.1:6170")),
    "two machines": (True, {
        "PADDLE_TRAINER_ID": "2", "PADDLE_TRAINERS_NUM": "4", "PADDLE_CURRENT_ENDPOINT": "10.0.0.2:6170", "PADDLE_RANK_IN_NODE": "0",
        "PADDLE_TRAINER_ENDPOINTS": "10.0.0.1:6170,10.0.0.1:6171,10.0.0.2:6170,10.0.0.2:6171", "PADDLE_LOCAL_DEVICE_IDS": "0",
        "PADDLE_WORLD_DEVICE_IDS": "0,1,0,1",
    }),
    "alone without servers": (False, {}),
    "a job's variables, but no servers": (False, TWO),
    "trainer": (False, SERVERS),
    "trainer without endpoints": (False, changed(SERVERS, "PADDLE_TRAINER_ENDPOINTS")),
    "trainer on another machine": (False, changed(SERVERS, PADDLE_TRAINER_ENDPOINTS="a:1,b:1")),
    "one trainer": (False, changed(SERVERS, PADDLE_TRAINER_ID="0", PADDLE_TRAINERS_NUM="1")),
    "server": (False, changed(SERVERS, "PADDLE_TRAINER_ID", TRAINING_ROLE="PSERVER", PADDLE_PORT="7002")),
    "coordinator": (False, changed(SERVERS, TRAINING_ROLE="COORDINATOR", PADDLE_COORDINATOR_ENDPOINTS="127.0.0.1:9001")),
    "no list of servers": (False, changed(SERVERS, "PADDLE_PSERVERS_IP_PORT_LIST")),
    "an empty list of servers": (False, changed(SERVERS, PADDLE_PSERVERS_IP_PORT_LIST="")),
    "no POD_IP": (False, changed(SERVERS, "POD_IP")),
    "no PADDLE_PORT": (False, changed(SERVERS, "PADDLE_PORT")),
    "no TRAINING_ROLE": (False, changed(SERVERS, "TRAINING_ROLE")),
    "wrong TRAINING_ROLE": (False, changed(SERVERS, TRAINING_ROLE="DRIVER")),
    "no PADDLE_TRAINERS_NUM": (False, changed(SERVERS, "PADDLE_TRAINERS_NUM")),
    "no PADDLE_TRAINER_ID": (False, changed(SERVERS, "PADDLE_TRAINER_ID")),
    "PADDLE_TRAINER_ID is a letter": (False, changed(SERVERS, PADDLE_TRAINER_ID="a")),
    "PADDLE_TRAINERS_NUM is a letter": (False, changed(SERVERS, PADDLE_TRAINERS_NUM="a")),
    "server without a port": (False, changed(SERVERS, "PADDLE_PORT", TRAINING_ROLE="PSERVER")),
    "server that is not in the list": (False, changed(SERVERS, TRAINING_ROLE="PSERVER", PADDLE_PORT="1")),
}  # fmt: skip
WORKER, SERVER = 1, 2
USERS: dict[str, dict[str, Any]] = {
    "worker": {"current_id": 0, "role": WORKER, "worker_num": 2, "server_endpoints": ["127.0.0.1:36011", "127.0.0.1:36012"]},
    "server": {"current_id": 1, "role": SERVER, "worker_num": 2, "server_endpoints": ["127.0.0.1:36011", "127.0.0.1:36012"]},
    "worker with endpoints": {"current_id": 0, "role": WORKER, "worker_endpoints": ["a:1", "b:1"], "server_endpoints": ["c:1"]},
    "worker beyond the others": {"current_id": 2, "role": WORKER, "worker_num": 2, "server_endpoints": ["a:1"]},
    "a role that is none": {"current_id": 0, "role": "x", "worker_num": 2, "server_endpoints": ["a:1"]},
    "collective": {"is_collective": True, "current_id": 1, "worker_num": 2, "worker_endpoints": ["127.0.0.1:1", "127.0.0.1:2"]},
    "collective on two machines": {"is_collective": True, "current_id": 0, "role": WORKER, "worker_endpoints": ["a:1", "b:1"]},
    "nothing": {},
    "no workers": {"current_id": 0, "role": WORKER, "worker_num": 0, "server_endpoints": []},
    "server without servers": {"current_id": 0, "role": SERVER, "worker_num": 2},
    "server beyond the others": {"current_id": 3, "role": SERVER, "worker_num": 2, "server_endpoints": ["a:1"]},
    "collective without workers": {"is_collective": True, "current_id": 0, "worker_num": 1},
}
QUESTIONS = (
    "_is_worker", "_is_server", "_is_first_worker", "_is_coordinator", "_is_heter_worker", "_is_non_distributed", "_worker_index",
    "_server_index", "_role_id", "_worker_num", "_server_num", "_node_num", "_get_node_num", "_get_trainer_endpoints",
    "_get_pserver_endpoints", "_get_coordinator_endpoints", "_get_heter_worker_endpoints", "_get_trainer_endpoint", "_get_local_device_ids",
    "_get_world_device_ids", "_get_stage_id", "_get_stage_trainers", "_get_num_stage", "_get_next_trainers", "_get_previous_trainers",
    "_heter_device", "_heter_device_type", "to_string",
)  # fmt: skip


def answer(call: Any) -> Any:
    """What a call returns, or the kind of what it raises."""
    try:
        return call()
    except Exception as error:
        kinds = [kind.__name__ for kind in type(error).__mro__]
        known = ("ValueError", "TypeError", "AssertionError", "IndexError", "AttributeError", "NotImplementedError")
        return {"raises": next((kind for kind in kinds if kind in known), "Exception")}


def role_answers(make: Any) -> dict[str, Any]:
    """What a role maker says to each question."""
    role = make()
    return {question: answer(getattr(role, question)) for question in QUESTIONS} if role is not None else {}


@contextlib.contextmanager
def environment(values: dict[str, str]) -> Any:
    """Paddle's variables are these, inside the block."""
    former = dict(os.environ)
    for name in list(os.environ):
        if name.startswith(("PADDLE_TRAIN", "PADDLE_PSERVER", "TRAINING_ROLE", "POD_IP", "PADDLE_PORT")):
            del os.environ[name]
    os.environ.update(values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(former)


# ---- strategies
SWITCHES = (
    "_calc_comm_same_stream", "adaptive_localsgd", "amp", "asp", "auto", "auto_search", "conv_workspace_size_limit",
    "cudnn_batchnorm_spatial_persistent", "cudnn_exhaustive_search", "dgc", "elastic", "find_unused_parameters", "fuse_all_reduce_ops",
    "fuse_grad_merge", "fuse_grad_size_in_MB", "fuse_grad_size_in_num", "gradient_merge", "heter_ccl_mode",
    "hierarchical_allreduce_inter_nranks", "is_fl_ps_mode", "is_with_coordinator", "lamb", "lars", "localsgd", "nccl_comm_num", "pipeline",
    "qat", "recompute", "semi_auto", "sharding", "split_data", "sync_batch_norm", "sync_nccl_allreduce", "tensor_parallel",
    "use_hierarchical_allreduce", "without_graph_optimization", "_fuse_grad_size_in_TFLOPS", "a_sync", "adam_d2sum", "fp16_allreduce",
    "last_comm_group_size_MB",
)  # fmt: skip
CONFIGS = (
    "a_sync_configs", "adaptive_localsgd_configs", "amp_configs", "dgc_configs", "gradient_merge_configs", "gradient_scale_configs",
    "lamb_configs", "lars_configs", "localsgd_configs", "pipeline_configs", "qat_configs", "recompute_configs", "sharding_configs",
    "tensor_parallel_configs", "trainer_desc_configs",
)  # fmt: skip
VALUES: tuple[Any, ...] = (True, 1, 0, 2, 1.5, "x", None, {"nope": 1}, {}, [1])
TEXTS = (
    "amp: true\n", "amp: 1", "amp: tru", "nope: 1", "amp_configs { init_loss_scaling: 3 }", "amp true", "}", "amp_configs {",
    "amp_configs: { init_loss_scaling: 3.0f custom_white_list: ['a','b'] }", "# c\nlars: true # d", "amp: true amp: false",
    "fuse_grad_size_in_MB: 'x'", "mode: PS", "mode: 2", "mode: NOPE", "amp_configs < init_loss_scaling: 1e3 >", "amp : true",
    "fuse_grad_size_in_MB: 3000000000", 'amp_configs { custom_white_list: \'q\\n\\101\' "z" } ; lars: True, lamb: t; dgc: f',
    "fs_client_param { uri: 3 }", 'recompute_configs { checkpoints: "a }', 'recompute_configs { checkpoints: "a\\q" }', "amp: true;;",
    "lars_configs { lars_coeff: inf }", "dgc_configs { sparsity: [0.1, 0.2] sparsity: 3 }", "dgc_configs { sparsity: [] }",
    "a_sync_configs { k_steps: 0x10 }", "a_sync_configs { k_steps: 010 }", "lars_configs { lars_coeff: .5 }", "amp: \"x\"",
    "localsgd_configs { k_steps: 1.0 }", "build_strategy { fuse_bn_act_ops: true }", "amp_configs { nope: 1 }",
    "hybrid_configs { dp_degree: 2 mp_configs { sync_param: false } }", "downpour_table_param { table_id: -1 }",
    "downpour_table_param { accessor { embed_sgd_param { adam { weight_bounds: 1 } } } }", "fuse_grad_size_in_TFLOPS: 1e-10",
)  # fmt: skip
PART = "table_parameters.emb."
RULE = f"{PART}accessor.embed_sgd_param."
SAVED = f"{PART}accessor.table_accessor_save_param."
ACCESSORS = (
    "DownpourSparseValueAccessor", "DownpourCtrAccessor", "DownpourCtrDoubleAccessor", "DownpourUnitAccessor",
    "DownpourDoubleUnitAccessor", "DownpourCtrDymfAccessor", "Nope",
)  # fmt: skip
TABLES: tuple[dict[str, Any], ...] = (  # sparse_table_configs
    {}, {"emb": {}}, {"emb": {f"{RULE}adagrad.initial_g2sum": [7.0]}, "other": {"table_parameters.other.table_id": 4}},
    {"emb": {f"{PART}shard_num": 3, f"{RULE}name": "SparseNaiveSGDRule", f"{RULE}naive.weight_bounds": [-1.0, 2.0], "unknown": 1}},
    {"emb": {f"{SAVED}num": 2, f"{SAVED}param": [1, 2], f"{SAVED}converter": ""}}, {"emb": {f"{PART}shard_num": "x"}},
)  # fmt: skip
DESCRIBED: tuple[dict[str, Any], ...] = (  # fleet_desc_configs
    {}, {"emb": {}}, {"emb": {"nope": 1}}, {"emb": {"sparse_table_class": "DownpourSparseSSDTable"}}, {"emb": {"sparse_table_class": "x"}},
    *({"emb": {"sparse_optimizer": name}} for name in ("naive", "adagrad", "adagrad_v2", "std_adagrad", "adam", "shared_adam", "nope")),
    *({"emb": {"sparse_accessor_class": name, "embed_sparse_initial_range": 3, "embedx_sparse_optimizer": "adam"}} for name in ACCESSORS),
    {"emb": {
        "sparse_embedx_dim": 15, "sparse_embedx_threshold": 3, "sparse_weight_bounds": [-1.0, 1.0], "sparse_nonclk_coeff": 0.2,
        "sparse_load_filter_slots": [1.0], "sparse_converter": "c", "sparse_delete_after_unseen_days": 3, "sparse_initial_g2sum": 5,
        "sparse_learning_rate": 0.3, "nodeid_slot": 3, "sparse_fea_dim": 99, "sparse_compress_in_save": True, "sparse_shard_num": 2,
    }, "use_cvm": False, "dense_table": {"x": 1}, "datanorm_table": {}},
)  # fmt: skip


def strategies(fleet: Any, paddle: Any) -> dict[str, Any]:
    """What the properties of a strategy take, and what it looks like in a file and printed."""
    found: dict[str, Any] = {"defaults": {name: getattr(fleet.DistributedStrategy(), name) for name in (*SWITCHES, *CONFIGS)}}
    for name in (*SWITCHES, *CONFIGS):
        for value in VALUES:

            def put(name: str = name, value: Any = value) -> Any:
                strategy = fleet.DistributedStrategy()
                setattr(strategy, name, value)
                return getattr(strategy, name)

            found[f"{name} = {value!r}"] = answer(put)
    for name, given in (("sparse_table_configs", TABLES), ("fleet_desc_configs", DESCRIBED)):
        for configs in given:

            def tables(name: str = name, configs: Any = configs) -> list[str]:
                strategy = fleet.DistributedStrategy()
                setattr(strategy, name, configs)
                return [str(each) for each in strategy.sparse_table_configs]

            found[f"{name} = {configs!r}"] = answer(tables)
    found["no such property"] = answer(lambda: setattr(fleet.DistributedStrategy(), "nope", 1))
    found["hybrid keys"] = answer(lambda: setattr(fleet.DistributedStrategy(), "hybrid_configs", {"nope": 1}))
    found["nothing"] = printed(fleet.DistributedStrategy())
    found["everything"] = printed(everything(fleet, paddle))
    for text in TEXTS:
        found[text] = answer(lambda text=text: in_file(read(fleet, text)))
    again = read(fleet, found["everything"]["file"])
    found["read again"] = {"file": in_file(again), "num_threads": again.execution_strategy.num_threads}
    return found


def everything(fleet: Any, paddle: Any) -> Any:
    """A strategy with many things set."""
    strategy = fleet.DistributedStrategy()
    for name in ("amp", "recompute", "auto", "elastic", "lars", "gradient_merge", "a_sync", "adam_d2sum", "_calc_comm_same_stream"):
        setattr(strategy, name, True)
    strategy.amp_configs = {"init_loss_scaling": 1024, "custom_white_list": ['x"y', "b"], "incr_ratio": 1.3}
    strategy.amp_configs = {"custom_white_list": ["c"], "custom_black_list": None}
    strategy.recompute_configs = {"checkpoints": ["a", "b"]}
    strategy.lars_configs = {"lars_coeff": 0.1, "exclude_from_weight_decay": ["a" * 60]}
    strategy.dgc_configs = {"sparsity": [0.9, 0.99]}
    strategy.hybrid_configs = {"dp_degree": 1, "mp_degree": 2, "mp_configs": {"sync_param": False}}
    strategy.fuse_grad_size_in_MB, strategy.last_comm_group_size_MB, strategy.split_data = 50, 2, False
    build, execution = paddle.static.BuildStrategy(), paddle.static.ExecutionStrategy()
    build.fuse_bn_act_ops = True
    build.reduce_strategy = paddle.static.BuildStrategy.ReduceStrategy.Reduce
    execution.num_threads = 7
    strategy.build_strategy, strategy.execution_strategy = build, execution
    strategy.pipeline_configs = {"schedule_mode": "F-then-B"}
    strategy.gradient_scale_configs = {"scale_strategy": "sum"}
    strategy.a_sync_configs = {"k_steps": 3}
    return strategy


def printed(strategy: Any) -> dict[str, str]:
    return {"file": in_file(strategy), "text": repr(strategy)}


def in_file(strategy: Any) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "strategy.prototxt")
        strategy.save_to_prototxt(path)
        with open(path, encoding="utf-8") as file:
            return file.read()


def read(fleet: Any, text: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "strategy.prototxt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        strategy = fleet.DistributedStrategy()
        strategy.load_from_prototxt(path)
        return strategy


# ---- Programs
def programs(fleet: Any, paddle: Any, workers: int, scale: str = "avg") -> dict[str, Any]:
    """The operators that a network has after `minimize`, and the layers that made them."""
    paddle.enable_static()
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard(), environment(TWO if workers > 1 else {}):
        x, y = paddle.static.data("x", [None, 4]), paddle.static.data("y", [None, 1], "int64")
        hidden = paddle.static.nn.fc(x, 3, activation="relu")
        cost = paddle.mean(paddle.nn.functional.cross_entropy(paddle.static.nn.fc(hidden, 2), y))
        strategy = fleet.DistributedStrategy()
        strategy.fuse_all_reduce_ops = False
        strategy.gradient_scale_configs = {"scale_strategy": scale}
        fleet.init(fleet.PaddleCloudRoleMaker(is_collective=True), strategy=strategy)
        fleet.distributed_optimizer(paddle.optimizer.SGD(0.01)).minimize(cost)
        layers = fleet._get_applied_meta_list()
    return {"main": operators(main), "startup": operators(startup), "layers": layers}


def operators(program: Any) -> list[Any]:
    """Types, inputs, outputs and the attributes that say what is summed."""
    kept = ("ring_id", "root", "rank", "nranks", "scale", "op_role", "endpoints", "endpoint", "other_endpoints")
    found = []
    for op in program.global_block().ops:
        ins = {slot: op.input(slot) for slot in op.input_names if op.input(slot)}
        outs = {slot: op.output(slot) for slot in op.output_names if op.output(slot)}
        found.append([op.type, ins, outs, {name: op.attr(name) for name in kept if op.has_attr(name)}])
    return found


# ---- data generators
LINES: tuple[Any, ...] = (
    [("a", [1, 2]), ("b", [3])], [("a", [])], [("a", 3)], [], "x", [("a", ["x"])], [("a", [1], 3)], 3, [(3, [1])], (("a", [1]),),
    [("a", (1, 2))], [("a", [1.5])], [["a", [1]]], [("a", ["1", "2"]), ("b", ["3"])],
)  # fmt: skip


def generators(fleet: Any) -> dict[str, Any]:
    """What data generators print."""
    found: dict[str, Any] = {}
    for kind in ("MultiSlotDataGenerator", "MultiSlotStringDataGenerator"):
        base = getattr(fleet, kind)
        text = kind == "MultiSlotStringDataGenerator"

        class Words(base):  # type: ignore[misc, valid-type]
            def generate_sample(self, line: Any, text: bool = text) -> Any:
                def samples() -> Any:
                    yield None
                    for word in (line or "1 2 3").split():
                        yield [("words", [word, word] if text else [int(word)]), ("label", ["0"] if text else [1])]

                return samples

        class Batches(Words):
            def generate_batch(self, samples: Any) -> Any:
                return lambda: ([*sample, ("size", [str(len(samples))])] for sample in samples)

        for line in LINES:
            found[f"{kind} {line!r}"] = answer(lambda base=base, line=line: base()._gen_str(line))
        for name, one in (("words", Words), ("batches", Batches) if text else ("words", Words)):
            for size in (2, 32):
                maker = one()
                maker.set_batch(size)
                found[f"{kind} {name} {size} memory"] = shown(maker.run_from_memory)
                found[f"{kind} {name} {size} stdin"] = shown(maker.run_from_stdin, "1 2\n3 4 5\n")
        found[f"{kind} without samples"] = answer(lambda base=base: base().run_from_memory())
    maker = fleet.MultiSlotDataGenerator()
    lines = ([("a", [1])], [("b", [1])], [("a", [1]), ("b", [2])], [("a", [1.5])])
    found["one after the other"] = [answer(lambda line=line: maker._gen_str(line)) for line in lines]
    return found


def shown(call: Any, given: str = "") -> str:
    """What a call prints."""
    former, sys.stdin = sys.stdin, io.StringIO(given)
    try:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            call()
    finally:
        sys.stdin = former
    return out.getvalue()


# ---- the wheel
def pretend_to_have_gpus() -> None:
    """The wheel writes sums for NCCL alone: let it think that it has GPUs, and write operators that it does not know."""
    import paddle
    from paddle.base import core, framework

    core.is_compiled_with_cuda = lambda: True
    get_flags, append = paddle.get_flags, framework.Block.append_op

    def flags(names: Any) -> Any:
        return {names: False} if names == "FLAGS_dynamic_static_unified_comm" else get_flags(names)

    def append_op(self: Any, *args: Any, **kwargs: Any) -> Any:
        if kwargs.get("type") not in ("c_gen_nccl_id", "c_comm_init"):
            return append(self, *args, **kwargs)
        desc = self.desc.append_op()
        desc.set_type(kwargs["type"])
        for slot, name in {**kwargs.get("inputs", {})}.items():
            desc.set_input(slot, [name.name])
        for slot, name in {**kwargs.get("outputs", {})}.items():
            desc.set_output(slot, [name.name])
        for name, value in kwargs["attrs"].items():
            desc._set_attr(name, value)
        op = framework.Operator.__new__(framework.Operator)
        op.block, op.desc = self, desc
        self.ops.append(op)
        return op

    paddle.get_flags, framework.Block.append_op = flags, append_op


def recordings(version: str) -> dict[str, Any]:
    def record() -> dict[str, Any]:
        import paddle
        from paddle.distributed import fleet

        found: dict[str, Any] = {"roles": {}, "users": {}}
        for name, (collective, values) in ENVIRONMENTS.items():
            with environment(values):
                found["roles"][name] = role_answers(lambda collective=collective: fleet.PaddleCloudRoleMaker(is_collective=collective))
        for name, given in USERS.items():
            found["users"][name] = role_answers(lambda given=given: fleet.UserDefinedRoleMaker(**given))
        found["strategies"] = strategies(fleet, paddle)
        found["generators"] = generators(fleet)
        found["one worker"] = programs(fleet, paddle, 1)
        pretend_to_have_gpus()
        found["two workers"] = programs(fleet, paddle, 2)
        found["two workers, sums"] = programs(fleet, paddle, 2, "sum")
        return found

    return {"fleet_2.6.2.json.gz": record}
