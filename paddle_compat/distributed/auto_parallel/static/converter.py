"""`paddle.distributed.auto_parallel.static.converter`: parts of tensors that processes saved, made into parts for other processes."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion

__all__ = ["Converter"]

_API = "Converter"


class Converter:
    """Makes of the parts of tensors that some processes had those that this process has now.

    How a tensor lies is a dict: `process_shape`, the sizes of the grid of processes; `process_group`, their numbers; and `dims_mapping`,
    for each dimension the axis of the grid that it is cut along, or -1.

    Args:
        tensors_dict (dict): by name the parts of each tensor, numpy arrays in the order of the processes.
        pre_strategy (dict): by name how the tensors lay.
        cur_strategy (dict): by name how they are to lie.
    Raises:
        ValueError: there are no tensors, or nothing is said of how they lay.
        TypeError: one is no dict.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.distributed.auto_parallel.static.converter import Converter
        >>> parts = {"weight": [np.array([[0, 1]]), np.array([[2, 3]])]}
        >>> rows = {"weight": {"process_shape": [2], "process_group": [0, 1], "dims_mapping": [0, -1]}}
        >>> columns = {"weight": {"process_shape": [2], "process_group": [0, 1], "dims_mapping": [-1, 0]}}
        >>> Converter(parts, rows, columns).convert()["weight"].tolist()
        [[0], [2]]

    Follows Paddle 2.6.
    """

    def __init__(self, tensors_dict: dict[str, Any], pre_strategy: dict[str, Any], cur_strategy: dict[str, Any]) -> None:
        for name, given in (("tensors_dict", tensors_dict), ("pre_strategy", pre_strategy)):
            if not given:
                raise ValueError(f"Invalid value for argument `{name}` of {_API}. Expected a dict that is not empty. Received: {given!r}")
        for name, given in (("tensors_dict", tensors_dict), ("pre_strategy", pre_strategy), ("cur_strategy", cur_strategy)):
            if not isinstance(given, dict):
                raise TypeError(f"Invalid type for argument `{name}` of {_API}. Expected dict. Received: {type(given).__name__}")
        if not cur_strategy:
            warnings.warn("`cur_strategy` of Converter is empty: this process has no tensors.", stacklevel=2)
        self._tensors_dict, self._pre_strategy, self._cur_strategy = tensors_dict, pre_strategy, cur_strategy

    def convert(self, strict: bool = True) -> dict[str, np.ndarray]:
        """The parts that this process has now.

        Args:
            strict (bool): match tensors by their names; else those that are left over by what comes before the last "_", too.
        Returns:
            dict: by name numpy arrays.
        """
        pre, cur = self._pre_strategy, self._cur_strategy
        found: dict[str, np.ndarray] = {}
        lost = [name for name in pre if name not in self._tensors_dict]
        for name in pre:
            if name in cur and name not in lost:
                found[name] = self.merge_and_slice(self._tensors_dict[name], pre[name], cur[name])
        new, old = {*cur} - {*pre}, {*pre} - {*cur}
        if not strict:
            matched, new, old = self.convert_with_prefix_match(self._tensors_dict, new, old)
            found.update(matched)
        for names, where in ((new, "in how tensors lay before"), (old, "in how they are to lie"), (lost, "among the tensors")):
            if names:
                warnings.warn(f"Converter does not find {sorted(names)} {where}.", stacklevel=2)
        return found

    def convert_with_prefix_match(
        self, tensors_dict: Mapping[str, Any], tensor_not_in_pre: set[str], tensor_not_in_cur: set[str]
    ) -> tuple[dict[str, np.ndarray], set[str], set[str]]:
        """The parts of tensors whose names are alike up to the last "_".

        Args:
            tensors_dict (dict): the parts of each tensor.
            tensor_not_in_pre (set): names that are new.
            tensor_not_in_cur (set): names that are there no more.
        Returns:
            tuple: by new name numpy arrays, and the names of both sets that match none.

        Example:
            >>> import numpy as np
            >>> from paddle_compat.distributed.auto_parallel.static.converter import Converter
            >>> lies = {"process_shape": [1], "process_group": [0], "dims_mapping": [-1]}
            >>> converter = Converter({"w_0": [np.ones(1)]}, {"w_0": lies}, {"w_1": lies})
            >>> sorted(converter.convert_with_prefix_match({"w_0": [np.ones(1)]}, {"w_1"}, {"w_0"})[0])
            ['w_1']
        """
        found: dict[str, np.ndarray] = {}
        used: set[str] = set()
        for name in sorted(tensor_not_in_pre):
            prefix, mark, _ = name.rpartition("_")
            source = next((each for each in sorted(tensor_not_in_cur) if mark and prefix in each), None)
            if source is not None and source in tensors_dict:
                found[name] = self.merge_and_slice(tensors_dict[source], self._pre_strategy[source], self._cur_strategy[name])
                used.add(source)
        return found, tensor_not_in_pre - found.keys(), tensor_not_in_cur - used

    @staticmethod
    def merge_and_slice(tensor_list: list[np.ndarray], pre_dist_attr: dict[str, Any], cur_dist_attr: dict[str, Any]) -> np.ndarray:
        """Join the parts of a tensor, and cut this process's part out.

        Args:
            tensor_list (list): the parts.
            pre_dist_attr (dict): how it lay.
            cur_dist_attr (dict): how it is to lie.
        Returns:
            numpy.ndarray: the part.
        Raises:
            AssertionError: tensor_list is no list of arrays.

        Example:
            >>> import numpy as np
            >>> from paddle_compat.distributed.auto_parallel.static.converter import Converter
            >>> cut = {"process_shape": [2], "process_group": [0, 1], "dims_mapping": [0]}
            >>> Converter.merge_and_slice([np.array([1]), np.array([2])], cut, {**cut, "dims_mapping": [-1]}).tolist()
            [1, 2]
        """
        if not isinstance(tensor_list, list) or not all(isinstance(each, np.ndarray) for each in tensor_list):
            raise failed_assertion("tensor_list", "a list of numpy.ndarray", tensor_list, _API)
        was_cut, cuts = (set(each["dims_mapping"]) != {-1} for each in (pre_dist_attr, cur_dist_attr))
        whole = Converter.merge_with_dist_attr(tensor_list, pre_dist_attr) if was_cut and len(tensor_list) > 1 else tensor_list[0]
        return Converter.slice_with_dist_attr(whole, cur_dist_attr) if cuts else whole

    @staticmethod
    def merge_with_dist_attr(tensor_list: list[np.ndarray], dist_attr: dict[str, Any]) -> np.ndarray:
        """Join the parts of a tensor.

        Args:
            tensor_list (list): what each process has, in the order of the processes.
            dist_attr (dict): how it lies.
        Returns:
            numpy.ndarray: the whole.
        Raises:
            IndexError: there are fewer parts than processes.
            ValueError: parts do not fit together.

        Example:
            >>> import numpy as np
            >>> from paddle_compat.distributed.auto_parallel.static.converter import Converter
            >>> lies = {"process_shape": [2], "process_group": [0, 1], "dims_mapping": [-1, 0]}
            >>> Converter.merge_with_dist_attr([np.array([[1, 2]]), np.array([[3, 4]])], lies).tolist()
            [[1, 2, 3, 4]]
        """
        mapping, grid, group = dist_attr["dims_mapping"], dist_attr["process_shape"], dist_attr["process_group"]
        counts = [1 if axis == -1 else grid[axis] for axis in mapping]
        pieces: dict[int, np.ndarray] = {}
        for place, rank in enumerate(group):
            pieces.setdefault(_number(rank, mapping, grid, group), tensor_list[place])
        row = [pieces[number] for number in range(prod(counts))]
        for axis, count in reversed([*enumerate(counts)]):
            row = [np.concatenate(row[i : i + count], axis) if count > 1 else row[i] for i in range(0, len(row), count)]
        return row[0]

    @staticmethod
    def slice_with_dist_attr(tensor: np.ndarray, dist_attr: dict[str, Any]) -> np.ndarray:
        """Cut this process's part out of a tensor.

        Args:
            tensor (numpy.ndarray): the whole.
            dist_attr (dict): how it is to lie.
        Returns:
            numpy.ndarray: the part.
        Raises:
            ValueError: this process is none of those.

        Example:
            >>> import numpy as np
            >>> from paddle_compat.distributed.auto_parallel.static.converter import Converter
            >>> lies = {"process_shape": [2], "process_group": [0, 1], "dims_mapping": [0]}
            >>> Converter.slice_with_dist_attr(np.arange(4), lies).tolist()
            [0, 1]
        """
        from paddle_compat.distributed import get_rank

        mapping, grid, group = dist_attr["dims_mapping"], dist_attr["process_shape"], dist_attr["process_group"]
        places = Converter._get_split_indices(list(tensor.shape), mapping, grid, group)
        parts = Converter.split(tensor, places, tensor.ndim)
        return parts[Converter._get_sliced_index(get_rank(), list(tensor.shape), mapping, grid, group)]

    @staticmethod
    def merge(
        partition_tensor_list: list[Any], tensor: np.ndarray, partition_index: list[list[int]], complete_shape: Sequence[int]
    ) -> None:
        """Put a part beside those that are there, and join it with one that it lies next to.

        Args:
            partition_tensor_list (list): pairs of an array and where it lies, which changes.
            tensor (numpy.ndarray): the part.
            partition_index (list): for each dimension where it begins and ends.
            complete_shape (list): of the whole.

        Example:
            >>> import numpy as np
            >>> from paddle_compat.distributed.auto_parallel.static.converter import Converter
            >>> parts = [(np.array([1, 2]), [[0, 2]])]
            >>> Converter.merge(parts, np.array([3]), [[2, 3]], [3])
            >>> parts
            [(array([1, 2, 3]), [[0, 3]])]
        """
        for number, (other, index) in enumerate(partition_tensor_list):
            if all(held[0] <= own[0] and own[1] <= held[1] for held, own in zip(index, partition_index)):
                return
            apart = [axis for axis in range(len(index)) if index[axis] != partition_index[axis]]
            (axis, *more) = apart
            first, second = sorted([(index[axis], other), (partition_index[axis], tensor)], key=lambda pair: pair[0][0])
            if not more and first[0][1] == second[0][0]:
                joined = [*index[:axis], [first[0][0], second[0][1]], *index[axis + 1 :]]
                del partition_tensor_list[number]
                Converter.merge(partition_tensor_list, np.concatenate([first[1], second[1]], axis), joined, complete_shape)
                return
        partition_tensor_list.append((tensor, partition_index))

    @staticmethod
    def split(complete_tensor: np.ndarray, partition_index_list: list[list[int]], length: int) -> list[np.ndarray]:
        """Cut a tensor along its last dimensions.

        Args:
            complete_tensor (numpy.ndarray): the whole.
            partition_index_list (list): for each dimension where it is cut.
            length (int): how many of the last dimensions are.
        Returns:
            list: the parts, those of the last dimension behind one another.

        Example:
            >>> import numpy as np
            >>> from paddle_compat.distributed.auto_parallel.static.converter import Converter
            >>> [part.tolist() for part in Converter.split(np.arange(5), [[2, 4]], 1)]
            [[0, 1], [2, 3], [4]]
        """
        axis = complete_tensor.ndim - length
        parts = np.split(complete_tensor, partition_index_list[axis], axis)
        if length == 1:
            return parts
        return [piece for part in parts for piece in Converter.split(part, partition_index_list, length - 1)]

    @staticmethod
    def _get_split_indices(
        complete_shape: Sequence[int], dims_mapping: Sequence[int], process_shape: Sequence[int], process_group: Sequence[int]
    ) -> list[list[int]]:
        """Where each dimension is cut."""
        found = []
        for dim, size in enumerate(complete_shape):
            count = 1 if dims_mapping[dim] == -1 else process_shape[dims_mapping[dim]]
            step = size // count
            found.append([step * place for place in range(1, count + (size % count > 0))])
        return found

    @staticmethod
    def _get_sliced_index(
        rank_id: int,
        complete_shape: Sequence[int],
        dims_mapping: Sequence[int],
        process_shape: Sequence[int],
        process_group: Sequence[int],
    ) -> int:
        """Which of the parts a process has."""
        return _number(rank_id, dims_mapping, process_shape, process_group)


def _number(rank: int, mapping: Sequence[int], grid: Sequence[int], group: Sequence[int]) -> int:
    """Which part a process has, counted along the last dimension first."""
    at = np.unravel_index(list(group).index(rank), tuple(grid))
    number = 0
    for axis in mapping:
        number = number * (1 if axis == -1 else grid[axis]) + (0 if axis == -1 else int(at[axis]))
    return number


__getattr__ = missing(__name__)
