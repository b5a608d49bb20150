"""A table as a page: readable and playable without JavaScript, which only makes it livelier."""

from fastapi import APIRouter
from markupsafe import Markup
from msgspec.json import encode
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tablee.core.errors import TableeError
from tablee.core.record import split
from tablee.core.state import Over, State
from tablee.locale import words as door_words
from tablee.tables.commands import Play, Sit
from tablee.tables.events import write_log
from tablee.tables.record import write_table_record
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.telling import happened, sign
from tablee.tables.terms import Terms
from tablee.tables.tokens import Actor
from tablee.tables.values import OVER, WAITING
from tablee.tables.view import preview, view
from tablee.web.doing import carry_out
from tablee.web.guard import sender
from tablee.web.house import Live
from tablee.web.levels import middle
from tablee.web.orders import Order
from tablee.web.pages import address, as_json, house_of, keeping, page, qr_code, read_form, see_other, whole, with_carte
from tablee.web.seen import seen
from tablee.web.shelf import card, draw_board
from tablee.web.shelf_pages import open_for
from tablee.web.table_lines import waits_for_all
from tablee.web.visitors import Visitor, read_visitor
from tablee.web.words import page_words

# What the page's script says by itself.
SCRIPT_SENTENCES = (
    "connection lost",
    "connection back",
    "thinking",
    "why",
    "you",
    "your move",
    "agree",
    "decline",
    "other game",
    "odds of",
    "hinted",
    "score label",
    "result title",
    "replay",
    "nav verify",
    "match",
    "looking back",
    "back to now",
    "how many",
    "which action",
    "for whom",
    "not from here",
    "cell empty",
    "cell lit",
    "sure",
    "sending",
)
# Orders that stand beside the question; the others are in the drawer.
QUICK = ("take_back", "hint", "rematch", "start")
STATUS = {"token": 403, "rules": 422, "turn": 409, "stale": 409, "again": 422, "unreadable": 422, "time": 409, "phase": 409, "limit": 429}

router = APIRouter(include_in_schema=False, prefix="/t/{table_id}")


async def found(request: Request, table_id: str) -> tuple[Live, Visitor, Actor]:
    """Return a table and its visitor, who must be allowed to look at it."""
    live = await house_of(request).live(table_id)
    visitor = read_visitor(request)
    actor = visitor.actor(live.table.match.id)
    if not live.table.may_watch(actor):
        raise Refused("token", "no watching")
    return live, visitor, actor


@router.get("")
async def show_table(request: Request, table_id: str) -> Response:
    """Show the table."""
    live, visitor, actor = await found(request, table_id)
    return table_page(request, live, visitor, actor)


def table_page(
    request: Request, live: Live, visitor: Visitor, actor: Actor, status: int = 200, refusal: list[dict[str, str]] | None = None, typed: str = ""
) -> Response:
    """Return the page of a table as its visitor sees it."""
    table, language = live.table, visitor.language
    shown = seen(live, actor, language, house_of(request).clock())
    words, doors = page_words(language), door_words(language)
    state = table.state or preview(table)
    scene = state.scene(language)
    legal = [one for one in shown["legal"] if isinstance(one, dict)] if isinstance(shown["legal"], list) else []
    kind = table.game.kind
    return page(
        request,
        "table.html",
        status,
        card=card(table.game.slug, language),
        table_id=table.id,
        view=shown,
        view_json=as_json(shown),
        sentences_json=as_json({key: words.sentences[key] for key in SCRIPT_SENTENCES}),
        board=Markup(draw_board(kind, scene)),
        refusal=refusal or [],
        typed=typed,
        legal=legal,
        buttons=[one for one in legal if "button" in one],
        acting=legal[0]["seat"] if legal else 0,
        waits=table.phase != OVER and not legal,
        may_sit=waits_for_all(table),
        invitations=invitation_links(request, shown, words("qr label")),
        phrases=[{"key": key, "label": doors(f"phrase {key}")} for key in phrase_keys(shown)],
        chosen_options=chosen_options(table, language),
        watch_link=f"{address(request)}/t/{table.id}",
        clock_text=clock_text,
        quick=QUICK,
        holding=[" ".join(one.text for one in scene.counters if one.seat == seat and one.text) for seat in range(table.game.seats)],
        step_of={step.seq: number for number, step in enumerate(table.steps)},
    )


