"""Lists how the operators of Paddle 3.x models are called in Programs, for paddle_compat/pir/_operators.txt.

    PYTHON_OF_THE_3.3.1_WHEEL scripts/list_pir_operators.py > paddle_compat/pir/_operators.txt

A line is `NAME OPERATOR INPUTS : ATTRIBUTES = OUTPUTS`. An input is `@SLOT`, or an attribute that is given as a value: `ATTRIBUTE`,
`ATTRIBUTE/SLOT` where a Tensor may stand for it, or `ATTRIBUTE/SLOT*` for a list of Tensors. An attribute is `NAME`, or
`NAME>ATTRIBUTE` where Programs call it otherwise. Gradients are not listed.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import paddle
from paddle.incubate.autograd.phi_ops_map import op_map

HEADERS = "paddle/fluid/pir/dialect/operator/ir"
OF_OTHER_CHIPS = ("xpu", "npu", "onednn")
RENAMED = {  # attributes whose name in Programs the list of both does not tell
    ("cast", "dtype"): "out_dtype", ("increment", "value"): "step", ("mish", "lambda"): "threshold", ("one_hot_v2", "num_classes"): "depth",
}  # fmt: skip
FORMS = {"set_value_with_tensor": "set_value"}  # which are another operator in Programs, and what their inputs are called there
SLOTS = {"set_value_with_tensor": {"values": "ValueTensor"}}
OF_BOTH = {"grad_add": "add"}  # two operators of Programs are one of models; the other one stands for it


def numbered(text: str, what: str) -> list[str]:
    """The names of an operator's inputs or results, in order."""
    found = re.findall(r"(?:Value|OpResult) (\w+)\(\) (?:const )?\{\s*return " + what + r"\((\d+)\)", text)
    return [name for name, number in sorted(found, key=lambda pair: int(pair[1]))]


def arguments(text: str) -> dict[str, bool]:
    """The arguments of an operator, inputs and attributes: whether each is always a value of the model."""
    first = re.search(r"static void Build\(pir::Builder &builder, pir::OperationArgument &argument(?:, (.*?))?\);", text)
    plain = re.sub(r"&(?=\w)|\{[^}]*\}|\"[^\"]*\"|<[^>]*>", "", first.group(1) or "") if first else ""
    pieces = [piece.split("=")[0].split() for piece in plain.split(",") if piece.strip()]
    return {words[-1].rstrip("_"): words[0] == "pir::Value" for words in pieces}


def lines() -> Iterator[str]:
    """The lines of the list."""
    facts_of = {}
    for operator, facts in op_map.items():
        if operator not in OF_BOTH:
            facts_of.setdefault(facts["phi_name"], (operator, facts))
    header = Path(paddle.sysconfig.get_include(), HEADERS, "pd_op.h").read_text()
    manual = Path(paddle.sysconfig.get_include(), HEADERS, "manual_op.h").read_text()
    for piece in re.split(r"\nclass ", header + manual)[1:]:
        text = re.sub(r"\s+", " ", re.sub(r"//.*", "", piece)).replace("( ", "(")
        named = re.search(r'return "pd_op\.(\w+)"', text)
        name = named.group(1) if named else ""
        if not name or "_grad" in name or name.endswith("_sp") or any(chip in name for chip in OF_OTHER_CHIPS):
            continue
        plain = FORMS.get(name.rstrip("_"), name)
        operator, facts = facts_of.get(plain) or facts_of.get(plain.rstrip("_")) or (plain, {})
        slots = facts.get("inputs", {}) | SLOTS.get(name.rstrip("_"), {})
        attributes = facts.get("attrs", {}) | {word: new for (of, word), new in RENAMED.items() if of == operator}
        tensors = {**facts.get("int_array", {}), **facts.get("scalar", {})}
        inputs, known = numbered(text, "operand_source"), arguments(text)
        taken = []
        for given in inputs:
            slot, several = (tensors.get(given, {}).get(key) for key in ("tensor_name", "tensors_name"))
            word = attributes.get(given, given) + (f"/{slot}" if slot else f"/{several}*" if several else "")
            taken.append(f"@{slots.get(given, given)}" if known.get(given, True) or given in slots else word)
        rest = [word for word in known if word not in inputs and word != "attributes"]
        renamed = [f"{word}>{attributes[word]}" if attributes.get(word, word) != word else word for word in rest]
        outputs = [facts.get("outputs", {}).get(word, word) for word in numbered(text, "result")]
        yield " ".join([name, operator, *taken, ":", *renamed, "=", *outputs])


if __name__ == "__main__":
    print("\n".join(sorted(set(lines()))))
