"""Terms as they are declared: read from a line, and written on one."""

import pytest

from ledger.game.terms import typed

WRITTEN = typed(20, "quán Ba Tèo", "where the night is played").metadata["term"]


def test_a_typed_term_is_read_from_a_line_without_blanks_around_it() -> None:
    assert WRITTEN.value("quán  Ba Tèo ") == "quán Ba Tèo"
    with pytest.raises(ValueError, match=r"^$"):
        WRITTEN.value("")


def test_a_typed_term_from_elsewhere_ends_no_line_and_begins_no_comment() -> None:
    assert WRITTEN.write("quán; Ba\nTèo") == "quán Ba Tèo"
