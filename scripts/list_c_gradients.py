"""Lists what the gradient operators of `paddle._C_ops` take, for paddle_compat/base/_c_gradients.txt.

    PYTHON_OF_THE_3.3.1_WHEEL scripts/list_c_gradients.py > paddle_compat/base/_c_gradients.txt

A line is `NAME OPERATOR ARGUMENTS = SLOTS`: the operator that is differentiated, and the slots whose gradients are returned. An argument
is `@SLOT`, an input or an output of the operator, `^SLOT`, the gradient of an output, an attribute, `ATTRIBUTE/SLOT` where a Tensor may
stand for it, or `!`, which is of no effect. A slot that takes a list ends in `*`.
"""

import re
from pathlib import Path

import paddle
from list_pir_operators import HEADERS, OF_BOTH, OF_OTHER_CHIPS, RENAMED, arguments, numbered
from paddle import _C_ops
from paddle.incubate.autograd.phi_ops_map import op_map

LISTED = {  # whose gradients are called x there, and which has an argument more
    "split_grad": ["^Out", "axis/AxisTensor"], "embedding_grad": ["@Ids", "@W", "^Out", "padding_idx", "is_sparse"],
}  # fmt: skip
LEFT = ("assign_out_", "fused_gemm_epilogue")  # their gradient operators take other values than they give


def described() -> dict[str, str]:
    """The text of each operator's class, on one line, by the operator's name."""
    headers = [Path(paddle.sysconfig.get_include(), HEADERS, name).read_text() for name in ("pd_op.h", "manual_op.h")]
    found = {}
    for piece in re.split(r"\nclass ", "".join(headers))[1:]:
        text = re.sub(r"\s+", " ", re.sub(r"//.*", "", piece)).replace("( ", "(")
        named = re.search(r'return "pd_op\.(\w+)"', text)
        if named:
            found[named.group(1)] = text
    return found


def lines() -> list[str]:
    """The lines of the list."""
    facts_of: dict[str, tuple[str, dict]] = {}
    for operator, facts in op_map.items():
        if operator not in OF_BOTH:
            facts_of.setdefault(facts["phi_name"], (operator, facts))
    texts, found = described(), []
    for name, text in texts.items():
        forward = name.removesuffix("_grad")
        plain = name.endswith("_grad") and not name.endswith(("_double_grad", "_triple_grad"))
        known = forward in texts and forward not in LEFT and hasattr(_C_ops, name)
        if not plain or not known or any(chip in name for chip in OF_OTHER_CHIPS):
            continue
        operator, facts = facts_of.get(forward) or (forward, {})
        slots = {word: facts.get("inputs", {}).get(word, word) for word in numbered(texts[forward], "operand_source")}
        results = {word: facts.get("outputs", {}).get(word, word) for word in numbered(texts[forward], "result")}
        attributes = facts.get("attrs", {}) | {word: new for (of, word), new in RENAMED.items() if of == operator}
        tensors = {**facts.get("int_array", {}), **facts.get("scalar", {})}
        taken = []
        for word, is_tensor in arguments(text).items():
            if word in tensors:
                slot = tensors[word].get("tensor_name")
                taken.append(attributes.get(word, word) + (f"/{slot}" if slot else ""))
            elif is_tensor and word.removesuffix("_grad") in results and word.endswith("_grad"):
                taken.append("^" + results[word.removesuffix("_grad")])
            elif is_tensor:
                taken.append("@" + {**results, **slots}.get(word, word))
            elif word != "attributes":
                taken.append("!" if word == "place" else attributes.get(word, word))
        taken = LISTED.get(name, taken)
        outputs = [slots.get(word.removesuffix("_grad"), word.removesuffix("_grad")) for word in numbered(text, "result")]
        found += [" ".join([word, operator, *taken, "=", *outputs]) for word in (name, f"{name}_") if hasattr(_C_ops, word)]
    return sorted(found)


if __name__ == "__main__":
    print("\n".join(lines()))
