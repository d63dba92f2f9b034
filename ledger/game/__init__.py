"""The rules of the game: values and functions, standard library only; no clock, no chance, no I/O."""
