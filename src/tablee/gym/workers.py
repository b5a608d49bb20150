"""The lanes of a batch shared out among processes, with all arrays in shared memory."""

from itertools import pairwise
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from typing import Any

from tablee.core.errors import TableeError, needing
from tablee.core.position import Position
from tablee.gym.engine import Engine, Plan, layout
from tablee.gym.sight import Array, observation_of

with needing("tablee.Batch", "gym"):
    import numpy as np

OK = -1


class Workers:
    """Processes that each play some of the lanes; what they write is seen here without a copy."""

    def __init__(self, plan: Plan, n: int, cores: int) -> None:
        """Start the processes and wait until each has its lanes."""
        width = observation_of(plan.game).width if plan.observe else 0
        shapes = layout(n, plan.game, width) | {"actions": ((n,), "int64")}
        self.memory = SharedMemory(create=True, size=total(shapes))
        self.closed = False
        self.all_arrays = carve(self.memory, shapes)
        self.arrays = {name: array.view() for name, array in self.all_arrays.items() if name != "actions"}
        ends = [n * core // cores for core in range(cores + 1)]
        self.parts = list(pairwise(ends))
        context = get_context("spawn")
        self.lines: list[Connection] = []
        self.processes = []
        for begin, end in self.parts:
            here, there = context.Pipe()
            process = context.Process(target=work, args=(plan, self.memory.name, shapes, begin, end, there), daemon=True)
            process.start()
            there.close()
            self.lines.append(here)
            self.processes.append(process)
        self.hear()

    def reset(self, seed: int) -> None:
        """Begin new games in all lanes."""
        self.ask("reset", seed)

    def step(self, actions: Array) -> int:
        """Play if every action is legal; return OK, or the first lane whose action is illegal."""
        masks = self.arrays["masks"]
        inside = (actions >= 0) & (actions < masks.shape[1])
        wrong = ~inside | ~masks[np.arange(len(actions)), np.where(inside, actions, 0)]
        if wrong.any():
            return int(wrong.argmax())
        self.all_arrays["actions"][:] = actions
        self.ask("step", None)
        return OK

    def sample(self) -> None:
        """Choose at random in every lane."""
        self.ask("sample", None)

    def position(self, lane: int) -> Position:
        """Return a copy of the position of a lane."""
        core = next(number for number, (_, end) in enumerate(self.parts) if lane < end)
        self.lines[core].send(("position", lane - self.parts[core][0]))
        position: Position = self.answer(self.lines[core])
        return position

    def ask(self, what: str, value: int | None) -> None:
        """Send a request to every process, and wait for all answers."""
        for line in self.lines:
            line.send((what, value))
        self.hear()

    def hear(self) -> None:
        """Wait until every process has answered."""
        for line in self.lines:
            self.answer(line)

    def answer(self, line: Connection) -> Any:
        """Return what a process answers; an error there is an error here."""
        try:
            good, value = line.recv()
        except (EOFError, ConnectionError) as error:
            raise TableeError("a process of the batch has ended: make a new batch") from error
        if not good:
            raise value
        return value

    def close(self) -> None:
        """End the processes and give the memory back; the arrays must not be used after."""
        for line in self.lines:
            line.close()
        for process in self.processes:
            process.join()
        self.lines, self.processes = [], []
        if not self.closed:
            self.closed = True
            self.memory.unlink()

    def __del__(self) -> None:
        """Close if nobody did."""
        if getattr(self, "processes", None):
            self.close()


def total(shapes: dict[str, tuple[tuple[int, ...], str]]) -> int:
    """Return how many bytes all arrays take, each from a multiple of 64 on."""
    return sum(-(-int(np.prod(shape)) * np.dtype(kind).itemsize // 64) * 64 for shape, kind in shapes.values()) + 64


def carve(memory: SharedMemory, shapes: dict[str, tuple[tuple[int, ...], str]]) -> dict[str, Array]:
    """Return the arrays in a piece of shared memory."""
    arrays, at = {}, 0
    for name, (shape, kind) in shapes.items():
        arrays[name] = np.ndarray(shape, kind, memory.buf, at)
        at += -(-arrays[name].nbytes // 64) * 64
    return arrays


def work(plan: Plan, name: str, shapes: dict[str, tuple[tuple[int, ...], str]], begin: int, end: int, line: Connection) -> None:
    """Play lanes on request, until the other end closes the pipe."""
    memory = SharedMemory(name)
    shared = carve(memory, shapes)
    try:
        engine = Engine(plan, end - begin, begin)
        line.send((True, None))
        while True:
            what, value = line.recv()
            line.send(answer(engine, shared, begin, end, what, value))
    except (EOFError, ConnectionError, KeyboardInterrupt):
        pass
    except Exception as error:  # any error is sent to the other end
        line.send((False, error))


def answer(engine: Engine, shared: dict[str, Array], begin: int, end: int, what: str, value: Any) -> tuple[bool, object]:
    """Carry out a request, and write the result into the shared arrays."""
    if what == "position":
        return True, engine.position(value)
    if what == "reset":
        engine.reset(value)
    elif what == "step":
        engine.step(shared["actions"][begin:end])
    else:
        engine.sample()
    for name, array in engine.arrays.items():
        if (name == "choices") == (what == "sample"):
            np.copyto(shared[name][begin:end], array)
    return True, None
