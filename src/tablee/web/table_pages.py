"""A table as a page: readable and playable without JavaScript, which only makes it livelier."""

from markupsafe import Markup
from msgspec import structs
from msgspec.json import encode
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tablee.core.errors import TableeError
from tablee.core.kind import Kind
from tablee.core.state import Over, State
from tablee.locale import words as door_words
from tablee.tables.allowed import may_advise, waits_for_all
from tablee.tables.commands import command_of_form
from tablee.tables.events import write_log
from tablee.tables.levels import middle
from tablee.tables.record import write_table_record
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.telling import shown_state, sign
from tablee.tables.terms import Terms
from tablee.tables.tokens import Actor
from tablee.tables.values import LOT, Phase, Sitter
from tablee.tables.view import harder, view
from tablee.tables.view_types import SeatView, View
from tablee.tables.why import why_not
from tablee.web.allowances import senders
from tablee.web.live import Live
from tablee.web.option_lines import chosen_options, unusual_options
from tablee.web.pages import address, as_json, drawing, house_of, keeping, page, qr_code, read_form, see_other, whole_number, with_carte
from tablee.web.routing import Pages
from tablee.web.rulepage import essentials_of
from tablee.web.shelf import card, draw_board
from tablee.web.shelf_pages import open_for, opening_name
from tablee.web.table_view import table_view
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
    "watchers",
    "watchers one",
    "result title",
    "verdict won",
    "verdict lost",
    "verdict drew",
    "harder",
    "replay",
    "nav verify",
    "match",
    "step where",
    "throw now",
    "warned",
    "hint words",
    "how many",
    "which action",
    "for whom",
    "not from here",
    "dice fall",
    "possible instead",
    "score line",
    "score together",
    "cell empty",
    "cell lit",
    "sure",
    "sending",
    "clock days",
)
# Commands that stand beside the question; the others are in the drawer.
QUICK = ("take_back", "hint", "rematch", "start")
# No action needs more touches.
MOST_TOUCHES = 8
STATUS = {"token": 403, "rules": 422, "turn": 409, "stale": 409, "again": 422, "unreadable": 422, "time": 409, "phase": 409, "limit": 429}

router = Pages("/t/{table_id}")


async def find_table(request: Request, table_id: str) -> tuple[Live, Visitor, Actor]:
    """Return a table, its visitor and actor; raise `Refused` if the visitor may not watch."""
    live = await house_of(request).live(table_id)
    visitor = read_visitor(request)
    actor = visitor.actor(live.table.match.id)
    if not live.table.may_watch(actor):
        raise Refused("token", "no watching")
    return live, visitor, actor


@router.get("")
async def show_table(request: Request, table_id: str) -> Response:
    """Show the table."""
    live, visitor, actor = await find_table(request, table_id)
    return table_page(request, live, visitor, actor)


def table_page(
    request: Request, live: Live, visitor: Visitor, actor: Actor, status: int = 200, refusal: list[dict[str, str]] | None = None, typed: str = ""
) -> Response:
    """Return the page of a table as its visitor sees it."""
    table, language = live.table, visitor.language
    shown = table_view(live, actor, language, house_of(request).clock())
    words, doors = page_words(language), door_words(language)
    state = shown_state(table)
    scene = state.scene(language)
    legal = shown.legal
    kind = table.game.kind
    return page(
        request,
        "table.html",
        status,
        card=card(table.game.slug, language),
        table_id=table.id,
        view=shown,
        view_json=as_json(shown),
        sentences_json=as_json(
            {key: words.sentences[key] for key in SCRIPT_SENTENCES} | {"somebody": doors("somebody")} | thrown_words(kind, language)
        ),
        board=Markup(draw_board(kind, scene)),
        refusal=refusal or [],
        hint_text=words("hint words", text=shown.hint.text, why=shown.hint.why).strip() if shown.hint and shown.hint.seat in shown.you else "",
        typed=typed,
        adviser=may_advise(table, actor),
        legal=legal,
        buttons=[action for action in legal if action.button],
        acting=legal[0].seat if legal else 0,
        waits=table.phase != Phase.OVER and not legal,
        may_sit=waits_for_all(table),
        waits_for_somebody=any(seat.kind == Sitter.NOBODY for seat in shown.seats),
        invitations=invitation_links(request, shown, words("qr label"), table.watch_token(actor)),
        phrases=[{"key": key, "label": doors(f"phrase {key}")} for key in phrase_keys(shown)],
        chosen_options=chosen_options(table, language),
        watch_link=watch_link(request, table, actor),
        throw_name=lambda token: throw_name(token, kind, language),
        clock_text=lambda left: clock_text(left, language),
        quick=QUICK,
        result_title=words(f"verdict {shown.verdict}" if shown.verdict else "result title"),
        score_line=score_line(shown, language, kind.together),
        together=kind.together,
        dice=kind.dice or table.terms.starts == LOT,
        seat_name=lambda seat: seat_name(seat, shown.you, language),
        step_of={step.seq: number for number, step in enumerate(table.steps)},
    )


