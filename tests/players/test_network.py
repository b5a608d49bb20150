"""The network: what it computes, that it learns, and that its weights come back from text."""

from math import exp, sqrt
from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.errors import TableeError
from tablee.core.network import BOLDEST, Network
from tablee.core.weights import pack, pair, sections, signs, unpack


def features(*numbers: int) -> vec[i64]:
    """Return features as the network takes them."""
    return vec[i64]([i64(number) for number in numbers])


def known() -> Network:
    """Return a network of three features whose value is easy to reckon: unit 0 adds features 0 and 1, unit 1 counts against 2."""
    network = Network(3, 8)
    weights = [0.25] + [0.5, 0.0, *[0.0] * 6] + [2.0, -1.0, *[0.0] * 6] + [0.0] * 24
    weights[17 + 0], weights[17 + 8], weights[17 + 17] = 1.0, -3.0, 1.5
    network.take(weights)
    return network


@pytest.mark.parametrize(
    ("seen", "total"),
    [((), 0.25 + 1.0), ((0,), 0.25 + 3.0), ((0, 1), 0.25), ((2,), 0.25 + 1.0 - 1.5), ((0, 2), 0.25 + 3.0 - 1.5)],
)
def test_the_value_is_the_logistic_of_the_active_units(seen: tuple[int, ...], total: float) -> None:
    assert known().value(features(*seen), len(seen)) == pytest.approx(1 / (1 + exp(-total)))


def test_no_judged_value_is_certain() -> None:
    network = Network(1, 8)
    network.take([1000.0] + [0.0] * 24)
    assert 0.999 < network.value(features(), 0) < 1.0
    network.take([-1000.0] + [0.0] * 24)
    assert 0.0 < network.value(features(), 0) < 0.001


def test_a_follower_goes_a_part_of_the_way() -> None:
    leader, follower = Network(4, 8), Network(4, 8)
    leader.scatter(5)
    follower.scatter(6)
    leader.learn(features(0, 3), 2, 1.0, 0.1)
    wanted = [0.75 * own + 0.25 * other for own, other in zip(follower.weights(), leader.weights(), strict=True)]
    follower.follow(leader, 0.25)
    assert follower.weights() == pytest.approx(wanted, abs=1e-12)
    follower.follow(leader, 1.0)
    assert follower.weights() == pytest.approx(leader.weights(), abs=1e-12)


def test_what_is_seldom_seen_is_learned_in_larger_steps() -> None:
    """A step grows by the root of how much more often than the feature anything was seen, up to a limit."""
    network = Network(2, 8)
    network.scatter(5)
    for _ in range(48):
        network.learn(features(0), 1, 0.5, 0.0)
    before = network.weights()
    network.learn(features(0, 1), 2, 1.0, 0.01)
    often, seldom = ([after - old for old, after in zip(before, network.weights(), strict=True)][at : at + 8] for at in (17, 25))
    assert any(often)
    assert seldom == pytest.approx([BOLDEST * step for step in often])
    for _ in range(12):
        network.learn(features(0, 1), 2, 0.5, 0.0)
    before = network.weights()
    network.learn(features(0, 1), 2, 0.0, 0.01)
    often, seldom = ([after - old for old, after in zip(before, network.weights(), strict=True)][at : at + 8] for at in (17, 25))
    assert any(often)
    assert seldom == pytest.approx([sqrt(62 / 14) * step for step in often])


def test_learning_follows_the_slope_of_the_error() -> None:
    """One step changes every weight by rate times minus the derivative of the cross entropy, taken here by differences."""
    network = Network(4, 8)
    network.scatter(5)
    weights, seen, target, rate, small = network.weights(), features(0, 3), 0.9, 0.01, 1e-5
    from math import log

    def error(at: int, change: float) -> float:
        twin = Network(4, 8)
        twin.take([weight + change * (n == at) for n, weight in enumerate(weights)])
        value = twin.value(seen, 2)
        return -target * log(value) - (1 - target) * log(1 - value)

    slopes = [(error(at, small) - error(at, -small)) / (2 * small) for at in range(len(weights))]
    network.learn(seen, 2, target, rate)
    changes = [after - before for before, after in zip(weights, network.weights(), strict=True)]
    assert changes == pytest.approx([-rate * slope for slope in slopes], abs=1e-8)


