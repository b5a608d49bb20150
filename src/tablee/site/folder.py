"""The whole site as a folder of files: shell, workers, service worker, manifest, icons, the scripts of the pages, Python and the application."""

import hashlib
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from tablee import __version__, catalog
from tablee.core.errors import TableeError, needing, shown
from tablee.core.words import LANGUAGES, load_words
from tablee.site.prints import write_prints
from tablee.site.python import WORK, Built, make_python
from tablee.site.tools import one_at_a_time

LOCAL = Path(__file__).parents[1] / "local"
WEB = Path(__file__).parents[1] / "web"
PYTHON = "python"
# The handbook is read from the host: a browser does not keep it.
DOCS = "docs"
# Told by `files.json` and the service worker themselves, or read before there is one.
NOT_KEPT = ("sw.js", "files.json", "robots.txt")
# Scripts of the pages that only a house in a browser has.
PAGE_SCRIPTS = ("socket.js", "frame.js", "elsewhere.js", "gamesfile.js", "handover.js")
# The pictures beside links in a chat are read by the chat's server.
NOT_IN_A_TAB = "preview-*.png"
ICONS = {"32": "any", "192": "any", "512": "any", "maskable-512": "maskable"}
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".wasm": "application/wasm",
    ".pdf": "application/pdf",
    ".zip": "application/zip",
}
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; frame-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'"
)
# A document makes no script of text, and begins workers of this site only; the house worker, which has no document, begins the player worker.
TRUSTED = "; require-trusted-types-for 'script'; trusted-types tablee"


@dataclass(frozen=True)
class Site:
    """What was written: its folder, the version that names its cache, the bytes that a browser keeps, and what Python was built."""

    folder: Path
    version: str
    size: int
    python: Built


def write_site(
    folder: Path,
    *,
    work: Path = WORK,
    plugins: Sequence[str] = (),
    compiled: bool = True,
    house: str = "",
    waits: Callable[[], object] = lambda: None,
) -> Site:
    """Write the site into a folder, which any host of files may serve under any path.

    `house` is a house with a server to point to; `waits` is called once if another build is running; then this one waits for it.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / "sw.js").exists():
        raise TableeError(f"{shown(str(folder))} holds other files: choose an empty folder, or one that holds a site already")
    with needing("a site", "web"):  # before the minutes that the rest takes
        import_module("tablee.web.pages")
    with one_at_a_time(work, waits):
        return make_site(folder, work, plugins, compiled=compiled, house=house)


def make_site(folder: Path, work: Path, plugins: Sequence[str], *, compiled: bool, house: str) -> Site:
    """Write the site; the caller holds the lock of `work`."""
    folder.mkdir(parents=True, exist_ok=True)
    built = make_python(folder / PYTHON, work, plugins, compiled=compiled)
    shutil.copytree(LOCAL / "static", folder, dirs_exist_ok=True)
    shutil.copytree(WEB / "static", folder / "app" / "static", dirs_exist_ok=True, ignore=shutil.ignore_patterns(NOT_IN_A_TAB))
    for script in PAGE_SCRIPTS:
        (folder / script).replace(folder / "app" / "static" / script)
    write_pages(folder)
    write_manifest(folder)
    write_handbook(folder / DOCS)
    write_prints(folder / "app" / "static" / "print", work, plugins)
    (folder / "site.json").write_text(json.dumps({"house": house.rstrip("/")}), encoding="utf-8")
    return named(folder, built)


def write_pages(folder: Path) -> None:
    """Write the page of the shell, with the first board drawn beforehand, and the page for what is not kept."""
    with needing("a site", "web"):
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
        from markupsafe import Markup

        from tablee.web.pages import as_json
        from tablee.web.shelf import draw_board, middle
    words = {language: load_words("tablee.local", "locale", "", language) for language in LANGUAGES}
    first = next(iter(catalog.kinds()))
    templates = Environment(loader=FileSystemLoader(LOCAL / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    facts = {
        **words,
        "policy": POLICY + TRUSTED,
        "sentences": as_json({language: say.sentences for language, say in words.items()}),
        "board": Markup(draw_board(catalog.kind(first), middle(first).scene("en"))),
        "base": "",
    }
    (folder / "index.html").write_text(templates.get_template("shell.html").render(facts), encoding="utf-8")
    (folder / "offline.html").write_text(templates.get_template("offline.html").render(facts), encoding="utf-8")


def write_handbook(folder: Path) -> None:
    """Write the handbook, which the foot of every page leads to."""
    with needing("a site", "web"):
        from tablee.web import handbook_site
    folder.mkdir(exist_ok=True)
    handbook_site.write_site(folder)


def write_manifest(folder: Path) -> None:
    """Write what a browser reads to install the site."""
    words = load_words("tablee.local", "locale", "", "en")
    manifest = {
        "name": words("site"),
        "short_name": words("site"),
        "description": words("description"),
        "id": "./",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "theme_color": "#f6f0e4",
        "background_color": "#f6f0e4",
        "categories": ["games"],
        "icons": [
            {"src": f"icons/{name}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
            for name, purpose in ICONS.items()
            for size in [name.rpartition("-")[2]]
        ],
    }
    (folder / "manifest.webmanifest").write_text(json.dumps(manifest, ensure_ascii=False, indent=1), encoding="utf-8")


def named(folder: Path, built: Built) -> Site:
    """Write the list of the files and its version into `files.json` and the service worker."""
    paths = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    kept = [path for path in paths if path not in NOT_KEPT and not path.startswith(f"{DOCS}/")]
    files = {path: ((folder / path).stat().st_size, headers(path)) for path in kept}
    worker = (LOCAL / "static" / "sw.js").read_text(encoding="utf-8")
    digest = hashlib.sha256(worker.encode())
    for path in kept:
        digest.update(path.encode() + b"\0" + hashlib.sha256((folder / path).read_bytes()).digest())
    digest.update(json.dumps(files).encode())
    version = f"{__version__}-{digest.hexdigest()[:12]}"
    (folder / "sw.js").write_text(worker.replace("{version}", version).replace('{ "{files}": [0, {}] }', json.dumps(files)), encoding="utf-8")
    total = sum(size for size, _ in files.values())
    (folder / "files.json").write_text(json.dumps({"version": version, "total": total, "files": files}), encoding="utf-8")
    return Site(folder, version, total, built)


def headers(path: str) -> dict[str, str]:
    """Return the headers that a browser keeps a file under, since a host of files gives none of ours."""
    policy = f"{POLICY}; frame-ancestors 'self'{TRUSTED if path.endswith('.html') else ''}"
    kind = TYPES.get(Path(path).suffix, "application/octet-stream")
    return {"content-type": kind, "content-security-policy": policy, "x-content-type-options": "nosniff", "referrer-policy": "same-origin"}
