import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Action, PlanAnswer, Planned, Run } from "~/wire";
import { Planning } from "./planning.svelte";
import type { Table } from "./table.svelte";

/** A server that lets everything run but the dear card. */
const told = (runs: Run[]): Planned => ({
  runs: runs.map((run) => ({
    run: run.card === "open" && !run.pay ? { ...run, pay: { wild_small: 1 } } : run,
    gain: {},
    donate: {},
    missing: run.card === "dear" ? { goods: { blue: 2 } } : { goods: {} },
    no_fleet: run.card === "far",
    ways: [],
  })),
  paid: {},
  missing: { goods: runs.some((run) => run.card === "dear") ? { blue: 2 } : {} },
  left: { green: 1 },
  gain: {},
  donate: {},
  owed: {},
  owed_next: {},
  fleets_needed: 0,
  fleets: 0,
});

function sit(saved: Run[] | null = null) {
  const sent: Action[] = [];
  const me = { seat: 0, stock: {}, cards: {}, done: false };
  const view = { turn: 2, step: "trade", phase: "trade", plan: saved, score: 3, obligations: {}, players: [me] };
  const table = {
    view,
    you: 0,
    me,
    plan: vi.fn(async (runs: Run[] | null) => told(runs ?? [{ card: "free" }])),
    bestPlan: vi.fn(
      async () =>
        ({
          plan: told([{ card: "dear" }]),
          moves: [{ kind: "invent", card: "team" }],
          gains: [1.5],
          runs: [],
          run_gain: 2,
          ahead: 1.75,
          told: ["invent it"],
        }) as unknown as PlanAnswer,
    ),
    do: vi.fn(async (action: Action) => Boolean(sent.push(action))),
  };
  return { plan: new Planning(table as unknown as Table), table, view, sent };
}

describe("the economy plan", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("begins with what is saved, else with what costs nothing", async () => {
    const fresh = sit();
    await fresh.plan.refresh();
    expect(fresh.plan.wanted).toEqual([{ card: "free" }]);
    const before = sit([{ card: "dear" }]);
    await before.plan.refresh();
    expect(before.plan.count("dear", 0)).toBe(1);
  });

  it("is saved as a draft soon after the last tick, with the payments the server suggests", async () => {
    const { plan, sent } = sit();
    await plan.refresh();
    plan.tick("open", 0, 1);
    plan.tick("dear", 0, 1);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent).toEqual([
      {
        kind: "lay_plan",
        ready: false,
        runs: [
          { card: "free" },
          { card: "open", converter: 0, pay: { wild_small: 1 } },
          { card: "dear", converter: 0 },
        ],
      },
    ]);
  });

  it("waits for a slow answer before it is saved or confirmed", async () => {
    const { plan, table, sent } = sit();
    await plan.refresh();
    table.plan.mockImplementation(
      (runs) => new Promise((resolve) => setTimeout(() => resolve(told(runs ?? [])), 2000)),
    );
    plan.tick("open", 0, 1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(sent).toMatchObject([{ kind: "lay_plan", runs: [{ card: "free" }, { card: "open" }] }]);
  });

  it("says what it lacks and leaves, and runs only what is complete", async () => {
    const { plan, sent } = sit([{ card: "free" }, { card: "dear" }, { card: "far" }]);
    await plan.refresh();
    expect(plan.lacks).toEqual({ blue: 2 });
    expect(plan.spares).toEqual({ green: 1 });
    expect(plan.short.map((one) => one.run.card)).toEqual(["dear", "far"]);
    await plan.confirm();
    expect(sent).toEqual([{ kind: "lay_plan", ready: true, runs: [{ card: "free" }] }]);
  });

  it("asks again only when something has changed, and forgets ticks in the next turn", async () => {
    const { plan, table, view } = sit();
    await plan.refresh();
    await plan.refresh();
    expect(table.plan).toHaveBeenCalledTimes(1);
    plan.tick("dear", 0, 1);
    view.turn = 3;
    await plan.refresh();
    expect(table.plan).toHaveBeenLastCalledWith(null);
  });

  it("takes over the best plan with the moves it begins with", async () => {
    const { plan } = sit();
    await plan.best();
    expect(plan.count("dear", 0)).toBe(1);
    expect(plan.moves).toEqual([{ action: { kind: "invent", card: "team" }, text: "invent it", gain: 1.5 }]);
    expect([plan.running, plan.shown]).toEqual([{ runs: [], gain: 2 }, true]);
  });

  it("says what the best plan brings beyond what is ticked, before it is taken over and after", async () => {
    const { plan, table } = sit([{ card: "free" }]);
    expect(plan.ahead).toBeNull();
    await plan.compare();
    await plan.compare();
    expect(table.bestPlan).toHaveBeenCalledTimes(1);
    expect(table.bestPlan).toHaveBeenLastCalledWith([{ card: "free" }], "compare");
    expect([plan.ahead, plan.gained]).toEqual([1.75, null]);
    expect(plan.count("free", 0)).toBe(1);
    await plan.best();
    expect([plan.ahead, plan.gained]).toEqual([null, 1.75]);
  });

  it("makes a move of the best plan and asks for what is left of it", async () => {
    const { plan, table, sent } = sit();
    await plan.best();
    await plan.follow(plan.moves[0]!);
    expect(sent[0]).toEqual({ kind: "invent", card: "team" });
    expect(table.bestPlan).toHaveBeenCalledTimes(2);
  });
});
