"""The names of our games in Gymnasium; `import tablee.gym` registers them."""

from tablee.catalog import OURS

VERSION = 1


def register_all() -> None:
    """Register `tablee/Traboulet-v1` and the others, once; no game is loaded before it is made."""
    from gymnasium.envs.registration import register, registry

    for slug in OURS:
        name = gym_name(slug)
        if name not in registry:
            register(
                id=name,
                entry_point="tablee.gym.one_seat:SeatEnv",
                vector_entry_point="tablee.gym.vector_env:vector",
                kwargs={"slug": slug},
                disable_env_checker=True,
                order_enforce=False,
            )


def gym_name(slug: str) -> str:
    """Return the name of a game in Gymnasium."""
    return f"tablee/{slug.capitalize()}-v{VERSION}"
