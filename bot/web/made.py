"""Parts of pages that are the same for all readers, made once for what they were made of."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from flask import current_app
from markupsafe import Markup

MOST_CHARACTERS = 32 * 2**20
Key = tuple[Hashable, ...]


@dataclass
class Made:
    """One per app, shared by its threads. Nothing of a reader may be in a part: neither a name nor a form's token."""

    most_characters: int = MOST_CHARACTERS
    _held: OrderedDict[Key, Markup] = field(default_factory=OrderedDict)
    _characters: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of_app(cls) -> "Made":
        """That of the app that serves this request."""
        made = current_app.extensions["steelyard-made"]
        assert isinstance(made, cls)  # noqa: S101 - only create_app puts it there
        return made

    def find(self, key: Key) -> Markup | None:
        """The part that was made for this key, None where there is none or it had to go."""
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
            return self._held.get(key)

    def of(self, key: Key, make: Callable[[], Markup]) -> Markup:
        """The part; `key` names everything that it is made of. Two threads that want a new one may both make it."""
        if (found := self.find(key)) is not None:
            return found
        made = make()
        with self._lock:
            self._characters += len(made) - len(self._held.pop(key, ""))
            self._held[key] = made
            while self._characters > self.most_characters:
                self._characters -= len(self._held.popitem(last=False)[1])
        return made
