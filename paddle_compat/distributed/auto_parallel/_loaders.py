"""`shard_dataloader`: a loader whose batches lie on meshes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from paddle_compat.core.errors import UnsupportedError, failed_assertion, invalid_argument
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed import _groups
from paddle_compat.distributed.auto_parallel._tensors import dtensor_from_local
from paddle_compat.distributed.auto_parallel.placement_type import Placement, Replicate, Shard
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh
from paddle_compat.io import DataLoader, DistributedBatchSampler, RandomSampler

Dim = str | int | None
_API = "shard_dataloader"


class ShardDataloader:
    """A loader whose batches are dist tensors; `shard_dataloader` makes it.

    Args:
        dataloader (DataLoader): reads the dataset.
        meshes (ProcessMesh | list): where the batches lie.
        input_keys (list): of the batches, where they are dicts.
        shard_dims (list | str | int): the dimension of the mesh whose processes share a batch.
        is_dataset_splitted (bool): each process's dataset has its own samples only.
        dense_tensor_idx (list): for each input, which of its Tensors stay plain.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> data = paddle.io.TensorDataset([paddle.ones([4, 2])])
        >>> loader = dist.ShardDataloader(paddle.io.DataLoader(data, batch_size=2), dist.ProcessMesh([0]))
        >>> [x.placements for x, in loader()]
        [[Replicate()], [Replicate()]]

    Follows Paddle 3.3.
    """

    def __init__(
        self, dataloader: DataLoader, meshes: Any, input_keys: Sequence[str] | None = None, shard_dims: Any = None,
        is_dataset_splitted: bool = False, dense_tensor_idx: Sequence[Sequence[int]] | None = None,
    ) -> None:  # fmt: skip
        if is_dataset_splitted and shard_dims is None:
            raise invalid_argument("shard_dims", "a dimension of the mesh, with is_dataset_splitted=True", None, _API)
        listed = list(meshes) if isinstance(meshes, (list, tuple)) else [meshes]
        if not listed or not all(isinstance(mesh, ProcessMesh) for mesh in _flat(listed)):
            raise invalid_argument("meshes", "a paddle.distributed.ProcessMesh, or a list of them", meshes, _API)
        if not isinstance(dataloader, DataLoader):
            raise invalid_argument("dataloader", "a paddle.io.DataLoader", dataloader, _API)
        if isinstance(shard_dims, (list, tuple)) and len(shard_dims) != len(listed):
            raise invalid_argument("shard_dims", f"{len(listed)}, one for each of the meshes", len(shard_dims), _API)
        rank = _groups.job_rank()
        mine = [mesh for mesh in _flat(listed) if rank in mesh.process_ids]
        if any(mesh != mine[0] for mesh in mine):
            raise invalid_argument("meshes", f"one with process {rank}", f"{len(mine)} of them: {mine}", _API)
        self._meshes, self._input_keys, self.dense_tensor_idx = listed, input_keys, dense_tensor_idx
        self._shard_dims = list(shard_dims) if isinstance(shard_dims, (list, tuple)) else [shard_dims] * len(listed)
        self._dataloader, self._iterator = dataloader, None
        if shard_dims is not None and not is_dataset_splitted:
            self._dataloader = self._divided(dataloader, rank)
        self.batch_sampler = self._dataloader.batch_sampler
        self.batch_size = getattr(self.batch_sampler, "batch_size", None)

    _iterator: Iterator[Any] | None

    def _divided(self, loader: DataLoader, rank: int) -> DataLoader:
        """A loader of this process's share."""
        places = [(each, dim) for mesh, dims in zip(self._meshes, self._shard_dims) for each, dim in _pairs(mesh, dims)]
        mesh, dim = next(((mesh, dim) for mesh, dim in places if rank in mesh.process_ids), places[0])
        sampler = loader.batch_sampler
        if isinstance(sampler, DistributedBatchSampler) or dim is None:
            return loader
        if sampler is None or not hasattr(loader.dataset, "__len__"):
            given = "a loader without batch sampler or of an IterableDataset, with shard_dims"
            raise UnsupportedError(f"paddle.distributed.{_API}", given, "a dataset of its own in each process and is_dataset_splitted=True")
        count = mesh.get_dim_size(dim)
        if sampler.batch_size < count:
            raise invalid_argument("dataloader", f"batches of {count} samples or more, one for each process", sampler.batch_size, _API)
        own = DistributedBatchSampler(
            loader.dataset, sampler.batch_size // count, count, max(mesh.get_rank_by_dim_and_process_id(dim, rank), 0),
            shuffle=isinstance(getattr(sampler, "sampler", None), RandomSampler), drop_last=sampler.drop_last,
        )  # fmt: skip
        return DataLoader(
            loader.dataset, loader.feed_list, loader.places, loader.return_list, own, collate_fn=loader.collate_fn,
            num_workers=loader.num_workers, use_buffer_reader=loader.use_buffer_reader, prefetch_factor=loader.prefetch_factor,
            use_shared_memory=loader.use_shared_memory, timeout=loader.timeout, worker_init_fn=loader.worker_init_fn,
            persistent_workers=loader._persistent_workers,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self._dataloader)

    def __iter__(self) -> ShardDataloader:
        self._iterator = None
        return self

    def __call__(self) -> ShardDataloader:
        return iter(self)

    def __next__(self) -> Any:
        if self._iterator is None:
            self._iterator = iter(self._dataloader)
        try:
            batch = next(self._iterator)
        except StopIteration:
            self._iterator = None
            raise
        return self._laid(batch)

    def _laid(self, batch: Any) -> Any:
        """The batch, its Tensors dist ones."""
        if isinstance(batch, Tensor):
            return self._lay_input(batch, 0)
        if isinstance(batch, dict):
            keys = list(batch if self._input_keys is None else self._input_keys)
            self._count(keys)
            return {key: self._lay_input(batch[key], i) for i, key in enumerate(keys)}
        if isinstance(batch, (list, tuple)):
            self._count(batch)
            return [self._lay_input(each, i) for i, each in enumerate(batch)]
        raise invalid_argument("dataloader", "batches that are Tensors, lists or dicts", type(batch).__name__, _API)

    def _count(self, inputs: Any) -> None:
        if len(self._meshes) not in (1, len(inputs)):
            raise failed_assertion("meshes", f"{len(inputs)}, one for each input of a batch, or one for all", len(self._meshes), _API)

    def _lay_input(self, value: Any, index: int) -> Any:
        """One of a batch's inputs: a Tensor, or several."""
        at = 0 if len(self._meshes) == 1 else index
        plain = [] if self.dense_tensor_idx is None else list(self.dense_tensor_idx[index])
        if not isinstance(value, (list, tuple)):
            mesh, dim = _pairs(self._meshes[at], self._shard_dims[at])[0]
            return value if plain or not isinstance(value, Tensor) else dtensor_from_local(value, mesh, layout(mesh, dim))
        places = _pairs(self._meshes[at], self._shard_dims[at])
        places = places * len(value) if len(places) == 1 else places
        if len(places) != len(value):
            raise failed_assertion("meshes", f"{len(value)} for input {index}, which has as many Tensors", len(places), _API)
        return [
            each if j in plain or not isinstance(each, Tensor) else dtensor_from_local(each, mesh, layout(mesh, dim))
            for j, (each, (mesh, dim)) in enumerate(zip(value, places))
        ]


