"""Short pieces of eager code of Paddle 1.8."""

from __future__ import annotations


def eagerly(code: str) -> str:
    """A piece of code in a guard, with `value(array)` to make values."""
    indented = "\n".join(f"    {line}" for line in code.strip().splitlines())
    return f"""
import warnings
import paddle
warnings.simplefilter("ignore")

def value(numbers, kind="float32"):
    return fluid.dygraph.to_variable(np.array(numbers, kind))

def said(call):
    try:
        call()
    except Exception as error:
        return [type(error).__name__, str(error)]

with fluid.dygraph.guard():
{indented}
"""


_DECAYS = """
rate = fluid.dygraph.{rate}
answer = []
for _ in range(3):
    now = rate()
    answer.append([getattr(now, "numpy", lambda: now)(), sorted(rate.state_dict()), type(rate.state_dict()["learning_rate"]).__name__])
    rate.epoch()
"""

# a guard that an exception leaves does not end in the wheel, so what needs static mode comes first
CASES = {
    "a_translator_that_is_enabled_by_a_number": "fluid.dygraph.ProgramTranslator().enable(3)",
    # ---- optimizers and their rates
    **{
        f"{name}_in_eager_mode": eagerly(f"""
net = fluid.dygraph.Linear(2, 2)
inner = fluid.optimizer.SGD(0.5, parameter_list=net.parameters())
answer = said(lambda: fluid.optimizer.{name}({arguments}))
""")
        for name, arguments in {
            "DGCMomentumOptimizer": "0.1, 0.9, 1", "ModelAverage": "0.15", "ExponentialMovingAverage": "0.9",
            "PipelineOptimizer": "inner", "LookaheadOptimizer": "inner", "RecomputeOptimizer": "inner",
        }.items()
    },
    **{
        f"epochs_of_{rate.partition('(')[0]}": eagerly(_DECAYS.format(rate=rate))
        for rate in ("StepDecay(0.1, 2)", "MultiStepDecay(0.1, [1, 2])", "LambdaDecay(0.1, lambda epoch: 0.95 ** epoch)")
    },
    "epochs_of_a_rate_of_ones_own": eagerly("""
from paddle.fluid.dygraph.learning_rate_scheduler import _LearningRateEpochDecay

class Halved(_LearningRateEpochDecay):
    def get_lr(self):
        return self.base_lr * 0.5 ** self.epoch_num

rate, answer = Halved(0.4), []
for _ in range(3):
    answer.append(float(rate()))
    rate.epoch()
"""),
    "a_plateau_that_is_saved": eagerly("""
rate = fluid.dygraph.ReduceLROnPlateau(0.5, patience=0, decay_rate=0.5)
for loss in (1.0, 1.5, 0.5):
    rate.step(value([loss]))
state = rate.state_dict()
answer = [[key, type(state[key]).__name__, float(state[key])] for key in sorted(state)]
"""),
    "name_of_the_saved_step": eagerly("""
net = fluid.dygraph.Linear(2, 2)
sgd = fluid.optimizer.SGD(fluid.dygraph.NoamDecay(16, 3), parameter_list=net.parameters())
answer = sgd.state_dict()["global_step"].name
"""),
    # ---- values
    **{
        f"{name}_beside_a_value": eagerly(f"""
x = value([0.25, 3.0])
answer = [each.numpy() for each in (x + {number}, {number} * x if type({number}) is float else x * {number}, x / {number}, x > {number})]
""")
        for name, number in {
            "a_float32_of_numpy": "np.float32(2.75)", "a_float64_of_numpy": "np.float64(2.75)", "a_float16_of_numpy": "np.float16(-1.5)",
            "a_whole_number_of_numpy": "np.int64(3)", "an_array_of_one_number": "np.array([1.5], 'float32')",
        }.items()
    },
    "complex_values": eagerly("""
x, y = value([[3 + 1j, 2 - 1j]], "complex64"), value([[1 + 2j, 1j]], "complex64")
pairs = [x, paddle.complex.elementwise_mul(x, y), fluid.ComplexVariable(x.real, y.imag)]
answer = [isinstance(each, fluid.framework.ComplexVariable) for each in [*pairs, x.real]]
answer += [[each.numpy().real, each.numpy().imag, each.shape] for each in pairs] + [str(pairs[1]).count("dim: 1, 2")]
"""),
    "parts_of_two_shapes": eagerly("fluid.ComplexVariable(value([1.0]), value([1.0, 2.0]))"),
    # ---- layers
    **{
        f"a_{name}_of_its_own": eagerly(f"""
fluid.default_startup_program().random_seed = fluid.default_main_program().random_seed = 3
unit, x = fluid.contrib.layers.{name}("unit", 4), value([[0.5, -1.0, 2.0], [1.0, 0.25, -0.5]])
out = unit(x, *[value(np.full([2, 4], start)) for start in ({starts})])
first = out if "GRU" in "{name}" else out[0]
layers.reduce_sum(first).backward()
answer = [first.numpy(), [[p.name, p.gradient()] for p in unit.parameters()], isinstance(unit, fluid.dygraph.Layer)]
answer.append(sorted(unit.state_dict()))
""")
        for name, starts in (("BasicGRUUnit", "0.5,"), ("BasicLSTMUnit", "0.5, -0.25"))
    },
    "a_layer_that_calls_its_helper": eagerly("""
class Product(fluid.dygraph.Layer):
    def __init__(self):
        super(Product, self).__init__("product")
        self.w = self.create_parameter([3, 2], fluid.ParamAttr(initializer=fluid.initializer.Constant(0.5)))
        self.b = self.create_parameter([2], is_bias=True)

    def forward(self, x):
        helper, attrs = self._helper, {"transpose_X": False, "transpose_Y": False, "alpha": 2.0}
        out, whole = (helper.create_variable_for_type_inference("float32") for _ in range(2))
        helper.append_op(type="matmul", inputs={"X": [x], "Y": [self.w]}, outputs={"Out": [out]}, attrs=attrs)
        helper.append_op(type="elementwise_add", inputs={"X": [out], "Y": [self.b]}, outputs={"Out": [whole]}, attrs={"axis": 1})
        return helper.append_activation(whole, act="tanh")

net = Product()
out = net(value([[0.5, -1.0, 0.75]]))
layers.reduce_sum(out).backward()
answer = [out.numpy(), net.w.gradient(), net.b.gradient(), [p.name for p in net.parameters()], type(net._helper).__name__]
"""),
    # ---- losses
    "labels_without_a_dimension_of_one": eagerly("""
x = layers.softmax(value([[0.5, 1.0, 0.25], [2.0, 0.0, 1.0]]))
answer = [layers.cross_entropy(x, value(labels, "int64"), ignore_index=2).numpy() for labels in ([0, 2], [[0], [1]])]
deep = layers.softmax(value([[[0.5, 1.0], [0.25, 2.0]], [[0.0, 1.0], [3.0, 0.5]]]))
answer += [layers.cross_entropy(deep, value([[0, 1], [1, 0]], "int64")).numpy()]
"""),
    "labels_of_too_few_rows": eagerly("layers.cross_entropy(value([[0.5, 1.0], [2.0, 0.0]]), value([1], 'int64'))"),
    # ---- gradients and places
    "a_graph_that_was_differentiated": eagerly("""
x = value([2.0])
x.stop_gradient = False
y = x * x * x
fluid.dygraph.grad(y, x)
fluid.dygraph.grad(y, x)
"""),
    "values_of_a_helper": eagerly("""
from paddle.fluid.layer_helper import LayerHelper
helper, x = LayerHelper("mine", act="relu"), value([1.0])
made = helper.to_variable(np.ones(2, "float32"), name="named")
answer = [made.numpy(), made.name, helper.to_variable(x) is x, helper.is_instance("act", str)]
"""),
    **{
        f"{name}_of_a_helper": eagerly(f"from paddle.fluid.layer_helper import LayerHelper\nLayerHelper('mine', act='relu').{call}")
        for name, call in (
            ("a_number", "to_variable(3)"), ("another_act", "is_instance('act', int)"), ("no_size", "is_instance('size', int)"),
        )
    },
    "a_guard_of_a_number": "with fluid.dygraph.guard(3):\n    pass",
    "a_translator_that_is_enabled_by_a_number_in_eager_mode": eagerly("""
translator = fluid.dygraph.ProgramTranslator()
translator.enable(0)
answer = bool(translator.enable_declarative)
translator.enable(1)
"""),
    "the_handler_of_signals": "answer = fluid.core._set_process_signal_handler()",
    "no_gradient_through_what_has_none": """
with fluid.dygraph.guard():
    x = fluid.dygraph.to_variable(np.array([[3.0, 4.0]], "float32"))
    x.stop_gradient = False
    short = layers.clip_by_norm(x, 1.0)
    layers.reduce_sum(short * short).backward()
    answer = [short.numpy(), short.stop_gradient, x.gradient(), short.gradient()]
    layers.reduce_sum(x * layers.clip_by_norm(x, 1.0)).backward()
    answer.append(x.gradient())
    cells = fluid.dygraph.to_variable(np.ones((1, 14, 2, 2), "float32"))
    cells.stop_gradient = False
    found = layers.yolo_box(cells, fluid.dygraph.to_variable(np.array([[8, 8]], "int32")), [10, 13, 16, 30], 2, 0.01, 32)
    same = layers.ones_like(cells)
    answer += [part.stop_gradient for part in (*found, same, layers.ones_like(found[0]))]
    with fluid.dygraph.no_grad():
        answer.append(layers.clip_by_norm(x, 1.0).stop_gradient)
""",
}  # fmt: skip