def invitation_links(request: Request, view: dict[str, object], label: str) -> list[dict[str, object]]:
    """Return the links that the visitor can send, the first one as a drawing too."""
    left = view["invitations"]
    links = [f"{address(request)}{one['path']}" for one in left] if isinstance(left, list) else []
    return [{"link": link, "qr": qr_code(link, label) if not number else ""} for number, link in enumerate(links)]


def phrase_keys(view: dict[str, object]) -> list[str]:
    """Return what can be said by a button."""
    chat = view["chat"]
    return [*chat["phrases"], *chat["reactions"]] if isinstance(chat, dict) else []


def chosen_options(table: Table, language: str) -> list[str]:
    """Return a sentence for each option of the table."""
    words = table.game.kind.words(language)
    found = []
    for name, value in table.game.options.items():
        key = f"option {name} {value}"
        found.append(words(key) if key in words.sentences else f"{words(f'option {name}')} {value}")
    return found


def clock_text(milliseconds: int) -> str:
    """Return what is left on a clock: days, hours and minutes, or minutes and seconds."""
    seconds = milliseconds // 1000
    days, hours, minutes = seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60
    return f"{days} j {hours:02}:{minutes:02}" if days else f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"


# What can be done with forms.


@router.post("/act")
async def act(request: Request, table_id: str) -> Response:
    """Play what was typed, or the button that was pressed."""
    live, visitor, actor = await found(request, table_id)
    form = await read_form(request)
    typed = form.get("button") or form.get("tokens", "")
    seen_seq = form.get("seq", "")
    seat = whole(form.get("seat", ""), -1)
    tokens = tuple(split(live.table.game, typed[:400]))
    try:
        await house_of(request).do(live, Play(seat, tokens, whole(seen_seq, 0) if seen_seq else None, move_id=form.get("move_id") or None), actor)
    except Refused as error:
        return table_page(request, live, visitor, actor, STATUS[error.code], told_refusal(error, visitor.language), typed)
    return see_other(f"/t/{table_id}")


@router.post("/do")
async def do(request: Request, table_id: str) -> Response:
    """Carry out an order given with a button."""
    live, visitor, actor = await found(request, table_id)
    form = await read_form(request)
    seat = form.get("seat", "")
    order = Order(
        form.get("what", ""),
        form.get("move_id") or None,
        whole(seat, -1) if seat else None,
        ask=form.get("ask", ""),
        yes=form.get("agree", "") == "yes",
        phrase=form.get("phrase", ""),
        text=form.get("text", ""),
        level=form.get("level", ""),
        contribution=form.get("contribution", ""),
    )
    try:
        await carry_out(house_of(request), live, order, actor)
    except Refused as error:
        return table_page(request, live, visitor, actor, STATUS[error.code], told_refusal(error, visitor.language))
    return see_other(f"/t/{table_id}")


def told_refusal(error: Refused, language: str) -> list[dict[str, str]]:
    """Return a refusal sentence by sentence, each with the paragraph that explains it."""
    if error.refusal and error.kind:
        words = error.kind.words(language)
        return [{"text": words.say(ruling.message), "paragraph": ruling.paragraph} for ruling in error.refusal.rulings]
    return [{"text": error.say(language), "paragraph": error.paragraphs[0] if error.paragraphs else ""}]


@router.get("/join/{token}")
async def join(request: Request, table_id: str, token: str) -> Response:
    """Show an invitation; nothing happens before the visitor sits down."""
    house = house_of(request)
    live = await house.live(table_id)
    visitor, table = read_visitor(request), live.table
    carte = await house.store.carte(visitor.carte) if visitor.carte else None
    free = [seat for seat, one in enumerate(table.seats) if one.player == "nobody"] if table.phase != OVER else []
    return page(
        request,
        "join.html",
        card=card(table.game.slug, visitor.language),
        table_id=table.id,
        invite_token=token[:64],
        name=carte.name if carte else "",
        open_seats=[{"number": seat, "name": sign(table, seat, visitor.language)} for seat in free],
    )


