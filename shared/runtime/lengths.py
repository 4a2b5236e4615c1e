"""Durations as people write them: `90s`, `15min`, `24h`, `180d`, or ISO 8601 (`P180D`, `PT24H`)."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any, Final

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import PydanticCustomError, core_schema

_UNITS: Final = {"d": "days", "h": "hours", "min": "minutes", "s": "seconds"}
_SHORT: Final = r"([0-9]{1,6})(s|min|h|d)"
_NUMBER: Final = r"([0-9]{1,6})"
_ISO: Final = rf"P(?=[0-9T])(?:{_NUMBER}D)?(?:T(?=[0-9])(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?)?"


def length(text: str) -> timedelta | None:
    """Parse a duration; None if the text is not one.

    A number without a unit is not accepted; YAML reads `24:00:00` as such a number.
    """
    if found := re.fullmatch(_SHORT, text):
        return timedelta(**{_UNITS[found[2]]: int(found[1])})
    if found := re.fullmatch(_ISO, text):
        return timedelta(**{unit: int(count or 0) for unit, count in zip(_UNITS.values(), found.groups(), strict=True)})
    return None


def written(value: timedelta) -> str:
    """Format a duration in the largest unit that divides it."""
    for sign, unit in _UNITS.items():
        one = timedelta(**{unit: 1})
        if value >= one and not value % one:
            return f"{value // one}{sign}"
    return f"{value.total_seconds():g}s"


class Length:
    """Annotation for a `timedelta` written as a duration, with inclusive bounds."""

    def __init__(self, least: str, most: str) -> None:
        self._least, self._most = least, most

    def read(self, value: object) -> timedelta:
        """Parse a value for pydantic, which converts the error into its own."""
        found = length(value) if isinstance(value, str) else None
        if found is None:
            text = "must be a length of time such as 90s, 15min, 24h or 180d, not {value}"
            raise PydanticCustomError("length", text, {"value": repr(value)})
        least, most = length(self._least), length(self._most)
        assert least is not None  # noqa: S101 # bounds are written in the code
        assert most is not None  # noqa: S101 # as above
        if not least <= found <= most:
            told = {"least": self._least, "most": self._most, "value": value}
            raise PydanticCustomError("length", "must be from {least} to {most}, not {value}", told)
        return found

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(
        self, _schema: core_schema.CoreSchema, _handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {"type": "string", "pattern": f"^(?:{_SHORT}|{_ISO})$", "examples": [self._least, self._most]}
