"""The rounds of a night: reading them, and correcting one."""

from ledger.web.pages.rounds import correct, mend, rounds
