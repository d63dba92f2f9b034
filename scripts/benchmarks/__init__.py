"""What `scripts/bench` measures: ratios within one run, because times say more about the machine."""
