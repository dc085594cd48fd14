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
answer = [paddle.where(c, 1, 2), paddle.where(c, True, False), paddle.where(c, 1 + 2j, 1), paddle.where(c, c, True), paddle.where(c > 0, -1, 0).sum()]
"""
