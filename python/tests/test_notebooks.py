# SPDX-License-Identifier: Apache-2.0
"""The notebooks of docs/notebooks run from top to bottom; their checks are assertions in the cells."""

import pathlib
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_are_notebooks():
    assert [one.stem for one in NOTEBOOKS] == ["device", "own-semiring", "plan", "roads", "social-network"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path):
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    # The kernel is this Python, whatever kernels the machine has.
    from jupyter_client import KernelManager
    from jupyter_client.kernelspec import KernelSpec

    manager = KernelManager(connection_file=str(tmp_path / "kernel.json"))
    manager._kernel_spec = KernelSpec(argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
                                      display_name="this Python", language="python")
    client = nbclient.NotebookClient(book, km=manager, timeout=120, resources={"metadata": {"path": str(FOLDER)}})
    client.execute()  # raises the error of the first cell that fails
    pictures = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs
                if "<svg" in output.get("data", {}).get("text/html", "")]
    assert bool(pictures) == (path.stem == "plan")
