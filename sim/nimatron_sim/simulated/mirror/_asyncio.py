"""The tasks and the task queue of MicroPython's asyncio, in virtual time.

MicroPython has its own versions in C, which read the real clock. This module replaces them, so
that MicroPython's asyncio package runs on the chip's clock. The mirrored asyncio for CPython uses
the same two classes, so tasks take turns in the same order everywhere.
"""

from heapq import heapify, heappop, heappush
from time import ticks_add, ticks_diff, ticks_ms

import chip

_BOOTED = chip.booted_at
_clock = chip.clock


class TaskQueue:
    """A queue of tasks by due time. Tasks due at the same time leave in order of arrival."""

    def __init__(self):
        self.heap = []  # (ms since boot when it is due, how many came before, task)
        self._count = 0

    def peek(self):
        return self.heap[0][2] if self.heap else None

    def push(self, task, key=None):
        """Queue a task for the tick `key`, by default for now."""
        due = (_clock.now - _BOOTED) // 1000
        if key is not None:
            due += ticks_diff(key, ticks_ms())
        self.insert(task, due)

    def insert(self, task, due):
        """Queue a task for a time in milliseconds since boot."""
        task.due = due
        task.data = None
        self._count += 1
        heappush(self.heap, (due, self._count, task))

    def pop(self):
        return heappop(self.heap)[2]

    def remove(self, task):
        heap = self.heap
        for at in range(len(heap)):
            if heap[at][2] is task:
                heap[at] = heap[-1]
                heap.pop()
                heapify(heap)
                break


class Task:
    """A coroutine that takes turns with others.

    state: True while the task runs, or a TaskQueue of the tasks that wait for it, or a function to
        call at its end. After the end, it is None until the result is read, then False.
    begun: True if the task has had a turn, set by the mirrored asyncio.
    data: the queue in which the task waits, or the exception to throw into it at its next turn.
        After the end, it is the exception that ended the task.
    """

    def __init__(self, coro, loop):
        self.coro = coro
        self.begun = False
        self.data = None
        self.state = True
        self.due = 0
        self._loop = loop  # the variables of asyncio's core

    def __iter__(self):
        if not self.state:
            self.state = False
        elif self.state is True:
            self.state = TaskQueue()
        elif not isinstance(self.state, TaskQueue):
            raise RuntimeError("can't wait")
        return self

    __await__ = __iter__

    def __next__(self):
        if not self.state:
            raise self.data
        waiting = self._loop["cur_task"]
        self.state.push(waiting)
        waiting.data = self

    @property
    def ph_key(self):
        """The tick for which the task is queued."""
        return ticks_add(ticks_ms(), self.due - chip.ms())

    def done(self):
        return not self.state

    def cancel(self):
        """Throw a CancelledError into the task, or into the task that it waits for. Return False
        if the task has ended."""
        if not self.state:
            return False
        if self is self._loop["cur_task"]:
            raise RuntimeError("can't cancel self")
        task = self
        while isinstance(task.data, Task):
            task = task.data
        queue = self._loop["_task_queue"]
        if hasattr(task.data, "remove"):
            task.data.remove(task)
            queue.push(task)
        elif task.due > chip.ms():
            queue.remove(task)
            queue.push(task)
        task.data = self._loop["CancelledError"]
        return True
