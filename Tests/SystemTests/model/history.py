"""The history: the committed events in order, and the model that they lead to.

An undo removes its files from the history. The other files, with the same replays, erasures and dropped months in
between, must then lead to the rows that the undo leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from events import Accept, Erase, Event, Undo, Version
from parsed_file import ParsedFile
from model import Model


class History:
    """The committed events in order, and the model that they lead to."""

    def __init__(self, versions: Callable[[Version], ParsedFile]) -> None:
        self.versions = versions
        self.events: list[Event] = []
        self.model = Model(versions)

    def explanations(
        self, new: list[list[Event]], undo: Undo
    ) -> Iterator[tuple[list[Event], Model]]:
        """Every possible commit order of the new events, each with its model.

        The order within a list is known.
        """
        is_undone = bool(undo.files or undo.acceptances)
        if not is_undone and not any(new):
            yield self.events, self.model
            return
        for order in merged(new + ([[undo]] if is_undone else [])):
            events, model = list(self.events), self.model.copy()
            for event in order:
                if isinstance(event, Undo):
                    events = [one for one in events if not event.takes(one)]
                    model = self._without(events, model, event)
                else:
                    if isinstance(event, Erase):
                        event = model.with_rows(event)
                    elif isinstance(event, Accept):
                        event = model.with_lines(event)
                    events.append(event)
                    model.after(event)
            yield events, model

    def _without(self, events: list[Event], before: Model, undo: Undo) -> Model:
        """The model after an undo: the result of the other files and acceptances alone.

        Their counts stay unchanged. They can differ from the rows of the model, but only for erased records; any
        other loss appears as a missing row.
        """
        model = Model(self.versions)
        for event in events:
            model.after(event)
        for number, file in model.files.items():
            file.counts = before.files[number].counts
            file.embedded = before.files[number].embedded
            file.erased = before.files[number].erased
        model.acceptances = dict(before.acceptances)
        model.undone_acceptances = before.undone_acceptances | undo.acceptances
        return model

    def accept(self, events: list[Event], model: Model) -> None:
        self.events, self.model = events, model


def merged(lists: list[list[Event]]) -> Iterator[list[Event]]:
    """Every merged list that keeps the order within each list."""
    left = [one for one in lists if one]
    if not left:
        yield []
    for at, one in enumerate(left):
        for rest in merged(left[:at] + [one[1:]] + left[at + 1:]):
            yield [one[0], *rest]
