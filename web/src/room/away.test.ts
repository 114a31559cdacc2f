import { expect, test } from "vitest";
import type { Line } from "~/lib/table.svelte";
import { lastAbsence } from "./away";

const line = (n: number, event: object, told = `line ${n}`) =>
  ({ n, at: 1000 * n, seat: null, events: [event], told: [told] }) as unknown as Line;

test("what was done for me is told line by line, and nothing of others", () => {
  const lines = [
    line(1, { kind: "done_said", by: 1 }),
    line(2, { kind: "seat_covered", seat: 1 }),
    line(3, { kind: "done_said", by: 1 }),
    line(4, { kind: "done_said", by: 2 }),
    line(5, { kind: "deal_struck", parties: [0, 1], by: 0 }),
    line(6, { kind: "plan_laid", by: 1 }, ""),
    line(7, { kind: "seat_handed_back", seat: 1 }),
    line(8, { kind: "done_said", by: 1 }),
  ];
  expect(lastAbsence(lines, 1)).toEqual({ n: 7, from: 2000, to: 7000, done: ["line 3", "line 5"], traded: true });
  expect(lastAbsence(lines, 2)).toBeNull();
  expect(lastAbsence(lines.slice(0, 6), 1)).toBeNull();
});
