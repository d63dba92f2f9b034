"""The processes that answer, and how they share their time: listening, compression, work that takes long."""
