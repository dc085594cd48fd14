"""Pieces of code that ask for gradients as values, or for backward passes."""

SQUARE = "x = X()\ny = x * x\n"
PAIR = "x = X()\nw = x * 2\ny = w * x\n"
BACKWARD = "paddle.autograd.backward"

CASES = {
    "one": SQUARE + "g = paddle.grad(y, x)\nanswer = [type(g).__name__, g, x.grad]",
    "create_graph": SQUARE + "g = paddle.grad([y], [x], create_graph=True)[0]\nanswer = [g, g.is_leaf, paddle.grad(g.sum(), x)]",
    "third_order": """
x = X()
y = x * x * x * x
for n in range(3):
    y = paddle.grad(y, x, create_graph=True)[0]
answer = y
""",
    "unused": SQUARE + "answer = paddle.grad([y], [x, X()])",
    "unused_allowed": SQUARE + "answer = paddle.grad([y], [x, X()], allow_unused=True)",
    "stopped": "x = X(stop=True)\nanswer = paddle.grad([x * x], [x])",
    "stopped_input": "x, z = X(stop=True), X()\nanswer = paddle.grad([x * z], [x])",
    "stopped_input_allowed": "x, z = X(stop=True), X()\nanswer = paddle.grad([x * z], [x, z], allow_unused=True)",
    "twice": SQUARE + "answer = [paddle.grad(y, x), paddle.grad(y, x)]",
    "retained": SQUARE + "answer = [paddle.grad(y, x, retain_graph=True), paddle.grad(y, x)]",
    "not_retained": SQUARE + "answer = [paddle.grad(y, x, create_graph=True, retain_graph=False), paddle.grad(y, x)]",
    "then_backward": SQUARE + "g = paddle.grad(y, x)\npaddle.autograd.backward(y)\nanswer = [g, x.grad.numpy()]",
    "after_backward": SQUARE + "paddle.autograd.backward(y)\nanswer = paddle.grad(y, x)",
    "seed": SQUARE + "answer = paddle.grad(y, x, grad_outputs=X([3.0, 4.0]))",
    "seed_none": SQUARE + "answer = paddle.grad(y, x, grad_outputs=[None])",
    "seed_of_another_rank": SQUARE + "answer = paddle.grad(y, x, [X([[1.0, 2.0]])])",
    "seed_of_another_type": SQUARE + "answer = paddle.grad(y, x, [X(dtype='float64')])",
    "seed_missing": SQUARE + "answer = paddle.grad([y, x * 2], x, grad_outputs=[X([3.0, 3.0])])",
    "seeds": SQUARE + "answer = paddle.grad([y, x * 2], x, grad_outputs=[X([3.0, 3.0]), None])",
    "seed_differentiated": SQUARE + "v = X([3.0, 4.0])\ng = paddle.grad(y, x, v, create_graph=True)\nanswer = paddle.grad(g, [v, x])",
    "output_twice": SQUARE + "answer = paddle.grad([y, y], x)",
    "input_twice": SQUARE + "answer = paddle.grad(y, [x, x])",
    "only_inputs": SQUARE + "answer = paddle.grad(y, x, only_inputs=False)",
    "output_no_tensor": SQUARE + "answer = paddle.grad(3, x)",
    "input_no_tensor": SQUARE + "answer = paddle.grad(y, 3)",
    "no_outputs": SQUARE + "answer = paddle.grad([], x)",
    "no_inputs": SQUARE + "answer = paddle.grad(y, [])",
    "tuples": SQUARE + "answer = paddle.grad((y,), (x,))",
    "retain_graph_no_bool": SQUARE + "answer = paddle.grad(y, x, retain_graph=3)",
    "create_graph_no_bool": SQUARE + "answer = paddle.grad(y, x, create_graph=3)",
    "allow_unused_no_bool": SQUARE + "answer = paddle.grad(y, x, allow_unused=3)",
    "seed_no_tensor": SQUARE + "answer = paddle.grad(y, x, 3)",
    "no_grad_vars": PAIR + "answer = [paddle.grad(y + w, x, no_grad_vars=w), paddle.grad(w * x, x, no_grad_vars=[w])]",
    "no_grad_vars_set": PAIR + "answer = paddle.grad(y, [x], no_grad_vars={w})",
    "no_grad_vars_no_tensor": PAIR + "answer = paddle.grad(y, [x], no_grad_vars=3)",
    "no_grad_vars_input": PAIR + "answer = paddle.grad(y, [w, x], no_grad_vars=[w])",
    "no_grad_vars_output": PAIR + "answer = paddle.grad(y, [x], no_grad_vars=[y])",
    "intermediate": PAIR + "answer = paddle.grad(y, [w, x])",
    "of_itself": "x = X()\nanswer = paddle.grad(x, x)",
    "of_many": "x = X([[1.0, 2.0], [3.0, 4.0]])\nanswer = paddle.grad((x * x).sum(0), x)",
    "leaves_stay": "x, w = X(), X()\ng = paddle.grad(x * w, x)\nanswer = [x.grad, w.grad]",
    "detached": "x = X()\nanswer = paddle.grad(x.detach(), x)",
    "detached_allowed": "x = X()\nanswer = paddle.grad(x.detach(), x, allow_unused=True)",
    "under_no_grad": "with paddle.no_grad():\n    x = X()\n    answer = paddle.grad(x * x, x)",
    "create_under_no_grad": SQUARE + "with paddle.no_grad():\n    answer = paddle.grad(y, x, create_graph=True)",
    "constant_gradient": "x = X()\ng = paddle.grad(3 * x, x, create_graph=True)[0]\nanswer = paddle.grad(g, x)",
    "static_mode": "paddle.enable_static()\npaddle.grad([], [])",
    "backward": f"x = X()\n{BACKWARD}([x * x, x * 3], [X([1.0, 1.0]), None])\nanswer = x.grad.numpy()",
    "backward_one": SQUARE + f"{BACKWARD}(y)\nanswer = x.grad.numpy()",
    "backward_seed": SQUARE + f"{BACKWARD}([y], X())\nanswer = x.grad.numpy()",
    "backward_lacks_seeds": SQUARE + f"{BACKWARD}([y, x * 3], [X()])",
    "backward_has_one_twice": SQUARE + f"{BACKWARD}([y, y])",
    "backward_no_tensor": f"{BACKWARD}(3)",
    "backward_a_tensor_and_none": SQUARE + f"{BACKWARD}([y, 3])",
    "backward_no_seed": SQUARE + f"{BACKWARD}([y], [3])",
    "backward_of_nothing": f"{BACKWARD}([])",
    "backward_retain_graph_no_bool": SQUARE + f"{BACKWARD}([y], retain_graph=3)",
    "backward_seed_type": SQUARE + f"{BACKWARD}([y], [X(dtype='float64')])",
    "backward_retained": SQUARE + f"{BACKWARD}([y], retain_graph=True)\n{BACKWARD}([y])\nanswer = x.grad.numpy()",
    "backward_twice": SQUARE + f"{BACKWARD}([y])\n{BACKWARD}([y])",
    "backward_twice_of_a_sum": f"x = X()\ny = x + x\n{BACKWARD}([y])\n{BACKWARD}([y])",
    "backward_of_stopped": f"x = X(stop=True)\n{BACKWARD}([x * x])\nanswer = x.grad",
    "constant_gradients_are_no_leaves": """
x = X([[1.0, 2.0], [3.0, 4.0]])
g = paddle.grad(x.sum(), x, create_graph=True)[0]
answer = [g, g.is_leaf, g.is_contiguous()]
g.multiply_(g + 1)
h = paddle.grad((2 * x).sum(), x, create_graph=True)[0]
(h * x).sum().backward()
answer += [g, h.is_leaf, h.grad, x.grad]
""",
    "gradients_that_a_pass_began_with": """
x = X()
y = x * 2
answer = [*paddle.grad([x, y], [x], grad_outputs=[x, y]), *paddle.grad([y], [y], grad_outputs=[y])]
""",
    "each_pass_leaves_its_own_gradient_at_a_result": """
x = X()
y = x * 2
y.retain_grads()
answer = []
for loss in ((y * y).sum(), (y * y).sum(), (y * 3).sum()):
    loss.backward(retain_graph=True)
    answer.append(y.grad.numpy())
y.clear_grad()
answer.append(y.grad.numpy())
(y * 3).sum().backward(retain_graph=True)
answer += [y.grad.numpy(), x.grad.numpy()]
paddle.grad((y * 5).sum(), x, retain_graph=True)
answer.append(y.grad.numpy())
paddle.autograd.backward([(y * y).sum(), (y * 3).sum()])
answer.append(y.grad.numpy())
z = x * 3
z.register_hook(lambda grad: grad * 10)
z.retain_grads()
for _ in range(2):
    (z * z).sum().backward(retain_graph=True)
    answer.append(z.grad.numpy())
z.clear_gradient(False)
(z * 3).sum().backward()
answer.append(z.grad.numpy())
""",
    "seeds_of_an_empty_list": SQUARE
    + "z = x * 3\npaddle.autograd.backward([z, z * 2], [])\nanswer = [paddle.grad([y, x * 2], x, grad_outputs=s)[0] for s in ([], ())]\n"
    + "answer += [x.grad.numpy()]",
    "results_that_nobody_used": """
answer = []
for cut in (lambda x: paddle.split(x, [1, 1, 2], 1), lambda x: paddle.chunk(x, 2, 0), lambda x: paddle.unbind(x, 0)):
    x = X(A(4, 4))
    parts = cut(x)
    for part in parts:
        part.retain_grads()
        part.register_hook(lambda grad: answer.append(grad.numpy()))
    (parts[1] * 2).sum().backward()
    answer += [[part.grad.numpy() for part in parts], x.grad.numpy()]
""",
}
