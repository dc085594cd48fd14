"""`fluid.transpiler.details.vars_distributed`: which variable lies where, whole or in parts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.variable import Variable


@dataclass
class VarStruct:
    """What is known of a variable where its Program is not.

    Args:
        name (str): its name.
        shape (tuple): its shape.
        dtype, type: its data type, and what kind of variable it is.
        lod_level (int): levels of its sequences.
        persistable (bool): whether it is kept between runs.

    Example:
        >>> from paddle_compat.fluid.transpiler.details import VarStruct
        >>> VarStruct("w", (2, 3), "float32", None, 0, True).shape
        (2, 3)

    Follows Paddle 1.8.
    """

    name: str
    shape: Sequence[int]
    dtype: Any
    type: Any
    lod_level: int
    persistable: bool


def _structure(var: Variable | VarStruct) -> VarStruct:
    if not isinstance(var, Variable):
        return var
    return VarStruct(var.name, var.shape, var.dtype, var.type, var.lod_level, var.persistable)


class VarDistributed:
    """A variable, or a part of one, and the server that has it.

    Args:
        origin_var (Variable|VarStruct): the whole variable.
        slice_var (Variable|VarStruct): the part; the same for one that is not cut.
        is_slice (bool): whether it is a part; None: where the two differ.
        block_id (int): which of the parts; None: 0.
        offset (int): values in front of it; None: 0.
        vtype (str): what it is for: "Param", "Optimizer", "RemotePrefetch".
        endpoint (str): of the server.

    Example:
        >>> from paddle_compat.fluid.transpiler.details import VarDistributed, VarStruct
        >>> w, part = VarStruct("w", (4, 3), "float32", "lod", 0, True), VarStruct("w.block1", (2, 3), "float32", "lod", 0, True)
        >>> placed = VarDistributed(w, part, block_id=1, offset=6, vtype="Param", endpoint="127.0.0.1:6174")
        >>> placed.is_slice, VarDistributed(w, w).is_slice
        (True, False)

    Follows Paddle 1.8.
    """

    def __init__(
        self, origin_var: Variable | VarStruct, slice_var: Variable | VarStruct, is_slice: bool | None = None, block_id: int | None = None,
        offset: int | None = None, vtype: str | None = None, endpoint: str | None = None,
    ) -> None:  # fmt: skip
        self.origin, self.slice = _structure(origin_var), _structure(slice_var)
        self.is_slice = not self.equal(self.origin, self.slice) if is_slice is None else is_slice
        self.block_id, self.offset = block_id or 0, offset or 0
        self.vtype, self.endpoint = vtype, endpoint

    @staticmethod
    def equal(var1: Variable | VarStruct, var2: Variable | VarStruct) -> bool:
        """Whether two variables are described alike.

        Args:
            var1, var2 (Variable|VarStruct): the variables.
        Returns:
            bool.

        Example:
            >>> from paddle_compat.fluid.transpiler.details import VarDistributed, VarStruct
            >>> w = VarStruct("w", (4, 3), "float32", "lod", 0, True)
            >>> VarDistributed.equal(w, w)
            True

        Follows Paddle 1.8.
        """
        return _structure(var1) == _structure(var2)

    def __str__(self) -> str:
        whole, part = (f"{v.name} : fluid.{v.type}.shape{v.shape}.astype({v.dtype})" for v in (self.origin, self.slice))
        cut = f".slice({self.is_slice}).block({self.block_id}).offset({self.offset})"
        return f"var owned: {self.vtype}, origin var: ( {whole} ), slice var: ( {part}{cut} ), endpoint: {self.endpoint} "


class VarsDistributed:
    """All variables that servers have.

    Example:
        >>> from paddle_compat.fluid.transpiler.details import VarsDistributed, VarStruct
        >>> known, w = VarsDistributed(), VarStruct("w", (4, 3), "float32", "lod", 0, True)
        >>> known.add_distributed_var(w, w, vtype="Param", endpoint="127.0.0.1:6174")
        >>> [var.slice.name for var in known.get_distributed_vars_by_ep("127.0.0.1:6174")]
        ['w']

    Follows Paddle 1.8.
    """

    equal = staticmethod(VarDistributed.equal)

    def __init__(self) -> None:
        self.distributed_vars: list[VarDistributed] = []

    def add_distributed_var(
        self, origin_var: Variable | VarStruct, slice_var: Variable | VarStruct, is_slice: bool | None = None, block_id: int | None = None,
        offset: int | None = None, vtype: str | None = None, endpoint: str | None = None,
    ) -> None:  # fmt: skip
        """Add one.

        Args:
            origin_var, slice_var, is_slice, block_id, offset, vtype, endpoint: as `VarDistributed` takes them.
        """
        self.distributed_vars.append(VarDistributed(origin_var, slice_var, is_slice, block_id, offset, vtype, endpoint))

    def get_distributed_var_by_slice(self, var_name: str) -> VarDistributed | None:
        """The part of a name.

        Args:
            var_name (str): the part's name.
        Returns:
            VarDistributed: None where there is none.

        Example:
            >>> from paddle_compat.fluid.transpiler.details import VarsDistributed, VarStruct
            >>> known, w = VarsDistributed(), VarStruct("w", (4, 3), "float32", "lod", 0, True)
            >>> known.add_distributed_var(w, w, vtype="Param", endpoint="127.0.0.1:6174")
            >>> known.get_distributed_var_by_slice("w").endpoint
            '127.0.0.1:6174'

        Follows Paddle 1.8.
        """
        return next((var for var in self.distributed_vars if var.slice.name == var_name), None)

    def get_distributed_var_by_origin_and_ep(self, origin_var_name: str, endpoint: str) -> VarDistributed | None:
        """The part of a variable that a server has.

        Args:
            origin_var_name (str): the whole variable's name.
            endpoint (str): of the server.
        Returns:
            VarDistributed: None where there is none.

        Example:
            >>> from paddle_compat.fluid.transpiler.details import VarsDistributed, VarStruct
            >>> known, w = VarsDistributed(), VarStruct("w", (4, 3), "float32", "lod", 0, True)
            >>> known.add_distributed_var(w, w, vtype="Param", endpoint="127.0.0.1:6174")
            >>> known.get_distributed_var_by_origin_and_ep("w", "127.0.0.1:6174").slice.name
            'w'

        Follows Paddle 1.8.
        """
        return next((var for var in self.get_distributed_vars_by_ep(endpoint) if var.origin.name == origin_var_name), None)

    def get_distributed_vars_by_vtypes(
        self, vtypes: Collection[str | None], groupby: bool = False
    ) -> list[VarDistributed] | dict[str, list[VarDistributed]]:
        """What is for some purposes.

        Args:
            vtypes (list): the purposes.
            groupby (bool): by the whole variables' names.
        Returns:
            list, or dict of lists.

        Example:
            >>> from paddle_compat.fluid.transpiler.details import VarsDistributed, VarStruct
            >>> known, w = VarsDistributed(), VarStruct("w", (4, 3), "float32", "lod", 0, True)
            >>> known.add_distributed_var(w, w, vtype="Param", endpoint="127.0.0.1:6174")
            >>> len(known.get_distributed_vars_by_vtypes(["Param"]))
            1

        Follows Paddle 1.8.
        """
        found = [var for var in self.distributed_vars if var.vtype in vtypes]
        if not groupby:
            return found
        return {name: [var for var in found if var.origin.name == name] for name in dict.fromkeys(var.origin.name for var in found)}

    def get_distributed_vars_by_ep(self, endpoint: str, vtype: str | None = None) -> list[VarDistributed]:
        """What a server has.

        Args:
            endpoint (str): of the server.
            vtype (str): for that purpose; None: for all.
        Returns:
            list.
        """
        return [var for var in self.distributed_vars if var.endpoint == endpoint and (not vtype or var.vtype == vtype)]

    def overview(self) -> str:
        """All of them, a line for each.

        Returns:
            str.

        Example:
            >>> from paddle_compat.fluid.transpiler.details import VarsDistributed, VarStruct
            >>> known, w = VarsDistributed(), VarStruct("w", (4, 3), "float32", "lod", 0, True)
            >>> known.add_distributed_var(w, w, vtype="Param", endpoint="127.0.0.1:6174")
            >>> known.overview().startswith("var owned: Param, origin var: ( w : fluid.lod.shape(4, 3)")
            True

        Follows Paddle 1.8.
        """
        return "\n".join(map(str, self.distributed_vars))


__getattr__ = missing(__name__)
__all__ = ["VarDistributed", "VarStruct", "Variable", "VarsDistributed"]
