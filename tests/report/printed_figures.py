"""How each format of the report prints a number: written anew, in decimal arithmetic."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal

BLANK = "\N{NO-BREAK SPACE}"


def fixed(value, decimals, *, sign=False):
    """Round the exact value of a float; Python's own formatting is not asked."""
    number = Decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_EVEN)
    digits = f"{abs(number):f}"
    whole, _, rest = digits.partition(".")
    groups = []
    while whole:
        groups.insert(0, whole[-3:])
        whole = whole[:-3]
    text = ",".join(groups) + (f".{rest}" if rest else "")
    negative = number.is_signed()
    if sign and number == 0:
        return text
    return ("−" if negative else "+" if sign else "") + text


def percent_of(value, decimals=4):
    return fixed(Decimal(100 * value), decimals).replace(",", "")


def significant(value, digits):
    """Return a value rounded to so many significant digits."""
    number = Decimal(value)
    if number == 0:
        return number
    return number.quantize(Decimal(1).scaleb(number.adjusted() - digits + 1), ROUND_HALF_EVEN)


def two_digits(value):
    rounded = significant(value, 2)
    if rounded == 0:
        return "0"
    places = max(0, 1 - rounded.adjusted())
    return f"{Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN):f}"


def power(value, digits):
    rounded = significant(value, digits)
    mantissa = rounded.scaleb(-rounded.adjusted())
    mantissa = f"{mantissa.quantize(Decimal(1).scaleb(1 - digits)):f}"
    return f"{mantissa}{BLANK}×{BLANK}10{rounded.adjusted()}".replace("-", "−")


def chance(value):
    if value == 0 or value >= 1e-5:
        return f"{percent_of(value)}{BLANK}%"
    return power(value, 3)


def trimmed(value):
    """Write at most six significant digits, without zeros at the end."""
    return f"{float(value):g}".replace("-", "−")


BASES = {
    "total": "on the total amount wagered",
    "initial": "on the initial bets",
    "stake": "on its stake",
}

PRINTED = {
    "base": BASES.get,
    "bp": lambda v: fixed(v, 2, sign=True),
    "count": lambda v: fixed(v, 0),
    "date": lambda v: f"{v[:10]} {v[11:16]} UTC",
    "int": str,
    "n2": lambda v: fixed(v, 2),
    "n4": lambda v: fixed(v, 4),
    "n6": lambda v: fixed(v, 6),
    "odds": lambda v: f"1 in {fixed(v, 0 if v >= 100 else 1)}",
    "p": lambda v: fixed(v, 3) if v >= 0.0005 else power(v, 2),
    "percent": lambda v: f"{percent_of(v)}{BLANK}%",
    "points": lambda v: fixed(Decimal(100 * v), 4, sign=True),
    "pp": percent_of,
    "printed": lambda v: f"{v}{BLANK}%",
    "probability": chance,
    "range": lambda v: percent_of(v, 6),
    "s1": lambda v: fixed(v, 1, sign=True),
    "s2": lambda v: fixed(v, 2, sign=True),
    "s6": lambda v: fixed(v, 6, sign=True),
    "se": two_digits,
    "sepp": lambda v: two_digits(100 * v),
    "share": lambda v: f"{trimmed(100 * v)}{BLANK}%",
    "size": lambda v: fixed(len(v), 0),
    "text": str,
    "tiny": lambda v: "0" if v == 0 else power(v, 2),
    "words": lambda v: v.replace("-", " ").replace("_", " "),
    "yesno": {True: "yes", False: "no"}.get,
}


def printed(value, name):
    """Return what a format has to print; a dash where there is no figure."""
    if value is None:
        return "–"
    form, _, unit = name.partition(":")
    if form in ("units", "amount"):
        number = Decimal(value) / int(unit)
        sign = "+" if form == "units" and number > 0 else ""
        return sign + f"{number.normalize():f}".replace("-", "−")
    return PRINTED[form](value)


def at(document, path):
    """Return what stands at a path such as ``wagers.0.exact``."""
    for part in path.split("."):
        document = document[int(part) if isinstance(document, list) else part]
    return document
