"""Lists the kernels that the wheels have on CPUs, for paddle_compat/base/_kernels.txt: run it under each wheel and join what they print.

    (python1.8.5 scripts/list_kernels.py; python2.6.2 scripts/list_kernels.py) | sort > paddle_compat/base/_kernels.txt

A line is `NAME LIBRARY: TYPES OF DATA`; the library is `1.8`, or `phi` or `fluid` of 2.6. oneDNN's kernels are not listed, as ours is
a build without it.
"""

import re
import sys

import paddle


def lines(library, kernels):
    """The lines of one library."""
    for name, found in kernels.items():
        kinds = {re.match(r"\{?data_type\[(::paddle::platform::)?([^]]*)\]", text)[2] for text in found if "MKLDNN" not in text}
        if kinds:
            yield f"{name} {library}: {' '.join(sorted(kinds))}\n"


if paddle.__version__ < "2":
    sys.stdout.writelines(lines("1.8", paddle.fluid.core._get_all_register_op_kernels()))
else:
    for library in ("phi", "fluid"):
        sys.stdout.writelines(lines(library, paddle.base.core._get_all_register_op_kernels(library)))
