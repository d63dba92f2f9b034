"""Counts that several hosts on one PostgreSQL share: whose (a digest), how many, and until when they count.

By the database's clock, so that the hosts' own need not agree. Nothing here is part of the log.
"""

from typing import Final, NamedTuple

from sqlalchemy import Connection, text


class Count(NamedTuple):
    """What a count has come to, and for how many more seconds it counts."""

    number: int
    seconds: float


# What has ended begins anew, and so does what ends later than it can, whatever set the clock.
_COUNT: Final = text("""
INSERT INTO rate AS r (whose, until, count) VALUES (:whose, now() + make_interval(secs => :seconds), :by)
ON CONFLICT ON CONSTRAINT rate_pk DO UPDATE
   SET (until, count) = (SELECT CASE WHEN counts THEN r.until ELSE excluded.until END,
                                CASE WHEN counts THEN r.count ELSE 0 END + excluded.count
                           FROM (SELECT r.until > now() AND r.until <= excluded.until AS counts) AS it)
RETURNING count, greatest(extract(epoch FROM until - now()), 0)::float8
""")

_FORGET: Final = text("""
DELETE FROM rate WHERE whose IN
  (SELECT whose FROM rate WHERE until < now() ORDER BY until LIMIT 100 FOR UPDATE SKIP LOCKED)
""")


def count(connection: Connection, whose: bytes, seconds: float, by: int) -> Count:
    """Raise a count that lasts so many seconds from its beginning, on a connection that commits each statement.

    Whoever begins one forgets some that ended: there are never many more rows than counts.
    """
    found = Count(*connection.execute(_COUNT, {"whose": whose, "seconds": seconds, "by": by}).one())
    if found.number == by:
        connection.execute(_FORGET)
    return found
