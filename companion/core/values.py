"""Type aliases for plain data: what JSON and TOML files, log rows and SQL results hold."""

from collections.abc import Mapping
from typing import Any

Json = Any
"""A value that JSON can hold."""

JsonObject = Mapping[str, Any]
"""A JSON object or TOML table that is only read."""

JsonDict = dict[str, Any]
"""A JSON object that is being built."""
