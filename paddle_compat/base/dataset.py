"""`paddle.base.dataset`: datasets of files, which `Executor.train_from_dataset` trains on (1.8: `paddle.fluid.dataset`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.base._merged_views import MergedViews
from paddle_compat.base._passes_over_days import PassesOverDays
from paddle_compat.core import random
from paddle_compat.core.dtype import VarType, dtype_name
from paddle_compat.core.errors import (
    PreconditionNotMetError,
    UnimplementedError,
    UnsupportedError,
    invalid_argument,
    missing_member,
    type_error,
)
from paddle_compat.distributed.fleet.base._messages import Message
from paddle_compat.engine import sample_files
from paddle_compat.engine.multislot import Columns, Slot

_KINDS = {VarType.FP32: "float", VarType.INT64: "uint64"}


class DatasetFactory:
    """Makes datasets by name.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> type(fluid.DatasetFactory().create_dataset("InMemoryDataset")).__name__
        'InMemoryDataset'

    Follows Paddle 1.8 and 2.6.
    """

    def create_dataset(self, datafeed_class: str = "QueueDataset") -> Any:
        """A new dataset.

        Args:
            datafeed_class (str): "QueueDataset" or "InMemoryDataset".
        Returns:
            The dataset.
        Raises:
            ValueError: there is no such kind.
            UnsupportedError: paddle_compat does not have that kind.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> dataset = fluid.DatasetFactory().create_dataset()
            >>> dataset.set_batch_size(128)
        """
        kinds = (DatasetBase, InMemoryDataset, QueueDataset, FileInstantDataset, BoxPSDataset)
        made = {kind.__name__: kind for kind in kinds}.get(datafeed_class)
        if made is None:
            raise ValueError(f"datafeed class {datafeed_class} does not exist. Expected InMemoryDataset or QueueDataset.")
        return made()


class DatasetBase:
    """Files of MultiSlot text, which threads read through a shell command; make a `QueueDataset` or an `InMemoryDataset`.

    A line holds a sample: for each of the variables how many values follow, and these.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     words = fluid.data("words", [None, 1], "int64", lod_level=1)
        >>> dataset = fluid.DatasetFactory().create_dataset("QueueDataset")
        >>> dataset.set_use_var([words])
        >>> dataset.set_batch_size(128); dataset.set_thread(2)
        >>> dataset.set_pipe_command("cat"); dataset.set_filelist(["a.txt", "b.txt.gz"])
        >>> dataset.set_hdfs_config("hdfs://name", "user,word"); dataset.set_download_cmd("hadoop fs -cat")
        >>> dataset.set_pv_batch_size(8); dataset.set_rank_offset("rank"); dataset.set_input_type(0)
        >>> print(dataset.desc().splitlines()[1])
        batch_size: 128

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self) -> None:
        self.proto_desc = Message("DataFeedDesc")
        self.proto_desc.pipe_command = "cat"
        self.thread_num = 1
        self.filelist: list[str] = []
        self._slots: list[Slot] = []
        self._download = ""
        self._skipped = 0

    def set_pipe_command(self, pipe_command: str) -> None:
        """Say what each file goes through before it is parsed.

        Args:
            pipe_command (str): a shell command, which reads the file and writes MultiSlot text; "cat" leaves it as it is.
        Raises:
            TypeError: it is no str.
        """
        self.proto_desc.pipe_command = _checked("pipe_command", pipe_command, str)

    def set_rank_offset(self, rank_offset: str) -> None:
        """Name the variable of ranks, which only page views merged by Paddle's own service have.

        Args:
            rank_offset (str): its name.
        """
        self.proto_desc.rank_offset = _checked("rank_offset", rank_offset, str)

    def set_batch_size(self, batch_size: int) -> None:
        """Say how many samples a batch has; the last one of a thread may have less.

        Args:
            batch_size (int): the number.
        Raises:
            TypeError: it is no int.
            ValueError: it is not above 0.
        """
        if _checked("batch_size", batch_size, int) <= 0:
            raise invalid_argument("batch_size", "a number above 0", batch_size, "set_batch_size")
        self.proto_desc.batch_size = batch_size

    def set_pv_batch_size(self, pv_batch_size: int) -> None:
        """Say how many page views a batch has where they are merged, which paddle_compat does not do.

        Args:
            pv_batch_size (int): the number.
        """
        self.proto_desc.pv_batch_size = _checked("pv_batch_size", pv_batch_size, int)

    def set_thread(self, thread_num: int) -> None:
        """Say how many threads read.

        Args:
            thread_num (int): the number; never more than there are files to read.
        Raises:
            TypeError: it is no int.
        """
        self.thread_num = _checked("thread_num", thread_num, int)

    def set_filelist(self, filelist: list[str]) -> None:
        """Say which files are read.

        Args:
            filelist (list): their paths; those that end in `.gz` are unpacked.
        Raises:
            TypeError: it is no list of str.
        """
        if not isinstance(filelist, (list, tuple)) or not all(isinstance(path, str) for path in filelist):
            raise type_error("filelist", "a list of str", filelist, "set_filelist")
        self.filelist = list(filelist)

    def set_input_type(self, input_type: int) -> None:
        """Say how files are encoded.

        Args:
            input_type (int): 0: a line is a sample; 1: in memory a line is a batch, whose samples have one value in a slot with a LoD.
        Raises:
            UnsupportedError: it is another one.
        """
        if _checked("input_type", input_type, int) not in (0, 1):
            raise UnsupportedError("set_input_type", f"input_type={input_type}", "0, and a pipe_command that writes text")
        self.proto_desc.input_type = input_type

    def set_use_var(self, var_list: list[Any]) -> None:
        """Say which variables a line has values for, in their order.

        Args:
            var_list (list): Variables; those with lod_level 0 have as many values in each line as their shape says.
        Raises:
            ValueError: one is neither float32 nor int64, or more than its first dimension is unknown.
        """
        slots = self.proto_desc.multi_slot_desc.slots
        for var in var_list:
            kind = _KINDS.get(var.dtype)
            if kind is None:
                raise invalid_argument("var_list", "variables of float32 or int64", f"`{var.name}`, {dtype_name(var.dtype)}", "set_use_var")
            slot, dense = Message("Slot"), var.lod_level == 0
            slot.name, slot.type = var.name, kind
            if dense:
                slot.is_dense = True
                slot.extend("shape", [int(n) for n in var.shape])
                if not var.shape or min(var.shape[1:], default=1) < 0:
                    raise invalid_argument(
                        "var_list", "shapes whose first dimension alone is unknown", f"`{var.name}`, {list(var.shape)}", "set_use_var"
                    )
            slot.is_used = True
            slots.append(slot)
            self._slots.append(Slot(var.name, kind == "float", tuple(map(int, var.shape[1:])) if dense else None))

    def set_hdfs_config(self, fs_name: str, fs_ugi: str) -> None:
        """Name the remote file system; files on it are read by the command of `set_download_cmd`.

        Args:
            fs_name (str): its address.
            fs_ugi (str): the user and the password.
        """
        self._hdfs = _checked("fs_name", fs_name, str), _checked("fs_ugi", fs_ugi, str)

    def set_download_cmd(self, download_cmd: str) -> None:
        """Say what writes a remote file (`hdfs:`, `afs:`) to its standard output.

        Args:
            download_cmd (str): a shell command, behind which the file's path is put.
        """
        self._download = _checked("download_cmd", download_cmd, str)

    def desc(self) -> str:
        """The description of how files are read.

        Returns:
            str: protobuf's text.
        """
        return str(self.proto_desc)

    def _source(self) -> sample_files.Source:
        """How files become samples.

        Raises:
            PreconditionNotMetError: there are no variables.
        """
        if not self._slots:
            raise PreconditionNotMetError("A dataset has no variables. Expected a call of set_use_var, or use_var in init. Received: none")
        return sample_files.Source(tuple(self._slots), self.proto_desc.pipe_command, self._skipped, self._download)

    def _streams(self, readers: sample_files.Readers, threads: int) -> Sequence[Iterator[Any]]:
        """What each thread feeds, batch by batch."""
        raise UnsupportedError("DatasetBase", None, "QueueDataset or InMemoryDataset")

    if not TYPE_CHECKING:  # the type checker is to see what is missing
        __getattr__ = missing_member("paddle.base.dataset.DatasetBase")


