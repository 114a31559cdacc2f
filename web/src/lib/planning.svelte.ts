// The economy plan: what is ticked, and what the server says it takes, lacks, leaves and makes.
import type { CardId, Goods, PlanAnswer, Planned, PlannedRun, Run } from "~/wire";
import { planBasis } from "./asking";
import { isFree } from "./goods";
import type { Table } from "./table.svelte";

/** How long after the last tick the plan is saved. */
const SAVE = 700;

export interface Move {
  action: PlanAnswer["moves"][number];
  text: string;
  gain: number; // what it adds to the moves before it
}

export class Planning {
  /** The plan as the table stands; null before it was asked for. */
  told = $state.raw<Planned | null>(null);
  /** The best plan as it was asked for: violet moves in order, then what runs. */
  moves = $state.raw<Move[]>([]);
  running = $state.raw<{ runs: Run[]; gain: number } | null>(null);
  /** Whether the steps of the best plan are shown. */
  shown = $state(false);
  /** What the best plan brings beyond what was ticked when it was asked for; null: not asked for, or not known. */
  gained = $state.raw<number | null>(null);
  #ahead = $state.raw<{ key: string; points: number | null } | null>(null);
  #wanted = $state.raw<Run[] | null>(null);
  #turn = 0;
  #key = "";
  #asking: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly table: Table) {}

  /** The runs that are ticked: here, or saved before, or those that cost nothing. */
  get wanted(): Run[] {
    return this.#wanted ?? this.table.view?.plan ?? this.told?.runs.map((one) => one.run) ?? [];
  }

  of(card: CardId, converter: number): PlannedRun[] {
    return (this.told?.runs ?? []).filter((one) => one.run.card === card && (one.run.converter ?? 0) === converter);
  }

  count(card: CardId, converter: number): number {
    return this.wanted.filter((run) => run.card === card && (run.converter ?? 0) === converter).length;
  }

  /** What can run as things stand. */
  get complete(): Run[] {
    return (this.told?.runs ?? []).filter((one) => isFree(one.missing) && !one.no_fleet).map((one) => one.run);
  }

  get short(): PlannedRun[] {
    return (this.told?.runs ?? []).filter((one) => !isFree(one.missing) || one.no_fleet);
  }

  /** What the ticked plan lacks, colour by colour, and what it leaves to trade with. */
  get lacks(): Goods {
    return this.told?.missing.goods ?? {};
  }

  get spares(): Goods {
    return this.told?.left ?? {};
  }

  /** So many runs of one converter; payments that were chosen for the others stay. */
  tick(card: CardId, converter: number, times: number): void {
    const others = this.wanted.filter((run) => run.card !== card || (run.converter ?? 0) !== converter);
    this.#change([...others, ...Array.from({ length: times }, () => ({ card, converter }))]);
  }

  /** Pay one run otherwise. */
  pay(one: PlannedRun, way: Run): void {
    const runs = this.told?.runs ?? [];
    this.#change(runs.map((other) => (other === one ? way : this.#asTicked(other))));
  }

  /** What the best plan brings beyond the one that is ticked; null while nobody has asked. */
  get ahead(): number | null {
    return this.#ahead?.key === this.#basis ? this.#ahead.points : null;
  }

  /** Ask what the best plan brings, once for as long as nothing changes. */
  async compare(): Promise<void> {
    const key = this.#basis;
    if (!key || this.#ahead?.key === key) return;
    this.#ahead = { key, points: null };
    const found = await this.table.bestPlan(this.wanted, "compare");
    if (this.#ahead?.key === key) this.#ahead = { key, points: found?.ahead ?? null };
  }

  get #basis(): string {
    const { view, you } = this.table;
    return view && you !== null ? planBasis(view, you, this.wanted) : "";
  }

  /** Tick what is best, as far as the table helps. */
  async best(): Promise<boolean> {
    const found = await this.table.bestPlan(this.wanted);
    if (!found) return false;
    this.#turnOver(this.table.view?.turn ?? 0);
    this.#take(found);
    this.gained = found.ahead ?? null;
    this.shown = true;
    // Ticked is what is best without the moves: whoever makes none of them wastes nothing.
    this.#change(found.plan.runs.map((one) => one.run));
    return true;
  }

  /** Make a move of the best plan; then what is left of the plan is asked for anew. */
  async follow(move: Move): Promise<boolean> {
    return (await this.table.do(move.action, move.action.card)) && (await this.best());
  }

  /** Make all moves in their order, until one is refused. */
  async followAll(): Promise<boolean> {
    for (const move of this.moves) if (!(await this.table.do(move.action, move.action.card))) return false;
    return this.best();
  }

  /** Nothing is ticked. */
  clear(): void {
    this.#change([]);
  }

  async confirm(): Promise<boolean> {
    clearTimeout(this.#timer);
    await this.refresh();
    return this.table.do({ kind: "lay_plan", runs: this.complete, ready: true }, "lay_plan");
  }

  /** Ask anew what the plan comes to when something it hangs on has changed. */
  async refresh(): Promise<void> {
    const { view, you } = this.table;
    if (!view || you === null) return;
    this.#turnOver(view.turn);
    const runs = this.#wanted ?? view.plan;
    const key = planBasis(view, you, runs);
    if (!key) return;
    if (key !== this.#key) {
      this.#key = key;
      this.#asking = this.#ask(runs, key);
    }
    return this.#asking;
  }

  async #ask(runs: Run[] | null, key: string): Promise<void> {
    const told = await this.table.plan(runs);
    if (this.#key !== key) return;
    if (told) this.told = told;
    else this.#key = ""; // not answered: asked again with the next news
  }

  #turnOver(turn: number): void {
    if (turn === this.#turn) return;
    this.#turn = turn;
    this.#wanted = null;
    this.moves = [];
    this.running = null;
    this.shown = false;
  }

  #take(found: PlanAnswer): void {
    this.moves = found.moves.map((action, n) => ({
      action,
      text: found.told[n] ?? action.kind,
      gain: found.gains[n] ?? 0,
    }));
    this.running = { runs: found.runs, gain: found.run_gain };
  }

  /** A run as it was wanted: a payment the server only suggests is not held on to. */
  #asTicked(one: PlannedRun): Run {
    const same = (run: Run) => run.card === one.run.card && (run.converter ?? 0) === (one.run.converter ?? 0);
    return (
      this.wanted.find((run) => same(run) && run.pay && JSON.stringify(run.pay) === JSON.stringify(one.run.pay)) ?? {
        card: one.run.card,
        converter: one.run.converter ?? 0,
      }
    );
  }

  #change(runs: Run[]): void {
    this.#wanted = runs;
    void this.refresh();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#save(), SAVE);
  }

  /** Kept by the server as a draft, with the payments it suggested, so that it runs when time is up. */
  async #save(): Promise<void> {
    await this.refresh();
    const runs = this.told?.runs.map((one) => one.run) ?? [];
    const { view, me } = this.table;
    if (!view || !me || (view.phase !== "trade" && view.phase !== "economy")) return;
    if (view.plan && JSON.stringify(view.plan) === JSON.stringify(runs) && !(me.done && view.step === "plan")) return;
    await this.table.do({ kind: "lay_plan", runs, ready: false }, "save_plan");
  }
}
