import { describe, expect, it } from "vitest";
import type { GameEvent, Standing } from "~/wire";
import { reason, rows, since } from "./auction";

const bid = (seat: number, ships: number, more: Partial<Standing> = {}): Standing => ({
  seat,
  ships,
  counts: ships,
  held: 2,
  tiebreaker: seat,
  half: false,
  ahead: null,
  ...more,
});
const revealed: GameEvent = {
  kind: "bids_revealed",
  track: "colony",
  bids: [
    { seat: 0, ships: 3 },
    { seat: 1, ships: 3 },
    { seat: 2, ships: 0 },
  ],
};

describe("an auction", () => {
  it("begins where its bids were opened last", () => {
    const line = (n: number, ...events: GameEvent[]) => ({ n, at: 0, seat: null, events, told: [] });
    const bought: GameEvent = { kind: "card_bought", by: 1, track: "colony", space: 0, card: "a", ships: 3 };
    const lines = [line(1, revealed), line(2, bought), line(3, revealed), line(4, bought)];
    expect(since(lines, "colony")).toEqual([revealed, bought]);
    expect(since(lines, "research")).toEqual([]);
  });

  it("lists those who acted, those who wait and those without a bid", () => {
    const first = bid(0, 3, { ahead: "tiebreaker" });
    const bought: GameEvent = { kind: "card_bought", by: 0, track: "colony", space: 0, card: "a", ships: 3 };
    const other: GameEvent = { kind: "bid_passed", by: 1, track: "research", ships: 1 };
    const list = rows([{ ...revealed, order: [first, bid(1, 3)] } as GameEvent, bought, other], [bid(1, 3)]);
    expect(list.map((row) => [row.seat, row.did, row.card])).toEqual([
      [0, "bought", "a"],
      [1, "waits", null],
      [2, "none", null],
    ]);
    expect(reason(list[0]!, list[1])).toEqual({ key: "bid.ahead_tiebreaker", seat: 1, mine: "0", theirs: "1" });
  });

  it("knows the halves of a split bid", () => {
    const opened: GameEvent = {
      kind: "bids_revealed",
      track: "colony",
      bids: [{ seat: 0, ships: 5 }],
      order: [bid(0, 5)],
    };
    const split: GameEvent = {
      kind: "bid_split",
      by: 0,
      halves: [
        { seat: 0, ships: 3, half: true },
        { seat: 0, ships: 2, half: true },
      ],
    };
    const bought: GameEvent = { kind: "card_bought", by: 0, track: "colony", space: 0, card: "a", ships: 3 };
    const list = rows([opened, split, bought], [bid(0, 2, { half: true })]);
    expect(list.map((row) => [row.ships, row.did, row.half])).toEqual([
      [3, "bought", true],
      [2, "waits", true],
    ]);
  });

  it("shows an auction of an old log without reasons", () => {
    const bought: GameEvent = { kind: "card_bought", by: 0, track: "colony", space: 0, card: "a", ships: 3 };
    expect(rows([revealed, bought], [])[0]?.standing).toBeNull();
  });

  it("names a tie-break only where one decided", () => {
    const row = (standing: Standing) => rows([revealed], [standing])[0]!;
    expect(reason(row(bid(0, 4, { ahead: "bid" })), row(bid(1, 3)))).toBeNull();
    expect(reason(row(bid(0, 3, { ahead: "cards", held: -1 })), row(bid(1, 3)))?.key).toBe("bid.ahead_always");
    expect(reason(row(bid(0, 3, { ahead: "cards", held: 1 })), row(bid(1, 3)))).toMatchObject({
      key: "bid.ahead_cards",
      mine: "1",
      theirs: "2",
    });
    expect(reason(row(bid(0, 3)), undefined)).toBeNull();
  });
});
