"""Take mypyc's bounds checks out of the C of modules that are `# compiled unchecked`; setup.py and the static library both compile so."""

import re
import sys

# The C that mypyc makes for an index of a vec: is it below the length? Else the length is added, for negative ones; else IndexError is raised.
# It is written by `vec_check_and_adjust_index` in mypyc/irbuild/vec.py of mypy 2.4.1, the version that pyproject.toml pins.
BOUNDS_CHECK = re.compile(
    r"    (?P<inside>cpy_r_\w+) = \(uint64_t\)(?P<index>\S+) < \(uint64_t\)(?P<length>\S+);\n"
    r"(?:.*\n){1,16}?"
    r"    (?P<sum>cpy_r_\w+) = (?P=index) \+ (?P=length);\n"
    r"    (?P<still_inside>cpy_r_\w+) = \(uint64_t\)(?P=sum) < \(uint64_t\)(?P=length);\n"
    r"(?:.*\n){1,16}?    PyErr_SetNone\(PyExc_IndexError\);\n.*\n.*\n"
    r' +CPy_AddTraceback\("(?P<source>[^"]+)"'
)
INDEX_ERROR = re.compile(r'PyErr_SetNone\(PyExc_IndexError\);\n.*\n.*\n +CPy_AddTraceback\("([^"]+)"')


def edit_bounds(c_text: str, unchecked: set[str], keep_checks: bool) -> str:
    """Return generated C in which the named modules trust every index or, with the checks kept, refuse negative ones as well."""

    def edit_check(check: re.Match[str]) -> str:
        """Return the C of one index as it is compiled."""
        if check["source"] not in unchecked:
            return check[0]
        kept = f"{check['still_inside']} = (uint64_t){check['sum']} < (uint64_t){check['length']};"
        removed = f"{check['inside']} = (uint64_t){check['index']} < (uint64_t){check['length']};"
        if keep_checks:
            return check[0].replace(kept, f"{check['still_inside']} = 0;")
        return check[0].replace(removed, f"{check['inside']} = 1;")

    recognised = [check["source"] for check in BOUNDS_CHECK.finditer(c_text)]
    present = INDEX_ERROR.findall(c_text)
    if any(recognised.count(source) != present.count(source) for source in unchecked):
        print("the bounds checks of this mypyc are not known: every module is compiled with them", file=sys.stderr)
        return c_text
    return BOUNDS_CHECK.sub(edit_check, c_text)
