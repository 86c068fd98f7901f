"""MicroPython's asyncio for CPython, on the simulated chip's clock: as much as the firmware uses.

Not CPython's own, for three reasons: its tasks take turns in another order, it cannot be left in
the middle of main.py's asyncio.run when the host wants to look, and it is shared by the whole
process. The MicroPython VM brings its own asyncio and does not see this file.
"""

import types
from time import ticks_add, ticks_ms

import chip
from _asyncio import Task, TaskQueue

cur_task = None
_task_queue = TaskQueue()
_handler = None


class CancelledError(BaseException):
    pass


class TimeoutError(Exception):
    pass


@types.coroutine
def _park():
    yield


# ---------------------------------------------------------------------- tasks


def create_task(coro):
    task = Task(coro, globals())
    _task_queue.push(task)
    return task


def run(coro):
    """Run a coroutine and the tasks it makes until it ends; returns or raises what it does."""
    global cur_task
    clock = chip.clock
    main = create_task(coro)
    while True:
        task = _task_queue.peek()
        while task is None or task.due > chip.ms():
            clock.wait(chip.us_of(task.due) if task else None)
            task = _task_queue.peek()
        cur_task = _task_queue.pop()
        thrown, task.data = task.data, None
        try:
            if thrown:
                task.coro.throw(thrown)
            else:
                task.coro.send(None)
        except (Exception, CancelledError) as end:
            if task is main:
                cur_task = None
                task.state = False
                if isinstance(end, StopIteration):
                    return end.value
                raise
            _ended(task, end)


def _ended(task, end):
    """Tell those who wait for the task; an exception that nobody waits for goes to the handler."""
    state, task.state = task.state, None
    if state is None:  # ended before: this turn was for the exception nobody has asked for
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
    """In place of a coroutine that has ended: its exception, thrown in, comes out."""

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


@types.coroutine
def sleep_ms(ms):
    _task_queue.push(cur_task, ticks_add(ticks_ms(), max(0, ms)))
    yield


def sleep(seconds):
    return sleep_ms(int(seconds * 1000))


async def wait_for_ms(awaitable, ms):
    """What the awaitable returns; TimeoutError, once it is cancelled, if that takes over `ms`."""
    task = awaitable if isinstance(awaitable, Task) else create_task(awaitable)
    if task.state is True:
        waiting = cur_task

        def wake():
            if waiting.due > chip.ms():
                _task_queue.remove(waiting)
                _task_queue.push(waiting)

        task.state = wake
        try:
            await sleep_ms(ms)
        except CancelledError:
            task.state = True
            task.cancel()
            raise
        if task.state is wake:
            task.state = True
            task.cancel()
            try:
                await task
            except CancelledError:
                pass
            raise TimeoutError
    return await task


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
            await _wait_in(self._waiting)
        return True


def _wait_in(queue):
    queue.push(cur_task)
    cur_task.data = queue
    return _park()


class ThreadSafeFlag:
    """May be set from an interrupt; one task waits for it, and clears it."""

    def __init__(self):
        self._set = False
        self._waiting = TaskQueue()

    def set(self):
        self._set = True
        if self._waiting.peek():
            _task_queue.push(self._waiting.pop())

    def clear(self):
        self._set = False

    async def wait(self):
        if not self._set:
            await _wait_in(self._waiting)
        self._set = False


class StreamReader:
    """Reads the serial line, the only stream there is."""

    def __init__(self, stream):
        self._stream = stream
        self._flag = ThreadSafeFlag()
        chip.on_received = self._flag.set

    async def read(self, count):
        while not chip.received:
            await self._flag.wait()
        return self._stream.read(count)


def __getattr__(name):
    raise AttributeError("the simulated asyncio has no %s" % name)