def test_it_learns_what_no_single_feature_tells() -> None:
    network = Network(2, 16)
    network.scatter(1)
    cases = [((), 0.0), ((0,), 1.0), ((1,), 1.0), ((0, 1), 0.0)]
    for _ in range(4000):
        for seen, target in cases:
            network.learn(features(*seen), len(seen), target, 0.05)
    assert [round(network.value(features(*seen), len(seen))) for seen, _ in cases] == [0, 1, 1, 0]


def test_weights_come_back_from_text() -> None:
    network = Network(40, 16)
    network.scatter(7)
    text = "# a comment\n" + pack("one", known()) + "# another\n" + pack("two", network) + "# a last\n"
    assert unpack(sections(text), "one", 3).weights() == unpack(sections(pack("one", known())), "one", 3).weights()
    back = unpack(sections(text), "two", 40)
    assert back.weights() == pytest.approx(network.weights(), abs=0.0003)
    assert pack("two", back) == pack("two", unpack(sections(pack("two", back)), "two", 40))
    assert max(map(len, text.splitlines())) <= 128


@pytest.mark.parametrize(
    ("text", "name", "size"),
    [
        ("", "one", 3),
        (pack("one", known()), "two", 3),
        (pack("one", known()), "one", 4),
        (pack("one", known())[:-9], "one", 3),
        (pack("one", known()).replace("A", "!"), "one", 3),
        ("[one 3 8 0.1]", "one", 3),
        ("[one 3 7 0.1 0.1]", "one", 3),
    ],
)
def test_a_broken_section_is_refused(text: str, name: str, size: int) -> None:
    with pytest.raises(TableeError):
        unpack(sections(text), name, size)


def test_a_head_without_sizes_is_told_without_what_follows() -> None:
    with pytest.raises(TableeError, match="one") as refusal:
        unpack(sections("[one]\nABCDEFGH\n"), "two", 3)
    assert "ABCDEFGH" not in str(refusal.value)


def test_a_network_of_no_size_is_refused() -> None:
    for size, hidden in ((0, 8), (3, 0), (3, 12)):
        with pytest.raises(ValueError, match="no network"):
            Network(size, hidden)


def eighths(hidden: int, seed: int) -> list[int]:
    """Return the weights of a network of 40 features in eighths, the least and the most among the inner ones."""
    random = Random(seed)
    few = [random.randint(-9, 9) for _ in range(1 + 2 * hidden)]
    return [*few, -2048, 2047, *(random.randint(-2048, 2047) for _ in range(40 * hidden - 2))]


def plain_and_quantised(hidden: int, seed: int) -> tuple[Network, Network]:
    """Return the same network twice: with exact weights, as they are learned, and with quantised ones, as they are read from a file."""
    plain, quantised = Network(40, hidden), Network(40, hidden)
    plain.take([number / 8 for number in eighths(hidden, seed)])
    quantised.take_steps(signs("".join(map(pair, eighths(hidden, seed)))), 1 / 8, 1 / 8)
    return plain, quantised


@pytest.mark.parametrize("hidden", [8, 16, 24, 32, 96])
def test_a_quantised_network_sees_the_same(hidden: int) -> None:
    random = Random(hidden)
    plain, quantised = plain_and_quantised(hidden, 1)
    assert quantised.weights() == plain.weights()
    for n in (0, 1, 2, 30, 512, 513):
        seen = features(*(random.randrange(40) for _ in range(n)))
        assert quantised.total(seen, n) == pytest.approx(plain.total(seen, n), rel=1e-12, abs=1e-9)
    least = features(*[0] * 512)
    assert quantised.total(least, 512) == pytest.approx(plain.total(least, 512), rel=1e-12)


