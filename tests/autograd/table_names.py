"""Pieces of code that switch modes and ask for names: each mode has names and default Programs of its own."""

START = """
from paddle.utils import unique_name
name = unique_name.generate
paddle.enable_static()
unique_name.switch()
paddle.disable_static()
unique_name.switch()
linear = lambda: paddle.nn.Linear(2, 2).weight.name
main = paddle.static.default_main_program
"""

CASES = {
    case: START + code
    for case, code in {
        "modes_in_turn": """
answer = [name("a"), name("a"), linear()]
paddle.enable_static(); answer += [name("a"), linear()]
paddle.enable_static(); answer += [name("a"), linear()]
paddle.disable_static(); answer += [name("a"), linear()]
paddle.disable_static(); answer += [name("a"), linear()]
paddle.enable_static(); answer += [name("a"), linear()]
""",
        "operators_in_static_mode": """
answer = [linear()]
paddle.enable_static()
x = paddle.static.data("x", [2, 2])
y = paddle.static.nn.fc(x, 3)
z = paddle.nn.functional.relu(y) + 1.0
answer += [y.name, z.name]
paddle.disable_static()
answer += [linear(), paddle.to_tensor([1.0]).name]
paddle.enable_static()
answer += [paddle.nn.functional.relu(y).name, paddle.static.nn.fc(x, 3).name]
""",
        "programs_of_a_mode": """
eager = main()
paddle.enable_static(); static = main()
paddle.enable_static(); answer = [static is eager, main() is static]
paddle.disable_static(); answer += [main() is eager, main() is static]
again = main()
paddle.disable_static(); answer += [main() is again]
paddle.enable_static(); answer += [main() is static]
""",
        "switch_in_a_mode": """
paddle.enable_static(); name("a"); name("a")
former = unique_name.switch()
answer = [name("a")]
paddle.disable_static(); answer += [name("a")]
unique_name.switch(); answer += [name("a")]
paddle.enable_static(); answer += [name("a")]
unique_name.switch(*former); answer += [name("a")]
""",
        "guards_and_modes": """
name("a")
answer = []
with unique_name.guard("p_"):
    answer += [name("a")]
    paddle.enable_static(); answer += [name("a")]
    paddle.disable_static(); answer += [name("a")]
answer += [name("a")]
paddle.enable_static(); answer += [name("a")]
""",
        "dygraph_guard_in_eager_mode": """
name("a")
answer = []
with paddle.base.dygraph.guard():
    answer += [name("a"), linear(), paddle.in_dynamic_mode()]
    with paddle.base.dygraph.guard(paddle.CPUPlace()):
        answer += [name("a"), linear()]
    answer += [name("a"), linear()]
    paddle.enable_static(); answer += [name("a"), paddle.in_dynamic_mode()]
    paddle.disable_static(); answer += [name("a"), paddle.in_dynamic_mode()]
answer += [name("a"), paddle.in_dynamic_mode()]
""",
        "dygraph_guard_in_static_mode": """
paddle.enable_static()
outside = main()
answer = [name("a")]
with paddle.base.dygraph.guard():
    answer += [name("a"), linear(), paddle.in_dynamic_mode(), main() is outside]
    paddle.enable_static(); answer += [name("a"), paddle.in_dynamic_mode()]
    paddle.disable_static(); answer += [name("a"), paddle.in_dynamic_mode()]
    paddle.enable_static(); answer += [name("a"), paddle.in_dynamic_mode()]
answer += [name("a"), paddle.in_dynamic_mode(), main() is outside]
""",
        "dygraph_guard_that_raises": """
paddle.enable_static()
name("a")
try:
    with paddle.base.dygraph.guard():
        raise KeyError
except KeyError:
    answer = [name("a"), paddle.in_dynamic_mode()]
""",
        "enable_dygraph": """
from paddle import base
base.disable_dygraph(); answer = [name("a"), base.in_dygraph_mode()]
base.enable_dygraph(); answer += [name("a"), base.in_dygraph_mode(), base.dygraph.enabled()]
base.disable_dygraph(); answer += [name("a"), base.dygraph.enabled()]
""",
        "inner_guard_of_the_tracer": """
from paddle.base import framework
name("a")
with framework._dygraph_guard(None):
    answer = [name("a"), paddle.in_dynamic_mode(), framework._dygraph_tracer() is None]
answer += [paddle.in_dynamic_mode(), framework._dygraph_tracer() is None]
""",
        "switch_to_static_graph": """
@paddle.base.dygraph.base.switch_to_static_graph
def record():
    return [paddle.in_dynamic_mode(), name("a"), main() is outside]
outside = main()
answer = [name("a"), record(), paddle.in_dynamic_mode(), name("a"), record.__name__]
""",
        "to_variable": """
made = paddle.base.dygraph.to_variable
x = made(np.ones([2], "float32"))
answer = [x, x.name, made([1, 2]), made([1, 2]).name, made((1.0, 2.0)), made(x) is x, made(x, dtype="float64") is x]
answer += [made(x.numpy(), name="mine").name, made(x.numpy(), dtype="float64"), made(x.numpy()).name]
""",
        "to_variable_of_a_number": "paddle.base.dygraph.to_variable(1)",
        "to_variable_of_none": "paddle.base.dygraph.to_variable(None)",
        "tracer": """
from paddle.base import core, framework
tracer = framework._dygraph_tracer()
x, out = paddle.to_tensor([-1.0, 1.0], stop_gradient=False), core.eager.Tensor()
tracer.trace_op("relu", {"X": [x]}, {"Out": [out]}, {})
answer = [out, tracer._has_grad, tracer._train_mode, tracer._amp_dtype]
tracer.eval_mode(); answer += [tracer._has_grad, paddle.is_grad_enabled()]
tracer.train_mode(); answer += [tracer._has_grad]
with paddle.base.dygraph.base._switch_tracer_mode_guard_(is_train=False):
    answer += [tracer._has_grad, paddle.is_grad_enabled()]
""",
        "names_of_harnesses": """
from paddle.base.dygraph.base import in_to_static_mode, param_guard
from paddle.base.framework import use_pir_api
layer = paddle.nn.Linear(1, 1)
with param_guard(layer._parameters):
    answer = [type(layer.weight).__name__, use_pir_api(), in_to_static_mode()]
""",
    "no_grad": """
x = X()
with paddle.base.dygraph.no_grad():
    answer = [(x * 2).stop_gradient]
answer += [paddle.base.dygraph.no_grad(lambda v: v * 2)(x), paddle.base.dygraph.grad(x * 2, x)]
""",
        "layer_helper": """
from paddle.base.layer_helper import LayerHelper
helper = LayerHelper("mine")
x = X()
out = helper.create_variable_for_type_inference("float32")
helper.append_op(type="scale", inputs={"X": [x]}, outputs={"Out": [out]}, attrs={"scale": 3.0})
mask, dropped = (helper.create_variable_for_type_inference(kind) for kind in ("uint8", "float32"))
attrs = {"dropout_prob": 0.0, "is_test": False, "dropout_implementation": "upscale_in_train"}
helper.append_op(type="dropout", inputs={"X": [x]}, outputs={"Out": [dropped], "Mask": [mask]}, attrs=attrs)
back(out.sum())
answer = [out, dropped, mask.numpy(), x.grad.numpy(), helper.append_activation(x), LayerHelper("other", act="relu").append_activation(x)]
""",
    }.items()
}
