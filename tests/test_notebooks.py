"""The notebooks run from top to bottom, show what is kept in them, and say what they show.

After a change that is meant, `make notebooks` writes them anew; look at them then.
"""

import ast
import base64
import copy
import io
import re
import sys
from importlib.metadata import version
from pathlib import Path

import nbformat
import numpy as np
import pytest
from PIL import Image

sys.path.insert(0, str(Path(__file__).parent.parent / "notebooks"))
import execute

PATHS = execute.notebooks()
CONSTRAINTS = Path(__file__).parent.parent / "constraints.txt"
ALONE = """
import pathlib, tempfile, rtpsim.exact.figures
kept = pathlib.Path(tempfile.mkdtemp())
rtpsim.exact.figures.cache_folder = lambda kept=kept: kept
del kept, pathlib, tempfile, rtpsim
"""
"""Run first: exact figures are found anew, and apart from those of whoever runs the tests."""

PICTURE_BYTES, FILE_BYTES = 100_000, 1_000_000
LOOKS_ALIKE = 2.0
"""Root of the mean square difference of pixels (0-255): other versions draw letters otherwise."""

NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])")
HAND = 22
"""Whole numbers up to this are hands, up cards and other names; larger ones are figures."""


def read(path):
    return nbformat.read(path, execute.FORMAT)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def pictures(cell):
    return [
        base64.b64decode(output.data["image/png"])
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    ]


def without_pictures(cell):
    """Return a cell's outputs but for its pictures, and where those stand."""
    outputs = copy.deepcopy(cell.outputs)
    for output in outputs:
        data = output.get("data", {})
        if "image/png" in data:
            data["image/png"] = ""
            data.pop("text/plain", None)  # the picture's size in words
    return outputs


def alike(one, other):
    """Say whether two pictures look alike; drawn by another matplotlib they need not."""
    if f"matplotlib=={version('matplotlib')}" not in CONSTRAINTS.read_text().splitlines():
        return True
    both = [np.asarray(Image.open(io.BytesIO(p)).convert("L"), float) for p in (one, other)]
    if both[0].shape != both[1].shape:
        return False
    return np.sqrt(np.mean((both[0] - both[1]) ** 2)) < LOOKS_ALIKE


def differences(kept, shown):
    """Return where two runs of a notebook differ, in words."""
    found = []
    if [cell.source for cell in kept.cells] != [cell.source for cell in shown.cells]:
        return ["the cells are not the same"]
    for cell, again in zip(code_cells(kept), code_cells(shown), strict=True):
        if without_pictures(cell) != without_pictures(again):
            found.append(f"{cell.id}: {without_pictures(cell)} now {without_pictures(again)}")
        elif not all(map(alike, pictures(cell), pictures(again))):
            found.append(f"{cell.id}: the picture looks otherwise")
    return found


def outputs_text(notebook):
    """Return what the cells of a notebook show in letters, without markup."""
    parts = []
    for cell in code_cells(notebook):
        for output in cell.outputs:
            data = output.get("data", {})
            parts += [output.get("text", ""), data.get("text/plain", "")]
            parts.append(re.sub(r"<[^>]*>", " ", data.get("text/html", "")))
    return "\n".join(parts)


def figures(text):
    return [match.replace(",", "") for match in NUMBER.findall(text)]


def unsupported(notebook):
    """Return the figures in the prose that no cell shows, to the decimals that the prose gives."""
    shown = [float(one) for one in figures(outputs_text(notebook))]
    shown += [float(one) for cell in code_cells(notebook) for one in figures(cell.source)]
    found = []
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            continue
        for one in figures(cell.source):
            decimals = len(one.partition(".")[2])
            if decimals == 0 and float(one) <= HAND:
                continue
            if not any(abs(value - float(one)) <= 0.5000001 * 10**-decimals for value in shown):
                found.append(f"{cell.id}: {one}")
    return found


RUN = [
    pytest.param(
        path, id=path.stem, marks=() if path.stem[:2] in ("01", "06") else pytest.mark.slow
    )
    for path in PATHS
]
"""The first and the last one on every change, all of them before a release."""


@pytest.mark.parametrize("path", RUN)
def test_they_run_and_show_what_is_kept(path):
    assert differences(read(path), execute.execute(path, ALONE)) == []


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_their_prose_says_what_they_show(path):
    assert unsupported(read(path)) == []


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_they_are_tidy_and_small(path):
    text = path.read_text(encoding="utf-8")
    assert text == execute.text_of(execute.tidy(read(path)))
    assert len(text) < FILE_BYTES
    for cell in code_cells(read(path)):
        assert all(len(picture) < PICTURE_BYTES for picture in pictures(cell))
        assert ("plots.plot_" in cell.source) == bool(pictures(cell)), cell.id


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_they_ask_and_answer_with_the_public_library(path):
    notebook = read(path)
    assert "**The question.**" in notebook.cells[0].source
    assert notebook.cells[0].source.count("?") >= 1
    assert re.search("^## The answer$", notebook.cells[-1].source, re.MULTILINE)
    for cell in code_cells(notebook):
        for node in ast.walk(ast.parse(cell.source.rstrip(";"))):
            names = [getattr(node, "attr", ""), getattr(node, "id", "")]
            if isinstance(node, ast.Import):
                names += [one.name for one in node.names]
            if isinstance(node, ast.ImportFrom):
                names += [str(node.module), *(one.name for one in node.names)]
                assert str(node.module).partition(".")[0] in ("rtpsim", "matplotlib")
            assert not any(part.startswith("_") for name in names for part in name.split("."))


def test_there_are_six():
    assert [path.name[:2] for path in PATHS] == ["01", "02", "03", "04", "05", "06"]


def test_what_is_stale_is_noticed():
    path = PATHS[0]
    for change in ("number", "picture", "source", "lost"):
        kept, other = read(path), read(path)
        assert differences(kept, other) == []
        drawn = next(cell for cell in code_cells(other) if pictures(cell))
        if change == "number":
            printed = next(cell for cell in code_cells(other) if "text" in cell.outputs[0])
            text = printed.outputs[0]["text"]
            printed.outputs[0]["text"] = text[::-1].replace("1", "2", 1)[::-1]
        elif change == "picture":
            image = Image.open(io.BytesIO(pictures(drawn)[0])).convert("RGB")
            image.paste((0, 0, 0), (50, 50, 120, 120))
            file = io.BytesIO()
            image.save(file, "png")
            data = drawn.outputs[-1].data
            data["image/png"] = base64.b64encode(file.getvalue()).decode()
        elif change == "source":
            drawn.source += "\n"
        else:
            drawn.outputs = []
        assert differences(kept, other) != [], change


def test_a_figure_out_of_nowhere_is_noticed():
    notebook = read(PATHS[0])
    notebook.cells[-1].source += " It is 12.3456 %, or 99.635 %, or 16."
    assert unsupported(notebook) == [f"{notebook.cells[-1].id}: 12.3456"]
