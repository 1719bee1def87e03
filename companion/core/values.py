"""Type aliases for plain data: what JSON and TOML files, log rows and SQL results hold."""

from collections.abc import Mapping
from typing import Any

Json = Any
"""A value that JSON can hold."""

ReplyValue = Any
"""The value of a reply as it is stored: a text, a whole number, a truth value, or a list of them."""

JsonObject = Mapping[str, Any]
"""A JSON object or TOML table that is only read."""

JsonDict = dict[str, Any]
"""A JSON object that is being built."""
