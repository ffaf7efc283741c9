"""Share the places of one list among the hits of several queries (pure).

The first list (the goal and the first query) gets half of the places, each later one half as many
as the one before. Places that a list cannot fill go to the others, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T")
Key = Callable[[T], Hashable]


def shares(lists: int, places: int) -> list[int]:
    """Return the number of places for each list; they add up to `places`.

    >>> shares(4, 16), shares(1, 7), shares(3, 7)
    ([8, 4, 2, 2], [7], [4, 2, 1])
    """
    left, found = max(places, 0), []
    for number in range(lists):
        last = number == lists - 1
        found.append(left if last else (left + 1) // 2)
        left -= found[-1]
    return found


def interleave(lists: Sequence[Sequence[T]], places: int, key: Key[T]) -> list[T]:
    """Return up to `places` different items of lists that are each best first.

    An item of several lists takes a place of the first that reaches it. The share of the first
    list comes first, then that of the second, and so on.
    """
    seen: set[Hashable] = set()
    queues = [iter(items) for items in lists]
    groups: list[list[T]] = [[] for _ in lists]

    def take(number: int) -> bool:
        for item in queues[number]:
            if key(item) not in seen:
                seen.add(key(item))
                groups[number].append(item)
                return True
        return False

    left = max(places, 0)
    for number, share in enumerate(shares(len(lists), left)):
        while share and take(number):
            share, left = share - 1, left - 1
    for number in range(len(lists)):
        while left and take(number):
            left -= 1
    return [item for group in groups for item in group]


def alternating(lists: Sequence[Sequence[T]], key: Key[T]) -> list[T]:
    """Return all different items: the first of each list, then the second of each, and so on.

    >>> alternating([[1, 2], [3, 1, 4]], key=lambda item: item)
    [1, 3, 2, 4]
    """
    found: dict[Hashable, T] = {}
    for place in range(max(map(len, lists), default=0)):
        for items in lists:
            if place < len(items):
                found.setdefault(key(items[place]), items[place])
    return list(found.values())
