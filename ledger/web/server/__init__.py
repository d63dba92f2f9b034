"""The processes that answer, and how they share their time: listening, and work that takes long."""
