// When the page must ask again: only when what an answer hangs on has changed. A test in Python holds these
// rules, run as they are, against every line of recorded games.
import { ANYONE, type Deal, type Obligation, type Run, type Seat, type View } from "~/wire";

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

/** What the needs of a table hang on; undefined: nobody asks for them now. */
export function needsBasis(view: View, you: Seat, help: Help): unknown {
  if (view.phase !== "trade" || help === "off") return undefined;
  // Where the table tells everybody only their own needs, what moves elsewhere changes nothing.
  return help === "both" ? view.players : view.players[you];
}

/** What the answer to a plan hangs on, in one word; empty: there is nothing to plan now. */
export function planBasis(view: View, you: Seat, runs: readonly Run[] | null): string {
  const me = view.players[you];
  if (!me || (view.phase !== "trade" && view.phase !== "economy")) return "";
  const owed = Object.values(view.obligations).filter(
    ({ clause }) => clause.kind === "pledge" && clause.what.giver === you,
  );
  return JSON.stringify([view.turn, view.step, me.stock, me.cards, view.score, owed, view.choices, runs]);
}

type Help = "both" | "off" | "own";

/** All that a page with no drafts of its own asks after an update. */
export function questions(before: View, after: View, you: Seat, help: Help): string[] {
  const needs = needsBasis(after, you, help);
  const plan = planBasis(after, you, after.plan);
  return [
    ...(concerns(before, after, you) ? ["options"] : []),
    ...(needs !== undefined && needs !== needsBasis(before, you, help) ? ["needs"] : []),
    ...(plan && plan !== planBasis(before, you, before.plan) ? ["plan"] : []),
  ];
}
