import { describe, expect, it } from "vitest";
import type { Deal } from "~/wire";
import { answered, changes } from "./threads";

const deal = (id: string, proposer: number, gives: object, gets: object, answers?: string): Deal => ({
  id,
  proposer,
  parties: [proposer, 1 - proposer],
  clauses: [
    { kind: "give", giver: proposer, to: 1 - proposer, goods: gives },
    { kind: "give", giver: 1 - proposer, to: proposer, goods: gets },
  ],
  ...(answers ? { answers } : {}),
});

describe("a thread", () => {
  const mine = deal("d1", 0, { green: 2 }, { blue: 1 });
  const theirs = deal("d2", 1, { blue: 1 }, { green: 3, white: 1 }, "d1");
  const offered = (one: Deal, n: number) => ({
    n,
    at: 0,
    seat: 0,
    told: [],
    events: [{ kind: "deal_offered", deal: one }],
  });

  it("finds what an offer answers", () => {
    const lines = [offered(mine, 1), offered(theirs, 2)] as never;
    expect(answered(lines, theirs)).toBe(mine);
    expect(answered(lines, mine)).toBeNull();
    expect(answered([], theirs)).toBeNull();
  });

  it("says what changed, as the reader sees it", () => {
    expect(changes(mine, theirs, 0)).toEqual({
      get: { more: {}, less: {}, other: 0 },
      give: { more: { green: 1, white: 1 }, less: {}, other: 0 },
    });
  });
});
