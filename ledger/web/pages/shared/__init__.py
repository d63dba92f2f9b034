"""What all pages share: their blueprint and the cache of rendered pages."""
