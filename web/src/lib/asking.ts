// When the page must ask again what can be done: only when what the choices hang on has changed.
// tools/drive/asking.py is the same rule in Python; a test holds it against every line of a recorded game.
import { ANYONE, type Deal, type Obligation, type Seat, type View } from "~/wire";

/** Of a view, what changes no choice in trading: who is still at it, who has traded with whom, one's own draft. */
const IDLE: ReadonlySet<string> = new Set(["players", "deals", "obligations", "waiting", "traded", "plan"]);

const inDeal = (deal: Deal, seat: Seat) =>
  deal.proposer === seat || deal.parties.includes(seat) || deal.parties.includes(ANYONE);
const inPromise = (owed: Obligation, seat: Seat) => owed.parties.includes(seat);

/** The entries that one of the two has and the other has not, or has otherwise. */
function changed<Entry>(before: Readonly<Record<string, Entry>>, after: Readonly<Record<string, Entry>>): Entry[] {
  const gone = Object.entries(before).filter(([name, entry]) => after[name] !== entry);
  const come = Object.entries(after).filter(([name, entry]) => before[name] !== entry);
  return [...gone, ...come].map(([, entry]) => entry);
}

/** Whether a seat's choices may have changed from one view to the next. */
export function concerns(before: View | null, after: View, you: Seat): boolean {
  if (!before || before.step !== "trade" || after.step !== "trade") return before !== after;
  const fields = Object.keys(after) as (keyof View)[];
  if (fields.some((field) => !IDLE.has(field) && before[field] !== after[field])) return true;
  if (changed(before.deals, after.deals).some((deal) => inDeal(deal, you))) return true;
  if (changed(before.obligations, after.obligations).some((owed) => inPromise(owed, you))) return true;
  const moved = after.players.filter((player, seat) => player !== before.players[seat]).map((player) => player.seat);
  return moved.some((seat) => seat === you || matters(after, you, seat));
}

/** Whether a choice of mine may hang on what somebody else has: an offer between us, a promise, a discount. */
function matters(view: View, you: Seat, other: Seat): boolean {
  if (view.players[you]?.stock.acknowledgement) return true;
  return (
    Object.values(view.deals).some((deal) => inDeal(deal, you) && inDeal(deal, other)) ||
    Object.values(view.obligations).some((owed) => inPromise(owed, you) && inPromise(owed, other))
  );
}
