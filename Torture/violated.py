"""The error that ends a run of the model-based tester."""


class Violated(Exception):
    """The database, or a command's words, contradict the model."""
