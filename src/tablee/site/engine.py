"""The compiled modules as WebAssembly: mypyc writes the C, clang of the package `ziglang` compiles it against Debian's headers.

No emsdk is needed and nothing is installed. Where a part is missing, the browser runs the plain source: right, only slower.
The result is trusted by tests alone: equal digests of random games, and `check_game` under node.
"""

import ast
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from tablee.core.errors import TableeError
from tablee.site.generate import GROUP, SUFFIX
from tablee.site.headers import Headers, headers
from tablee.site.pyodide import facts, pip_download
from tablee.site.tools import CannotBuild, key_of, once, run

PACKAGE = Path(__file__).parents[1]
ZIG = "0.15.2"
FIRST_LINES = ("# compiled\n", "# compiled unchecked\n")
# What no browser runs.
LEFT_OUT = ("gym",)
FLAGS = (
    "-target", "wasm32-emscripten", "-fPIC", "-O2", "-nostdinc", "-D__EMSCRIPTEN__", "-DNDEBUG", "-fwrapv", "-ffp-contract=off",
    "-fno-sanitize=undefined", "-fvisibility=hidden", "-mno-extended-const", "-w",
)  # fmt: skip
# What every browser with WebAssembly modules and Node.js 20 understand.
FEATURES = "mutable-globals,sign-ext,bulk-memory,bulk-memory-opt,nontrapping-fptoint,multivalue,reference-types,call-indirect-overlong"
LINK = ("wasm-ld", "-shared", "--experimental-pic", "--unresolved-symbols=import-dynamic", "--no-entry", "--strip-all", f"--features={FEATURES}")


@dataclass(frozen=True, slots=True)
class Engine:
    """The compiled modules as a tree of files beside their sources, or why there is none."""

    folder: Path | None
    why: str = ""


def engine(work: Path) -> Engine:
    """Return the compiled engine, made anew only if its sources changed; without a part of the recipe, say which."""
    try:
        return Engine(build_engine(work))
    except (TableeError, OSError, StopIteration) as error:
        return Engine(None, str(error) or "a downloaded package does not hold what it should")


def build_engine(work: Path) -> Path:
    """Return the folder of compiled modules."""
    modules = compiled_modules()
    if find_spec("mypyc") is None:
        raise CannotBuild("mypyc is missing, which writes the engine's C: pip install 'mypy[mypyc]'")
    text = [PACKAGE.parent / module for module in needed(modules)]
    key = key_of(*map(str, modules), *text, *(Path(__file__).with_name(name) for name in ("generate.py", "bounds.py")))
    c = once(work / "c", key, lambda out: write_c(out, modules))
    files = sorted(path for path in c.rglob("*.[ch]") if "cache" not in path.parts)

    def compile_all(folder: Path) -> None:
        """Compile the group, and the small module of each source that opens it."""
        compiler = Compiler(zig(work), headers(work, facts(work)), c, folder)
        compiler.module(c / f"__native_{GROUP}.c", Path(f"{GROUP}__mypyc"))
        for module in modules:
            compiler.module(c / module.with_suffix(".c"), module.with_suffix(""))
        for rest in folder.glob("*.o"):
            rest.unlink()

    return once(work / "engine", key_of(*FLAGS, *LINK, ZIG, *files), compile_all)


def compiled_modules() -> list[Path]:
    """Return the sources that are compiled for the browser, as paths like tablee/core/bits.py."""
    sources = (path for path in sorted(PACKAGE.rglob("*.py")) if path.relative_to(PACKAGE).parts[0] not in LEFT_OUT)
    return [path.relative_to(PACKAGE.parent) for path in sources if path.read_text(encoding="utf-8").startswith(FIRST_LINES)]


def needed(modules: Sequence[Path]) -> list[Path]:
    """Return these sources and all of ours that they import, directly or not: what the C depends on."""
    known: set[Path] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in known:
            known.add(module)
            waiting += [path for path in imports(module) if (PACKAGE.parent / path).is_file()]
    return sorted(known)


def imports(module: Path) -> Iterator[Path]:
    """Give where the modules that a source imports would be."""
    for node in ast.walk(ast.parse((PACKAGE.parent / module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tablee"):
            path = Path(*node.module.split("."))
            yield from (path.with_suffix(".py"), path / "__init__.py", *(path / f"{name.name}.py" for name in node.names))


def write_c(out: Path, modules: Sequence[Path]) -> None:
    """Let mypyc write the C, in a process of its own and from a copy of the sources: one in site-packages would not be looked at."""
    copy = out / "source"
    for module in needed(modules):
        for package in (copy / module).relative_to(copy).parents:
            (copy / package).mkdir(parents=True, exist_ok=True)
            if package != Path():
                shutil.copyfile(PACKAGE.parent / package / "__init__.py", copy / package / "__init__.py")
        shutil.copyfile(PACKAGE.parent / module, copy / module)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(PACKAGE.parent), *sys.path[1:]]), "MYPYPATH": ""}
    run([sys.executable, "-P", Path(__file__).with_name("generate.py"), out.absolute(), *modules], "mypyc cannot write the engine's C", copy, env)


def zig(work: Path) -> Path:
    """Return the compiler of the package `ziglang`: the one installed, or one downloaded at most once."""
    package = find_spec("ziglang")
    if package and package.origin:
        return Path(package.origin).parent / "zig"

    def fetch(folder: Path) -> None:
        """Let pip download the wheel and unpack it."""
        pip_download(folder, ["--only-binary", ":all:", "--no-deps", f"ziglang=={ZIG}"])
        wheel = next(folder.glob("*.whl"))
        shutil.unpack_archive(wheel, folder, "zip")
        wheel.unlink()
        (folder / "ziglang" / "zig").chmod(0o755)

    return once(work / "zig", ZIG, fetch) / "ziglang" / "zig"


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler with its headers, the folder of the C and the folder of what becomes of it."""

    program: Path
    headers: Headers
    c: Path
    out: Path

    def module(self, source: Path, name: Path) -> None:
        """Compile one file of C to one module that Python can open."""
        target = self.out / f"{name}{SUFFIX}"
        target.parent.mkdir(parents=True, exist_ok=True)
        half = self.out / f"{name.name}.o"
        places: list[str | Path] = ["-I", self.headers.python, "-I", self.headers.python / "internal", "-I", runtime(), "-I", self.c]
        for place in (self.program.parent / "lib" / "include", *self.headers.system):
            places += ["-isystem", place]
        self.call("cc", "-c", *FLAGS, *places, source, "-o", half)
        self.call(*LINK, f"--export=PyInit_{name.name}", half, "-o", target)

    def call(self, *words: str | Path) -> None:
        """Run the compiler with a cache of its own."""
        cache = str((self.out.parent / "zig-cache").absolute())
        env = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache}
        run([self.program, *words], "clang cannot compile the engine for the browser", env=env)


def runtime() -> Path:
    """Return the folder of mypyc's own C."""
    package = find_spec("mypyc")
    if package is None or package.origin is None:
        raise CannotBuild("mypyc is missing, which writes the engine's C: pip install 'mypy[mypyc]'")
    return Path(package.origin).parent / "lib-rt"


if __name__ == "__main__":
    made = engine(Path("build/site"))
    print(made.folder or made.why)
