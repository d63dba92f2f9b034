"""Changes that tables make to a ruleset: house rules, payment schemes, and prices."""
