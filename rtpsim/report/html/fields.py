"""Fields: the report's values with the paths by which its JSON has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from rtpsim.report.formats import WORDS, print_figure

if TYPE_CHECKING:
    from collections.abc import Iterator


class Field:
    """A value of the report and its path: ``wagers.0.exact``.

    Fields of an object are attributes, items of a list are items; both are `Field` again. Its text
    cannot be printed by accident: `figure` and `cell` say where it comes from, `raw` takes it.
    """

    __slots__ = ("_path", "_value")

    def __init__(self, value: Any, path: str = "") -> None:
        self._value = value
        self._path = path

    def _child(self, key: str | int) -> Field:
        return Field(self._value[key], f"{self._path}.{key}" if self._path else str(key))

    def __getattr__(self, name: str) -> Field:
        if name.startswith("_") or not isinstance(self._value, dict) or name not in self._value:
            raise AttributeError(f"{self._path or 'report'} has no field {name!r}")
        return self._child(name)

    def __getitem__(self, index: int) -> Field:
        if not isinstance(self._value, list):
            raise IndexError(f"{self._path} is no list")
        return self._child(range(len(self._value))[index])

    def __iter__(self) -> Iterator[Field]:
        if not isinstance(self._value, list):
            raise TypeError(f"{self._path} is no list")
        return (self._child(index) for index in range(len(self._value)))

    def __len__(self) -> int:
        return len(self._value)

    def __bool__(self) -> bool:
        """Say whether there is anything: an empty list and None are nothing, 0 and False are."""
        return self._value is not None and self._value not in ([], "")

    def __str__(self) -> str:
        raise TypeError(f"{self._path}: print a field by `figure` or `cell`")

    __html__ = __str__


def raw(field: Field) -> Any:
    """Return a field's value as the JSON has it."""
    return field._value


def path_of(field: Field) -> str:
    """Return where the JSON has it."""
    return field._path


def _attributes(field: Field, form: str) -> Markup:
    # one short attribute: a page has thousands of them
    return Markup(' data-at="{} {}"').format(path_of(field), form)


def figure(field: Field, form: str = "text", cls: str = "") -> Markup:
    """Return a figure as an element that says which field it is."""
    names = Markup(' class="{}"').format(cls) if cls else Markup("")
    return Markup("<span{}{}>{}</span>").format(
        names, _attributes(field, form), print_figure(raw(field), form)
    )


def cell(field: Field, form: str = "text", label: str = "", cls: str = "") -> Markup:
    """Return a figure as a cell of a table; numbers to the right.

    Parameters
    ----------
    field, form
        What, and how (`rtpsim.report.formats`).
    label
        The column's name, for narrow pages on which rows become cards.
    cls
        Further classes.
    """
    names = " ".join(filter(None, ("" if form in WORDS else "n", cls)))
    return Markup("<td{}{}{}>{}</td>").format(
        Markup(' class="{}"').format(names) if names else "",
        Markup(' data-label="{}"').format(label) if label else "",
        _attributes(field, form),
        print_figure(raw(field), form),
    )


def head(field: Field, form: str = "text", cls: str = "") -> Markup:
    """Return a figure as the heading of a table's row."""
    return Markup('<th scope="row"{}{}>{}</th>').format(
        Markup(' class="{}"').format(cls) if cls else "",
        _attributes(field, form),
        print_figure(raw(field), form),
    )
