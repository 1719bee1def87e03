"""New pieces in the notation of each game: what is written on a counter, where it goes, what the rules then read on it."""

from __future__ import annotations

from companion.core.position import Value

NEW: dict[str, list[tuple[str, str, dict[str, Value] | None]]] = {
    "fallujah2004": [
        ("unit:USMC 9/9 inf bn 4(2)2/2(2)2", "recruit", {"type": "infantry", "back fire": 2}),
        ("strike:air 3", "available", {"type": "air", "fire": 3}),
        ("leader", "recruit", {"edge": 1}),
        ("opfor:militia 1(1)", "reaction cup", {"type": "militia", "contact": 1}),
        ("event:intel", "reaction cup", {"event": "intel"}),
        ("node:IED Factory", "node cup", {"node": "ied_factory"}),
        ("concealed", "3-8", {}),
        ("marker", "3-8", {"marker": "bridge"}),
    ],
    "phantomfury": [
        ("insurgent:G2/M3", "2-R", {}),
        ("insurgent:Guerillas 2", "2-R", {}),
        ("suspect", "2-R", {}),
        ("suspect:2/1/R", "suspects cup", {}),
        ("squad:99 5", "company box", {"number": 99, "cf": 5}),
        ("tank", "armour box", {"cf": 8}),
        ("iif", "iraqi box", {"cf": 4}),
        ("control:Activated Zone", "box 5", {}),
        ("marker:Fanaticism", "box 5", {}),
        ("element:1", "2-C", None),
    ],
    "fallujahcards": [
        ("infantry:Grunts", "hand", {"type": "G"}),
        ("infantry:Rangers G5", "hand", {"type": "G", "force": 5}),
        ("other:House rule", "hand", {}),
    ],
    "iraqwar2003": [
        ("unit:us 9/9ID 6-5-8/4-3-8 div:3ID", "map", {"nation": "us", "division": "3ID", "back move": 8}),
        ("air:us F-99 5-2-4", "coalition available", {"nation": "us", "values": "5-2-4"}),
        ("roads:1321", "roads", {}),
        ("marker", "iraq used", {}),
        ("palace:dummy", "palace", {"palace": "dummy"}),
    ],
    "lzalbany": [
        ("wounded", "albany", {"side": "US"}),
        ("wounded:W1", "albany", {"side": "US"}),
        ("unit:A/2-7 9 inf 2-3/1-2", "to come", {"side": "US", "company": "A/2-7", "group": "ab27", "fire": 2}),
        ("officer:A/2-7 xo officer", "to come", {"side": "US", "type": "officer"}),
    ],
}
