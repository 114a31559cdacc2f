// The guided turn: whether it is on, in which turn of which table it began, and which steps were passed;
// kept in the browser.
import type { StepName } from "./steps";

interface Guiding {
  over: boolean;
  table: string;
  turn: number;
  passed: StepName[];
}

const KEY = "elysian.guide";
const NEW: Guiding = { over: false, table: "", turn: 1, passed: [] };

function stored(): Partial<Guiding> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Guiding>;
  } catch {
    return {};
  }
}

export const guiding: Guiding = $state({ ...NEW, ...stored() });

function keep(change: Partial<Guiding>): void {
  Object.assign(guiding, change);
  try {
    localStorage.setItem(KEY, JSON.stringify(guiding));
  } catch {
    // A browser without storage is guided again.
  }
}

/** Whether somebody at this table is led: newcomers in turn 1, and whoever asked for it. */
export function isGuided(table: string, turn: number): boolean {
  if (guiding.over) return false;
  return guiding.table === table ? turn <= guiding.turn + 1 : turn === 1;
}

/** Begin anew, in the turn that is being played. */
export function guide(table: string, turn: number): void {
  keep({ over: false, table, turn, passed: [] });
}

/** Stay with this table. */
export function settle(table: string, turn: number): void {
  if (guiding.table !== table) guide(table, turn);
}

export function pass(step: StepName): void {
  keep({ passed: [...new Set([...guiding.passed, step])] });
}

export function stop(): void {
  keep({ over: true });
}