@pytest.mark.parametrize("sign", [1, -1])
def test_quantising_moves_a_sum_by_half_a_step_at_most_and_learning_goes_on_from_the_exact_weights(sign: int) -> None:
    random = Random(5)
    inner = [sign * random.uniform(-0.8, 1.0) for _ in range(40 * 16)]
    step = max(map(abs, inner)) / 2047
    largest = 0.0
    for unit in range(16):
        outer = [float(h == unit) for h in range(16)]
        quantised, exact = Network(40, 16), Network(40, 16)
        for network in (quantised, exact):
            network.take([0.1, *[1.1] * 16, *outer, *inner])
        quantised.quantise()
        for feature in range(40):
            largest = max(largest, abs(quantised.total(features(feature), 1) - exact.total(features(feature), 1)))
        for network in (quantised, exact):
            network.learn(features(3, 4, 39), 3, 1.0, 0.0001)
        assert quantised.weights() == exact.weights()
    assert 0.4 * step < largest < 0.501 * step


@pytest.mark.parametrize("bias", [1e9, -1e9, 1e300])
def test_a_huge_bias_is_cut_and_nothing_overflows(bias: float) -> None:
    network = Network(4, 8)
    network.take([0.0, *[bias] * 8, *[1.0] * 8, *[0.001] * 32])
    network.quantise()
    assert network.value(features(1, 2), 2) == pytest.approx(0.5 if bias < 0 else 1.0, abs=1e-5)


@pytest.mark.parametrize(("seen", "n"), [((0, 3), 2), ((-1,), 1), ((0, 1), 3), ((0,), -1), ((2**62,), 1), ((-(2**63),), 1)])
def test_features_outside_the_network_are_refused(seen: tuple[int, ...], n: int) -> None:
    exact, quantised = known(), known()
    quantised.quantise()
    for network in (exact, quantised):
        with pytest.raises(IndexError, match="feature"):
            network.value(features(*seen), n)
        with pytest.raises(IndexError, match="feature"):
            network.learn(features(*seen), n, 1.0, 0.1)


def test_a_network_of_another_size_is_not_followed() -> None:
    for other in (Network(5, 8), Network(4, 16)):
        with pytest.raises(ValueError, match="cannot follow"):
            Network(4, 8).follow(other, 0.5)


def test_a_network_with_zero_weights_is_not_quantised() -> None:
    network = Network(4, 8)
    network.quantise()
    assert network.value(features(1, 2), 2) == 0.5


def test_every_change_of_the_weights_ends_quantising() -> None:
    for change in ("learn", "follow", "take", "scatter"):
        plain, quantised = plain_and_quantised(16, 2)
        for network in (plain, quantised):
            before = network.total(features(3, 4), 2)
            if change == "learn":
                network.learn(features(3, 4), 2, 1.0, 0.5)
            elif change == "follow":
                network.follow(plain_and_quantised(16, 3)[0], 0.5)
            elif change == "take":
                network.take(plain_and_quantised(16, 4)[0].weights())
            else:
                network.scatter(7)
            assert network.total(features(3, 4), 2) != before
        assert quantised.total(features(3, 4), 2) == plain.total(features(3, 4), 2)


@pytest.mark.parametrize("step", [0.0, -1.0, float("nan")])
def test_a_quantisation_step_of_nothing_is_refused(step: float) -> None:
    with pytest.raises(ValueError, match="quantisation step"):
        Network(40, 8).take_steps(signs("".join(map(pair, eighths(8, 1)))), 1 / 8, step)


@pytest.mark.parametrize("count", [0, 1, 336, 339, 400])
def test_another_number_of_weights_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match="do not fit the network: expected 337"):
        Network(40, 8).take_steps(signs(pair(0) * count), 1 / 8, 1 / 8)
