"""Single values in files and bytes, as Paddle's C++ module writes them: `core.save_lod_tensor` and its kin."""

from __future__ import annotations

from io import BytesIO

from paddle_compat.core.errors import UnavailableError
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.pickles import replacing
from paddle_compat.core.selected_rows import SelectedRows
from paddle_compat.core.streams import Reader, read_selected_rows, read_tensor, write_tensor
from paddle_compat.static._files import opened


def save_lod_tensor(tensor: LoDTensor, str_file_name: str) -> int:
    """Write a tensor with its LoD to a file.

    Args:
        tensor: the tensor.
        str_file_name: the file.
    Returns:
        How many bytes it has.
    Raises:
        UnavailableError: the file cannot be written.

    Example:
        >>> import os, tempfile, numpy as np
        >>> from paddle_compat.base import core
        >>> tensor, file = core.LoDTensor(), os.path.join(tempfile.mkdtemp(), "w")
        >>> tensor.set(np.ones(2, "float32"), core.CPUPlace())
        >>> core.save_lod_tensor(tensor, file) == os.path.getsize(file)
        True

    Follows Paddle 2.6.
    """
    return _write(tensor, str_file_name)


def load_lod_tensor(tensor: LoDTensor, str_file_name: str) -> int:
    """Read a tensor with its LoD from a file.

    Args:
        tensor: takes the value.
        str_file_name: the file.
    Returns:
        How many bytes were read.
    Raises:
        UnavailableError: the file cannot be read.
        InvalidArgumentError: it holds something else.

    Example:
        >>> import os, tempfile, numpy as np
        >>> from paddle_compat.base import core
        >>> tensor, file = core.LoDTensor(), os.path.join(tempfile.mkdtemp(), "w")
        >>> tensor.set(np.ones(2, "float32"), core.CPUPlace())
        >>> other = core.LoDTensor()
        >>> core.save_lod_tensor(tensor, file) == core.load_lod_tensor(other, file), other.numpy().tolist()
        (True, [1.0, 1.0])

    Follows Paddle 2.6.
    """
    with opened(str_file_name) as stream:
        return _take(tensor, Reader(stream))


def save_lod_tensor_to_memory(tensor: LoDTensor) -> bytes:
    """The bytes that `save_lod_tensor` writes.

    Args:
        tensor: the tensor.
    Returns:
        bytes.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.base import core
        >>> tensor, other = core.LoDTensor(), core.LoDTensor()
        >>> tensor.set(np.ones(2, "float32"), core.CPUPlace())
        >>> core.load_lod_tensor_from_memory(other, core.save_lod_tensor_to_memory(tensor)); other.shape()
        [2]

    Follows Paddle 2.6.
    """
    out = BytesIO()
    write_tensor(out, tensor)
    return out.getvalue()


def load_lod_tensor_from_memory(tensor: LoDTensor, tensor_bytes: bytes) -> None:
    """Read a tensor from bytes.

    Args:
        tensor: takes the value.
        tensor_bytes: as `save_lod_tensor_to_memory` gave them.
    Raises:
        InvalidArgumentError: they hold something else.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.base import core
        >>> tensor, other = core.LoDTensor(), core.LoDTensor()
        >>> tensor.set(np.ones(2, "float32"), core.CPUPlace())
        >>> core.load_lod_tensor_from_memory(other, core.save_lod_tensor_to_memory(tensor)); other.shape()
        [2]

    Follows Paddle 2.6.
    """
    _take(tensor, Reader(BytesIO(tensor_bytes)))


def save_selected_rows(selected_rows: SelectedRows, str_file_name: str) -> int:
    """Write SelectedRows to a file.

    Args:
        selected_rows: the rows.
        str_file_name: the file.
    Returns:
        How many bytes it has.
    Raises:
        UnavailableError: the file cannot be written.

    Example:
        >>> import os, tempfile, numpy as np
        >>> from paddle_compat.base import core
        >>> rows, file = core.SelectedRows([4, 1], 10), os.path.join(tempfile.mkdtemp(), "rows")
        >>> rows.get_tensor().set(np.ones((2, 3), "float32"), core.CPUPlace())
        >>> core.save_selected_rows(rows, file) == os.path.getsize(file)
        True

    Follows Paddle 2.6.
    """
    return _write(selected_rows._home, str_file_name)


def load_selected_rows(selected_rows: SelectedRows, str_file_name: str) -> int:
    """Read SelectedRows from a file.

    Args:
        selected_rows: takes the rows.
        str_file_name: the file.
    Returns:
        How many bytes were read.
    Raises:
        UnavailableError: the file cannot be read.
        InvalidArgumentError: it holds something else.

    Example:
        >>> import os, tempfile, numpy as np
        >>> from paddle_compat.base import core
        >>> rows, file = core.SelectedRows([4, 1], 10), os.path.join(tempfile.mkdtemp(), "rows")
        >>> rows.get_tensor().set(np.ones((2, 3), "float32"), core.CPUPlace())
        >>> other = core.SelectedRows()
        >>> core.save_selected_rows(rows, file) == core.load_selected_rows(other, file), other.rows(), other.height()
        (True, [4, 1], 10)

    Follows Paddle 2.6.
    """
    with opened(str_file_name) as stream:
        reader = Reader(stream)
        selected_rows._home.value = read_selected_rows(reader).value
        return reader.offset


def save_selected_rows_to_memory(selected_rows: SelectedRows) -> bytes:
    """The bytes that `save_selected_rows` writes.

    Args:
        selected_rows: the rows.
    Returns:
        bytes.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.base import core
        >>> rows, other = core.SelectedRows([4, 1], 10), core.SelectedRows()
        >>> rows.get_tensor().set(np.ones((2, 3), "float32"), core.CPUPlace())
        >>> core.load_selected_rows_from_memory(other, core.save_selected_rows_to_memory(rows)); other.rows()
        [4, 1]

    Follows Paddle 2.6.
    """
    return save_lod_tensor_to_memory(selected_rows._home)


def load_selected_rows_from_memory(selected_rows: SelectedRows, tensor_bytes: bytes) -> None:
    """Read SelectedRows from bytes.

    Args:
        selected_rows: takes the rows.
        tensor_bytes: as `save_selected_rows_to_memory` gave them.
    Raises:
        InvalidArgumentError: they hold something else.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.base import core
        >>> rows, other = core.SelectedRows([4, 1], 10), core.SelectedRows()
        >>> rows.get_tensor().set(np.ones((2, 3), "float32"), core.CPUPlace())
        >>> core.load_selected_rows_from_memory(other, core.save_selected_rows_to_memory(rows)); other.height()
        10

    Follows Paddle 2.6.
    """
    selected_rows._home.value = read_selected_rows(Reader(BytesIO(tensor_bytes))).value


def _write(tensor: LoDTensor, path: str) -> int:
    try:
        with replacing(path) as stream:
            write_tensor(stream, tensor)
            return stream.tell()
    except OSError as error:
        raise UnavailableError(f"Cannot write `{path}`. Expected a file in an existing folder. Received: {error.strerror}") from error


def _take(tensor: LoDTensor, reader: Reader) -> int:
    found = read_tensor(reader)
    tensor.value, tensor.lod_ = found.value, found.lod_
    return reader.offset
