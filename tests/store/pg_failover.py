"""Kill the primary of PostgreSQL for good and promote its standby: `python -m tests.store.pg_failover --failovers 3 [--fault async]`.

The house names both servers in one address and goes on at whichever may be written. With `synchronous_standby_names` nothing that was
confirmed may be missing at the standby. With `--fault async` the primary confirms before the standby has anything: then events must be
seen to be lost.
"""

import argparse
import asyncio
import logging

import psycopg

from tablee.store.postgres_server import migrate_database
from tests.store.pg import PgServer
from tests.store.pg_kill import Count, run


class Pair:
    """A primary and its standby; a kill takes the primary away for good, and a start promotes the standby."""

    def __init__(self, behind: bool) -> None:
        """Start both; with `behind` the primary does not wait for the standby, whose receiver stands still."""
        self.behind = behind
        self.primary = PgServer()
        self.name = self.primary.new_database().partition("//postgres@/")[2].partition("?")[0]
        self.gone: list[PgServer] = []
        asyncio.run(migrate_database(self.primary.url(self.name)))
        self.follow()

    def follow(self) -> None:
        """Make a standby of the primary, and let every commit wait for it."""
        self.standby = Standby(self.primary)
        if self.behind:
            self.standby.stop_receiving()
        else:
            self.primary.set("synchronous_standby_names", "'*'", "*")
            with psycopg.connect(self.primary.url("postgres"), autocommit=True) as connection:
                while connection.execute("SELECT sync_state FROM pg_stat_replication").fetchone() != ("sync",):
                    connection.execute("SELECT pg_sleep(0.05)")

    def new_database(self) -> str:
        """Return the address of the database: both servers, of which the one that may be written is meant."""
        hosts = ",".join(str(server.folder) for server in (self.primary, self.standby))
        return f"postgresql://postgres@/{self.name}?host={hosts}&target_session_attrs=read-write"

    def kill(self) -> None:
        """Kill the primary without a word; it never comes back."""
        self.primary.kill()
        self.gone.append(self.primary)

    def start(self) -> None:
        """Promote the standby."""
        self.standby.promote()
        self.primary = self.standby

    def stop(self) -> None:
        """Stop and delete everything."""
        for server in {*self.gone, self.primary, self.standby}:
            server.remove()


class Standby(PgServer):
    """A server that follows another one until it is promoted."""

    def __init__(self, primary: PgServer) -> None:
        """Copy the primary and follow it."""
        self.primary = primary
        super().__init__()

    def set_up(self) -> None:
        """Copy the primary, with how to follow it."""
        self.command("pg_basebackup", "-D", str(self.data), "-h", str(self.primary.folder), "-U", "postgres", "-R", "-X", "stream", "-c", "fast")
        (self.data / "postgresql.auto.conf").open("a").write("synchronous_standby_names = ''\n")

    def stop_receiving(self) -> None:
        """Hear no more of the primary (the planted fault)."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET primary_conninfo = ''")
            connection.execute("SELECT pg_reload_conf()")
            while connection.execute("SELECT 1 FROM pg_stat_wal_receiver").fetchone():
                connection.execute("SELECT pg_sleep(0.05)")

    def promote(self) -> None:
        """Follow nobody from now on, and take writes."""
        self.command("pg_ctl", "-D", str(self.data), "promote", "-w", "-t", "600")


def main() -> None:
    """Run and say what was found; exit status 1 if anything confirmed was lost."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--failovers", type=int, default=3)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--fault", choices=["", "async"], default="")
    chosen = words.parse_args()
    logging.getLogger("psycopg").setLevel(logging.CRITICAL)  # every connection that breaks, and every one that is refused
    total = Count()
    for number in range(chosen.failovers):
        pair = Pair(behind=bool(chosen.fault))
        try:
            found = asyncio.run(run(pair, 1, chosen.seed + number))  # type: ignore[arg-type]  # killed and started like one server
        finally:
            pair.stop()
        total.kills += found.kills
        total.unknown += found.unknown
        total.confirmed |= found.confirmed
        total.wrong += found.wrong
    print(f"{total.kills} failovers, {len(total.confirmed)} confirmed, {total.unknown} outcomes read again, {len(total.wrong)} wrong")
    for line in total.wrong[:20]:
        print(line)
    raise SystemExit(1 if total.wrong else 0)


if __name__ == "__main__":
    main()
