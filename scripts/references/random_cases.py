"""What the wheels' random operators draw, operator by operator: every case is run twice from the same start.

In 1.8.5 an operator starts from its own seed. In 2.6.2 the generator is seeded with START before the first run; the
word that the generator gives after the second run tells how many the operator used.
"""

import json

import numpy as np

WHEELS = ("1.8.5", "2.6.2")
START = 11
# Of longer outputs every STRIDE-th number is kept.
LONGEST, STRIDE = 3000, 97


def _inputs():
    rng = np.random.RandomState(0)
    chances = rng.rand(301, 7).astype("float32")
    holes = chances.copy()
    holes[:, 2] = 0
    return {
        "batch": np.ones((4, 9), "float32"),
        "shape": np.array([2, 3], "int64"),
        "chance": rng.rand(40, 50).astype("float32"),
        "weights": chances,
        "holes": holes,
        "rows": (chances / chances.sum(1, keepdims=True)),
        "zeros": np.zeros((40, 50), "float32"),
        "table": np.arange(60, dtype="float32").reshape(10, 6),
        "images": np.arange(4 * 6 * 7, dtype="float32").reshape(4, 6, 7),
        "seed": np.array([11], "int64"),
        "small means": np.linspace(0, 12, 500, dtype="float32").reshape(5, 100),
        "large means": np.geomspace(12, 1e6, 500, dtype="float64"),
        "a mean": np.full(2000, 30.0, "float32"),
    }


def _case(name, type_, attrs, inputs=None, outs=("Out",), wheels=WHEELS):
    return {
        "name": name,
        "type": type_,
        "attrs": attrs,
        "inputs": inputs or {},
        "outs": list(outs),
        "wheels": list(wheels),
    }


FP32, FP64, INT32, INT64, BF16 = 5, 6, 2, 3, 22
OLD, NEW = ("1.8.5",), ("2.6.2",)


def _cases():
    bounds = {"min": -0.7, "max": 1.3}
    bell = {"mean": 0.3, "std": 1.7}
    like = {"shape": [3, -1, 2], "input_dim_idx": 0, "output_dim_idx": 1, "dtype": FP32}
    cases = []
    for seed in (0, 3, -3):
        wheels = NEW if seed == 0 else WHEELS
        tag = "" if seed == 0 else f"_seed{seed}"
        for dtype, suffix in ((FP32, ""), (FP64, "64")):
            many = {"shape": [100003], "dtype": dtype, "seed": seed}
            few = {"shape": [1001], "dtype": dtype, "seed": seed}
            cases += [
                _case("uniform" + suffix + tag, "uniform_random", dict(many, **bounds), wheels=wheels),
                _case("normal" + suffix + tag, "gaussian_random", dict(many, **bell), wheels=wheels),
                _case("normal_few" + suffix + tag, "gaussian_random", dict(few, **bell), wheels=wheels),
                _case(
                    "truncated" + suffix + tag,
                    "truncated_gaussian_random",
                    dict(many, **bell),
                    wheels=[w for w in wheels if w != "1.8.5" or dtype == FP32],
                ),
            ]
        for dtype, suffix in ((INT32, ""), (INT64, "64")):
            attrs = {"shape": [1001], "dtype": dtype, "seed": seed}
            cases += [
                _case("randint" + suffix + tag, "randint", dict(attrs, low=-5, high=12), wheels=wheels),
                _case("randint_wide" + suffix + tag, "randint", dict(attrs, low=-5, high=2**30 + 7), wheels=wheels),
                _case(
                    "randint_widest" + suffix + tag, "randint", dict(attrs, low=-(2**31), high=2**31 - 1), wheels=wheels
                ),
            ]
        cases += [
            _case(
                "uniform_like" + tag,
                "uniform_random_batch_size_like",
                dict(like, seed=seed, **bounds),
                {"Input": "batch"},
                wheels=wheels,
            ),
            _case(
                "diagonal" + tag,
                "uniform_random",
                dict(bounds, shape=[5, 7], seed=seed, dtype=FP32, diag_num=2, diag_step=3, diag_val=9.0),
                wheels=wheels,
            ),
            _case(
                "by_tensor" + tag,
                "uniform_random",
                dict(bounds, shape=[], seed=seed, dtype=FP32),
                {"ShapeTensor": "shape"},
                wheels=wheels,
            ),
            _case(
                "sampling_id" + tag, "sampling_id", {"min": 0.1, "max": 0.9, "seed": seed}, {"X": "rows"}, wheels=wheels
            ),
        ]
        if seed:
            cases += [
                _case(
                    "normal_like" + tag,
                    "gaussian_random_batch_size_like",
                    dict(like, seed=seed, **bell),
                    {"Input": "batch"},
                    wheels=OLD,
                ),
                _case("seed" + tag, "seed", {"seed": seed}),
            ]
        if seed != 0:
            for n in (1, 2, 7, 50, 1000):
                cases.append(_case(f"randperm{n}{tag}", "randperm", {"n": n, "dtype": INT64, "seed": seed}, wheels=OLD))
    for n in (1, 2, 7, 50, 1000):
        cases.append(_case(f"randperm{n}", "randperm", {"n": n, "dtype": INT32}, wheels=NEW))
    # the word that makes the largest float32: 1.8 rounds it up to 1
    largest = (2**31 - 2) * pow(48271, 2**31 - 3, 2**31 - 1) % (2**31 - 1)
    unit = {"shape": [3], "min": 0.0, "max": 1.0, "dtype": FP32}
    cases += [
        _case("uniform_one", "uniform_random", dict(unit, seed=largest), wheels=OLD),
        _case("uniform_modulus", "uniform_random", dict(unit, seed=2**31 - 1), wheels=OLD),
        _case(
            "shuffle_batch",
            "shuffle_batch",
            {"startup_seed": 3},
            {"X": "table", "Seed": "seed"},
            ("Out", "ShuffleIdx", "SeedOut"),
            OLD,
        ),
        _case(
            "random_crop",
            "random_crop",
            {"startup_seed": 3, "shape": [3, 4]},
            {"X": "images", "Seed": "seed"},
            ("Out", "SeedOut"),
            OLD,
        ),
        _case("uniform_bf16", "uniform_random", {"shape": [1001], "dtype": BF16, "seed": 0}, wheels=NEW),
        _case("uniform_inplace", "uniform_random_inplace", dict(bounds, seed=0), {"X": "zeros"}, wheels=NEW),
        _case("uniform_inplace_seed3", "uniform_random_inplace", dict(bounds, seed=3), {"X": "zeros"}, wheels=NEW),
        _case("normal_inplace", "gaussian_inplace", dict(bell, seed=0), {"x": "zeros"}, ("out",), wheels=NEW),
        _case("normal_inplace_seed3", "gaussian_inplace", dict(bell, seed=3), {"x": "zeros"}, ("out",), wheels=NEW),
        _case("poisson_small", "poisson", {}, {"X": "small means"}, wheels=NEW),
        _case("poisson_large", "poisson", {}, {"X": "large means"}, wheels=NEW),
        _case("poisson_same", "poisson", {}, {"X": "a mean"}, wheels=NEW),
        _case("bernoulli", "bernoulli", {}, {"X": "chance"}, wheels=NEW),
        _case("multinomial", "multinomial", {"num_samples": 5}, {"X": "holes"}, wheels=NEW),
        _case("multinomial_all", "multinomial", {"num_samples": 7}, {"X": "weights"}, wheels=NEW),
        _case("multinomial_again", "multinomial", {"num_samples": 20, "replacement": True}, {"X": "holes"}, wheels=NEW),
        _case("exponential", "exponential", {"lambda": 1.7}, {"X": "zeros"}, wheels=NEW),
    ]
    return cases


