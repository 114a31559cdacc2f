import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { all } from "./toasts.svelte";
import { Table } from "./table.svelte";

class Line {
  static last: Line;
  sent: Record<string, unknown>[] = [];
  onmessage: ((frame: { data: string }) => void) | null = null;
  onclose: ((close: { code: number }) => void) | null = null;
  constructor(readonly url: string) {
    Line.last = this;
  }
  send(text: string) {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close() {}
  say(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const seat = (n: number) => ({ seat: n, stock: { green: n + 1 }, cards: {}, spent: {} });
const view = { seat: 1, turn: 1, waiting: [0, 1], players: [seat(0), seat(1), seat(2)], deals: {}, obligations: {} };
const table = { table: "t1", seats: [{ seat: 0 }, { seat: 1, host: true }, { seat: 2 }], status: "playing" };
const welcome = { kind: "welcome", n: 3, you: 1, table, view, here: { here: [1], watching: 0 }, now: 0, protocol: 1 };
const line = (n: number) => ({ n, at: n, seat: 0, events: [], told: [`line ${n}`] });

function sit() {
  const here = new Table("t1", (url) => new Line(url) as unknown as WebSocket);
  const leave = here.connect();
  Line.last.say({ kind: "missed", lines: [line(1), line(2), line(3)] });
  Line.last.say(welcome);
  return { here, leave };
}

const asked = (kind: string) => Line.last.sent.filter((message) => message.kind === kind);

describe("the table", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("knows who I am and goes round from my seat", () => {
    const { here } = sit();
    expect(here.me?.seat).toBe(1);
    expect(here.round.map((one) => one.seat)).toEqual([1, 2, 0]);
    expect(here.host).toBe(true);
    expect(here.myMove).toBe(true);
  });

  it("lays updates in and keeps every line once", () => {
    const { here } = sit();
    Line.last.say({ kind: "update", ...line(4), view: { turn: 2, players: { "0": { stock: { blue: 3 } } } } });
    Line.last.say({ kind: "missed", lines: [line(3), line(4)] });
    expect(here.view?.turn).toBe(2);
    expect(here.players[0]?.stock).toEqual({ blue: 3 });
    expect(here.lines.map((one) => one.n)).toEqual([1, 2, 3, 4]);
    expect(here.n).toBe(4);
  });

  it("begins with the whole view when the game does", () => {
    const { here } = sit();
    Line.last.say({ ...welcome, view: null });
    expect(here.me).toBeNull();
    Line.last.say({ kind: "update", ...line(4), whole: view, table: { status: "playing" } });
    expect(here.players).toHaveLength(3);
  });

  it("asks once after a burst of news what can be done", async () => {
    const { here } = sit();
    for (const n of [4, 5, 6]) Line.last.say({ kind: "update", ...line(n), view: { turn: n } });
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked("ask")).toHaveLength(1);
    const choice = { action: { kind: "done" }, price: null, gain: {}, refused: null };
    const options = { seat: 1, choices: [choice], may_propose: true, runs: [] };
    Line.last.say({ kind: "options", id: asked("ask")[0]!.id, n: 6, options, told: ["done"], why: [null] });
    expect(here.options?.choices).toHaveLength(1);
    expect(here.told).toEqual(["done"]);
  });

  it("does not ask again for a line that changed nothing here", async () => {
    sit();
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked("ask")).toHaveLength(1);
    Line.last.say({ kind: "update", ...line(4) }); // somebody else saved a plan
    Line.last.say({ kind: "update", ...line(5), table: { due: 9 } });
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked("ask")).toHaveLength(1);
  });

  it("is busy with a wish until it is answered", async () => {
    const { here } = sit();
    const done = here.do({ kind: "done" });
    expect(here.busy.has("done")).toBe(true);
    Line.last.say({ kind: "accepted", id: asked("do")[0]!.id, n: 4 });
    expect(await done).toBe(true);
    expect(here.busy.has("done")).toBe(false);
  });

  it("shows the sentence of a refusal and changes nothing", async () => {
    const { here } = sit();
    const before = here.view;
    const done = here.do({ kind: "done" });
    Line.last.say({
      kind: "refused",
      id: asked("do")[0]!.id,
      code: "too_late",
      sentence: "The time has passed.",
      facts: {},
    });
    expect(await done).toBe(false);
    expect(all().map((note) => note.text)).toContain("The time has passed.");
    expect(here.view).toBe(before);
  });

  it("knows from the first message how far its clock is off", () => {
    const { here } = sit();
    Line.last.say({ ...welcome, now: Date.now() + 3_600_000 });
    expect(Math.round(here.skew / 1000)).toBe(3600);
  });

  it("knows who is here and how the clock stands", () => {
    const { here } = sit();
    Line.last.say({ kind: "presence", here: [0, 1], watching: 2 });
    Line.last.say({ kind: "clock", now: Date.now() + 500, due: 9, left: null, last_call: true });
    expect(here.isHere(0)).toBe(true);
    expect(here.isHere(2)).toBe(false);
    expect(here.clock?.last_call).toBe(true);
    expect(here.skew).toBe(500);
  });

  it("comes back in its language with the last line it has", () => {
    sit();
    expect(Line.last.url).toContain("language=en");
    expect(Line.last.url).toContain("since=0");
    Line.last.onclose?.({ code: 1013 });
    vi.advanceTimersByTime(5000);
    expect(Line.last.url).toContain("since=3");
  });
});
