import { describe, expect, it } from "vitest";
import type { Line } from "~/lib/table.svelte";
import { facesAt, seek, stops } from "./replay";

const line = (n: number, told: string, ...events: unknown[]) =>
  ({ n, at: 0, seat: null, events, told: events.map(() => told) }) as Line;
const log = [
  line(1, "open", { kind: "table_opened" }),
  line(2, "begin", { kind: "play_began" }),
  line(3, "done", { kind: "done_said", by: 0 }),
  line(4, "deal", { kind: "deal_struck", parties: [0, 1] }),
  line(5, "plan", { kind: "step_began", step: "plan" }),
  line(6, "again", { kind: "turn_began", turn: 2 }),
  line(7, "end", { kind: "game_scored", scores: [] }),
];

describe("a replay", () => {
  it("stops where something happened in the game", () => {
    const all = stops(log);
    expect(all.map((stop) => [stop.n, stop.turn, stop.stage])).toEqual([
      [2, 1, "trade"],
      [4, 1, "trade"],
      [5, 1, "economy"],
      [6, 2, "trade"],
      [7, 2, "over"],
    ]);
  });

  it("jumps to turns, phases and deals", () => {
    const all = stops(log);
    expect(seek(all, 0, "deal", 1)).toBe(1);
    expect(seek(all, 1, "turn", 1)).toBe(3);
    expect(seek(all, 4, "phase", -1)).toBe(3);
    expect(seek(all, 1, "deal", 1)).toBe(4);
    expect(seek(all, 0, "turn", -1)).toBe(0);
  });
});

describe("who held a seat then", () => {
  const face = {
    seat: 0,
    name: "",
    bot: "standard",
    species: "kit",
    covered: false,
    program: null,
    wants: {},
    haves: {},
    host: false,
  };
  const told = (n: number, ...events: object[]) => ({ n, at: 0, events, told: [] }) as unknown as Line;
  const lines = [
    told(1, { kind: "seat_taken", seat: 0, name: "Anna" }),
    told(4, { kind: "seat_covered", seat: 0 }),
    told(6, { kind: "bot_seated", seat: 0, level: "standard" }),
  ];
  it("is the one who sat there at that line", () => {
    const at = (n: number) => facesAt([face], lines, n)[0]!;
    expect([at(2).name, at(2).bot, at(2).covered]).toEqual(["Anna", null, false]);
    expect(at(5).covered).toBe(true);
    expect([at(6).name, at(6).bot]).toEqual(["", "standard"]);
  });
});