def _fluid(version):
    if version == "1.8.5":
        import paddle.fluid as static
    else:
        import paddle
        from paddle import static

        paddle.enable_static()
    return static


def _record(version):
    static = _fluid(version)
    known = _inputs()
    content = {"inputs|" + name: value for name, value in known.items()}
    chosen = [case for case in _cases() if version in case["wheels"]]
    for case in chosen:
        main = static.Program()
        with static.program_guard(main):
            block = main.global_block()
            inputs = {}
            for slot, name in case["inputs"].items():
                value = known[name]
                inputs[slot] = block.create_var(name=slot + "_in", dtype=str(value.dtype), shape=value.shape)
            outs = {slot: block.create_var(name=slot + "_out", dtype="float32") for slot in case["outs"]}
            block.append_op(type=case["type"], inputs=inputs, outputs=outs, attrs=dict(case["attrs"]))
        if version != "1.8.5":
            import paddle

            paddle.seed(START)
        feed = {slot + "_in": known[name] for slot, name in case["inputs"].items()}
        executor = static.Executor()
        for run in range(2):
            for slot, value in zip(outs, executor.run(main, feed=feed, fetch_list=list(outs.values()))):
                kept = value if value.size <= LONGEST else value.reshape(-1)[::STRIDE]
                content[f"{case['name']}|{slot}|{run}"] = kept
        if version != "1.8.5":
            content[case["name"] + "|next"] = np.array(paddle.framework.core.default_cpu_generator().random(), "uint64")
    content["cases"] = np.array(json.dumps(chosen))
    return content


def _dropout(version):
    """Which elements dropout keeps, by seed; 2.6.2 keeps the generator for 0."""
    static = _fluid(version)
    content = {}
    for seed in (0, 3, -3):
        if version == "1.8.5" and seed == 0:
            continue
        main = static.Program()
        with static.program_guard(main):
            block = main.global_block()
            x = block.create_var(name="x", dtype="float32", shape=[2003])
            outs = {slot: block.create_var(name=slot, dtype="float32") for slot in ("Out", "Mask")}
            block.append_op(
                type="dropout",
                inputs={"X": x},
                outputs=outs,
                attrs={"dropout_prob": 0.3, "fix_seed": bool(seed), "seed": seed},
            )
        if version != "1.8.5":
            import paddle

            paddle.seed(START)
        (mask,) = static.Executor().run(main, feed={"x": np.ones(2003, "float32")}, fetch_list=[outs["Mask"]])
        content[f"mask|{seed}"] = np.packbits(mask.astype(bool))
    return content


def _seeds(version):
    """The first words of the generator after paddle.seed, and what follows a state that was put back."""
    import paddle

    generator = paddle.framework.core.default_cpu_generator()
    words = []
    for seed in (0, 7, 2**32 + 7, 2**63 + 5):
        paddle.seed(seed)
        words.append([seed] + [int(generator.random()) for _ in range(3)])
    return {"words": words}


def recordings(version):
    """The data files of this case."""
    files = {
        f"random_{version}.npz": lambda: _record(version),
        f"random_dropout_{version}.npz": lambda: _dropout(version),
    }
    if version != "1.8.5":
        files[f"random_seeds_{version}.json"] = lambda: _seeds(version)
    return files
