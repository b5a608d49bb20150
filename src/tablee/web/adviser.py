"""The adviser: what an action gives away, as the search measures it, for a person who plays against programs alone."""

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tablee.core.mind import MOST
from tablee.core.state import State
from tablee.tables.allowed import may_advise
from tablee.tables.refused import Refused
from tablee.web.engine_pool import MoveRequest
from tablee.web.engine_worker import Verdict
from tablee.web.pages import house_of, whole_number
from tablee.web.routing import Pages
from tablee.web.visitors import read_visitor
from tablee.web.words import page_words

# An action is costly if it gives away so much of the expected share of the win.
COSTLY = 0.08

router = Pages("/t/{table_id}")


@router.get("/advice")
async def advice(request: Request, table_id: str) -> Response:
    """Say what an action would give away; an empty text if it is not costly. Nothing is changed."""
    house, visitor = house_of(request), read_visitor(request)
    live = await house.live(table_id)
    table, state = live.table, live.table.state
    seat, token = whole_number(request.query_params.get("seat", ""), -1), request.query_params.get("token", "")[:40]
    actor = visitor.actor(table.match.id)
    if not 0 <= seat < table.game.seats:
        raise Refused("unreadable", "no such seat", {"most": table.game.seats})
    if seat not in table.held_by(actor):
        raise Refused("token", "no token", {"seat": seat + 1})
    if table.result or state is None:
        raise Refused("phase", f"no {table.phase}")
    if not may_advise(table, actor):
        raise Refused("token", "no hints")
    if seat not in table.asked:
        raise Refused("turn", "no turn")
    state.play(token, seat)  # raises what the rules say of it
    answer = await house.engines.answer(MoveRequest(table.id, state, seat, MOST, live.group, judged=token))
    verdict = msgspec.json.decode(answer, type=Verdict) if answer else None
    return JSONResponse({"text": cost(state, seat, token, verdict, visitor.language) if verdict else ""})


def cost(state: State, seat: int, token: str, verdict: Verdict, language: str) -> str:
    """Return what an action gives away in words, or nothing if that is little."""
    if verdict.best == token or verdict.most - verdict.value < COSTLY:
        return ""
    words = page_words(language)
    said = [words("adviser cost", before=round(100 * verdict.most), after=round(100 * verdict.value))]
    if verdict.reply:
        answered = state.play(token, seat).play(verdict.reply)
        said.append(words("adviser reply", reply=" ".join(answered.told(language))))
    return " ".join([*said, words("adviser confirm")])
