"""Pieces of Paddle 3 code that show what names of version 3 do."""

from __future__ import annotations

CASES = {
    "modes_of_layers_return_the_layer": """
net = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5)).eval()
one = [net.training, net[1].training, net.train() is net, net[1].training, net.train(False) is net, net.train(mode=True) is net]
class Net(nn.Layer):
    def forward(self, x):
        return F.dropout(x, 0.5, training=self.training)
answer = [one, Net().eval()(paddle.ones([2])), Net().train().train(False).training]
""",
    "numbers_of_eight_bits": """
answer = []
for kind in (paddle.float8_e4m3fn, "float8_e5m2"):
    x = paddle.to_tensor([440.0, 449.0, 460.0, 1e6, -float("inf"), 0.0009765625, 0.0029, -0.0, -3.3, 17.0, 19.0], stop_gradient=False)
    y = x.astype(kind)
    (y.astype("float32") * 2).sum().backward()
    answer += [str(y.dtype), y, y.stop_gradient, x.grad, y.numpy().dtype.name, y.numpy(), y.element_size(), y[1:3]]
    answer += [y.reshape([-1, 1]).T.shape]
    answer += [y.view("uint8"), paddle.full([2], 3, kind), paddle.ones([2], kind), paddle.finfo(y.dtype).max, paddle.finfo(y.dtype).bits]
    answer += [paddle.to_tensor([300, 500, -7]).astype(kind), y.is_floating_point(), str(paddle.concat([y, y]).dtype), str(y.cpu().dtype)]
    answer += [y.clone().fill_(1.0), str(y.view(paddle.float8_e4m3fn).dtype), y.astype(paddle.float8_e5m2), repr(y).split(", place")[0]]
""",
    "sums_of_numbers_of_eight_bits": "answer = paddle.ones([2], 'float8_e5m2') + paddle.ones([2], 'float8_e5m2')",
    "unsigned_numbers": """
x = paddle.to_tensor([1.0, 2.5, 500.0])
answer = [x.astype(kind).astype("int64") for kind in (paddle.uint16, paddle.uint32, paddle.uint64)]
answer += [paddle.iinfo(paddle.uint16).max, paddle.iinfo(paddle.uint32).max, str(x.astype(paddle.uint32).dtype), str(paddle.uint64)]
answer += [paddle.to_tensor(np.array([1, 2]), dtype=paddle.uint16).numpy(), str(x.astype("uint16").dtype), paddle.pstring == paddle.raw]
""",
    "no_name_of_unsigned_numbers": "paddle.ones([2]).astype('uint32')",
}
CASES["numbers_in_where"] = """
c = paddle.to_tensor([True, False])
answer = [paddle.where(c, 1, 2), paddle.where(c, True, False), paddle.where(c, 1 + 2j, 1), paddle.where(c, c, True)]
answer += [paddle.where(c > 0, -1, 0).sum()]
"""
CASES["ways_of_attention"] = """
from paddle.nn.attention import SDPBackend, sdpa_kernel
q = paddle.rand([2, 4, 2, 8])
answer = [[(each.name, int(each)) for each in SDPBackend]]
two = [SDPBackend.MATH, SDPBackend.FLASH_ATTENTION]
for backends in (SDPBackend.MATH, SDPBackend.FLASH_ATTENTION, two, SDPBackend.ERROR, [], "x", [1], None):
    try:
        with sdpa_kernel(backends) as given:
            answer.append([given, F.scaled_dot_product_attention(q, q, q).shape])
    except Exception as error:
        kinds = (AssertionError, TypeError, ValueError, RuntimeError)
        answer.append(next(kind.__name__ for kind in kinds if isinstance(error, kind)))
@sdpa_kernel([SDPBackend.MATH], set_priority=True)
def attend():
    return F.scaled_dot_product_attention(q, q, q)
answer += [attend()]
"""
# the wheel computes these on a CPU by functions of their own modules only
_BY_PARTS = """
import importlib
def of_parts(name):
    try:
        return getattr(importlib.import_module("paddle.incubate.nn.functional." + name), "math_" + name)
    except ImportError:
        return getattr(paddle.incubate.nn.functional, name)
"""
CASES["auxiliary_loss_of_experts"] = f"""{_BY_PARTS}
g = F.softmax(paddle.randn([6, 4]))
g.stop_gradient = False
two, four = paddle.to_tensor([True] * 4 + [False] * 2), paddle.to_tensor([1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0])
answer = []
for given in (
    (paddle.to_tensor([1, 2, 3, 0]), None, None, 4, True, 2, 1e-6), (paddle.ones([6, 4], "int64"), two, None, 4, False, 2, 1e-6),
    (paddle.to_tensor([1, 2, 3, 0]), two, four, 4, True, 2, 1e-6), (paddle.to_tensor([1, 2, 3, 0]), two, four[:6], 4, True, 2, 1e-6),
):
    loss, count, shares = of_parts("cal_aux_loss")(g, *given)
    loss.backward()
    answer += [loss, count, shares, g.grad]
"""
CASES["counts_of_whole_numbers"] = f"""{_BY_PARTS}
count = of_parts("int_bincount")
answer = [count(paddle.to_tensor([0, 2, 2, 5]), 0, 4, "int64"), count(paddle.to_tensor([[0, 2], [2, 3]], "int32"), 1, 8, "int32")]
answer += [count(paddle.zeros([0], "int64"), 0, 3, "int64"), count(paddle.to_tensor(2), 0, 3, "int32")]
try:
    count(paddle.to_tensor([1]), 3, 1, "int64")
except ValueError:
    answer += ["ValueError"]
"""
CASES["arithmetic_of_paddle_3"] = """
i, j, f = paddle.to_tensor([[7, -7, 1]]), paddle.to_tensor([[2, 2, 3]]), paddle.to_tensor([[0.5, 0.25, 2.0]])
x = f.clone()
x.stop_gradient = False
paddle.div(x, f).sum().backward()
answer = [paddle.div(i, j), i.div(j), paddle.div(input=i, other=j), paddle.div(i, j, rounding_mode="trunc"), x.grad]
answer += [paddle.div(i, j, rounding_mode="floor"), i.clone().div_(j), i.clone().div_(j, rounding_mode="floor"), paddle.div(f, f)]
answer += [paddle.isin(f, f.astype("float64")), paddle.isin(f.astype("float16"), f), paddle.sinc(paddle.to_tensor([1 + 1j])).real()]
answer += [paddle.quantile(f, paddle.to_tensor([0.5, 0.2])), paddle.nanquantile(f, paddle.to_tensor(0.5))]
answer += [paddle.triu(f.tile([2, 1]), paddle.to_tensor(1)), paddle.tril(f.tile([2, 1]), diagonal=paddle.to_tensor([0]))]
"""
CASES["parts_of_rows"] = """
x = paddle.arange(12).reshape([4, 3])
cuts = ([0], [0, 1], (2, 5), [7], 3, 2, [1, 3], [1, 1, 2], [2])
answer = [[part.shape for part in paddle.vsplit(x, each)] for each in cuts if each not in ([1, 3], [1, 1, 2])]
answer += [paddle.vsplit(x, [1, 2])]
"""
CASES["parts_of_more_than_whole_numbers"] = "paddle.isin(paddle.to_tensor([1]), paddle.to_tensor([1.0]))"
CASES["weights_that_are_there"] = """
import os, tempfile, zipfile
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "net.pdparams")
    paddle.save({"w": paddle.ones([2])}, path)
    with zipfile.ZipFile(os.path.join(folder, "packed.zip"), "w") as archive:
        archive.write(path, "inside.pdparams")
    load = paddle.hub.load_state_dict_from_url
    answer = [load("https://bj.bcebos.com/net.pdparams", model_dir=folder)["w"], load("https://bj.bcebos.com/packed.zip", folder)["w"]]
    answer += [load("https://bj.bcebos.com/other", folder, file_name="net.pdparams", map_location="cpu")["w"]]
    answer += [type(load("https://bj.bcebos.com/net.pdparams", folder, map_location="numpy")["w"]).__name__]
    try:
        load("https://bj.bcebos.com/net.pdparams", folder, map_location="moon")
    except AssertionError:
        answer += ["AssertionError"]
"""
CASES["parts_of_weights"] = """
import tempfile
from paddle.distributed import ShardedWeight, build_sharded_state_dict, load_state_dict, save_state_dict, shard_weight
class Group:
    rank, nranks = 1, 2
def told(part):
    return [part.key, part.local_shape, part.global_shape, part.global_offset, part.is_flattened, part.local_tensor.shape]
w = paddle.ones([2, 3])
answer = [told(shard_weight("k", w, 0, Group)), told(shard_weight("k", w, 1, Group)), told(ShardedWeight("k", w, (2, 3), (4, 3), (2, 0)))]
answer += [ShardedWeight("k", w, (2, 3), (6,), (0,), True, slice(0, 3)).flattened_range.stop]
answer += [[told(part) for part in build_sharded_state_dict({"w": w, "x": paddle.ones([])}, prefix="p.").values()]]
net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1D(2))
answer += [[name, told(part)] for name, part in net.sharded_state_dict("net.").items()]
for axis in (2, -1):
    try:
        shard_weight("k", w, axis, Group)
    except ValueError:
        answer += ["ValueError"]
"""
CASES["operands_of_two_types"] = """
half, whole = paddle.to_tensor(1.5, "float16"), paddle.to_tensor([7, 2, 5], "int16")
answer = [-half, -half.astype("bfloat16"), paddle.floor_divide(whole, paddle.to_tensor(2, "int64"))]
answer += [(1 + 2j) % whole, 7 // paddle.to_tensor(2)]
answer += [paddle.div(whole, paddle.to_tensor(2.0, "float64"))]
answer += [paddle.true_divide(paddle.to_tensor(2.0, "float64"), whole)]
"""
CASES["operators_of_programs"] = """
paddle.enable_static()
main = paddle.static.Program()
with paddle.static.program_guard(main):
    x, f, b = paddle.static.data("x", [3], "int32"), paddle.static.data("f", [3]), paddle.static.data("b", [3], "bool")
    outs = [x << 2, x >> 1, 2 << x, 64 >> x, 2 & x, 2 | x, 3 ^ x, x << x, True & b]
    outs += [f + (1 + 2j), (1 + 2j) * f, f / 1j, 1j - x, f == 1j, (f * 1j) ** 2]
    try:
        x << 2.5
    except TypeError:
        outs += [x]
feed = {"x": np.array([1, 2, 3], "int32"), "f": np.array([1, 2, 3], "float32"), "b": np.array([True, False, True])}
answer = [[str(out.dtype), np.around(out * 1, 5)] for out in paddle.static.Executor().run(main, feed=feed, fetch_list=outs)]
paddle.disable_static()
"""
CASES["sizes_meet_tuples"] = """
import copy, pickle
size = paddle.Size([2, 3])
answer = [size + (1,), (1,) + size, [1] + size, size * 2, size[:1], size == (2, 3)]
answer += [size != (2, 3), size == [2, 3], (2, 3) == size, size.numel()]
answer = [[str(each), type(each).__name__] for each in answer] + [str(paddle.Size(paddle.to_tensor([1, 2]))), str(copy.deepcopy(size))]
answer += [str(pickle.loads(pickle.dumps(size))), repr(paddle.Size()), size[-1], list(size), tuple(size)]
for wrong in (lambda: paddle.Size([2.5]), lambda: size + 1, lambda: paddle.Size(2), lambda: hash(size)):
    try:
        wrong()
    except TypeError:
        answer += ["TypeError"]
"""
CASES["settings_of_layers"] = """
import inspect
layers = nn.MaxPool2D, nn.AdaptiveAvgPool1D, nn.PixelShuffle, nn.MaxUnPool2D
answer = [list(inspect.signature(layer.__init__).parameters)[:3] for layer in layers]
answer += [F.interpolate(paddle.ones([1, 1, 2]), scale_factor=2, mode="linear", data_format=None)]
answer += [F.pad(paddle.ones([1, 1, 2]), [1, 1], data_format=None), F.pad(paddle.ones([1, 1, 1, 1]), [1, 0, 0, 0], data_format=None)]
"""
CASES["buffers_that_do_not_persist"] = """
layer = nn.Linear(3, 2)
layer.register_buffer("scratch", paddle.ones([1]), persistable=False)
answer = [list(layer.state_dict(include_non_persistable_buffer=True)), list(layer.state_dict())]
"""
CASES["to_in_words_of_torch"] = """
x, y = paddle.ones([2], "float32"), paddle.to_tensor([1.0], stop_gradient=False)
ways = {"device": "cpu", "non_blocking": True}, {"dtype": "float64", "copy": True}, {"other": y.astype("int32"), "non_blocking": True}
answer = [x.to(**way) for way in ways] + [x.to("cpu", copy=True) is x, x.to("cpu") is x, x.to("float64", non_blocking=True)]
(y.to("float64", copy=True) * 2).sum().backward()
answer += [y.grad]
for wrong in ({"non_blocking": True}, {"copy": True}, {"memory_format": 1}):
    try:
        x.to(**wrong)
    except TypeError:
        answer += ["TypeError"]
"""
CASES["autocast_on_gpus"] = """
m = paddle.ones([2, 2])
with paddle.cuda.amp.autocast(True, paddle.bfloat16):
    answer = [paddle.matmul(m, m)]
with paddle.device.amp.autocast_mode.autocast(dtype="bfloat16", cache_enabled=False):
    answer += [paddle.matmul(m, m), paddle.is_autocast_enabled()]
try:
    paddle.cuda.amp.autocast(dtype="float32").__enter__()
except ValueError:
    answer += ["ValueError"]
"""
