"""A Tensor has every member that the wheel's has, of the same kind."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.errors import UnsupportedError

MEMBERS: dict[str, bool] = json.loads((Path(__file__).resolve().parents[1] / "references/tensor_members_2.6.2.json").read_text())
ELSEWHERE = {
    **dict.fromkeys(("get_map_tensor", "set_string_list", "set_vocab"), "tensors of strings are not there"),
}
# what the real Tensor's own C++ and its translator to static graphs call
INSIDE = {"_setitem_dygraph", "_tensor_use_gpudnn", "_uva"}


@pytest.mark.parametrize("name", sorted(name for name in MEMBERS if name != "__getstate__" or hasattr(object, name)))  # Python 3.11's
def test_member(name: str) -> None:
    x = paddle.to_tensor([1.0])
    if name in ELSEWHERE:
        with pytest.raises(UnsupportedError, match=rf"paddle\.Tensor\.{name}"):
            getattr(x, name)
    elif name in INSIDE:
        assert not hasattr(x, name)
    else:
        assert callable(getattr(x, name)) == (MEMBERS[name] or name == "size")  # a number that 3.3 can call


def test_what_is_elsewhere_is_a_member() -> None:
    assert {*ELSEWHERE, *INSIDE} <= MEMBERS.keys()


def test_names_of_the_inside() -> None:
    from paddle_compat.base import core, framework

    assert core.eager.Tensor is paddle.Tensor
    weight = paddle.create_parameter([2], "float32")
    assert isinstance(weight, framework.EagerParamBase) and not isinstance(paddle.ones([2]), framework.EagerParamBase)


def test_variables_of_tensors() -> None:
    x, weight = paddle.to_tensor([[1.0, 2.0]], stop_gradient=False), paddle.create_parameter([2, 3], "float32")
    with paddle.static.program_guard(paddle.static.Program()):
        var, own = x._to_static_var(), weight._to_static_var()
        named = x._to_static_var(name="another", stop_gradient=True)
        made = paddle.ones([2])._to_static_var(to_parameter=True, trainable=False)
        assert paddle.static.default_main_program().global_block().vars.keys() == {x.name, weight.name, "another", made.name}
    assert (type(var).__name__, var.name, var.shape, var.persistable, var.stop_gradient) == ("Variable", x.name, (1, 2), False, False)
    assert (type(own).__name__, own.name, own.shape, own.persistable, own.trainable) == ("Parameter", weight.name, (2, 3), True, True)
    assert named.stop_gradient and type(made).__name__ == "Parameter" and made.persistable and not made.trainable


def test_copy_takes_another_tensor_alone_as_in_paddle_3() -> None:
    x = paddle.zeros([2])
    x.copy_(paddle.to_tensor([1.0, 2.0]))
    assert x.tolist() == [1.0, 2.0]


def test_spectra_are_methods_of_both() -> None:
    x = paddle.rand([2, 32])
    assert paddle.Tensor.stft is paddle.signal.stft and x.stft(8).shape == [2, 5, 17]
    assert x.stft(8).istft(8).numpy() == pytest.approx(x.numpy(), abs=1e-5)
    paddle.enable_static()
    assert paddle.static.data("x", [2, 32]).stft(8).shape == (2, 5, 17)


def test_not_of_what_has_no_bits() -> None:
    with pytest.raises(RuntimeError, match="Operator `bitwise_not` cannot take its inputs.*float32"):
        ~paddle.ones([2])


def test_numpy_takes_what_it_does_not_need() -> None:
    """As in Paddle 2.6.2 and 3.3.1; their own tests write `grad.numpy(False)`."""
    x = paddle.to_tensor([1.0, 2.0])
    assert x.numpy(False).tolist() == x.numpy(blocking=True).tolist() == [1.0, 2.0]


def test_elements_by_their_place() -> None:
    x = paddle.arange(6).reshape([2, 3])
    found = [x._getitem_from_offset(5), x._getitem_from_offset(1, 2), x[:1, :1]._getitem_from_offset(), x._getitem_dygraph((1, 2))]
    assert [(each.shape, each.item()) for each in found] == [([], 5), ([], 5), ([], 0), ([], 5)]
    for wrong in ((), (6,), (-1,), (1, 3), (1.5,)):
        with pytest.raises(ValueError, match="_getitem_from_offset"):
            x._getitem_from_offset(*wrong)


def test_memory_that_changes_hands() -> None:
    x, y = paddle.to_tensor([1.0, 2.0], stop_gradient=False), paddle.to_tensor([5.0])
    x.persistable, x.name = True, "x"
    copied = x._copy_to(paddle.CPUPlace(), True)
    assert (copied.name, copied.persistable, copied.stop_gradient, copied.tolist()) == ("x", True, True, [1.0, 2.0])
    z = paddle.zeros([3])
    z[0] = 1.0
    z._inplace_assign(y)
    assert z.inplace_version == 0
    y[0] = 9.0
    assert z.tolist() == [9.0] and z._is_shared_buffer_with(y)
    z._set_impl(x)
    assert z.tolist() == [1.0, 2.0] and z.stop_gradient and z.name != "x"
    with pytest.raises(ValueError, match="_inplace_assign"):
        z._inplace_assign([1.0])
    shared = y._share_memory()
    y[0] = 3.0
    assert np.array(shared).tolist() == [9.0]
    assert x._set_grad_type(paddle.base.core.VarDesc.VarType.SELECTED_ROWS) is x._unset_fake_empty() is None


def test_gradients_that_optimizers_collect() -> None:
    eager = paddle.base.core.eager
    x, y = paddle.to_tensor([1.0], stop_gradient=False), paddle.to_tensor([2.0], dtype="float16", stop_gradient=False)
    (x * 2 + y.astype("float32")).backward()
    table = paddle.ones([4, 2])
    table.stop_gradient = False
    paddle.nn.functional.embedding(paddle.to_tensor([2, 3]), table, sparse=True).sum().backward()
    grads = eager.get_all_grads([x, paddle.ones([1]), table])
    assert grads[0].tolist() == [2.0] and grads[1] is None and grads[2]._get_tensor_from_selected_rows().shape == [2, 2]
    assert [[g.item() for g in kind] for kind in eager.get_grads_lists([x, y])] == [[1.0], [], [2.0]]  # float16, bfloat16, float32
    assert eager.get_grads_types([x, y, table, paddle.ones([1])]) == [5, 4, -1]  # and those of rows not at all
    eager.set_master_grads([y])
    assert y.grad.dtype == paddle.float32 and y.grad.tolist() == [1.0]
    target = paddle.zeros([3])
    eager.tensor_copy(x, target, paddle.CPUPlace(), True)
    assert target.tolist() == [1.0] and [each.tolist() for each in eager.read_next_tensor_list([x.get_tensor()])] == [[1.0]]
    assert eager.StringTensor([2, 1], "words").numpy().tolist() == [[""], [""]]
    with pytest.raises(SystemError):
        x._get_tensor_from_selected_rows()
    with pytest.raises(AssertionError):
        complex(paddle.ones([2]))
