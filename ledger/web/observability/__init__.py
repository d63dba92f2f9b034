"""What whoever runs a server can see of it: logs, counts, health, how it is set up, and what its audits find."""
