// What was done for a seat while its person was away, from the log: between the cover and the return.
import type { Line } from "~/lib/table.svelte";
import type { Seat } from "~/wire";

export interface Absence {
  n: number; // the line of the return
  from: number;
  to: number;
  done: string[];
  traded: boolean; // something changed hands by a deal
}

/** The last time a seat was covered and its person came back; null: never. */
export function lastAbsence(lines: readonly Line[], me: Seat): Absence | null {
  let begun: Absence | null = null;
  let last: Absence | null = null;
  for (const line of lines) {
    line.events.forEach((event, n) => {
      if (event.kind === "seat_covered" && event.seat === me)
        begun = { n: 0, from: line.at, to: 0, done: [], traded: false };
      else if (event.kind === "seat_handed_back" && event.seat === me) {
        if (begun) last = { ...begun, n: line.n, to: line.at };
        begun = null;
      } else if (begun && concerns(event, me)) {
        if (line.told[n]) begun.done.push(line.told[n]);
        if (event.kind === "deal_struck") begun.traded = true;
      }
    });
  }
  return last;
}

function concerns(event: Line["events"][number], me: Seat): boolean {
  if (event.kind === "deal_struck") return event.parties.includes(me);
  return "by" in event && event.by === me;
}
