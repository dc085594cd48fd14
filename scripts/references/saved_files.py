"""Record the files that `paddle.save` and `fluid.save_dygraph` write, of the objects in tests/models/saved_objects.py."""

import tempfile
from pathlib import Path
from typing import Any, Callable, Dict

import numpy as np

WHEELS = ("1.8.5", "2.6.2", "3.3.1")


def recordings(version: str) -> Dict[str, Callable[[], Dict[str, Any]]]:
    """One file of files for each wheel."""
    return {f"saved_objects_{version}.npz": record_dygraph if version == "1.8.5" else record}


def content(path: Path) -> Any:
    """A file's bytes as an array."""
    return np.frombuffer(path.read_bytes(), np.uint8)


def record() -> Dict[str, Any]:
    """`PROTOCOL/NAME`: the object's file; `binary/NAME`: its file in binary format; `trained/...`: of a net that was trained."""
    import paddle
    import saved_objects

    found = {}
    paddle.disable_static()  # another case switches to it
    objects = saved_objects.objects(paddle)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        for protocol in (2, 3, 4):
            for name, value in objects.items():
                paddle.save(value, str(path), protocol=protocol)
                found[f"{protocol}/{name}"] = content(path)
        for name in saved_objects.BINARY:
            paddle.save(objects[name], str(path), use_binary_format=True)
            found[f"binary/{name}"] = content(path)
        paddle.seed(3)
        net = paddle.nn.Sequential(paddle.nn.Linear(3, 4), paddle.nn.BatchNorm1D(4), paddle.nn.Linear(4, 2))
        schedule = paddle.optimizer.lr.NoamDecay(8, 4)
        adam = paddle.optimizer.Adam(schedule, parameters=net.parameters())
        x = paddle.to_tensor(np.random.RandomState(0).rand(5, 3).astype("float32"))
        for _ in range(2):
            net(x).square().mean().backward()
            adam.step()
            adam.clear_grad()
            schedule.step()
        for name, value in (("net.pdparams", net.state_dict()), ("adam.pdopt", adam.state_dict())):
            paddle.save(value, str(path))
            found["trained/" + name] = content(path)
        net.eval()
        found["trained/x"], found["trained/y"] = x.numpy(), net(x).numpy()
    return found


def record_dygraph() -> Dict[str, Any]:
    """1.8: the files of `fluid.save_dygraph`."""
    import paddle.fluid as fluid

    found = {}
    with tempfile.TemporaryDirectory() as folder, fluid.dygraph.guard():
        net = fluid.dygraph.Linear(2, 3)
        net.weight.set_value(np.arange(6, dtype="float32").reshape(2, 3))
        adam = fluid.optimizer.Adam(0.1, parameter_list=net.parameters())
        x = np.ones((1, 2), "float32")
        y = net(fluid.dygraph.to_variable(x))
        found["x"], found["y"] = x, y.numpy()
        loss = fluid.layers.mean(y)
        fluid.save_dygraph(net.state_dict(), folder + "/net")
        loss.backward()
        adam.minimize(loss)
        fluid.save_dygraph(adam.state_dict(), folder + "/net")
        for name in ("net.pdparams", "net.pdopt"):
            found[name] = content(Path(folder) / name)
    return found
