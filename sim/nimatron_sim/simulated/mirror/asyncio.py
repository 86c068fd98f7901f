"""The part of MicroPython's asyncio that the firmware uses, on the simulated chip's clock.

CPython's asyncio does not work here, for three reasons. Its tasks take turns in another order, the
host cannot leave it in the middle of main.py's asyncio.run, and the whole process shares it. In a
browser, MicroPython's own asyncio waits for JavaScript's event loop. The MicroPython VM does not
use this file, because its own asyncio runs on any clock.
"""

from _asyncio import Task, TaskQueue
from heapq import heappop as _heappop

import chip

from pico_testbench.clock import NEVER as _NEVER

_POLL = 3  # the ioctl request that asks a stream which flags hold
_READABLE = 1

_BOOTED = chip.booted_at
_clock = chip.clock
_idle = chip.idle

cur_task = None
_task_queue = TaskQueue()
_handler = None


class CancelledError(BaseException):
    pass


class _Park:
    """An awaitable whose task must be queued again by other code."""

    def __await__(self):
        return iter(_ONCE)

    __iter__ = __await__  # the name that MicroPython's `await` calls


_ONCE = (None,)  # a waiting coroutine yields once
_park = _Park()


# ---------------------------------------------------------------------- tasks


def create_task(coro):
    if not hasattr(coro, "send"):
        raise TypeError("coroutine expected")
    task = Task(coro, globals())
    _task_queue.push(task)
    return task


def run(coro):
    """Run a coroutine and its tasks until it ends. Return its result or raise its exception."""
    try:
        return run_until_complete(create_task(coro))
    except BaseException:
        for _, _, task in _task_queue.heap:
            if not task.begun:
                task.coro.close()  # otherwise CPython warns that it was never awaited
        raise


def run_until_complete(main):
    """Run all tasks until this task ends. Return its result or raise its exception. If an
    exception that no task has raised ends this function while the chip idles, call it again."""
    global cur_task
    heap = _task_queue.heap
    takes_time = chip.host.takes_us is not None
    while True:
        if _readers.looked != _clock.stirs:
            _readers.look()
        due = _BOOTED + heap[0][0] * 1000 if heap else _NEVER
        if due > _clock.now:
            _idle(due)
            if chip.interrupted:
                chip.heed_interrupt()
            continue
        task = cur_task = _heappop(heap)[2]
        task.begun = True
        if takes_time:
            chip.work("turn")
        try:
            if task.data:
                thrown, task.data = task.data, None
                task.coro.throw(thrown)
            else:
                task.coro.send(None)
        except StopIteration as end:
            if task is main:
                cur_task = None
                task.state = False
                return end.value
            _ended(task, end)
        except (Exception, CancelledError) as end:
            if task is main:
                cur_task = None
                task.state = False
                raise
            _ended(task, end)


def _ended(task, end):
    """Wake the tasks that wait for this task. If no task waits, the handler gets an exception."""
    state, task.state = task.state, None
    if state is True and isinstance(end, (StopIteration, CancelledError)):
        pass
    elif state is None:  # it ended earlier, and the exception was not read
        if _handler:
            context = {"message": "Task exception wasn't retrieved"}
            _handler(Loop, dict(context, exception=end, future=task))
    elif callable(state):
        task.state = False
        state()
    elif state is not True and state.peek():
        task.state = False
        while state.peek():
            _task_queue.push(state.pop())
    elif not isinstance(end, (StopIteration, CancelledError)):
        task.coro = _Raise()
        _task_queue.push(task)
    task.data = end


class _Raise:
    """A replacement for a coroutine that has ended: throw() raises the exception again."""

    def throw(self, end):
        raise end


class Loop:
    def set_exception_handler(handler):
        global _handler
        _handler = handler


def get_event_loop():
    return Loop


def current_task():
    return cur_task


# ---------------------------------------------------------------------- waiting


_insert = _task_queue.insert


class _Sleep:
    """An awaitable that is not a coroutine and cannot be made a task. It must be awaited at once,
    because only one exists, as in MicroPython (extmod/asyncio/core.py, SingletonGenerator)."""

    def __await__(self):
        _insert(cur_task, self.due)
        return iter(_ONCE)

    __iter__ = __await__


_sleep = _Sleep()


def sleep_ms(ms):
    now = (_clock.now - _BOOTED) // 1000
    _sleep.due = now + ms if ms > 0 else now
    return _sleep


class Event:
    def __init__(self):
        self._set = False
        self._waiting = TaskQueue()

    def is_set(self):
        return self._set

    def set(self):
        self._set = True
        while self._waiting.peek():
            _task_queue.push(self._waiting.pop())

    def clear(self):
        self._set = False

    async def wait(self):
        if not self._set:
            self._waiting.push(cur_task)
            cur_task.data = self._waiting
            await _park
        return True


class ThreadSafeFlag:
    """A flag that may be set from an interrupt. One task waits for it, and clears it."""

    def __init__(self):
        self._set = False

    def set(self):
        if not self._set:
            self._set = True
            _clock.stirs += 1

    def clear(self):
        self._set = False

    def ioctl(self, request, flags):
        return self._set

    async def wait(self):
        if not self._set:
            await _readable(self)
        self._set = False


class StreamReader:
    """A stream reader, which never waits for more bytes than are available."""

    def __init__(self, stream):
        self._stream = stream

    async def read(self, count):
        await _readable(self._stream)
        return self._stream.read(count)


class _Readers:
    """The tasks that wait for a stream. As in MicroPython, no event wakes these tasks. Instead,
    their streams are polled between the turns of other tasks."""

    def __init__(self):
        self._waiting = []  # (stream, task)
        self.looked = -1  # the value of _clock.stirs at the last look

    def add(self, stream, task):
        self._waiting.append((stream, task))
        task.data = self
        if stream.ioctl(_POLL, _READABLE):
            self.looked = -1

    def remove(self, task):
        self._waiting = [waiting for waiting in self._waiting if waiting[1] is not task]

    def look(self):
        self.looked = _clock.stirs
        for waiting in self._waiting[:]:
            stream, task = waiting
            if stream.ioctl(_POLL, _READABLE):
                self._waiting.remove(waiting)
                _task_queue.push(task)


_readers = _Readers()


def _readable(stream):
    _readers.add(stream, cur_task)
    return _park
