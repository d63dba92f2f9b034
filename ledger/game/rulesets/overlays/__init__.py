"""What tables lay over a ruleset: house rules, and payment schemes; each answers another ruleset."""
