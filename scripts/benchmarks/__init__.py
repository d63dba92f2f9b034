"""The benchmarks of `scripts/bench`: ratios within one run, since times depend on the machine."""
