// The stops of a replay: every line in which something happened in the game, and where turns, phases and deals begin.
import type { Line } from "~/lib/table.svelte";
import type { SeatFace, Step } from "~/wire";
import { stageOf, type Stage } from "~/table/steps/stages";

export type Mark = "turn" | "phase" | "deal";

export interface Stop {
  n: number;
  turn: number;
  step: Step;
  stage: Stage;
  text: string;
  marks: readonly Mark[];
}

const QUIET = new Set([
  "done_said",
  "done_taken_back",
  "plan_saved",
  "plan_laid",
  "bid_placed",
  "said",
  "clock_set",
  "clock_stopped",
]);

/** A game that goes on from another one was set up before it is played. */
const BEGIN = new Set<string>(["game_started", "play_began"]);

export function stops(lines: readonly Line[]): Stop[] {
  const found: Stop[] = [];
  let turn = 1;
  let step: Step = "trade";
  let begun = false;
  for (const line of lines) {
    const marks = new Set<Mark>();
    for (const event of line.events) {
      if (event.kind === "step_began") {
        if (stageOf(event.step) !== stageOf(step)) marks.add("phase");
        step = event.step;
      }
      if (event.kind === "turn_began") {
        marks.add("turn").add("phase");
        turn = event.turn;
        step = "trade";
      }
      if (event.kind === "deal_struck") marks.add("deal");
      if (event.kind === "game_scored") {
        marks.add("phase");
        step = "over";
      }
      if (!begun && BEGIN.has(event.kind)) {
        begun = true;
        marks.add("turn");
      }
    }
    const told = line.events.flatMap((event, k) => (QUIET.has(event.kind) || !line.told[k] ? [] : [line.told[k]!]));
    if (begun && (told.length || marks.size))
      found.push({ n: line.n, turn, step, stage: stageOf(step), text: told.join(" "), marks: [...marks] });
  }
  return found;
}

/** The next stop with a mark, in one direction; the end of the line when there is none. */
export function seek(all: readonly Stop[], from: number, mark: Mark, way: 1 | -1): number {
  for (let at = from + way; at >= 0 && at < all.length; at += way) if (all[at]!.marks.includes(mark)) return at;
  return way > 0 ? all.length - 1 : 0;
}

/** Who held the seats at a line: as the lines until then tell it, else as it is now. */
export function facesAt(faces: readonly SeatFace[], lines: readonly Line[], n: number): SeatFace[] {
  const then = faces.map((face) => ({ ...face }));
  for (const line of lines) {
    if (line.n > n) break;
    for (const event of line.events) {
      const face = "seat" in event && event.seat !== null ? then[event.seat as number] : undefined;
      if (!face) continue;
      if (event.kind === "seat_taken") Object.assign(face, { name: event.name, bot: null, covered: false });
      else if (event.kind === "bot_seated") Object.assign(face, { name: "", bot: event.level, covered: false });
      else if (event.kind === "seat_covered") face.covered = true;
      else if (event.kind === "seat_handed_back") face.covered = false;
    }
  }
  return then;
}
