import { describe, expect, it } from "vitest";
import type { GameEvent } from "~/wire";
import { isBig, scenesOf, waiting, type Scene } from "./scenes";

let n = 0;
const line = (...events: object[]) => ({
  n: ++n,
  at: n,
  seat: null,
  events: events as GameEvent[],
  told: events.map((_, at) => `told ${n}.${at}`),
});
const turn = (of: number) => ({ kind: "turn_began", turn: of });
const step = (name: string) => ({ kind: "step_began", step: name });
const of = (lines: ReturnType<typeof line>[], me: number | null = 0, now = 2) => scenesOf(lines, me, now);
const kinds = (scenes: readonly Scene[]) => scenes.map((one) => one.kind);

const struck = {
  kind: "deal_struck",
  by: 1,
  deal: "d1",
  parties: [0, 1],
  moved: [
    { giver: 0, to: 1, goods: { blue: 1 } },
    { giver: 1, to: 0, goods: { white: 2 }, donation: { green: 1 }, cards: ["harrow"] },
  ],
  obligations: [{ id: "o1" }],
};
const run = (by: number, gain: object, paid: object = {}) => ({
  kind: "production_run",
  by,
  runs: [{ card: `c${by}`, converter: 0 }],
  paid,
  gain,
});
const reveal = (track: string, ships: number[]) => ({
  kind: "bids_revealed",
  track,
  bids: ships.map((one, seat) => ({ seat, ships: one })),
  order: ships
    .map((one, seat) => ({ seat, ships: one }))
    .filter((one) => one.ships)
    .sort((one, other) => other.ships - one.ships),
});
const bought = (by: number, track: string, card: string, ships: number) => ({
  kind: "card_bought",
  by,
  track,
  space: 0,
  card,
  ships,
});

describe("scenes", () => {
  it("tell a deal of mine by what I get and give, everything that moves included", () => {
    const [deal] = of([line(struck)]);
    expect(deal).toMatchObject({
      kind: "deal",
      mine: true,
      get: { white: 2, green: 1 },
      give: { blue: 1 },
      cards: { get: ["harrow"], give: [] },
      promises: 1,
      flights: [
        { from: 0, to: 1, goods: { blue: 1 } },
        { from: 1, to: 0, goods: { white: 2, green: 1 } },
      ],
    });
    expect(of([line(struck)], 2)[0]).toMatchObject({ mine: false, get: {}, give: {} });
  });

  it("make one scene of everybody's production, with what I made", () => {
    const scenes = of([line({ kind: "plan_laid", by: 1 }, run(1, { green: 2 }), run(0, { white: 3 }, { blue: 1 }))]);
    expect(kinds(scenes)).toEqual(["production"]);
    expect(scenes[0]).toMatchObject({ gain: { white: 3 }, paid: { blue: 1 }, cards: ["c0"] });
    expect(scenes[0]!.flights.map((one) => one.to)).toEqual([1, 0]);
  });

  it("tell what sharing brought me, and nothing where nothing was shared", () => {
    const shared = {
      kind: "technologies_shared",
      shared: ["team"],
      bonuses: [{ seat: 0, card: "team", points: 6 }],
      entered: [
        { seat: 1, card: "tech-1" },
        { seat: 0, card: "tech-0" },
      ],
    };
    expect(of([line(shared)])[0]).toMatchObject({ kind: "sharing", points: 6, cards: ["tech-0"] });
    expect(of([line({ kind: "technologies_shared" })])).toEqual([]);
  });

  it("end an auction when the next thing begins, with what I took or kept", () => {
    const scenes = of([
      line(reveal("colony", [2, 5, 0]), step("colony_auction")),
      line(bought(1, "colony", "vega", 5)),
      line({ kind: "bid_passed", by: 0, track: "colony", ships: 2 }, reveal("research", [3, 0, 0])),
      line(bought(0, "research", "team", 3), { kind: "tracks_refreshed" }, turn(3)),
    ]);
    expect(kinds(scenes)).toEqual(["reveal", "taking", "reveal", "taking", "turn"]);
    expect(scenes[0]).toMatchObject({ place: 2, of: 2, ships: 2 });
    expect(scenes[1]).toMatchObject({ track: "colony", cards: [], paid: 0, kept: 2, turn: 2 });
    expect(scenes[3]).toMatchObject({ track: "research", cards: ["team"], paid: 3, kept: 0, turn: 2 });
    expect(scenes[4]).toMatchObject({ turn: 3, cards: ["team"] });
  });

  it("open a turn with what the last one brought and took", () => {
    const stolen = { kind: "stolen", by: 2, target: 0, card: "x", converter: 0, paid: {}, taken: { yellow: 2 } };
    const scenes = of(
      [line(turn(2)), line(run(0, { white: 3, blue: 1 }, { blue: 2, white: 1 })), line(stolen, turn(3))],
      0,
      3,
    );
    expect(kinds(scenes)).toEqual(["turn", "production", "theft", "turn"]);
    expect(scenes[3]).toMatchObject({ made: { white: 2 }, lost: [{ taken: { yellow: 2 } }] });
    expect(scenes[2]).toMatchObject({ mine: true, flights: [{ from: 0, to: 2 }] });
  });

  it("tell an invention, mine as a big one", () => {
    const invented = { kind: "technology_invented", by: 0, card: "team", paid: { white: 6 }, points: 1 };
    expect(isBig(of([line(invented)])[0]!)).toBe(true);
    expect(isBig(of([line(invented)], 1)[0]!)).toBe(false);
  });

  it("say nothing big to those who only watch", () => {
    const scenes = of([line(struck), line(run(0, { green: 1 })), line(reveal("colony", [1])), line(turn(2))], null);
    expect(scenes.some(isBig)).toBe(false);
  });

  it("have an id each", () => {
    const scenes = of([line(reveal("colony", [1])), line(reveal("research", [1])), line(turn(2))]);
    expect(new Set(scenes.map((one) => one.id)).size).toBe(scenes.length);
  });
});

describe("the queue", () => {
  const scene = (mine: boolean) => of([line(struck)], mine ? 0 : 7)[0]!;

  it("keeps the order and plays at most two that are mine", () => {
    const [a, b, c] = [scene(true), scene(true), scene(true)];
    expect(waiting([a], [b], "all")).toEqual([a, b]);
    expect(waiting([a, b], [c], "all")).toEqual([b, c]);
  });

  it("plays of what is others' only the last, and only if nothing of mine waits", () => {
    const [a, b, mine] = [scene(false), scene(false), scene(true)];
    expect(waiting([a], [b], "all")).toEqual([b]);
    expect(waiting([a], [mine, b], "all")).toEqual([mine]);
  });

  it("follows the setting", () => {
    const [other, mine] = [scene(false), scene(true)];
    expect(waiting([], [other, mine], "mine")).toEqual([mine]);
    expect(waiting([], [other], "mine")).toEqual([]);
    expect(waiting([], [mine], "off")).toEqual([]);
  });
});
