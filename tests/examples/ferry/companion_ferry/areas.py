"""[1.1] The map, for the rules and for drawing."""

from companion.core.graph import distances

# area -> (title, terrain, column and row on the screen, neighbours)
AREAS = {
    "landing": ("Landing", "quay", (0, 1), ("mill", "market", "church")),
    "mill": ("Mill", "houses", (1, 0), ("landing", "market", "orchard")),
    "market": ("Market", "houses", (1, 1), ("landing", "mill", "church", "station")),
    "church": ("Church", "houses", (1, 2), ("landing", "market", "cemetery")),
    "orchard": ("Orchard", "wood", (2, 0), ("mill", "station", "farm")),
    "station": ("Station", "houses", (2, 1), ("market", "orchard", "cemetery", "brickworks")),
    "cemetery": ("Cemetery", "open", (2, 2), ("church", "station", "marsh")),
    "farm": ("Farm", "open", (3, 0), ("orchard", "brickworks", "forest")),
    "brickworks": ("Brickworks", "houses", (3, 1), ("station", "farm", "marsh", "highway")),
    "marsh": ("Marsh", "marsh", (3, 2), ("cemetery", "brickworks", "causeway")),
    "forest": ("Forest", "wood", (4, 0), ("farm", "highway")),
    "highway": ("Highway", "open", (4, 1), ("forest", "brickworks", "causeway")),
    "causeway": ("Causeway", "open", (4, 2), ("marsh", "highway")),
}
FAR = distances(["landing"], lambda area: AREAS[area][3])  # Areas from the landing


def near(area: str) -> tuple[str, ...]:
    """[1.1] The adjacent areas; none for places off the map."""
    return AREAS[area][3] if area in AREAS else ()


def title(area: str) -> str:
    """[1.1]"""
    return AREAS[area][0]
