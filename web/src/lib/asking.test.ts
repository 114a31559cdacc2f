import { describe, expect, it } from "vitest";
import type { View } from "~/wire";
import { concerns } from "./asking";
import { layIn } from "./changes";

const seat = (n: number) => ({ seat: n, stock: { green: 1 }, cards: {}, spent: {} });
const offer = (proposer: number, ...parties: number[]) => ({ proposer, parties });
const view = {
  seat: 0,
  turn: 1,
  step: "trade",
  waiting: [0, 1, 2, 3],
  traded: [],
  plan: null,
  players: [seat(0), seat(1), seat(2), seat(3)],
  deals: { d1: offer(0, 0, 1) },
  obligations: {},
} as unknown as View;
const after = (changes: object) => concerns(view, layIn(view, changes as Record<string, unknown>), 0);

describe("asking again", () => {
  it("is for what my choices hang on", () => {
    expect(after({ turn: 2 })).toBe(true);
    expect(after({ players: { "0": { stock: {} } } })).toBe(true);
    expect(after({ deals: { d2: offer(2, 2, 0) } })).toBe(true);
    expect(after({ deals: { d2: offer(2, 2, -1) } })).toBe(true);
    expect(after({ deals: { d1: null } })).toBe(true);
    expect(after({ obligations: { p1: { parties: [3, 0] } } })).toBe(true);
    expect(after({ players: { "1": { stock: {} } } })).toBe(true); // I have an offer to them
  });

  it("is not for what others settle among themselves", () => {
    expect(after({ players: { "2": { stock: {} }, "3": { stock: { blue: 2 } } }, traded: [[2, 3]] })).toBe(false);
    expect(after({ deals: { d2: offer(2, 2, 3) } })).toBe(false);
    expect(after({ obligations: { p1: { parties: [3, 2] } } })).toBe(false);
    expect(after({ waiting: [0] })).toBe(false);
  });

  it("is for everything outside trading", () => {
    expect(concerns(view, { ...view, step: "bid" }, 0)).toBe(true);
    expect(concerns(null, view, 0)).toBe(true);
  });
});
