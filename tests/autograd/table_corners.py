"""Pieces of code that ask what a Tensor says of itself: its class, its gradient, whether it stops gradients."""

_INTEGERS = (
    "x.cast('int32')", "x.cast('bool')", "x.astype('int64')", "x.argsort()", "x.argmax()", "x.topk(2)", "x.kthvalue(1)", "x.mode()",
    "paddle.cummax(x, 0)", "paddle.cummin(x, 0)", "F.max_pool2d(x.reshape([1, 1, 2, 3]), 2, 1, return_mask=True)", "x == 1",
    "paddle.isnan(x)",
    "x.nonzero()", "paddle.shape(x)", "paddle.unique(x, return_index=True)", "x.sort()", "paddle.searchsorted(x[0].detach(), x)",
    "paddle.ones_like(x, dtype='int32')", "paddle.linalg.lu(x[:, :2])", "x.argsort().is_leaf", "x.cast('int32').is_leaf",
    "x.detach().cast('int32')",
)  # fmt: skip
CASES = {
    "integers_" + call: f"""
import paddle.nn.functional as F
x = X([[1.5, 2.5, 0.5], [3.0, 1.0, 2.0]])
found = {call}
answer = found if isinstance(found, bool) else [v.stop_gradient for v in (found if isinstance(found, (list, tuple)) else [found])]
"""
    for call in _INTEGERS
} | {
    "integers_without_gradients": """
x = X([[1.5, 2.5], [3.0, 1.0]])
with paddle.no_grad():
    answer = [x.argsort().stop_gradient, x.cast("int32").stop_gradient, x.topk(1)[1].stop_gradient]
""",
    "integers_are_changed_in_place": """
places = X([3.0, 1.0, 2.0]).argsort()
places[0] = 5
places.add_(places)
answer = places.numpy()
""",
    "gradients_in_a_pylayer": """
seen = []
class Square(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        seen.extend([dy.stop_gradient, x.stop_gradient, (dy * x).stop_gradient])
        return dy * x * 2
x = X()
Square.apply(x).sum().backward()
answer = [seen, x.grad.numpy()]
""",
    "once_differentiable": """
from paddle.autograd.py_layer import once_differentiable
class Double(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    @once_differentiable
    def backward(ctx, dy):
        return dy * 2
x = X()
Double.apply(x).sum().backward()
answer = x.grad.numpy()
""",
    "classes_show_themselves": """
weight = paddle.nn.Linear(1, 1).weight
answer = [str(type(X())), repr(type(weight)), type(weight).__name__, repr(paddle.static.Variable)]
""",
    "instances": """
from paddle.base import framework
weight, x = paddle.nn.Linear(1, 1).weight, X()
kinds = (paddle.static.Variable, paddle.base.Variable, framework.Variable, framework.Parameter, framework.EagerParamBase, paddle.Tensor)
answer = [[isinstance(value, kind) for kind in kinds] for value in (weight, x, 3)]
answer.append(issubclass(paddle.Tensor, framework.Variable))
paddle.enable_static()
v = paddle.static.data("v" + str(id(x)), [1])
answer.append([isinstance(value, kind) for kind in kinds for value in (v, x, weight)])
answer.append([issubclass(framework.Parameter, framework.Variable), issubclass(framework.Variable, paddle.static.Variable)])
paddle.disable_static()
answer.append(isinstance(v, paddle.static.Variable))
""",
    "methods_of_all_variables": """
paddle.static.Variable.twice = lambda self: self.name * 2
paddle.enable_static()
answer = paddle.static.data("v", [1]).twice()
del paddle.static.Variable.twice
paddle.disable_static()
""",
    "a_parameter_of_another_type": """
layer = paddle.nn.Linear(2, 2)
p = layer.weight
q = p.to("float64")
answer = [type(q).__name__, str(p.dtype), q is p, q.stop_gradient, q.persistable, p.to("cpu") is p, layer.weight is p]
answer += [type(p.astype("float32")).__name__, type(p.clone()).__name__, type(p.detach()).__name__]
(X([[1.0, 2.0]], dtype="float64").matmul(p)).sum().backward()
answer.append(p.grad.numpy())
""",
    "a_gradient_of_another_shape": """
answer = []
for shape in ([3], [2, 1], []):
    x = X()
    x.grad = paddle.ones(shape)
    answer += [x.grad.shape, x.grad.stop_gradient]
    x.clear_gradient(False)
    answer.append(x.grad is None)
""",
    "a_gradient_of_another_type": """
x = X()
x.grad = paddle.ones([2], "float64")
answer = [str(x.grad.dtype)]
""",
    "a_gradient_of_another_type_for_one": "x = X(); x.grad = paddle.ones([2]); x.grad = paddle.ones([2], 'float64')",
    "transpose_of_the_first_dimensions": """
x = X(np.arange(24).reshape(2, 3, 4))
answer = [x.transpose(perm) for perm in ([1, 0], [0, 1], [0], [])]
(answer[0] * answer[0]).sum().backward()
answer.append(x.grad)
""",
    "transpose_of_one_dimension_twice": "X(np.arange(24).reshape(2, 3, 4)).transpose([1])",
    "transpose_of_the_first_dimensions_recorded": """
paddle.enable_static()
try:
    paddle.transpose(paddle.static.data("v", [2, 3, 4]), [1, 0])
finally:
    paddle.disable_static()
""",
    "bits_of_bfloat16": """
from paddle.base.data_feeder import convert_float_to_uint16, convert_uint16_to_float
bits = convert_float_to_uint16(np.array([1.0, 1.0039, 1.01, -3.3, np.inf, 1e-40], "float32"))
answer = [bits, convert_uint16_to_float(bits), convert_float_to_uint16(np.ones((1, 2, 2, 3), "float32"), "NHWC")]
""",
    "as_numpy": """
from paddle.base import core, executor
value = core.LoDTensor()
value.set(np.ones(2), paddle.CPUPlace())
answer = [executor.as_numpy(value), executor.as_numpy([value, value]), executor.as_numpy(value, copy=True)]
""",
    "an_activation_by_its_name": """
from paddle.base.dygraph_utils import _append_activation_in_dygraph as activate
answer = [activate(X([-1.0, 1.0]), "relu"), activate(X([-1.0]))]
""",
    "an_activation_by_its_name_in_a_program": """
from paddle.base.dygraph_utils import _append_activation_in_dygraph as activate
paddle.enable_static()
with paddle.static.program_guard(paddle.static.Program()):
    activate(paddle.static.data("x", [2], "float32"), "relu")
""",
    "the_helper_of_a_layer": """
class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__("net")
        self.w = self.create_parameter([2, 2], default_initializer=paddle.nn.initializer.Constant(0.5))

    def forward(self, x):
        out = self._helper.create_variable_for_type_inference("float32")
        inputs = {"X": [x], "Y": [self.w]}
        self._helper.append_op(type="mul", inputs=inputs, outputs={"Out": [out]}, attrs={"x_num_col_dims": 1})
        return self._helper.append_activation(out, act="tanh"), self._helper.append_activation(out)

net = Net()
active, plain = net(X([[1.0, -3.0]], stop=True))
active.sum().backward()
helper = paddle.nn.layer.layers.LayerObjectHelper("mine_0")
pairs = [(x is active, attr.name) for x, attr in helper.iter_inputs_and_params([active], paddle.ParamAttr("w"))]
kind = str(helper.input_dtype([active, plain]))
answer = [active, plain, net.w.grad.numpy(), type(net._helper).__name__, helper.is_instance(3, (int, str)), pairs, kind]
""",
    "the_helper_of_a_layer_refuses_an_activation": "paddle.nn.Linear(1, 1)._helper.append_activation(X(), act=1)",
    "the_helper_of_a_layer_refuses_an_instance": "paddle.nn.Linear(1, 1)._helper.is_instance(1, str)",
    "tensors_by_position": """
from paddle.base import core
from paddle.base.core import VarDesc
cpu, Tensor = paddle.CPUPlace(), core.eager.Tensor
inner = core.LoDTensor()
inner.set(A(2, 1), cpu)
x = Tensor(A(2), cpu, True, False, "first", False)
empty = Tensor(VarDesc.VarType.FP64, [2, 3], "none", VarDesc.VarType.LOD_TENSOR, True)
made = [x, Tensor(A(2), cpu, False, True, "second", True), Tensor(A(2)), Tensor(A(2), cpu), Tensor(A(2), cpu, True)]
made += [Tensor(x), Tensor(x, cpu), Tensor(x, cpu, "third"), Tensor(inner), Tensor(inner, cpu, "fourth"), Tensor(A(2), cpu, True, True)]
nothing = Tensor()
names = [(t.name.rstrip("0123456789"), t.persistable) for t in (*made, nothing, empty)]
answer = [made, names, [nothing.shape, empty.shape, str(empty.dtype), nothing.stop_gradient]]
""",
    "tensors_by_name": """
from paddle.base import core
cpu, kinds = paddle.CPUPlace(), core.VarDesc.VarType
inner = core.LoDTensor()
inner.set(A(2, 1), cpu)
made = []
for given in (dict(value=A(2), place=cpu, persistable=True, name="a", stop_gradient=False), dict(value=A(2), zero_copy=True, name="b"),
              dict(value=paddle.to_tensor(A(1)), place=cpu, name="c"), dict(value=inner, name="d"), dict(value=inner, place=cpu)):
    made.append(core.eager.Tensor(**given))
empty = core.eager.Tensor(dims=[3, 3], dtype=kinds.FP32, name="e", type=kinds.LOD_TENSOR, persistable=True)
answer = [made, [(t.name.rstrip("0123456789"), t.persistable) for t in (*made, empty)], empty.shape, str(empty.dtype)]
""",
    "a_tensor_of_a_place": "paddle.base.core.eager.Tensor(place=paddle.CPUPlace())",
    "a_tensor_of_an_unknown_argument": "paddle.base.core.eager.Tensor(value=A(2), bad=1)",
    "a_tensor_of_a_fraction": "paddle.base.core.eager.Tensor(2.5)",
    "a_tensor_of_a_fraction_by_name": "paddle.base.core.eager.Tensor(value=2.5)",
    "a_tensor_of_a_place_that_is_none": "paddle.base.core.eager.Tensor(value=A(2), place='cpu')",
    "a_tensor_of_a_name_that_is_none": "paddle.base.core.eager.Tensor(value=A(2), name=3)",
    "a_tensor_that_is_persistable_by_a_number": "paddle.base.core.eager.Tensor(value=A(2), persistable=1)",
    "a_generator_of_its_own": """
from paddle.base import core
generator = core.Generator()
generator.manual_seed(5)
state = generator.get_state()
first = [generator.random(), generator.random()]
generator.set_state(state)
answer = [first, generator.random(), generator.initial_seed(), state.current_seed()]
""",
    "a_generator_of_a_number": "paddle.base.core.Generator(1)",
    "a_list_of_layers_that_refuses_an_insertion": """
layers = paddle.nn.LayerList([paddle.nn.Linear(1, n) for n in (1, 2, 3)])
refused = []
for index in (3, -4, "0"):
    try:
        layers.insert(index, paddle.nn.Linear(1, 4))
    except (AssertionError, TypeError) as error:
        refused.append(type(error).__name__ in ("AssertionError", "FailedAssertionError"))
layers.insert(-1, paddle.nn.Linear(1, 5))
answer = [refused, [layer.weight.shape[1] for layer in layers]]
""",
    "a_layer_that_is_moved_by_a_number": "paddle.nn.Linear(1, 1).to(blocking=1)",
    "layers_that_refuse_their_settings": """
import paddle.nn as nn
image, refused = paddle.ones([1, 1, 2, 2]), []
for make in (
    lambda: nn.Conv2D(3, 4, 3, weight_attr=False), lambda: nn.Conv1DTranspose(3, 4, 3, weight_attr=False),
    lambda: nn.Conv2D(3, 4, [3, 3, 3]),
    lambda: nn.Conv1D(3, 4, [3, 3]), lambda: nn.Conv2D(3, 4, 3, stride=[1, 1, 1]), lambda: nn.Conv3D(3, 4, 3, dilation=[1, 1]),
    lambda: nn.Conv2D(3, 4, 3, padding_mode="reflect", padding=[1, 1]), lambda: nn.Conv2D(3, 4, 3, padding_mode="circular", padding="SAME"),
    lambda: nn.Conv2D(3, 4, 3, padding_mode="circular", padding=2), lambda: nn.SpectralNorm([2, 3], dim=2),
    lambda: nn.functional.interpolate(image, [4, 4], mode="bilinear", align_corners=3),
    lambda: nn.functional.interpolate(image, [4, 4], align_corners="a"), lambda: nn.functional.glu(1),
    lambda: paddle.ones([2]).logical_and_(paddle.ones([2, 2])), lambda: paddle.ones([2]).remainder_(paddle.ones([2, 2])),
):
    try:
        make()
        refused.append(None)
    except Exception as error:
        kinds = [kind.__name__ for kind in type(error).__mro__]
        refused.append([name for name in ("AssertionError", "TypeError", "ValueError") if name in kinds])
answer = [kinds and kinds[0] for kinds in refused]
""",
    "sigmoid_of_complex_numbers": """
x = X([0.5 + 0.25j, -1.0 + 2.0j], dtype="complex64")
out = paddle.nn.functional.sigmoid(x)
answer = [out, paddle.tensor.ops.sigmoid(x).numpy()]
""",
    "a_backward_pass_from_integers": """
answers = []
makers = [lambda x: paddle.cast(x, "int32"), lambda x: (x * 2).astype("int64"), paddle.argsort, lambda x: paddle.argsort(x * 2, 0, True)]
for make in makers:
    for value in ([3.0, 1.0, 2.0], 1.5):
        x = X(value)
        out = make(x)
        out.retain_grads()
        out.backward()
        answers.append([out, out.grad.numpy(), x.grad.numpy(), out.is_leaf])
answer = answers
""",
    "a_backward_pass_from_integers_with_a_gradient": """
x = X([3.0, 1.0])
out = paddle.cast(x, "int64")
out.backward(paddle.to_tensor([5, 7]), retain_graph=True)
out.backward()
answer = x.grad.numpy()
""",
    "whole_slices_of_no_dimension_in_a_program": """
paddle.enable_static()
with paddle.static.program_guard(paddle.static.Program()):
    x = paddle.zeros([])
    answer = [list(x[:].shape), list(x[:, :].shape), list(x[None, :].shape), [op.type for op in x.block.ops]]
""",
    "an_element_of_no_dimension_in_a_program": """
paddle.enable_static()
with paddle.static.program_guard(paddle.static.Program()):
    paddle.zeros([])[0]
""",
    "arithmetic_from_a_dimension_on": """
from paddle.tensor import math
x, y = X(A(2, 3, 4)), X([1.0, 2.0])
out = math._multiply_with_axis(x, y, axis=0)
out.sum().backward()
whole = [math._add_with_axis(x, X(A(3)), 1), math._divide_with_axis(x, x), math._subtract_with_axis(x, X(A(4)))]
paddle.enable_static()
with paddle.static.program_guard(paddle.static.Program()):
    a, b = paddle.static.data("a", [2, 3, 4]), paddle.static.data("b", [3])
    made = math._add_with_axis(a, b, axis=1, name="sum")
    recorded = [made.name, list(made.shape), [(op.type, op.attr("axis")) for op in made.block.ops]]
answer = [out.numpy(), x.grad.numpy(), y.grad.numpy(), [v.numpy() for v in whole], recorded]
""",
    "arithmetic_from_a_wrong_dimension_on": "paddle.tensor.math._add_with_axis(X(A(2, 3)), X(A(4)), 1)",
    "tensors_joined_and_split": """
from paddle.distributed.parallel import _coalesce_tensors, _split_tensors
group = [paddle.to_tensor(A(2, 3)), paddle.to_tensor(A(4))]
joined = _coalesce_tensors({0: group, 1: [paddle.to_tensor(A(2))]})
seen = [[whole.numpy(), shapes, all(one is other for one, other in zip(group, vars))] for whole, vars, shapes in joined[:1]]
joined[0][0].scale_(2.0)
answer = [seen, len(joined), _split_tensors(joined), [v.numpy() for v in group]]
""",
    "names_of_data_types": """
from paddle.base.data_feeder import convert_dtype
kinds = ("uint16", "bfloat16", paddle.bfloat16, np.uint16, np.float64, "complex64", paddle.float32, bool, np.dtype("int8"))
answer = [convert_dtype(kind) for kind in kinds]
""",
    "a_tensor_that_becomes_another": """
a, b = paddle.ones([3]), X([[1.0, 2.0]])
c, name = b * 2, a.name
nothing = a.reconstruct_from_(c)
same = [nothing, a.shape, a.name == name, a.stop_gradient]
(a * a).sum().backward()
a[0, 0] = 5.0
answer = [same, b.grad.numpy(), c.numpy()]
""",
    "a_tensor_that_becomes_a_number": "paddle.ones([3]).reconstruct_from_(1)",
    "a_tensor_whose_memory_is_let_go_inside": """
x = paddle.ones([2])
x.value().get_tensor()._clear()
answer = x._is_initialized()
""",
    "integers_written_to_in_place": """
answers = []
for kind in ("int64", "float32", "bool"):
    for other in ("int32", "float32", "bool"):
        for place in (0, slice(1, 2), paddle.to_tensor([0])):
            x, y = paddle.to_tensor([1, 2]).astype(kind), paddle.to_tensor(1).astype(other)
            y.stop_gradient = False
            x[place] = y
            (x.astype("float32") * 2).sum().backward()
            answers.append([x.stop_gradient, x.is_leaf, x.numpy(), y.grad.numpy()])
answer = answers
""",
    "integers_written_over_in_place": """
answers = []
writes = [
    lambda x, y: paddle.assign(y, x), lambda x, y: x.add_(y), lambda x, y: x.subtract_(y), lambda x, y: paddle.where_(x > 1, x, y),
    lambda x, y: x.index_put_((paddle.to_tensor([0]),), y[0]), lambda x, y: x.copy_(y, True), lambda x, y: x.set_value(y),
    lambda x, y: (x.add_(y), paddle.assign(paddle.ones_like(x), x)), lambda x, y: (x.add_(y), x.fill_(3)),
    lambda x, y: (x.add_(y), x.zero_()),
    lambda x, y: (x.add_(y), x.clip_(0, 4)), lambda x, y: (x.add_(y), x.__setitem__(0, 7)), lambda x, y: x.fill_diagonal_tensor_(y[0]),
]
for write in writes:
    x, y = paddle.to_tensor([[1, 2], [3, 4]]), paddle.to_tensor([[5, 6], [7, 8]], stop_gradient=False)
    write(x, y)
    answers.append([x.stop_gradient, x.numpy()])
    if not x.stop_gradient:
        (x.astype("float32") * 2).sum().backward()
        answers.append(y.grad.numpy())
x, y = paddle.to_tensor([1.5, 2.5]), X([3.0, 4.0])
x.multiply_(y)
paddle.assign(paddle.ones([2]), x)
(x * x).sum().backward()
answer = [*answers, x.numpy(), y.grad.numpy()]
""",
    "gradients_of_leaves_that_were_written_to": """
answers = []
def grad(x):
    return None if x.grad is None else x.grad.numpy()
def part(x, y):
    x[1] = y[0]
def whole_then_part(x, y):
    x.add_(y)
    x[1] = y[0]
def kept(x, y):
    x[1] = y[0]
    x.retain_grads()
def hooked(x, y):
    x[1] = y[0]
    x.register_hook(lambda g: g * 10)
def stopped(x, y):
    x[1] = y[0]
    x.stop_gradient = True
def cleared(x, y):
    x[1] = y[0]
    (x * 3).sum().backward(retain_graph=True)
    x.clear_gradient()
def asked(x, y):
    x[1] = y[0]
    paddle.grad((x * 3).sum(), [y], retain_graph=True)
def outside(x, y):
    try:
        x[7] = y[0]
    except IndexError:
        pass
def without(x, y):
    with paddle.no_grad():
        x[1] = y[0]
writes = [
    part, whole_then_part, kept, hooked, stopped, cleared, asked, outside, without, lambda x, y: x.multiply_(y),
    lambda x, y: x.subtract_(y), lambda x, y: paddle.where_(x > 0, x, y), lambda x, y: paddle.assign(y, x), lambda x, y: x.copy_(y, True),
    lambda x, y: x.__setitem__(paddle.to_tensor([2, 0]), y[:2]), lambda x, y: (x.add_(y), x.scale_(2.0)),
]
for write in writes:
    x, y = paddle.ones([3]), X([2.0, 3.0, 4.0])
    before = x.inplace_version
    write(x, y)
    answers.append([x.stop_gradient, x.is_leaf, x.inplace_version - before])
    if not x.stop_gradient:
        (x * x).sum().backward()
    answers.append([grad(x), grad(y)])
x, y = paddle.to_tensor([1, 2, 3]), X([7, 8, 9], dtype="int64")
x[1] = y[0]
x.astype("float32").sum().backward()
parameter = paddle.create_parameter([3], "float32")
parameter.stop_gradient = True
y = X([2.0])
parameter[0] = y[0]
parameter.sum().backward()
answer = [*answers, grad(x), grad(parameter)]
""",
    "windows_that_are_written_to": """
answers = []
def element(h, y): h[0][1] = y[0]
def row(h, y): r = h[0]; r[1] = 0.0; return r
def scaled(h, y): h[0].scale_(3.0)
def under_a_row(h, y): r = h[0]; h[0] = y; return r
def flat(h, y): r = h.reshape([6]); r[1] = y[0]
def and_read(h, y): r = h.reshape([6]); r[1] = y[0]; return r
def turned(h, y): r = h.t(); h[0] = y; return r
def added(h, y): r = h[0]; r.add_(y)
def and_given(h, y): r = h[0]; r.add_(y); return r
def longer(h, y): r = h.unsqueeze(0); r[0, 0] = y
def all_scaled(h, y): r = h[0]; h.scale_(2.0); return r
def filled(h, y): r = h[0]; r.fill_(3.0); return r
def zero(h, y): r = h[0]; h.zero_(); return r
def sum_of_both(h, y): r = h[0]; r[1] = 0.0; return h + r
def of_window(h, y): r = h[0]; s = r[1:]; s.add_(y[1:]); return r
def slices(h, y): a, b = paddle.unbind(h, 0); a[0] = y[0]; return a + b
def source_of_slices(h, y): a, b = paddle.unbind(h, 0); a[0] = y[0]; return h
def under_slices(h, y): a, b = paddle.unbind(h, 0); h[0] = y; return a
def parts(h, y): a, b = paddle.split(h, 2, 0); a[0] = y; return a + b
def one_by_one(h, y):
    for i in range(3): h[0][i] = y[i] * h[1][i]
def along(h, y):
    for i in range(1, 3): h[0, i] = h[0, i - 1] + y[i]
def read_before(h, y): e = h * h; r = h[0]; r[0] = 1.0; return e
def without(h, y):
    r = h[0]
    with paddle.no_grad(): h[0] = 9.0
    return r
for write in (element, row, scaled, under_a_row, flat, and_read, turned, added, and_given, longer, all_scaled, filled, zero, sum_of_both,
              of_window, slices, source_of_slices, under_slices, parts, one_by_one, along, read_before, without):
    p, y = X([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), X([7.0, 8.0, 9.0])
    h = p * 2
    out = write(h, y)
    out = h if out is None else out
    answers.append([h.numpy(), out.numpy(), h.stop_gradient, h.inplace_version, out.inplace_version, out.is_leaf])
    try:
        (out * out).sum().backward()
    except RuntimeError:
        answers.append("refused")
    else:
        answers.append([p.grad.numpy(), None if y.grad is None else y.grad.numpy()])
buffer, y = paddle.zeros([2, 3]), X([7.0, 8.0, 9.0])
buffer[0][1] = y[0]
window, stops = buffer[1], buffer.stop_gradient
buffer[0] = y
answer = [*answers, stops, window.stop_gradient, buffer.stop_gradient, buffer.numpy()]
""",
}
