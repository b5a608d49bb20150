"""The fields of a position by name, whether its class is compiled or plain: for `==`, pickle and copies."""

import copyreg
from inspect import signature

from librt.vecs import vec
from mypy_extensions import i64

Vector = vec[i64]


def fields(thing: object) -> dict[str, object]:
    """Return every field of an object by its name."""
    names = [*getattr(type(thing), "__mypyc_attrs__", ()), *getattr(thing, "__dict__", ())]
    return {name: getattr(thing, name) for name in names}


def values(thing: object) -> tuple[object, ...]:
    """Return the values of every field in a fixed order, vectors as tuples."""
    return tuple(tuple(value) if isinstance(value, Vector | list) else value for _, value in sorted(fields(thing).items()))


def restore(kind: type[object], saved: dict[str, object]) -> object:
    """Return an object of that class with these fields.

    A compiled class cannot be made without its `__init__`, which takes fields by their names.
    """
    thing = kind(**{name: saved[name] for name in signature(kind).parameters}) if "__mypyc_attrs__" in vars(kind) else kind.__new__(kind)
    for name, value in saved.items():
        setattr(thing, name, value)
    return thing


def make_vector(numbers: list[int]) -> vec[i64]:
    """Return a vector of these numbers."""
    return vec[i64]([i64(number) for number in numbers])


def reduce_vector(vector: vec[i64]) -> tuple[object, ...]:
    """Return how pickle makes a vector again."""
    return make_vector, (list(vector),)


copyreg.pickle(type(vec[i64]([])), reduce_vector)  # type: ignore[arg-type]
