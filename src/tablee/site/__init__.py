"""The library as static files: Pyodide, the engine in WebAssembly and the application as one archive."""

from tablee.site.python import Built, build_python
from tablee.site.tools import CannotBuild

__all__ = ["Built", "CannotBuild", "build_python"]
