import { describe, expect, it } from "vitest";
import { layIn } from "./changes";

const whole = {
  turn: 1,
  deals: { d1: { id: "d1" }, d2: { id: "d2" } },
  players: [
    { seat: 0, stock: { green: 1 }, cards: { a: {}, b: {} }, spent: {} },
    { seat: 1, stock: { white: 2 }, cards: {}, spent: {} },
  ],
};

describe("changes", () => {
  it("replace whole fields", () => {
    expect(layIn(whole, { turn: 2 }).turn).toBe(2);
  });

  it("add, replace and remove entries", () => {
    const laid = layIn(whole, { deals: { d2: null, d3: { id: "d3" } } });
    expect(Object.keys(laid.deals)).toEqual(["d1", "d3"]);
  });

  it("reach into one seat and leave the others the same objects", () => {
    const laid = layIn(whole, { players: { "0": { stock: { blue: 1 }, cards: { a: null, c: { flipped: true } } } } });
    expect(laid.players[0]).toEqual({ seat: 0, stock: { blue: 1 }, cards: { b: {}, c: { flipped: true } }, spent: {} });
    expect(laid.players[1]).toBe(whole.players[1]);
  });

  it("change nothing in the view they are laid into", () => {
    const before = structuredClone(whole);
    layIn(whole, { turn: 3, deals: { d1: null }, players: { "1": { stock: {} } } });
    expect(whole).toEqual(before);
  });
});
