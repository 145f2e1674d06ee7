"""What is to be said, one line after the other, and what has been said lately.

One line is being said at a time, under a number, until the mouth reports its end. A pause holds back what was left, a
line that was cut in the middle is said again whole. Where nothing can be said aloud, a line takes the time of reading.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from narrator.core.effects import Manner
from narrator.core.errors import DeviceError
from narrator.plugs import Plugs
from narrator.ports import Ended, Mouth
from narrator.stage.clock import Clock

READING = 0.06  # seconds that a letter takes, read instead of heard
TAIL = 0.25  # seconds for which the room carries our last sample


class Line(NamedTuple):
    """`owed`: the game said it, and whoever comes back from a power cut is to hear what of it was not said."""

    text: str
    manner: Manner
    owed: bool = False


class Rest(NamedTuple):
    """Seconds without a word, in the middle of what is to be said: a night is heard before it is told."""

    seconds: float


class Speech:
    """`spoke`: told of every line that begins."""

    def __init__(self, clock: Clock, mouth: Mouth, plugs: Plugs, spoke: Callable[[str, Manner], None]) -> None:
        self._clock, self._mouth, self._plugs, self._spoke = clock, mouth, plugs, spoke
        self._to_say: deque[Line | Rest] = deque()
        self._held: deque[Line | Rest] = deque()  # what a pause interrupted
        self._line: Line | None = None  # that was begun last
        self._resting = False  # what is being said is a Rest
        self._number = 0  # of what is being said, 0 for nothing
        self._numbers = 0
        self._lately: list[str] = []  # what "répète" says again
        self._since_heard = True
        self._unheard: Line | None = None  # the last line said to nobody
        self._sound_until = -TAIL  # when our last sound ends

    # ---- what is to be said

    @property
    def speaking(self) -> bool:
        return self._number > 0

    @property
    def busy(self) -> bool:
        """Something is being said, or is to be."""
        return self.speaking or self.waits

    @property
    def waits(self) -> bool:
        """Something is to be said behind what is being said."""
        return bool(self._to_say)

    @property
    def stuck(self) -> bool:
        """What is to be said waits for the loudspeaker."""
        return self.waits and self._plugs.missing("speaker")

    @property
    def lines_waiting(self) -> int:
        return sum(isinstance(item, Line) for item in self._to_say)

    @property
    def owing(self) -> int:
        """How many lines that are owed have not been said to their end."""
        said_now = self._line is not None and self.speaking and not self._resting and self._line.owed
        return said_now + sum(isinstance(one, Line) and one.owed for one in (*self._held, *self._to_say))

    def add(self, item: Line | Rest) -> None:
        self._to_say.append(item)

    def put_first(self, line: Line) -> None:
        self._to_say.appendleft(line)

    def is_coming(self, line: Line) -> bool:
        """It is being said, or is to be."""
        coming = (self._line if self.speaking else None, *self._to_say)
        return any(isinstance(one, Line) and one[:2] == line[:2] for one in coming)

    # ---- saying it

    def next(self, pace: float) -> None:
        """Begin with the next line, at so many times the usual speed."""
        self._numbers += 1
        self._number = self._numbers
        item = self._to_say.popleft()
        self._resting = isinstance(item, Rest)
        if isinstance(item, Rest):
            self._ends_in(item.seconds / pace)
        else:
            self._line = item
            self._say(item, pace)

    def _say(self, line: Line, pace: float) -> None:
        if self._since_heard:
            self._lately, self._since_heard = [], False
        self._lately.append(line.text)
        self._spoke(line.text, line.manner)
        try:
            self._mouth.say(self._number, line.text, pace)
            self._unheard = None
        except DeviceError:
            # Nobody hears it, but the game goes on at the speed of reading.
            self._unheard = line
            self._ends_in(READING * len(line.text))

    def _ends_in(self, seconds: float) -> None:
        self._clock.at(self._clock.now() + seconds, Ended(self._number), flows=True)

    def ended(self, number: int, quiet: float) -> None:
        """The mouth has said this number, of which the last `quiet` seconds are silence."""
        if number == self._number:
            self._number = 0
            self._sound_until = max(self._sound_until, self._clock.now() - quiet)

    def skip(self) -> None:
        """Forget what is to be said, and what is being said."""
        self._to_say.clear()
        self.hush()

    def hush(self) -> None:
        """Not a word more of what is being said."""
        self._mouth.hush()
        self._number = 0
        self._plugs.forget("speaker")

    def cue(self, sound: str) -> None:
        self._sound_until = max(self._sound_until, self._clock.now() + self._mouth.cue(sound))

    def silence_in(self, tail: float) -> float:
        """Seconds until the room is still, if it carries our last sound for `tail` seconds."""
        return max(self._sound_until + tail - self._clock.now(), 0.0)

    # ---- said again

    def heard(self) -> None:
        """Somebody said something: what is said next is what he may have repeated."""
        self._since_heard = True

    def keep_lately(self) -> None:
        """What is said next is said again with what was said before it."""
        self._since_heard = False

    def again(self) -> bool:
        """What was said lately is to be said again; False: nothing was."""
        if not self._lately:
            return False
        self._since_heard = False
        again, self._lately = self._lately, []
        self._to_say.extend(Line(text, Manner.TELL) for text in again)
        return True

    def hold(self) -> None:
        """Keep what is being said, whole, and what was left to say, until release()."""
        if self.speaking:
            if self._line and not self._resting:
                self._lately.pop()
                self._held.append(self._line._replace(manner=Manner.TELL))
            self.hush()
        self._held.extend(self._to_say)
        self._to_say.clear()

    def release(self, instead: Line | None) -> None:
        """What was held is to be said; `instead`: where nothing was."""
        if not self._held and instead:
            self._held.append(instead)
        self._to_say.extend(self._held)
        self._held.clear()

    def was_cut(self, number: int) -> None:
        """The loudspeaker died: half a sentence is none, it is said again as soon as there is one, or after a while."""
        if number != self._number or self._line is None:
            return
        self._number = 0
        self._lately.pop()
        self._to_say.appendleft(self._line)
        self._plugs.gone("speaker")

    def heard_from_now_on(self, news: Line) -> None:
        """There is a loudspeaker again: that is told first, then what nobody heard."""
        if self._unheard and not self._to_say:
            self._to_say.append(self._unheard)
        if news not in self._to_say:
            self._to_say.appendleft(news)
        self._unheard = None
