"""The error that ends a run of the model-based tester."""


class Violated(Exception):
    """The database or the output of a command contradicts the model."""
