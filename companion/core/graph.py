"""Search graphs: breadth-first and shortest paths by cost.

Neighbours are visited in the order in which they are given, so that results are reproducible. Annotations are evaluated:
a NamedTuple compiles annotations that are text, and the quickest commands load this module.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from heapq import heappop, heappush
from itertools import count

from companion.core.hints import Generic, TypeVar
from companion.core.named_tuple import NamedTuple

N = TypeVar("N", bound=Hashable)


def distances(
    starts: Iterable[N],
    neighbours: Callable[[N], Iterable[N]],
    limit: int | None = None,
    previous: dict[N, N] | None = None,
    is_open: Callable[[N], object] | None = None,
) -> dict[N, int]:
    """The number of steps from the nearest start to each node, in breadth-first order; starts have 0.

    If ``previous`` is given, the node before each on a shortest path is added to it. If ``is_open`` is given, other nodes than
    starts are entered only if it is true for them.

    >>> distances([0], lambda n: [n + 1, n + 2], limit=2)
    {0: 0, 1: 1, 2: 1, 3: 2, 4: 2}
    >>> distances([0], lambda n: [n + 1, n + 2], limit=2, is_open=lambda n: n != 2)
    {0: 0, 1: 1, 3: 2}
    """
    steps: dict[N, int] = dict.fromkeys(starts, 0)
    frontier = list(steps)
    depth = 0
    while frontier and (limit is None or depth < limit):
        depth += 1
        following: list[N] = []
        for node in frontier:
            for neighbour in neighbours(node):
                if neighbour not in steps and (is_open is None or is_open(neighbour)):
                    steps[neighbour] = depth
                    following.append(neighbour)
                    if previous is not None:
                        previous[neighbour] = node
        frontier = following
    return steps


def reachable(starts: Iterable[N], neighbours: Callable[[N], Iterable[N]]) -> set[N]:
    """The starts and every node that can be reached from them."""
    return set(distances(starts, neighbours))


class Costs(NamedTuple, Generic[N]):
    """The lowest cost of each node that `cheapest` reached, in that order, and the node before it on a cheapest path."""

    cost: Mapping[N, float]
    previous: Mapping[N, N]

    def path(self, goal: N) -> list[N]:
        """The nodes of a cheapest path from a start to a goal, both included. Raises KeyError: the goal was not reached."""
        if goal not in self.cost:
            raise KeyError(goal)
        nodes = [goal]
        while nodes[-1] in self.previous:
            nodes.append(self.previous[nodes[-1]])
        return nodes[::-1]


def cheapest(
    starts: Mapping[N, float],
    edges: Callable[[N, float], Iterable[tuple[N, float]]],
    limit: float = float("inf"),
    done: Callable[[N], bool] = lambda node: False,
) -> Costs[N]:
    """The cheapest paths from some starts (Dijkstra's algorithm).

    Args:
        starts: Nodes to start from, with what it costs to begin there.
        edges: Returns the neighbours of a node with the cost of the edge, at least 0; gets the cost of the node as well.
        done: Stops the search when a node for which it is true is settled.

    >>> costs = cheapest({"a": 0}, lambda node, spent: {"a": [("b", 2), ("c", 5)], "b": [("c", 1)], "c": []}[node])
    >>> dict(costs.cost), costs.path("c")
    ({'a': 0, 'b': 2, 'c': 3}, ['a', 'b', 'c'])
    """
    order = count()  # keeps nodes of equal cost in the order in which they were found; nodes need no order of their own
    queue: list[tuple[float, int, N, N | None]] = []
    for node, start_cost in starts.items():
        heappush(queue, (start_cost, next(order), node, None))
    cost: dict[N, float] = {}
    previous: dict[N, N] = {}
    while queue:
        spent, _, node, before = heappop(queue)
        if node in cost:
            continue
        cost[node] = spent
        if before is not None:
            previous[node] = before
        if done(node):
            break
        for neighbour, extra in edges(node, spent):
            if neighbour not in cost and spent + extra <= limit:
                heappush(queue, (spent + extra, next(order), neighbour, node))
    return Costs(cost, previous)


def shortest_path(start: N, goal: N, neighbours: Callable[[N], Iterable[N]]) -> list[N]:
    """The nodes of a path with the fewest steps, start and goal included; empty if there is none.

    >>> shortest_path(1, 4, lambda n: [n + 1] if n < 9 else [])
    [1, 2, 3, 4]
    """
    costs = cheapest(
        {start: 0}, lambda node, spent: [(neighbour, 1) for neighbour in neighbours(node)], done=lambda node: node == goal
    )
    return costs.path(goal) if goal in costs.cost else []
