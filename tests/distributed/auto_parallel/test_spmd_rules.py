"""`core.get_phi_spmd_rule`: how tensors lie that go into operators and come out of them, as 2.6.2 says and, for its operators, 3.3.1."""

from __future__ import annotations

import gzip
import importlib.util
import json
from types import ModuleType
from typing import Any

import pytest
from processes import ROOT

from paddle_compat.base import core
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.distributed import ProcessMesh
from paddle_compat.distributed.auto_parallel import _cut_rules
from paddle_compat.distributed.auto_parallel.static import dist_attribute
from paddle_compat.distributed.auto_parallel.static.dist_attribute import DistTensorSpec, TensorDistAttr


def _cases() -> ModuleType:
    spec = importlib.util.spec_from_file_location("spmd_rule_cases", ROOT / "scripts/references/spmd_rule_cases.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CASES = _cases()
REFUSED = 2  # products that are summed over what two dimensions of the mesh cut, in Paddle 3


def spec(shape: list[int], mapping: list[int], mesh: Any = CASES.MESH) -> DistTensorSpec:
    """A tensor."""
    lies = TensorDistAttr()
    lies.process_mesh, lies.dims_mapping = ProcessMesh(mesh), mapping
    return DistTensorSpec(shape, lies)


@pytest.mark.parametrize("version", ["2.6.2", "3.3.1"])
def test_rules_answer_as_the_wheels(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (_cut_rules, dist_attribute):
        monkeypatch.setattr(module, "SINCE_3", version.startswith("3"))
    with gzip.open(ROOT / f"tests/references/spmd_rules_{version}.json.gz", "rt") as file:
        recorded = json.load(file)
    answers = CASES.answers(core, ProcessMesh(CASES.MESH), version.startswith("3"))
    together = zip(CASES.asked(), recorded, answers, strict=True)
    different = [(case, real, ours) for case, real, ours in together if real != ours]
    refused = [case for case, _, ours in different if ours == "UnsupportedError"]
    different = [one for one in different if one[2] != "UnsupportedError"]
    assert {case[0] for case in refused} <= {"matmul"} and len(refused) == (REFUSED if version.startswith("3") else 0)
    assert not different, f"{len(different)} of {len(recorded)}: {different[:5]}"


def test_what_there_is_no_rule_for() -> None:
    assert not core.contains_spmd_rule("nosuch")
    with pytest.raises(RuntimeError, match="nosuch"):
        core.get_phi_spmd_rule("nosuch")
    with pytest.raises(UnsupportedError, match="moe_gate_dispatch"):
        core.get_phi_spmd_rule("moe_gate_dispatch")
    with pytest.raises(UnsupportedError, match="concat"):
        core.get_phi_spmd_rule("concat").infer_forward([spec([6, 6], [0, -1]), spec([6, 6], [-1, 1])], 0)
    with pytest.raises(ValueError, match="dims_mapping"):
        core.get_phi_spmd_rule("relu").infer_forward(spec([6, 6], [0]))
    alike = core.get_phi_spmd_rule("concat").infer_forward([spec([6, 6], [-1, 0]), spec([6, 6], [-1, 0])], 0)
    assert [[each.dims_mapping for each in alike[0][0]], alike[1][0].dims_mapping] == [[[-1, 0], [-1, 0]], [-1, 0]]


def test_parts_of_sums() -> None:
    rule = core.get_phi_spmd_rule("matmul")
    out = rule.infer_forward(spec([6, 6], [-1, 0]), spec([6, 6], [0, -1]), False, False)[1][0]
    assert out._is_partial() and out._partial_dims() == {0}
    out._set_partial_dims([1])
    assert str(out).count("Partial(dims:") == 2 and out.process_mesh == ProcessMesh(CASES.MESH)
    out._clean_partial_dims([0])
    assert out._partial_dims() == {1}
    with pytest.raises(ValueError, match="dims"):
        out._clean_partial_dims([0])
    out._clean_partial_status()
    assert not out._is_partial()


def test_a_tensor_keeps_what_it_was_given() -> None:
    lies = TensorDistAttr()
    assert str(lies) == (
        "{process_mesh: {shape: [], process_ids: [], dim_names: []}, dims_mappings: [], batch_dim: 0, chunk_id: 0, dynamic_dims: [], "
        "annotated: [], partial: [].}"
    )
    lies.dims_mapping = [1, 0]
    assert (lies.dynamic_dims, lies.annotated, lies.process_mesh) == ([False, False], {}, None)
    same = TensorDistAttr(lies)
    assert same == lies
    same.dims_mapping = [-1, 0]
    assert same != lies and lies.dims_mapping == [1, 0]
    tensor = spec([4, 6], [-1, 1], [[0, 1], [2, 3]])
    copy = DistTensorSpec(tensor)
    copy.set_dims_mapping([0, -1])
    copy.set_process_mesh(ProcessMesh([0, 1]))
    assert (tensor.dims_mapping(), copy.dims_mapping(), copy.shape) == ([-1, 1], [0, -1], [4, 6])
    assert str(tensor) == (
        "{tensor_shape:[4,6], dist_attr:{process_mesh: {shape: [2,2], process_ids: [0,1,2,3], dim_names: [d0,d1]}, "
        "dims_mappings: [-1,1], batch_dim: 0, chunk_id: 0, dynamic_dims: [0,0], annotated: [], partial: [].}}"
    )
    assert DistTensorSpec().shape == []
    for wrong in (lambda: TensorDistAttr(3), lambda: DistTensorSpec([4], None), lambda: setattr(lies, "dims_mapping", "x")):  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            wrong()
