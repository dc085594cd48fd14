"""`paddle.Tensor` and `EagerParamBase` as scripts construct them: of arrays, Tensors and shapes."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.base.framework import EagerParamBase
from paddle_compat.tensor import _from_data


def test_array_is_copied() -> None:
    array = np.ones(2, "float32")
    made = paddle.Tensor(array)
    array[0] = 9
    assert (made.tolist(), made.dtype, made.stop_gradient, made.persistable) == ([1.0, 1.0], paddle.float32, True, False)


def test_options() -> None:
    made = paddle.Tensor(value=np.ones([], "float64"), name="own", persistable=True, stop_gradient=False, place=paddle.CPUPlace())
    assert (made.name, made.persistable, made.stop_gradient, made.shape) == ("own", True, False, [])
    assert paddle.Tensor(np.ones(2), paddle.CPUPlace()).dtype == paddle.float64


def test_tensor_shares_its_memory() -> None:
    given = paddle.ones([2])
    made = paddle.Tensor(given)
    made[0] = 5.0
    assert given.tolist() == [5.0, 1.0]


def test_nothing_has_no_elements() -> None:
    assert paddle.Tensor().shape == [0]


def test_a_list_is_taken_as_paddle_3_does() -> None:
    assert paddle.Tensor([1.0, 2.0]).tolist() == [1.0, 2.0]


@pytest.mark.parametrize("value", [1.5, "a"])
def test_other_values_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match="array, a LoDTensor or a Tensor"):
        paddle.Tensor(value)


def test_behind_the_value_stands_a_place() -> None:
    with pytest.raises(ValueError, match="`place`"):
        paddle.Tensor(np.zeros(3, "float32"), "mine")


def test_parameter_of_a_shape() -> None:
    made = EagerParamBase(shape=(2, 3), dtype=paddle.float64, name="p", trainable=False)
    assert (made.shape, made.dtype, made.name, made.trainable, made.persistable) == ([2, 3], paddle.float64, "p", False, True)
    made.set_value(np.ones([2, 3]))
    assert float(made.sum()) == 6.0
    assert EagerParamBase([2], "float32").name.startswith("_eager_param_base_")
    with pytest.raises(ValueError, match="dtype"):
        EagerParamBase([2], None)
    with pytest.raises(ValueError, match="shape"):
        EagerParamBase(None, "float32")


def test_a_data_type_that_is_asked_for_keeps_the_numbers() -> None:
    assert paddle.to_tensor([0.1], dtype="float64").item() == 0.1 and paddle.to_tensor(0.1).item() != 0.1
    assert paddle.to_tensor(0.1 + 0.2j, dtype="complex128").item() == 0.1 + 0.2j
    assert paddle.to_tensor([16777217.0], dtype="int64").item() == 16777217


def test_steps_are_counted_in_float32() -> None:
    counts = [paddle.arange(*ends).shape[0] for ends in ((0, 0.6, 0.1), (0.0, 0.3, 0.1), (0, 1.2, 0.4), (1, 2, 0.3), (5, 0, -0.7))]
    assert counts == [6, 3, 3, 4, 8]  # the wheel's
    assert paddle.arange(0, 0.6, 0.1, "float64").shape == [6]


def test_forms_without_an_axis_and_without_numbers() -> None:
    x = paddle.ones([2, 3])
    assert x.cumsum_() is x and x.tolist() == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    nothing = paddle.full([2, 3], float("nan"))
    assert paddle.nanquantile(nothing, 0.8, axis=1).isnan().all()
    outside = paddle.to_tensor([-0.5, 0.3, 1.2], stop_gradient=False)
    out = paddle.logit(outside)
    out.sum().backward()
    assert out.isnan().tolist() == [True, False, True] and outside.grad[0].item() == outside.grad[2].item() == 0.0


def test_the_module_makes_a_tensor_when_it_is_called() -> None:
    x = paddle.tensor([[1, 2]], dtype="float32", requires_grad=True)  # as torch's scripts write it
    assert (x * x).sum().item() == 5.0 and not x.stop_gradient and paddle.tensor(1.5).dtype == paddle.float32
    assert paddle.tensor.math.add(x, x).tolist() == [[2.0, 4.0]]
    with pytest.raises(TypeError):
        paddle.tensor()


def test_classes_of_scripts_are_made_as_tensors_are() -> None:
    class Named(paddle.Tensor):
        def __init__(self, values: list[float], unit: str) -> None:
            super().__init__(np.asarray(values, "float32"), stop_gradient=False)
            self.unit = unit

    class Old(paddle.Tensor):
        def __init__(self) -> None:
            paddle.Tensor.__init__(self, np.zeros(3, "float32"), name="old")

    class Bare(paddle.Tensor):
        pass

    named, old, bare = Named([1.0, 2.0], "m"), Old(), Bare(np.ones(2, "float32"))
    assert (named.unit, named.tolist(), named.stop_gradient, type(named)) == ("m", [1.0, 2.0], False, Named)
    assert (old.name, old.shape, type(bare), bare.tolist()) == ("old", [3], Bare, [1.0, 1.0])
    assert all(isinstance(x, paddle.Tensor) for x in (named, old, bare)) and type(named + old[:2]) is paddle.Tensor


@pytest.mark.parametrize("size", [0, 4])
def test_one_element_fills(size: int) -> None:
    paddle.disable_static()
    assert paddle.full([3], paddle.full([1, 1], 2.5)).tolist() == [2.5, 2.5, 2.5]
    with pytest.raises(AssertionError, match=f"one element. Received: {size}"):
        paddle.full([3], paddle.ones([size]))


@pytest.mark.parametrize("kind", ["uint16", "uint32", "uint64"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "int64", "bool", "complex64"])
def test_unsigned_numbers_are_numbers_where_a_type_is_asked_for(kind: str, dtype: str) -> None:
    # uint16 as in 2.6.2 (images of 16 bits are such), the others as in 3.3.1; without a type uint16 is bfloat16, and the others are refused
    numbers = np.array([0, 3, 16256], kind)
    found = paddle.to_tensor(numbers, dtype=dtype).numpy()
    assert found.dtype == dtype and found.tolist() == numbers.astype(dtype).tolist()


def test_16_bits_are_bfloat16_without_a_type() -> None:
    for dtype in (None, "bfloat16"):
        made = paddle.to_tensor(np.array([16256], "uint16"), dtype=dtype)
        assert str(made.dtype) == "paddle.bfloat16" and made.astype("float32").tolist() == [1.0]
    half = paddle.to_tensor([1.5], dtype="bfloat16")
    assert paddle.to_tensor([half, half]).astype("float32").tolist() == [[1.5], [1.5]]
    assert paddle.to_tensor([half, half], dtype="float32").tolist() == [[1.5], [1.5]]
    with pytest.raises(ValueError, match="data"):
        paddle.to_tensor(np.array([3], "uint32"))


LISTS = [  # of a Tensor x of one number, n of a whole one and row of two: the data types that 2.6.2 and 3.3.1 find, and the numbers
    ("[x, 1.0]", "float32", "float64", [3.0, 1.0]), ("[1.0, x]", "float32", "float64", [1.0, 3.0]),
    ("[x, 2]", "float32", "float64", [3.0, 2.0]), ("[n, 2.5]", "float32", "float64", [3.0, 2.5]),
    ("[x, x]", "float32", "float32", [3.0, 3.0]),
    ("[half, half]", "float16", "float16", [3.0, 3.0]), ("[half, x]", "float32", "float32", [3.0, 3.0]),
    ("[half, 1.0]", "float32", "float64", [3.0, 1.0]), ("[bits, 1.0]", "float32", "float64", [3.0, 1.0]),
    ("[bits, x]", "float32", "float32", [3.0, 3.0]), ("[row, [1.0, 2.0]]", "float32", "float64", [[1.5, 2.5], [1.0, 2.0]]),
    ("[x, 2 + 1j]", "complex64", "complex128", [3.0, 2 + 1j]), ("[x, np.float32(1)]", "float32", "float32", [3.0, 1.0]),
    ("[n, 1]", "int64", "int64", [3, 1]), ("[[x, 1.0], [2.0, 4.0]]", "float32", "float32", [[3.0, 1.0], [2.0, 4.0]]),
    ("[x.astype('float64'), x]", "float32", "float64", [3.0, 3.0]),
]  # fmt: skip


@pytest.mark.parametrize(("data", "two", "three", "numbers"), LISTS)
def test_data_types_of_lists_with_tensors(data: str, two: str, three: str, numbers: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    x = paddle.to_tensor(3.0)
    known = {"x": x, "n": paddle.to_tensor(3), "row": paddle.to_tensor([1.5, 2.5]), "np": np}
    given = eval(data, {**known, "half": x.astype("float16"), "bits": x.astype("bfloat16")})
    for since_3, dtype in ((False, two), (True, three)):
        monkeypatch.setattr(_from_data, "SINCE_3", since_3)
        made = paddle.to_tensor(given)
        assert str(made.dtype) == f"paddle.{dtype}" and made.tolist() == numbers


def test_parts_of_tensor_split_are_copies() -> None:  # as in 3.3.1
    x = paddle.ones([2, 4])
    for part in (*paddle.tensor_split(x, 2, axis=1), *paddle.hsplit(x, 2)):
        part.zero_()
    assert x.sum().item() == 8


def test_assign_makes_a_vector_of_variables_and_numbers() -> None:
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program()), paddle.utils.unique_name.guard():
        x, y = paddle.static.data("x", [1]), paddle.static.data("y", [2])
        out = paddle.assign([x, 2.5, x])
        assert (out.name, out.shape) == ("squeeze_0.tmp_0", (3,))
        (value,) = paddle.static.Executor().run(feed={"x": np.array([7.0], "float32")}, fetch_list=[out])
        assert value.tolist() == [7.0, 2.5, 7.0]
        for wrong in ([y, y], [[x, 1.0]], [x, "a"]):
            with pytest.raises(TypeError, match="Invalid type for argument"):
                paddle.assign(wrong)
        with pytest.raises(TypeError, match="perm"):
            paddle.transpose(y, paddle.assign(np.array([0])))
