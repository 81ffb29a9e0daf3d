"""The settings and the exchange rates of the database, and what commands make of them.

They change no other table of the model, so their order among the other events does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from commands import Command

ZONES = ("UTC", "Asia/Seoul", "America/New_York", "Asia/Kathmandu")
# Base currency, currency, day and rate, as the server prints them.
Rate = tuple[str, str, str, str]


@dataclass(frozen=True)
class Settings:
    # Name and value of each setting that differs from its default.
    values: frozenset[tuple[str, str]] = frozenset()
    rates: frozenset[Rate] = frozenset()

    @property
    def zone(self) -> str:
        return dict(self.values).get("time-zone", "UTC")

    @property
    def has_base(self) -> bool:
        return "base-currency" in dict(self.values)

    def after(self, command: Command) -> Settings:
        """The settings after this command alone."""
        if command.kind == "rates":
            return self._with_rates(command.rates) if self.has_base else self
        assert command.setting is not None
        name, value = command.setting
        values = {one for one in self.values if one[0] != name}
        if value is not None:
            values.add((name, value))
        return Settings(frozenset(values), self.rates)

    def _with_rates(self, rates: tuple[tuple[str, str, str], ...]) -> Settings:
        # A rate belongs to the base currency of its load.
        base = dict(self.values)["base-currency"]
        days = {rate[:2] for rate in rates}
        kept = {rate for rate in self.rates if rate[0] != base or rate[1:3] not in days}
        return Settings(self.values, frozenset(kept.union((base, *rate) for rate in rates)))

    def outcomes(self, commands: list[tuple[Command, bool]]) -> Iterator[Settings]:
        """The settings that these commands can leave, in any order. True marks those that have succeeded."""
        if not any(has_succeeded for _, has_succeeded in commands):
            yield self
        for at, (command, _) in enumerate(commands):
            yield from self.after(command).outcomes(commands[:at] + commands[at + 1:])
