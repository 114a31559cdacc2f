import { describe, expect, it } from "vitest";
import type { SeatNeeds } from "~/wire";
import { book } from "~/lib/rates";
import { bookFor, fill } from "./book";
import { chains, clausesOf, matches } from "./chains";

const seat = (n: number, needs: object, spare: object): SeatNeeds => ({ seat: n, needs, spare, idle: [] });

describe("a chain", () => {
  it("of two swaps what each needs", () => {
    const found = chains([seat(0, { white: 2 }, { green: 3 }), seat(1, { green: 2 }, { white: 1 })], 0);
    expect(found).toEqual([
      [
        { giver: 0, to: 1, kind: "green", n: 1 },
        { giver: 1, to: 0, kind: "white", n: 1 },
      ],
    ]);
  });

  it("goes round three seats where no two can swap", () => {
    const table = [
      seat(0, { blue: 1 }, { green: 1 }),
      seat(1, { green: 1 }, { ship: 1 }),
      seat(2, { ship: 1 }, { blue: 1 }),
    ];
    const [found] = chains(table, 0);
    expect(found?.map((link) => [link.giver, link.to])).toEqual([
      [0, 1],
      [1, 2],
      [2, 0],
    ]);
    expect(clausesOf(found!)[2]).toEqual({ kind: "give", giver: 2, to: 0, goods: { blue: 1 } });
  });

  it("is none where nobody needs what I can spare", () => {
    expect(chains([seat(0, { blue: 1 }, { green: 1 }), seat(1, { ship: 1 }, { blue: 1 })], 0)).toEqual([]);
  });
});

describe("a match", () => {
  it("names what they can spare of my needs and what I can spare of theirs", () => {
    const found = matches([seat(0, { blue: 2 }, { green: 1 }), seat(1, { green: 4 }, { blue: 1 }), seat(2, {}, {})], 0);
    expect(found).toMatchObject([{ seat: 1, get: { blue: 1 }, give: { green: 1 } }]);
  });
});

describe("the book", () => {
  it("counts small, large, ultratech, ships and points", () => {
    expect(book({ green: 1, black: 1, ultratech: 1, ship: 1, point: 1 })).toBe(9.5);
  });

  it("weighs what comes against what goes, promises too", () => {
    const clauses = [
      { kind: "give" as const, giver: 0, to: 1, goods: { yellow: 1 } },
      { kind: "pledge" as const, what: { kind: "give" as const, giver: 1, to: 0, goods: { green: 2 } }, due: 4 },
    ];
    expect(bookFor(clauses, 0)).toBe(0.5);
    expect(bookFor(clauses, 1)).toBe(-0.5);
  });

  it("fills up with the piece that fits, then the cheapest", () => {
    expect(fill({ yellow: 2, green: 5 }, 1.5)).toEqual({ yellow: 1 });
    expect(fill({ green: 5, ultratech: 1 }, 2)).toEqual({ green: 2 });
    expect(fill({}, 2)).toEqual({});
  });
});
