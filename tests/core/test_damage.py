"""Files damaged at random raise a ValueError or are read; nothing else happens."""

import io
import random

import pytest
from model_files import data

from paddle_compat.core.pickles import load_pickle
from paddle_compat.core.serialize import program_from_bytes
from paddle_compat.core.streams import Reader, read_combined, read_selected_rows, read_tensor

MUTATIONS = 400
FILES = {
    "2.6.2 mlp.pdmodel": program_from_bytes,
    "2.6.2 line_train.pdmodel": program_from_bytes,
    "1.8.5 loop/__model__": program_from_bytes,
    "1.8.5 tensors/lod_tensor": lambda content: read_tensor(Reader(io.BytesIO(content))),
    "1.8.5 tensors/selected_rows": lambda content: read_selected_rows(Reader(io.BytesIO(content))),
    "2.6.2 mlp.pdiparams": lambda content: read_combined(Reader(io.BytesIO(content)), "abcd"),
    "2.6.2 mlp_train.pdparams": lambda content: load_pickle(io.BytesIO(content)),
    "2.6.2 pickles/2.mixed": lambda content: load_pickle(io.BytesIO(content)),
}


def damaged(content: bytes, chance: random.Random) -> bytes:
    """The bytes with one to three of them changed, taken out or put in, or cut off."""
    changed = bytearray(content)
    for _ in range(chance.randint(1, 3)):
        at, kind = chance.randrange(len(changed) or 1), chance.random()
        if kind < 0.5:
            changed[at : at + 1] = bytes([chance.randrange(256)])
        elif kind < 0.7:
            del changed[at : at + chance.randint(1, 8)]
        elif kind < 0.9:
            changed[at:at] = chance.randbytes(chance.randint(1, 4))
        else:
            del changed[at:]
    return bytes(changed)


@pytest.mark.parametrize("name", list(FILES))
def test_damage_is_a_value_error(name: str) -> None:
    version, _, file = name.partition(" ")
    content = data(version, file)
    chance = random.Random(name)
    refused = 0
    for _ in range(MUTATIONS):
        try:
            FILES[name](damaged(content, chance))
        except ValueError as error:
            assert "Expected" in str(error)
            refused += 1
    assert refused > MUTATIONS // 4


def test_sizes_that_no_machine_counts_are_refused() -> None:
    rows = bytearray(data("1.8.5", "tensors/selected_rows"))
    rows[28:36] = (2**62).to_bytes(8, "little")
    with pytest.raises(ValueError, match=r"byte 28. Expected 2 rows of a SelectedRows of height 4611686018427387904"):
        read_selected_rows(Reader(io.BytesIO(bytes(rows))))