class QueueDataset(DatasetBase):
    """Files that are read while a Program trains on them; thread i of n reads every n-th file, in order.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> dataset = fluid.DatasetFactory().create_dataset("QueueDataset")
        >>> try:
        ...     dataset.local_shuffle(), dataset.global_shuffle()
        ... except NotImplementedError:
        ...     print("not in memory")
        not in memory

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self) -> None:
        super().__init__()
        self.proto_desc.name = "MultiSlotDataFeed"

    def local_shuffle(self) -> None:
        """Not for files that are not in memory.

        Raises:
            NotImplementedError: always.
        """
        raise UnimplementedError(f"{type(self).__name__} does not support local shuffle. Expected an InMemoryDataset.")

    def global_shuffle(self, fleet: Any = None) -> None:
        """Not for files that are not in memory.

        Args:
            fleet: the job.
        Raises:
            NotImplementedError: always.
        """
        raise UnimplementedError(f"{type(self).__name__} does not support global shuffle. Expected an InMemoryDataset.")

    def _streams(self, readers: sample_files.Readers, threads: int) -> Sequence[Iterator[Any]]:
        # as in Paddle, the dataset's own threads count, however many the run asks for
        return sample_files.streamed(readers, self._source(), self.filelist, self.proto_desc.batch_size, self.thread_num)


class InMemoryDataset(MergedViews, PassesOverDays, DatasetBase):
    """Files that are read into memory, where their samples can be shuffled; thread i of n trains on the i-th part of them.

    As in Paddle, zeros count for nothing in variables with LoD (a sample that has no other values there has a single zero).
    Shuffles repeat with `paddle.seed` (and without one they all start from the same).

    Example:
        >>> import tempfile, paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     words = fluid.data("words", [None, 1], "int64", lod_level=1)
        >>> dataset = fluid.DatasetFactory().create_dataset("InMemoryDataset")
        >>> dataset.set_use_var([words])
        >>> with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        ...     print("2 7 8", "1 9", sep="\\n", file=file, flush=True)
        ...     dataset.set_filelist([file.name])
        ...     dataset.load_into_memory()
        ...     dataset.preload_into_memory(); dataset.wait_preload_done()
        >>> dataset.local_shuffle()
        >>> print(dataset.get_memory_data_size(), dataset.get_shuffle_data_size())
        2 0
        >>> dataset.global_shuffle()
        >>> print(dataset.get_memory_data_size(), dataset.get_shuffle_data_size())
        0 2
        >>> dataset.set_fea_eval(10); dataset.slots_shuffle(["words"])
        >>> dataset.set_queue_num(2); dataset.set_parse_ins_id(False); dataset.set_parse_content(False)
        >>> dataset.set_fleet_send_batch_size(512); dataset.set_fleet_send_sleep_seconds(0); dataset.set_date("20211111")
        >>> dataset.set_feed_type("MultiSlotInMemoryDataFeed"); dataset.set_merge_by_lineid(); dataset.set_current_phase(0)
        >>> dataset.set_parse_logkey(False); dataset.set_merge_by_sid(True); dataset.set_enable_pv_merge(False)
        >>> dataset.set_generate_unique_feasigns(False, 1); print(dataset.get_pv_data_size())
        0
        >>> dataset.set_pass_id(dataset.get_pass_id() + 1); dataset.release_memory()

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self) -> None:
        super().__init__()
        self.proto_desc.name = "MultiSlotInMemoryDataFeed"
        self.queue_num: int | None = None
        self.parse_ins_id = self.parse_content = self.fea_eval = False
        self.fleet_send_batch_size: int | None = None
        self.fleet_send_sleep_seconds: int | None = None
        self._samples: Columns | None = None
        self._counts_as_shuffled = False  # as samples do in Paddle once they have been trained on or shuffled globally
        self._shuffles = 0
        self._preload: tuple[sample_files.Readers, Iterator[Columns]] | None = None

    def set_feed_type(self, data_feed_type: str) -> None:
        """Say how lines are read.

        Args:
            data_feed_type (str): "MultiSlotInMemoryDataFeed".
        Raises:
            UnsupportedError: it is another one.
        """
        if data_feed_type != "MultiSlotInMemoryDataFeed":
            raise UnsupportedError("InMemoryDataset", f"data_feed_type={data_feed_type!r}", "MultiSlotInMemoryDataFeed")

    def set_queue_num(self, queue_num: int) -> None:
        """Of no effect: each thread has a queue of its own.

        Args:
            queue_num (int): the number of queues.
        """
        self.queue_num = _checked("queue_num", queue_num, int)

    def set_parse_ins_id(self, parse_ins_id: bool) -> None:
        """Say whether lines begin with `1 name`, the sample's name.

        Args:
            parse_ins_id (bool): whether they do.
        """
        self.parse_ins_id = bool(parse_ins_id)
        self._skipped = self.parse_ins_id + self.parse_content

    def set_parse_content(self, parse_content: bool) -> None:
        """Say whether lines have `1 content` before the slots.

        Args:
            parse_content (bool): whether they do.
        """
        self.parse_content = bool(parse_content)
        self._skipped = self.parse_ins_id + self.parse_content

    def set_fleet_send_batch_size(self, fleet_send_batch_size: int = 1024) -> None:
        """Of no effect: a global shuffle sends what each trainer gets in one piece.

        Args:
            fleet_send_batch_size (int): samples in a message.
        """
        self.fleet_send_batch_size = fleet_send_batch_size

    def set_fleet_send_sleep_seconds(self, fleet_send_sleep_seconds: int = 0) -> None:
        """Of no effect: a global shuffle does not pause.

        Args:
            fleet_send_sleep_seconds (int): seconds between messages.
        """
        self.fleet_send_sleep_seconds = fleet_send_sleep_seconds

    def set_fea_eval(self, record_candidate_size: int, fea_eval: bool = True) -> None:
        """Let `slots_shuffle` shuffle slots.

        Args:
            record_candidate_size (int): of no effect: values come from all samples.
            fea_eval (bool): whether it shall.
        """
        self.fea_eval = fea_eval

    def slots_shuffle(self, slots: list[str]) -> None:
        """Exchange what samples have for some slots, which shows what those are worth.

        Args:
            slots (list): their names.
        Raises:
            ValueError: there is no such slot.
        """
        if not self.fea_eval or self._samples is None:
            return
        for name in slots:
            if all(slot.name != name for slot in self._slots):
                raise invalid_argument("slots", f"some of {[slot.name for slot in self._slots]}", name, "slots_shuffle")
            self._samples = self._samples.chosen(self._order(self._samples.size), only=name)

    # ---- loading
    def load_into_memory(self, is_shuffle: bool = False) -> None:
        """Read all files; their samples take the place of those that are there.

        Args:
            is_shuffle (bool): shuffle them, too.
        Raises:
            ValueError: a line is malformed.
            RuntimeError: a file is missing, or the pipe command fails.
        """
        self._refuse_views()
        self._take(sample_files.loaded(self._source(), self.filelist, self.thread_num))
        if is_shuffle:
            self.local_shuffle()

    def preload_into_memory(self, thread_num: int | None = None) -> None:
        """Begin to read all files; `wait_preload_done` ends it.

        Args:
            thread_num (int): how many threads read; None: those of the dataset.
        """
        source, files, threads = self._source(), list(self.filelist), thread_num or self.thread_num
        self._end_preload()
        readers = sample_files.Readers()
        self._preload = readers, readers.ahead(lambda: iter([sample_files.loaded(source, files, threads)]))

    def wait_preload_done(self) -> None:
        """Wait until what `preload_into_memory` reads is there.

        Raises:
            ValueError: a line is malformed.
            RuntimeError: a file is missing, or the pipe command fails.
        """
        if self._preload is not None:
            (readers, loads), self._preload = self._preload, None
            with readers:
                self._take(next(loads))

    def _end_preload(self) -> None:
        """Let go of what nobody has waited for: its threads, and the commands that they read from."""
        if self._preload is not None:
            self._preload[0].close()
            self._preload = None

    def _take(self, samples: Columns) -> None:
        self._samples = sample_files.kept(samples, self._samples is None)
        self._counts_as_shuffled = False

    def release_memory(self) -> None:
        """Forget the samples, also those that are being read."""
        self._end_preload()
        self._samples = None
        self._counts_as_shuffled = False

    # ---- shuffling
    def _order(self, size: int) -> np.ndarray:
        self._shuffles += 1
        return np.random.Generator(np.random.PCG64([random.last_seed() or 0, self._shuffles])).permutation(size)

    def local_shuffle(self) -> None:
        """Shuffle the samples of this process."""
        if self._samples is not None:
            self._samples = self._samples.chosen(self._order(self._samples.size))

    def global_shuffle(self, fleet: Any = None, thread_num: int = 12) -> None:
        """Shuffle the samples of all trainers, each of which gets as many, but for one more or less.

        Args:
            fleet (Fleet): the job; None: this process alone.
            thread_num (int): of no effect.
        """
        self._refuse_merging(fleet)
        own = self._samples or Columns.joined(self._slots, [])
        if fleet is None or fleet.worker_num() == 1:
            self._samples = own.chosen(self._order(own.size))
        else:
            sizes = _gathered(fleet, own.size)
            me, begin = fleet.worker_index(), int(sum(sizes[: fleet.worker_index()]))
            (self._shuffles,) = set(_gathered(fleet, self._shuffles)[:1])  # all use the first one's order
            order = self._order(sum(sizes))
            received: list[Columns] = []
            for trainer, share in enumerate(np.array_split(order, len(sizes))):
                mine = (share >= begin) & (share < begin + own.size)
                part = own.chosen(share[mine] - begin)
                sent = _gathered(fleet, (np.flatnonzero(mine), part.values, part.offsets))
                if trainer == me:
                    places = np.concatenate([where for where, _, _ in sent])
                    received = [Columns(self._slots, values, offsets, len(where)) for where, values, offsets in sent]
                    self._samples = Columns.joined(self._slots, received).chosen(np.argsort(places))
        self._counts_as_shuffled = True

    # ---- what is there
    def get_memory_data_size(self, fleet: Any = None) -> np.int64:
        """How many samples were loaded and neither trained on nor shuffled globally.

        Args:
            fleet (Fleet): count those of all its trainers; None: of this process.
        Returns:
            numpy.int64: the number.
        """
        return self._size(not self._counts_as_shuffled, fleet)

    def get_shuffle_data_size(self, fleet: Any = None) -> np.int64:
        """How many samples were shuffled globally or trained on.

        Args:
            fleet (Fleet): count those of all its trainers; None: of this process.
        Returns:
            numpy.int64: the number.
        """
        return self._size(self._counts_as_shuffled, fleet)

    def _size(self, counts: bool, fleet: Any) -> np.int64:
        size = self._samples.size if self._samples is not None and counts else 0
        return np.int64(size if fleet is None else sum(_gathered(fleet, size)))

    def _streams(self, readers: sample_files.Readers, threads: int) -> Sequence[Iterator[Any]]:
        if self._preload is not None:
            raise PreconditionNotMetError("A dataset is still being read. Expected wait_preload_done() behind preload_into_memory()")
        if self._samples is None:
            return []
        self._counts_as_shuffled = True
        size, whole = self.proto_desc.batch_size, self.proto_desc.input_type == 1
        if whole and size != 1 and self._samples.size > 1:
            raise invalid_argument("batch_size", "1, as `input_type` says that lines are batches", size, "init")
        return sample_files.divided(readers, self._samples, size, threads, whole)


