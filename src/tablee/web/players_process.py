"""`tablee players`: computer players for the houses on a database, on a host of their own or on a Ray cluster."""

import asyncio
import secrets
import signal
from typing import TYPE_CHECKING, Any

from tablee.core.errors import TableeError, needing
from tablee.web.engine_pool import SECRET_BYTES, MoveRequest, Worker
from tablee.web.engine_worker import KeptPlayers, Request
from tablee.web.logs import set_up_logs
from tablee.web.metrics import Metrics

if TYPE_CHECKING:
    from tablee.web.shared_pool import SharedPool

THINK_SECONDS = 1.0


def run_players(database: str, engines: int, ray: str, log_level: str, here: str) -> None:
    """Take what houses ask and answer it, until stopped; `here` is said once the players are ready."""
    set_up_logs(log_level)
    asyncio.run(play_for_houses(database, engines, ray, here))


async def play_for_houses(database: str, engines: int, ray: str, here: str) -> None:
    """Think until a signal comes."""
    from tablee.store.opening import is_postgres

    if not is_postgres(database):
        raise TableeError("players need the database of their houses: --database postgresql://…")
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    pool, connections = await open_pool(database, engines)
    try:
        if ray:
            pool.free = [RayWorker(cluster(ray)) for _ in range(engines)]
        await pool.warm()
        pool.begin()
        print(here, flush=True)
        await stopped.wait()
    finally:
        await pool.close()
        await connections.close()


async def open_pool(database: str, engines: int) -> "tuple[SharedPool, Any]":
    """Return players that take from the queue of a database, and the connections they use."""
    with needing("tablee players", "postgres"):
        from tablee.store.postgres_server import open_connections, require_present
        from tablee.store.postgres_thoughts import Thoughts
        from tablee.web.shared_pool import SharedPool

    await require_present(database)
    connections = await open_connections(database, most=4)
    thoughts = Thoughts(database, connections, f"players-{secrets.token_hex(8)}")
    secret = await thoughts.secret(secrets.token_bytes(SECRET_BYTES))
    return SharedPool(thoughts, engines, THINK_SECONDS, Metrics(), secret), connections


def cluster(address: str) -> Any:
    """Return Ray, connected to a cluster that is there; `local` begins one on this machine."""
    with needing("players on a cluster", "ray"):
        import ray
    if not ray.is_initialized():
        try:
            ray.init(address=address, log_to_driver=False, namespace="tablee", include_dashboard=False if address == "local" else None)
        except Exception as error:  # a cluster raises many kinds of errors, none of them ours
            raise TableeError(f"no Ray cluster answers at {address!r}: {str(error).splitlines()[0][:200]}") from error
    return ray


class RayWorker(Worker):
    """A player on a Ray cluster: an actor that keeps the players it has made."""

    def __init__(self, ray: Any) -> None:
        """Start nothing yet."""
        super().__init__()
        self.ray, self.actor = ray, None

    @property
    def running(self) -> bool:
        """Whether the actor was made."""
        return self.actor is not None

    async def start(self) -> None:
        """Make the actor, unless it is there; the cluster chooses where."""
        if self.actor is None:
            self.actor = self.ray.remote(KeptPlayers).options(num_cpus=1).remote()

    async def ask(self, request: MoveRequest, seed: int, seconds: float) -> str:
        """Return the token that the actor answers; one that died is an error like a process that ended."""
        from tablee.core.record import write_record

        await self.start()
        assert self.actor is not None
        sent = Request(seed, request.seat, request.level, seconds, write_record(request.state), request.judged)
        try:
            return str(await asyncio.wrap_future(self.actor.answer.remote(sent).future()))
        except self.ray.exceptions.RayError as error:
            raise EOFError("the actor ended") from error

    async def close(self) -> None:
        """End the actor."""
        actor, self.actor = self.actor, None
        if actor is not None:
            self.ray.kill(actor)
