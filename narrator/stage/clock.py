"""Time as a port. The conductor asks a clock what happens next; a real one waits for it, a virtual one jumps to it.

Both keep what is due in a heap and what devices report in a queue. Times are seconds from the clock's own zero.
"""

from __future__ import annotations

import heapq
import itertools
import queue
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(order=True, slots=True)
class Appointment:
    """`item` is due at `when`. `flows`: passes by itself in scripted play (speech, hands), unlike the table's time."""

    when: float
    number: int
    item: Any = field(compare=False)
    flows: bool = field(compare=False, default=False)
    cancelled: bool = field(compare=False, default=False)


class ExhaustedError(Exception):
    """Nothing will ever happen again on this clock."""


class Clock(Protocol):
    def now(self) -> float: ...
    def post(self, item: Any) -> None: ...
    def at(self, when: float, item: Any, *, flows: bool = False) -> Appointment: ...
    def next(self) -> Any: ...


class _Agenda:
    def __init__(self) -> None:
        self._heap: list[Appointment] = []
        self._numbers = itertools.count()

    def at(self, when: float, item: Any, *, flows: bool = False) -> Appointment:
        """Report `item` at `when`; set `.cancelled` on the answer to forget it."""
        appointment = Appointment(when, next(self._numbers), item, flows)
        heapq.heappush(self._heap, appointment)
        return appointment

    def _first(self) -> Appointment | None:
        while self._heap and self._heap[0].cancelled:
            heapq.heappop(self._heap)
        return self._heap[0] if self._heap else None


class RealClock(_Agenda):
    """The monotonic clock of the machine; post() may be called from any thread."""

    def __init__(self) -> None:
        super().__init__()
        self._zero = time.monotonic()
        self._posted: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def now(self) -> float:
        return time.monotonic() - self._zero

    def post(self, item: Any) -> None:
        self._posted.put(item)

    def next(self) -> Any:
        """Wait for what is posted or due, whichever comes first."""
        while True:
            first = self._first()
            wait = None if first is None else first.when - self.now()
            if first is not None and wait is not None and wait <= 0:
                return heapq.heappop(self._heap).item
            try:
                # A long wait is cut so that Ctrl-C is noticed on every platform.
                return self._posted.get(timeout=min(wait, 0.5) if wait is not None else 0.5)
            except queue.Empty:
                continue


class VirtualClock(_Agenda):
    """Jumps from one appointment to the next.

    `idle`: asked when nothing flows by itself any more; returns the next item, or None after it has called
    pass_time() or appointed something. Raises ExhaustedError when it has nothing either. `before`: called before every
    jump with the time now and the time to jump to; what it returns as (time, item) happens first (a microphone that
    hears something).
    An item that can be called is called when it is due, and not reported (somebody at a simulated table speaks).
    """

    def __init__(
        self,
        idle: Callable[[], Any] | None = None,
        before: Callable[[float, float], tuple[float, Any] | None] | None = None,
    ) -> None:
        super().__init__()
        self._now = self._until = 0.0
        self._idle, self._before = idle, before
        self._posted: deque[Any] = deque()

    def now(self) -> float:
        return self._now

    def post(self, item: Any) -> None:
        self._posted.append(item)

    def pass_time(self, seconds: float) -> None:
        """Let this much time pass before idle() is asked again."""
        self._until = self._now + seconds

    def next(self) -> Any:
        while not self._posted:
            first = self._first()
            if first is not None and (self._idle is None or first.when <= self._flowing_until()):
                if self._before and (earlier := self._before(self._now, first.when)):
                    self._now = max(self._now, earlier[0])
                    return earlier[1]
                heapq.heappop(self._heap)
                self._now = max(self._now, first.when)
                if not callable(first.item):
                    return first.item
                first.item()
                continue
            if self._idle is None:
                raise ExhaustedError
            self._now = max(self._now, self._until)
            if (item := self._idle()) is not None:
                return item
        return self._posted.popleft()

    def _flowing_until(self) -> float:
        """Up to when things happen without being asked for: the last instant that flows or was let pass."""
        flowing = [a.when for a in self._heap if a.flows and not a.cancelled]
        return max(self._until, min(flowing, default=0.0))
