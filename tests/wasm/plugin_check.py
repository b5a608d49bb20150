"""What runs in the Python of the browser: a random game of a plug-in."""

from random import Random

from tablee.catalog import kinds
from tablee.core.game import choose

shelf = kinds()
awale = choose(shelf["awale"])
random = Random(1)
state = awale.start(random.randrange)
while not state.over and state.steps < 500:
    state = state.play(random.choice(state.legal()))
found = {"shelf": list(shelf), "moves": state.steps, "rules": shelf["awale"].text("rules.fr.md")}
