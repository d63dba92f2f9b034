"""Requests that open nights, with Vietnamese names."""

from uuid import uuid4

import factory
from faker import Faker

_names = Faker("vi_VN")
_names.seed_instance(13)


def friends(count: int) -> list[str]:
    """Different names, with the marks and the đ that broken encodings lose."""
    return [_names.unique.name() for _ in range(count)]


class NewNightFactory(factory.DictFactory):  # type: ignore[misc]
    """A request that opens a night; `friends=5` gives it five players."""

    class Params:
        friends = 4

    id = factory.LazyFunction(lambda: str(uuid4()))
    ruleset = "southern-classic"
    players = factory.LazyAttribute(lambda night: friends(night.friends))


class StakedNightFactory(NewNightFactory):
    """A night with a stake."""

    stake = factory.Dict({"amount": "1000", "currency": "VND"})
