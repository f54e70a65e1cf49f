"""Runs the notebooks and writes them back with what they show: ``python notebooks/execute.py``.

Name some (``execute.py 02``) to run those only. Outputs are kept as they are but for what differs
from run to run: times, the numbers of executions, and widgets, which live in a running notebook
alone. What a cell shows is therefore the same wherever it is run.
"""

from __future__ import annotations

import base64
import io
import os
import re
import sys
import tempfile
from pathlib import Path
from unittest import mock

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from PIL import Image

FOLDER = Path(__file__).parent
LONGEST_S = 600
"""Seconds that a cell may take; kernels of the simulation may have to be compiled first."""

WIDGET = "application/vnd.jupyter.widget-view+json"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
FORMAT = 4
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def notebooks(names: list[str] | None = None) -> list[Path]:
    """Return the notebooks whose names begin with one of `names`; by default all of them."""
    found = sorted(FOLDER.glob("*.ipynb"))
    return [path for path in found if not names or path.name.startswith(tuple(names))]


def execute(path: Path, before: str = "") -> NotebookNode:
    """Run a notebook from top to bottom in a kernel of its own; return it with its outputs.

    Parameters
    ----------
    path
        The notebook; what it shows now does not count.
    before
        Python that is run first and not kept.

    Raises
    ------
    nbclient.exceptions.CellExecutionError
        If a cell raises.
    """
    notebook = nbformat.read(path, FORMAT)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    notebook.cells.insert(0, nbformat.v4.new_code_cell(before))
    client = NotebookClient(
        notebook,
        timeout=LONGEST_S,
        kernel_name="python3",
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    )
    # somebody's own start-up files and settings are no part of a notebook
    with tempfile.TemporaryDirectory() as empty, mock.patch.dict(os.environ, IPYTHONDIR=empty):
        client.execute()
    del notebook.cells[0]
    return tidy(notebook)


def tidy(notebook: NotebookNode) -> NotebookNode:
    """Return a notebook without what differs from run to run."""
    notebook.metadata = nbformat.from_dict(METADATA)
    count = 0
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({})
        if cell.cell_type != "code":
            continue
        count += 1
        cell.execution_count = count
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = count
            if "data" in output:
                output.data.pop(WIDGET, None)
                output.metadata = nbformat.from_dict({})
                _tidy_data(output.data)
    return notebook


def _tidy_data(data: NotebookNode) -> None:
    """Take addresses in memory out of texts; keep pictures in 256 colours, at half their size."""
    if "text/plain" in data:
        data["text/plain"] = ADDRESS.sub("", data["text/plain"])
    if "image/png" in data:
        picture = Image.open(io.BytesIO(base64.b64decode(data["image/png"])))
        if picture.mode != "P":
            file = io.BytesIO()
            colours = picture.convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE)
            colours.save(file, "png", optimize=True)
            data["image/png"] = base64.b64encode(file.getvalue()).decode()


def text_of(notebook: NotebookNode) -> str:
    """Return a notebook as the text of its file."""
    return nbformat.writes(notebook, FORMAT) + "\n"


def main(names: list[str]) -> None:
    """Run notebooks and write them back."""
    for path in notebooks(names):
        path.write_text(text_of(execute(path)), encoding="utf-8")
        print(path.name)


if __name__ == "__main__":
    main(sys.argv[1:])
