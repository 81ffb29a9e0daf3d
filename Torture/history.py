"""The history: the committed events in order, and the picture that they leave.

An undo takes its files out of the history. The other files, with the same replays, erasures and
dropped months between them, then have to leave the picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from events import Accept, Erase, Event, Undo, Version
from parsed_file import ParsedFile
from picture import Picture


class History:
    """The committed events in order, and the picture that they leave."""

    def __init__(self, versions: Callable[[Version], ParsedFile]) -> None:
        self.versions = versions
        self.events: list[Event] = []
        self.picture = Picture(versions)

    def explanations(
        self, new: list[list[Event]], undo: Undo
    ) -> Iterator[tuple[list[Event], Picture]]:
        """Every order in which the new events can have been committed, each with its picture.

        Within a list the order is known already.
        """
        is_undone = bool(undo.files or undo.acceptances)
        if not is_undone and not any(new):
            yield self.events, self.picture
            return
        for order in merged(new + ([[undo]] if is_undone else [])):
            events, picture = list(self.events), self.picture.copy()
            for event in order:
                if isinstance(event, Undo):
                    events = [one for one in events if not event.takes(one)]
                    picture = self._without(events, picture, event)
                else:
                    if isinstance(event, Erase):
                        event = picture.with_rows(event)
                    elif isinstance(event, Accept):
                        event = picture.with_lines(event)
                    events.append(event)
                    picture.after(event)
            yield events, picture

    def _without(self, events: list[Event], before: Picture, undo: Undo) -> Picture:
        """The picture after an undo: the one that the other files and acceptances would have left.

        Their counts stay as they were. They may differ from those of the picture, but only where a
        record was erased: any other loss shows as a missing row.
        """
        picture = Picture(self.versions)
        for event in events:
            picture.after(event)
        for number, file in picture.files.items():
            file.counts = before.files[number].counts
            file.erased = before.files[number].erased
        picture.acceptances = dict(before.acceptances)
        picture.undone_acceptances = before.undone_acceptances | undo.acceptances
        return picture

    def accept(self, events: list[Event], picture: Picture) -> None:
        self.events, self.picture = events, picture


def merged(lists: list[list[Event]]) -> Iterator[list[Event]]:
    """Every merged list that keeps the order within each list."""
    left = [one for one in lists if one]
    if not left:
        yield []
    for at, one in enumerate(left):
        for rest in merged(left[:at] + [one[1:]] + left[at + 1:]):
            yield [one[0], *rest]
