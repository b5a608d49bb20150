"""A house on a disk of three megabytes in memory, which it alone sees; exit code 3 where no such disk can be made."""

import ctypes
import subprocess
import sys

from tablee.cli import main

NEW_MOUNTS = 0x00020000
SIZE = "3m"


def small_disk(folder: str) -> bool:
    """Mount a small disk at a folder, for this process alone."""
    if ctypes.CDLL(None).unshare(NEW_MOUNTS):
        return False
    private = ["mount", "--make-rprivate", "/"]
    small = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", folder]
    return all(subprocess.run(words, capture_output=True, check=False).returncode == 0 for words in (private, small))


if __name__ == "__main__":
    if not small_disk(sys.argv[sys.argv.index("--data") + 1]):
        print("no disk of its own can be made here")
        sys.exit(3)
    main()
