"""Words of others, for a terminal: a broker, a device or a file must not move its cursor, colour it or hide a part."""

from __future__ import annotations


def visible(text: str) -> str:
    r"""Return the text with each character that draws nothing spelled as JSON spells it, `\u001b`."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else _spelled(one) for one in text)


def _spelled(one: str) -> str:
    units = one.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[place : place + 2].hex()}" for place in range(0, len(units), 2))
