"""Commands: read from frames and forms, told apart from resends, and offered to those who may give them."""

from random import Random

import msgspec
import pytest

from tablee.tables.allowed import allowed, candidates, is_allowed
from tablee.tables.commands import (
    PUBLIC,
    TAGS,
    Abandon,
    Answer,
    Command,
    Contribute,
    Draw,
    Fill,
    Leave,
    Play,
    PublicCommand,
    Rematch,
    Replace,
    Resign,
    Say,
    ShowHint,
    Sit,
    Start,
    TakeBack,
    Text,
    Unreadable,
    command_digest,
    command_of_form,
    read_command,
    read_sit,
    tag_of,
)
from tablee.tables.door import HANDLERS, handle
from tablee.tables.refused import Refused
from tablee.tables.tokens import Actor
from tablee.tables.values import Ask
from tests.tables.company import Company

# Digests as they stand in logs written before commands were structs.
ON_DISK: list[tuple[Command, str]] = [
    (Sit(1, "Ana", "B" * 43, "00" * 16, move_id="m"), "112ee902ff850b80ddbecdaaa3e19763bf4963118ee434977f000b91043737b6"),
    (Leave(1, move_id="m"), "4098fe3283a085baba013ed688feb2e83406e3244032afef2d11360054feae8a"),
    (Replace(1, "3", move_id="m"), "c7987b848474b6a793e287cf11815e904693cc0d6c343cb2ec309ee41aacf182"),
    (Contribute(0, "00" * 16, move_id="m"), "418e273ec3e9efe368c990a53917df5ae4ddc699ecadd236fcd7fd538746dc05"),
    (Start(move_id="m"), "46eb88f3ab187a16bfe30bc3c3615359844506b546955a0af39e09eb3fc52221"),
    (Play(0, ("a6b6", "a7b7"), 7, move_id="m"), "00692e2932be52161282222ab0e407e5e847bd4327b97cb28e84adf46a0e372a"),
    (TakeBack(0, move_id="m"), "03c5974c66eb290c0445903a9af14029cfe784568b2aeaf544364b00a9d15347"),
    (Draw(0, move_id="m"), "2e244d717c723ba25834da3ac2ac3acb7b15ff36ad6697e879471681df609145"),
    (Abandon(0, move_id="m"), "e3d5785c6bb76d5c1b5b723e48e16c2f469b094d58e3a0124f74146ff49a9a09"),
    (Text(0, move_id="m"), "cccfd16e88f322be4146e7656cb487bddffe784583c1326ec77c4c4b8b129f4d"),
    (Rematch(0, move_id="m"), "8bd32c2cc243e697ce507a6c667db4316f0d932cc46814da735ee3730fd4c076"),
    (Answer(0, Ask.DRAW, True, move_id="m"), "7aab7ea153c833e81ad27d909ed172a41dee76f31c0d2dc72a9b86cde57936fd"),
    (Resign(0, move_id="m"), "82d32651c2a14ee9526f9c523dd1d70c67c23c44a3f5f4cecadff19736288d6a"),
    (ShowHint(0, ("a6b6",), move_id="m"), "56405aeea9a56e0d1122187a4a4fcd8d8578f0f4556f519795239229efd874c4"),
    (Say(0, "hello", move_id="m"), "bffd6b5dc9d85fcdef673f357b3dedf2d62f9f3ba83744855e7e3370c4b77fe1"),
]

EXAMPLES: list[tuple[dict[str, str], PublicCommand]] = [
    ({"t": "play", "tokens": "a6b6  a7b7", "seat": "0", "seq": "7", "move_id": "m"}, Play(0, ("a6b6", "a7b7"), 7, move_id="m")),
    ({"t": "take_back", "seat": "1", "move_id": ""}, TakeBack(1)),
    ({"t": "answer", "seat": "1", "what": "draw", "yes": "true"}, Answer(1, Ask.DRAW, True)),
    ({"t": "answer", "seat": "1", "what": "take_back", "yes": "false"}, Answer(1, Ask.TAKE_BACK, False)),
    ({"t": "abandon"}, Abandon()),
    ({"t": "fill", "level": "3"}, Fill("3")),
    ({"t": "say", "seat": "0", "text": "salut"}, Say(0, text="salut")),
]


@pytest.mark.parametrize(("command", "digest"), ON_DISK, ids=[type(command).__name__ for command, _ in ON_DISK])
def test_a_resend_of_a_command_on_disk_is_recognised(command: Command, digest: str) -> None:
    assert command_digest(command, Actor(("A" * 43,))) == digest


