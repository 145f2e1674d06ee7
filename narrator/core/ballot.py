"""A vote of raised cards: the two numbers that the table calls out, and whether they can be true."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ballot:
    """`yes` or `no` is None until it was called out."""

    yes: int | None = None
    no: int | None = None

    def adds_up(self, voters: int) -> bool:
        """Every voter shows exactly one card; a count still half said must leave room for the rest."""
        known = (self.yes or 0) + (self.no or 0)
        return known == voters if self.complete else known <= voters

    @property
    def complete(self) -> bool:
        return self.yes is not None and self.no is not None

    def completed(self, voters: int) -> Ballot:
        """The missing number is the rest of the voters."""
        if self.yes is None:
            return Ballot(voters - (self.no or 0), self.no)
        return self if self.no is not None else Ballot(self.yes, voters - self.yes)

    @property
    def passes(self) -> bool:
        """More yes than no; a tie refuses (Sultan, section 5)."""
        return self.complete and (self.yes or 0) > (self.no or 0)