def layout(mesh: ProcessMesh, dim: Dim) -> list[Placement]:
    """How a batch lies on a mesh whose processes along a dimension share it."""
    placements: list[Placement] = [Replicate()] * mesh.ndim
    if dim is not None:
        placements[mesh.dim_names.index(dim) if isinstance(dim, str) else dim] = Shard(0)
    return placements


def _flat(meshes: Sequence[Any]) -> list[Any]:
    return [each for mesh in meshes for each in (mesh if isinstance(mesh, (list, tuple)) else [mesh])]


def _pairs(meshes: Any, dims: Any) -> list[tuple[ProcessMesh, Dim]]:
    """The meshes of an input with the dimension that cuts each."""
    several = list(meshes) if isinstance(meshes, (list, tuple)) else [meshes]
    return list(zip(several, dims if isinstance(dims, (list, tuple)) else [dims] * len(several)))


def shard_dataloader(
    dataloader: DataLoader, meshes: Any, input_keys: Sequence[str] | None = None, shard_dims: Any = None,
    is_dataset_splitted: bool = False, dense_tensor_idx: Sequence[Sequence[int]] | None = None,
) -> ShardDataloader:  # fmt: skip
    """A loader whose batches are dist tensors. The given one is not read.

    Args:
        dataloader (DataLoader): reads the dataset.
        meshes (ProcessMesh | list): the mesh of all inputs of a batch; or one for each input, or a list of them for one of several Tensors.
        input_keys (list): of the batches, where they are dicts: their order is that of the meshes; None: all, in their own order.
        shard_dims (list | str | int): the dimension of the mesh, or of each, whose processes share out a batch; None: every process has
            all of it.
        is_dataset_splitted (bool): each process's dataset has its own samples only: batches are not divided any more.
        dense_tensor_idx (list): for each input, which of its Tensors stay plain; None: none.
    Returns:
        ShardDataloader: gives batches as often as it is called or iterated.
    Raises:
        ValueError: meshes are none; shard_dims are not as many; the dataset is split and no dimension said; this process is in several
            meshes.
        AssertionError: a batch has not as many inputs as there are meshes.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> data = paddle.io.TensorDataset([paddle.ones([4, 2]), paddle.zeros([4])])
        >>> mesh = dist.ProcessMesh([0], dim_names=["dp"])
        >>> loader = dist.shard_dataloader(paddle.io.DataLoader(data, batch_size=2), mesh, shard_dims="dp")
        >>> len(loader), [(x.placements, y.shape) for x, y in loader()]
        (2, [([Shard(dim=0)], [2]), ([Shard(dim=0)], [2])])

    Follows Paddle 3.3; it puts the cut along the mesh's first dimension whatever `shard_dims` says, here it is along that one.
    """
    return ShardDataloader(dataloader, meshes, input_keys, shard_dims, is_dataset_splitted, dense_tensor_idx)
