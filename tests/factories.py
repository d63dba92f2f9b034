"""Nights with Vietnamese names, as requests and as tables that have been opened."""

from uuid import uuid4

import factory
from faker import Faker

from tests.web.phones import NAMES

_names = Faker("vi_VN")
_names.seed_instance(13)


def friends(count: int) -> list[str]:
    """Names that differ, with the marks and the đ that are so often lost."""
    return [_names.unique.name() for _ in range(count)]


class NewNightFactory(factory.DictFactory):  # type: ignore[misc]
    """A request that opens a night; `friends=5` seats five people in it."""

    class Params:
        friends = 4

    id = factory.LazyFunction(lambda: str(uuid4()))
    ruleset = "southern-classic"
    players = factory.LazyAttribute(lambda night: friends(night.friends))


class NamedNightFactory(NewNightFactory):
    """A night of the four whom the records know."""

    players = factory.LazyFunction(lambda: list(NAMES))


class StakedNightFactory(NewNightFactory):
    """A night in which a point is worth something."""

    stake = factory.Dict({"amount": "1000", "currency": "VND"})
