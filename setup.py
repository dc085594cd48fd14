"""Everything is in setup.cfg but this: a wheel puts paddle_compat.pth beside the package, so that children inherit."""

import os

from setuptools import setup
from setuptools.command.build_py import build_py

CHILD_PTH = os.path.join("paddle_compat", "_startup", "paddle_compat.pth")


class BuildWithPth(build_py):
    """Copies the .pth file to the top of what is installed, where Python looks for such files."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            self.copy_file(CHILD_PTH, os.path.join(self.build_lib, os.path.basename(CHILD_PTH)))

    def get_outputs(self, include_bytecode: bool = True) -> list:
        outputs = super().get_outputs(include_bytecode)
        return [*outputs, os.path.join(self.build_lib, os.path.basename(CHILD_PTH))]


setup(cmdclass={"build_py": BuildWithPth})
