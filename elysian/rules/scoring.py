"""Scoring: what goods left over are worth, and who wins."""

from elysian.draft import Draft
from elysian.events import GameScored
from elysian.goods import Goods
from elysian.state import Edition, FinalScore

# Twelfths of a point per octagon, large cube, small cube or ship (OPT-3).
PRECISE: dict[Edition, tuple[int, int, int]] = {"2017": (6, 4, 3), "2020": (6, 3, 2), "de2021": (6, 3, 2)}


def goods_left(stock: Goods, edition: Edition, precise: bool) -> int:
    """Twelfths of a point for goods at the end (SCORE-1, OPT-3)."""
    large = stock.black + stock.blue + stock.yellow + stock.wild_large
    small = stock.green + stock.white + stock.brown + stock.wild_small + stock.ship
    if precise:
        each = PRECISE[edition]
        return each[0] * stock.ultratech + each[1] * large + each[2] * small
    return 6 * (stock.ultratech + large // 2 + small // 3)


def score(now: Draft) -> None:
    """Most points win; tied players share the win (SCORE-3), unless they are compared precisely (OPT-3)."""
    settings = now.state.settings
    totals = []
    for player in now.state.players:
        goods = goods_left(player.stock, settings.edition, settings.precise_scoring)
        totals.append((player.score, goods, 12 * player.score + goods))
    best = max(total for _, _, total in totals)
    leaders = {seat for seat, (_, _, total) in enumerate(totals) if total == best}
    if settings.precise_when_tied and len(leaders) > 1:
        precise = {
            seat: 12 * player.score + goods_left(player.stock, settings.edition, True)
            for seat, player in enumerate(now.state.players)
            if seat in leaders
        }
        leaders = {seat for seat in leaders if precise[seat] == max(precise.values())}
    now.emit(
        GameScored(
            scores=tuple(
                FinalScore(seat=seat, points=points, goods=goods, total=total, winner=seat in leaders)
                for seat, (points, goods, total) in enumerate(totals)
            )
        )
    )