def seat_name(seat: SeatView, you: list[int], language: str) -> str:
    """Return what a page calls the player of a seat: you, if it is yours alone; several people at one screen by their names, if they gave any."""
    if seat.seat not in you:
        return seat.name
    if len(you) == 1:
        return page_words(language)("you")
    return "" if seat.name == door_words(language)("somebody") else seat.name


def score_line(view: View, language: str, together: bool) -> str:
    """Return the score of every seat in one line, as people call those who sit there; where all win together, it is one score."""
    words = page_words(language)
    if together:
        return words("score together", score=f"{view.seats[0].count}/{view.seats[0].of}")
    return " · ".join(
        words("score line", who=seat_name(seat, view.you, language) or seat.sign, score=f"{seat.count}/{seat.of}" if seat.of else seat.count)
        for seat in view.seats
    )


def invitation_links(request: Request, view: View, label: str, watch: str) -> list[dict[str, object]]:
    """Return the links that the visitor can send, the first one as a drawing too; the invited can give on the token to `watch`."""
    query = f"?watch={watch}" if watch else ""
    links = [f"{address(request)}{invitation.path}{query}" for invitation in view.invitations]
    return [{"link": link, "qr": qr_code(link, label) if not number else ""} for number, link in enumerate(links)]


def watch_link(request: Request, table: Table, actor: Actor) -> str:
    """Return the link for watchers; "" where watching needs a token that the visitor does not have to give."""
    link, token = f"{address(request)}/t/{table.id}", table.watch_token(actor)
    if table.terms.watching == "all":
        return link
    return f"{link}/watch/{token}" if token else ""


def phrase_keys(view: View) -> list[str]:
    """Return what can be said by a button."""
    return [*view.chat.phrases, *view.chat.reactions]


def thrown_words(kind: Kind, language: str) -> dict[str, str]:
    """Return the sentences by which a game names throws: sticks as a whole, dice with pictures by their faces."""
    return {key: text for key, text in kind.words(language).sentences.items() if key.startswith("=")} if kind.dice else {}


def throw_name(token: str, kind: Kind, language: str) -> str:
    """Return a throw in the words of its game, or as dice show it."""
    words = thrown_words(kind, language)
    faces = [words.get(f"=box {face}", "") for face in token.split("-")]
    return words.get(f"={token}", ", ".join(faces) if all(faces) else token)


def clock_text(milliseconds: int, language: str) -> str:
    """Return what is left on a clock: days, hours and minutes, or minutes and seconds."""
    seconds = milliseconds // 1000
    days, hours, minutes = seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60
    if days:
        return page_words(language)("clock days", days=days, time=f"{hours:02}:{minutes:02}")
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"


# What can be done with forms.


@router.post("/do")
async def do(request: Request, table_id: str) -> Response:
    """Carry out the command of a form."""
    live, visitor, actor = await find_table(request, table_id)
    form = await read_form(request)
    try:
        await house_of(request).do(live, command_of_form(form), actor)
    except Refused as error:
        return table_page(request, live, visitor, actor, STATUS[error.code], refusal_sentences(error, visitor.language), form.get("tokens", ""))
    return see_other(f"/t/{table_id}")


def refusal_sentences(error: Refused, language: str) -> list[dict[str, str]]:
    """Return the reason of a refusal, with the paragraph that explains it."""
    return [{"text": error.plainly(language), "paragraph": error.paragraphs[0] if error.paragraphs else ""}]


# Looking back, taking away, playing on.


def step(table: Table, at: str) -> tuple[int, State]:
    """Return the number of a step and its state: the last one, if none is named."""
    last = max(len(table.steps) - 1, 0)
    number = min(whole_number(at, last), last)
    return number, table.steps[number].state if table.steps else shown_state(table)


def ends_there(table: Table, state: State) -> bool:
    """Return whether nothing can be played on from a state."""
    return isinstance(state.node, Over) or table.phase == Phase.WAITING


@router.get("/replay")
async def replay(request: Request, table_id: str, at: str = "") -> Response:
    """Show the game step by step."""
    live, visitor, _ = await find_table(request, table_id)
    table, language = live.table, visitor.language
    number, state = step(table, at)
    kind = table.game.kind
    sentences = state.told(language)
    return page(
        request,
        "replay.html",
        card=card(table.game.slug, language),
        table_id=table.id,
        board=Markup(draw_board(kind, state.scene(language))),
        at=number,
        last=max(len(table.steps) - 1, 0),
        over=ends_there(table, state),
        sentences=sentences,
        record=numbered_steps(table, language),
        share_link=f"{address(request)}/t/{table.id}/replay?at={number}",
    )


