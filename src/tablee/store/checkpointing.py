"""Copies the write-ahead log of an SQLite file into it, in a thread of its own, so that no commit waits for it.

SQLite would do it within a commit, once in a thousand pages: under a crowd several times a second, each time with two more waits for the disk.
"""

import threading
from collections.abc import Callable

import apsw

# From the first number of pages on, this thread copies. While somebody reads all the time the log grows on:
# from the second number on, the writer copies too.
SOON_PAGES, MOST_PAGES = 1000, 16_000


class Checkpointer:
    """A thread with its own connection to the file; its checkpoints are passive, so they block neither readers nor the writer."""

    def __init__(self, connection: apsw.Connection, met: Callable[[BaseException], None]) -> None:
        """Begin to wait; errors are told to `met`."""
        self.connection = connection
        self.met = met
        self.copied = 0
        self.due = threading.Event()
        self.closed = False
        self.thread = threading.Thread(target=self.run, name="tablee-checkpointer", daemon=True)
        self.thread.start()

    def watch(self, writer: apsw.Connection) -> None:
        """Be called with the length of the log after each commit of a writer; this switches off the writer's own checkpoints."""
        writer.set_wal_hook(self.grown)

    def grown(self, writer: apsw.Connection, name: str, pages: int) -> int:
        """Begin to copy if there is enough to copy; called by SQLite after a commit, which is on disk whatever happens here."""
        if pages < self.copied:  # the log has begun anew
            self.copied = 0
        if pages >= MOST_PAGES:
            self.copy(writer)
        elif pages - self.copied >= SOON_PAGES:
            self.due.set()
        return apsw.SQLITE_OK

    def run(self) -> None:
        """Copy whenever it is due."""
        while True:
            self.due.wait()
            self.due.clear()
            if self.closed:
                return
            self.copy(self.connection)

    def copy(self, connection: apsw.Connection) -> None:
        """Copy as far as those who read let us; what fails is tried again when the log has grown further."""
        try:
            _, self.copied = connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        except apsw.BusyError:  # somebody else copies
            return
        except apsw.Error as error:
            self.met(error)

    def close(self) -> None:
        """End the thread."""
        self.closed = True
        self.due.set()
        self.thread.join()
        self.connection.close()
