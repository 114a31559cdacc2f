import { describe, expect, it } from "vitest";
import { book } from "~/lib/rates";
import { bookFor } from "./book";

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
});
