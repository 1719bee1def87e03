"""JSON is read and written as the package of the standard library does, without its import."""

import json
from typing import Any

import pytest

from companion.core.values import compact_json, indented_json


@pytest.mark.parametrize(
    "value",
    [
        {"text": 'a "quoted" \\ line\n', "wide": "Fallūja \U0001f3b2", "none": None, "yes": True, "no": False},
        {"numbers": [0, -3, 10**30, 0.1, 1e-9, 1e300, float("inf"), float("-inf")], "nan": float("nan")},
        {"nested": {"empty": [], "none": {}, "pair": (1, ("x", []))}, 3: "three", None: 1, True: 2, 0.5: 3},
        {"set": {7}, "keys": {"k": 1}.keys()},
        [],
        "text",
    ],
)
def test_indented_json_is_the_text_of_the_package(value: Any) -> None:
    assert indented_json(value) == json.dumps(value, indent=2, default=list)


@pytest.mark.parametrize(
    "value", [{"text": 'a "quoted" \\ line\n', "none": None, 3: True, None: 0.5}, [1, ("x", []), -0.0], "Fallūja", 7]
)
def test_compact_json_is_the_text_of_the_package(value: Any) -> None:
    assert compact_json(value) == json.dumps(value, separators=(",", ":"))


def test_compact_json_refuses_what_json_has_no_form_for() -> None:
    with pytest.raises(TypeError, match="set"):
        compact_json({"of": {7}})