@pytest.mark.parametrize(("fields", "command"), EXAMPLES, ids=[fields["t"] for fields, _ in EXAMPLES])
def test_a_form_and_a_frame_give_the_same_command(fields: dict[str, str], command: PublicCommand) -> None:
    assert command_of_form(fields) == command
    assert read_command(msgspec.json.encode(command)) == command


def test_every_command_has_a_handler_and_its_own_tag() -> None:
    assert set(HANDLERS) == set(Command.__subclasses__())
    assert len(set(TAGS)) == len(PUBLIC)


@pytest.mark.parametrize("name", ["show_hint", "dismiss", "tick", "resume", "expire"])
def test_what_the_house_alone_does_cannot_be_sent(name: str) -> None:
    assert name in {tag_of(command.__name__) for command in HANDLERS}
    with pytest.raises(Unreadable, match="Invalid value"):
        read_command(f'{{"t":"{name}","seat":0}}')
    with pytest.raises(Unreadable):
        command_of_form({"t": name, "seat": "0"})


@pytest.mark.parametrize("move_id", ["", "x" * 65, "a b", "é"])
def test_a_move_id_has_one_to_64_plain_characters(move_id: str) -> None:
    fields = {"t": "start", "move_id": move_id}
    with pytest.raises(Unreadable, match="move_id"):
        read_command(msgspec.json.encode(fields))
    with pytest.raises(Unreadable, match="move_id"):
        read_sit(msgspec.json.encode({"move_id": move_id}))
    if move_id:  # an empty field of a form is one that is not there
        with pytest.raises(Unreadable, match="move_id"):
            command_of_form(fields)
    company = Company()
    with pytest.raises(Refused) as found:
        company.do("Olga", Fill(move_id=move_id))
    assert found.value.code == "unreadable"


def test_a_line_end_is_no_part_of_a_move_id() -> None:
    """A pattern of JSON Schema lets it through in Python; the table does not."""
    with pytest.raises(Refused) as refused:
        Company().do("Olga", Fill(move_id="m\n"))
    assert refused.value.code == "unreadable"


def test_the_longest_move_id_is_taken() -> None:
    assert read_command(msgspec.json.encode({"t": "start", "move_id": "x" * 64})).move_id == "x" * 64


@pytest.mark.parametrize("body", ["", "{}", '{"t":"dance"}', '{"t":"draw"}', '{"t":"draw","seat":"0"}', '{"t":"draw","seat":0,"more":1}', "[" * 5000])
def test_what_is_no_command_is_unreadable(body: str) -> None:
    with pytest.raises(Unreadable):
        read_command(body)


def test_an_empty_seat_is_filled_only_by_those_at_the_table() -> None:
    company = Company()
    with pytest.raises(Refused) as stranger:
        company.do("Mallory", Fill())
    assert stranger.value.code == "token"
    company.do("Ana", Sit(0, "Ana"))
    company.do("Ana", Fill())
    with pytest.raises(Refused) as full:
        company.do("Ana", Fill())
    assert full.value.code == "phase"


@pytest.mark.parametrize("slug", ["traboulet", "tabale", "tabaijana", "tablan", "tabu"])
@pytest.mark.parametrize("names", [("Ana", "Ben"), ("Ana", "1"), ("Ana", "Ana")], ids="-".join)
def test_what_is_offered_is_what_is_carried_out(slug: str, names: tuple[str, str]) -> None:
    """Whatever `allowed` offers, `handle` does; whatever it leaves out, `handle` refuses."""
    company = Company(slug, seats=2).seated(*names)
    random = Random(5)
    compare(company)
    for _ in range(12):
        company.wander(random.randrange(1000), most=3)
        compare(company)
        if company.table.phase == "playing" and random.random() < 0.5:
            name = random.choice(["Ana", "Ben"])
            offered = [one for one in allowed(company.table, company.who(name)) if isinstance(one, TakeBack | Draw | Abandon)]
            if offered:
                company.do(name, random.choice(offered))
                compare(company)


def compare(company: Company) -> None:
    """Hold what is offered to everybody against what is done."""
    for name in ("Ana", "Ben", "Olga", "Mallory"):
        actor = company.who(name)
        offered = allowed(company.table, actor)
        for command in candidates(company.table, company.table.held_by(actor)):
            try:
                handle(company.table, command, actor, company.now)
                done = True
            except Refused:
                done = False
            assert done == is_allowed(company.table, command, actor) == (command in offered), (name, command)