@router.post("/sit")
async def sit(request: Request, table_id: str) -> Response:
    """Take a seat: by an invitation, or at a table open to all."""
    house = house_of(request)
    live = await house.live(table_id)
    form = await read_form(request)
    visitor = await with_carte(request)
    actor = visitor.actor(live.table.match.id)
    if form.get("name"):
        await house.store.change_carte(visitor.carte, name=form["name"])
    carte = await house.store.carte(visitor.carte)
    free = next((seat for seat, one in enumerate(live.table.seats) if one.player == "nobody"), 0)
    command = Sit(whole(form.get("seat", ""), free), carte.name if carte else "", form.get("invite", ""), move_id=form.get("move_id") or None)
    await house.do(live, command, actor)
    await house.store.remember(visitor.carte, live.table.match.id)
    return keeping(see_other(f"/t/{table_id}"), visitor)


# Looking back, taking away, playing on.


def step(table: Table, at: str) -> tuple[int, State]:
    """Return the number of a step and its state: the last one, if none is named."""
    last = max(len(table.steps) - 1, 0)
    number = min(whole(at, last), last)
    return number, table.steps[number].state if table.steps else preview(table)


@router.get("/replay")
async def replay(request: Request, table_id: str, at: str = "") -> Response:
    """Show the game step by step."""
    live, visitor, _ = await found(request, table_id)
    table, language = live.table, visitor.language
    number, state = step(table, at)
    kind = table.game.kind
    told = happened(state, state.previous, language, "") if state.previous else []
    return page(
        request,
        "replay.html",
        card=card(table.game.slug, language),
        table_id=table.id,
        board=Markup(draw_board(kind, state.scene(language))),
        at=number,
        last=max(len(table.steps) - 1, 0),
        over=isinstance(state.node, Over) or table.phase == WAITING,
        sentences=told,
        record=[
            {"at": place, "seat": one.state.mover, "token": table.game.notate(one.state.action), "threw": one.kind == "threw"}
            for place, one in enumerate(table.steps)
            if place
        ],
        share_link=f"{address(request)}/t/{table.id}/replay?at={number}",
    )


@router.get("/view")
async def look_back(request: Request, table_id: str, at: str = "") -> Response:
    """Give the table as data as it was after a step, for a page that looks back without leaving."""
    live, visitor, actor = await found(request, table_id)
    number, state = step(live.table, at)
    seq = live.table.steps[number].seq if live.table.steps else None
    told = happened(state, state.previous, visitor.language, "") if state.previous else []
    return Response(encode({**view(live.table, actor, visitor.language, at=seq), "told": told}), media_type="application/json")


@router.post("/from")
async def play_on(request: Request, table_id: str) -> Response:
    """Open a new table that plays on from a moment of this one, against computer players."""
    live, _, _ = await found(request, table_id)
    form = await read_form(request)
    _, state = step(live.table, form.get("at", ""))
    if isinstance(state.node, Over) or live.table.phase == WAITING:
        raise TableeError("the game is over there: choose an earlier moment")
    visitor = await with_carte(request)
    game = live.table.game
    terms = Terms(game.slug, game.seats, game.options, position=game.dump(state))
    held = set(live.table.held_by(visitor.actor(live.table.match.id))) or {state.turn}
    players = ["me" if seat in held else f"level-{middle(game.kind)}" for seat in range(game.seats)]
    new = await open_for(house_of(request), visitor, terms, players, sender(request.scope))
    return keeping(see_other(f"/t/{new.table.id}"), visitor)


@router.get("/record")
async def record(request: Request, table_id: str) -> Response:
    """Give the record as text."""
    live, _, _ = await found(request, table_id)
    name = f"{live.table.game.slug}-{table_id}.tablee"
    return PlainTextResponse(write_table_record(live.table), headers={"content-disposition": f'attachment; filename="{name}"'})


@router.get("/log")
async def log_lines(request: Request, table_id: str) -> Response:
    """Give every event as a line of JSON, for whoever verifies."""
    live, _, _ = await found(request, table_id)
    headers = {"content-disposition": f'attachment; filename="{live.table.game.slug}-{table_id}.jsonl"'}
    return Response(write_log(live.table.events), media_type="application/jsonl", headers=headers)


@router.get("/board.svg")
async def board(request: Request, table_id: str, at: str = "") -> Response:
    """Give the board as a drawing."""
    live, visitor, _ = await found(request, table_id)
    _, state = step(live.table, at)
    return Response(state.svg(visitor.language), media_type="image/svg+xml")
