"""`tablee serve` for a load generator: few connections may send as fast as they can, which is more than a person's may."""

from tablee.cli import main
from tablee.web import socket

if __name__ == "__main__":
    socket.BURST = 1e9
    main()