class FileInstantDataset(QueueDataset):
    """Files in a binary format that Paddle maps into memory: one can be described, and training on it is not supported.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> print(fluid.DatasetFactory().create_dataset("FileInstantDataset").desc().splitlines()[0])
        name: "MultiSlotFileInstantDataFeed"

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self) -> None:
        super().__init__()
        self.proto_desc.name = "MultiSlotFileInstantDataFeed"

    def _streams(self, readers: sample_files.Readers, threads: int) -> Sequence[Iterator[Any]]:
        raise UnsupportedError("FileInstantDataset", None, "QueueDataset")


class BoxPSDataset(InMemoryDataset):
    """Not supported: samples for a server of tables that is not part of Paddle.

    Raises:
        UnsupportedError: always.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.DatasetFactory().create_dataset("BoxPSDataset")
        Traceback (most recent call last):
        ...
        paddle_compat.core.errors.UnsupportedError: `BoxPSDataset` is not supported by paddle_compat ...

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self) -> None:
        raise UnsupportedError("BoxPSDataset", None, "InMemoryDataset")


def _checked(name: str, value: Any, kind: type) -> Any:
    if not isinstance(value, kind) or isinstance(value, bool):
        raise type_error(name, f"a value of type {kind.__name__}", value)
    return value


def _gathered(fleet: Any, value: Any) -> list[Any]:
    """What each trainer of a job gave, in their order.

    Raises:
        UnsupportedError: the job's trainers do not meet.
    """
    if fleet.worker_num() == 1:
        return [value]
    role = (fleet.fleet if isinstance(fleet, ModuleType) else fleet)._role_maker
    if hasattr(role, "_all_gather"):
        return list(role._all_gather(value))  # which refuses by itself where they do not
    servers = getattr(getattr(fleet, "main_program", None), "_servers", None)
    if servers is not None:  # of 1.8's fleet, through which trainers meet
        from paddle_compat.engine.trainer import trainer_of  # loads rpc when it joins

        return trainer_of(servers, "send").meet(value)
    found = role.all_gather(value) if getattr(role, "_is_collective", False) else None
    if found is None:
        raise UnsupportedError("InMemoryDataset", "fleet of a job of parameter servers", "local_shuffle, and sizes of each trainer")
    return list(found)


__all__ = ["DatasetFactory", "InMemoryDataset", "QueueDataset"]

__getattr__ = missing(__name__)