def numbered_steps(table: Table, language: str) -> list[dict[str, object]]:
    """Return every step with the number of its turn and who moved, both at the first step of a turn alone."""
    lines: list[dict[str, object]] = []
    number, before = 0, None
    for place, entry in enumerate(table.steps):
        if not place:
            continue
        mover = entry.state.mover
        begins = mover != before
        number, before = number + begins, mover
        lines.append(
            {"at": place, "number": f"{number}." if begins else "", "mover": sign(table, mover, language) if begins else "", "token": entry.token}
        )
    return lines


@router.get("/view")
async def look_back(request: Request, table_id: str, at: str = "") -> Response:
    """Give the table as data as it was after a step, for a page that looks back without leaving."""
    live, visitor, actor = await find_table(request, table_id)
    number, state = step(live.table, at)
    seq = live.table.steps[number].seq if live.table.steps else None
    shown = structs.asdict(view(live.table, actor, visitor.language, at=seq))
    more = {"told": state.told(visitor.language), "over": ends_there(live.table, state)}
    return Response(encode(shown | more), media_type="application/json")


@router.get("/why")
async def why(request: Request, table_id: str, seat: str = "") -> Response:
    """Say why touches lead nowhere: one reason for people, the paragraph and the cells; an empty text where there is none."""
    live, visitor, actor = await find_table(request, table_id)
    touches = request.query_params.getlist("touch")[:MOST_TOUCHES]
    number = whole_number(seat, live.table.game.seats)
    reason = why_not(live.table, number, touches) if touches and number in live.table.held_by(actor) else None
    text, paragraphs, cells = (reason.plainly(visitor.language), reason.paragraphs, reason.cells) if reason else ("", (), ())
    return Response(encode({"text": text, "paragraphs": paragraphs, "cells": cells}), media_type="application/json")


@router.get("/essentials")
async def show_essentials(request: Request, table_id: str) -> Response:
    """Show the game in one minute as this table plays it, as a piece of a page that has the art of its board already."""
    live, visitor, _ = await find_table(request, table_id)
    game, language = live.table.game, visitor.language
    said = {"essentials": essentials_of(game, language), "unusual": unusual_options(live.table, language)}
    return page(request, "part_essentials.html", card=card(game.slug, language), **said)


@router.post("/from")
async def play_on(request: Request, table_id: str) -> Response:
    """Open a new table that plays on from a moment of this one, against computer players."""
    live, _, _ = await find_table(request, table_id)
    form = await read_form(request)
    _, state = step(live.table, form.get("at", ""))
    if ends_there(live.table, state):
        raise TableeError("the game is over there: choose an earlier moment")
    visitor = await with_carte(request)
    game = live.table.game
    terms = Terms(game.slug, game.seats, game.options, position=game.dump(state), watching=live.table.terms.watching, rules=game.rules)
    held = set(live.table.held_by(visitor.actor(live.table.match.id))) or {state.turn}
    players = ["me" if seat in held else f"level-{middle(game.kind)}" for seat in range(game.seats)]
    new = await open_for(house_of(request), visitor, terms, players, senders(request.scope), name=await opening_name(request, visitor))
    return keeping(see_other(f"/t/{new.table.id}"), visitor)


@router.post("/harder")
async def play_harder(request: Request, table_id: str) -> Response:
    """Open a new table with the same options, where every program plays one level above; like a rematch, by the current rules."""
    live, _, actor = await find_table(request, table_id)
    game, held = live.table.game, live.table.held_by(actor)
    level = harder(live.table, held)
    if not level:
        raise Refused("phase", "no harder")
    visitor = await with_carte(request)
    players = ["me" if seat in held else f"level-{level}" for seat in range(game.seats)]
    terms = Terms(game.slug, game.seats, game.written_options, watching=live.table.terms.watching)
    new = await open_for(house_of(request), visitor, terms, players, senders(request.scope), name=await opening_name(request, visitor))
    return keeping(see_other(f"/t/{new.table.id}"), visitor)


@router.get("/record")
async def record(request: Request, table_id: str) -> Response:
    """Give the record as text."""
    live, _, _ = await find_table(request, table_id)
    name = f"{live.table.game.slug}-{table_id}.tablee"
    return PlainTextResponse(write_table_record(live.table), headers={"content-disposition": f'attachment; filename="{name}"'})


@router.get("/log")
async def log_lines(request: Request, table_id: str) -> Response:
    """Give every event as a line of JSON, for verification."""
    live, _, _ = await find_table(request, table_id)
    headers = {"content-disposition": f'attachment; filename="{live.table.game.slug}-{table_id}.jsonl"'}
    return Response(write_log(live.table.events), media_type="application/jsonl", headers=headers)


@router.get("/board.svg")
async def board(request: Request, table_id: str, at: str = "") -> Response:
    """Give the board as a drawing."""
    live, visitor, _ = await find_table(request, table_id)
    _, state = step(live.table, at)
    return drawing(request, state.svg(visitor.language).encode(), "no-cache")
