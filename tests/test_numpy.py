"""NumPy as scripts of its first generation know it: one element is a number, and names that were taken away are there."""

from __future__ import annotations

import math

import numpy
import pytest
from processes import Runner

from paddle_compat import _numpy


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # NumPy 1.25 to 2.3
@pytest.mark.parametrize("shape", [(), (1,), (1, 1)])
def test_one_element_is_a_number(shape: tuple[int, ...]) -> None:
    array = numpy.full(shape, 2.5, "float32")
    assert (float(array), int(array), math.isnan(array)) == (2.5, 2, False)
    assert [text % array for text in ("%.2f", "%d")] == ["2.50", "2"]
    assert float(array.view(type("Part", (numpy.ndarray,), {}))) == 2.5


@pytest.mark.parametrize("shape", [(0,), (2,), (1, 3)])
def test_several_elements_are_none(shape: tuple[int, ...]) -> None:
    with pytest.raises(TypeError, match="arrays"):
        float(numpy.ones(shape))
    with pytest.raises(TypeError, match="arrays"):
        int(numpy.ones(shape))


def test_arrays_stay_immutable_and_are_changed_once() -> None:
    _numpy.restore()
    assert not hasattr(getattr(numpy.ndarray.__float__, "__wrapped__", None), "__wrapped__")
    with pytest.raises(TypeError):
        numpy.ndarray.__float__ = float


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # those that NumPy still has
def test_names() -> None:
    old = {name: getattr(numpy, name) for name in _numpy._NAMES}
    assert (old["int"], old["float"], old["object"], old["str"]) == (int, float, object, str)
    assert numpy.ones(2, old["bool"]).dtype == bool and old["float_"] is numpy.float64 and old["unicode_"] is numpy.str_
    assert old["in1d"]([[1, 2], [3, 4]], [2, 4]).tolist() == [False, True, False, True]
    assert old["asscalar"](numpy.ones((1, 1))) == 1.0 and old["product"]([2, 3]) == 6 and math.isnan(old["NaN"])
    assert old["asfarray"]([1, 2]).dtype == old["asfarray"]([1], int).dtype == "float64" and old["row_stack"]([[1], [2]]).shape == (2, 1)
    assert issubclass(old["VisibleDeprecationWarning"], Warning)


def test_scalars_in_lists_print_as_numbers() -> None:
    with numpy.printoptions():
        _numpy.print_scalars_plainly()
        assert repr([numpy.float32(0.5), numpy.int64(3)]) == "[0.5, 3]"


def test_lists_of_unequal_lengths_are_arrays_of_objects() -> None:
    """As in NumPy 1.21, which 1.8.5 runs with; who asks for a type of numbers is refused there, too."""
    for original in (numpy.array, numpy.asarray):
        convert = _numpy._of_unequal_lengths(original)
        assert convert([[1, 2], [3]]).tolist() == [[1, 2], [3]]
        assert convert([[[1, 2], [3]], [[4], [5, 6]]]).shape == convert([(1, [2, 3]), (4, [5])], None).shape == (2, 2)
        assert [part.shape for part in convert([numpy.ones([2, 3]), numpy.ones([3, 3])])] == [(2, 3), (3, 3)]
        assert convert([[1, 2], [3, 4]], "float32").dtype == "float32" and convert([1, 2]).dtype == convert(range(2)).dtype == int
        for asked in ({"dtype": "int64"}, {"dtype": float}):
            with pytest.raises(ValueError, match="sequence"):
                convert([[1, 2], [3]], **asked)
    assert _numpy._of_unequal_lengths(numpy.array)(object=[[1], []], ndmin=2).shape == (1, 2)


def test_lists_of_unequal_lengths_under_the_runner(full: Runner) -> None:
    code = "import paddle, numpy; print(numpy.array([[1, 2], [3]]).shape)"
    assert full.output("-m", "paddle_compat", "-c", code) == "(2,)\n"
