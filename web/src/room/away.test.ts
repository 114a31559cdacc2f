import { expect, test } from "vitest";
import type { Line } from "~/lib/table.svelte";
import { absenceSince, AWAY, changed } from "./away";

const line = (n: number, event: object, told = `line ${n}`, seat: number | null = null) =>
  ({ n, at: 1000 * n, seat, events: [event], told: [told] }) as unknown as Line;
const texts = (lines: Line[], me: number, now = 9000) =>
  absenceSince(lines, me, { n: 1, at: 1000 }, now)?.mine.map((one) => one.text);

const COVERED = [
  line(1, { kind: "done_said", by: 1 }),
  line(2, { kind: "seat_covered", seat: 1 }),
  line(3, { kind: "done_said", by: 1 }, "line 3", 1),
  line(4, { kind: "done_said", by: 2 }, "line 4", 2),
  line(5, { kind: "deal_struck", parties: [0, 1], by: 0 }),
  line(6, { kind: "plan_laid", by: 1 }, ""),
  line(7, { kind: "seat_handed_back", seat: 1 }),
];

test("what was done for me is told line by line, and nothing of others", () => {
  expect(texts(COVERED, 1)).toEqual(["line 3", "line 5"]);
  expect(absenceSince(COVERED, 1, { n: 1, at: 1000 }, 9000)).toMatchObject({ covered: true, traded: true, deals: 0 });
});

test("what an order of mine did is told at once, what others did only after a while", () => {
  const ordered = { ...line(2, { kind: "order_fired", seat: 1, id: 1, turn: 1, deal: "d1" }, "by order"), seat: 1 };
  ordered.events = [...ordered.events, { kind: "deal_struck", parties: [0, 1], by: 1 }] as unknown as Line["events"];
  ordered.told = ["", "a deal"];
  const found = absenceSince([line(1, { kind: "done_said", by: 1 }), ordered], 1, { n: 1, at: 1000 }, 3000);
  expect(found?.mine).toEqual([{ key: "2.1", text: "a deal", ordered: true }]);
  const others = [line(2, { kind: "deal_struck", parties: [0, 2], by: 0 })];
  expect(absenceSince(others, 1, { n: 1, at: 1000 }, 3000)).toBeNull();
  expect(absenceSince(others, 1, { n: 1, at: 1000 }, 1000 + AWAY)?.deals).toBe(1);
});

test("who declined my offer is told, and what was offered to me and taken back", () => {
  const offer = (n: number, id: string, proposer: number, parties: number[]) =>
    line(n, { kind: "deal_offered", deal: { id, proposer, parties } }, "", proposer);
  const lines = [
    offer(1, "d1", 1, [0, 1]),
    offer(2, "d2", 0, [0, 1]),
    offer(3, "d3", 0, [0, 2]),
    line(4, { kind: "deal_declined", by: 0, deal: "d1" }, "no", 0),
    line(5, { kind: "deal_withdrawn", by: 0, deal: "d2" }, "taken back", 0),
    line(6, { kind: "deal_withdrawn", by: 0, deal: "d3" }, "nothing of mine", 0),
  ];
  const found = absenceSince(lines, 1, { n: 1, at: 1000 }, 1000 + AWAY);
  expect(found?.mine).toEqual([{ key: "4.0", text: "no", ordered: false }]);
  expect(found?.gone).toEqual([{ key: "5.0", text: "taken back" }]);
});

test("what I did myself, on whatever device, is when I was last here", () => {
  const own = line(8, { kind: "done_said", by: 1 }, "line 8", 1);
  expect(absenceSince([...COVERED, own], 1, { n: 1, at: 1000 }, 9e9)).toBeNull();
  expect(absenceSince(COVERED.slice(3), 5, null, 9e9)).toBeNull(); // never here: nothing to compare with
});

test("who was covered before they did anything is told of it", () => {
  expect(absenceSince(COVERED.slice(1), 1, null, 9000)?.mine.map((one) => one.text)).toEqual(["line 3", "line 5"]);
});

test("what one has more or less of", () => {
  expect(changed({ green: 2, ship: 1 }, { green: 1, ship: 1, white: 3 })).toEqual([
    ["green", -1],
    ["white", 3],
  ]);
});

test("what changed hands while I was away can be offered back, what was only promised cannot", () => {
  const struck = (n: number, moved: object[]) => line(n, { kind: "deal_struck", parties: [0, 1], by: 0, moved });
  const swap = [
    { giver: 0, to: 1, goods: { green: 2 } },
    { giver: 1, to: 0, cards: ["c1"] },
  ];
  const found = absenceSince([struck(2, swap), struck(3, [])], 1, { n: 1, at: 1000 }, 1000 + AWAY);
  expect(found?.mine.map((one) => one.undo)).toEqual([
    {
      parties: [0, 1],
      clauses: [
        { kind: "give", giver: 1, to: 0, goods: { green: 2 }, cards: [] },
        { kind: "give", giver: 0, to: 1, goods: {}, cards: ["c1"] },
      ],
    },
    undefined,
  ]);
});
