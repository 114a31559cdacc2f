// The table as this browser knows it: what the server sent, with every change laid in, and ways to ask for more.
import { untrack } from "svelte";
import type {
  Action,
  Ask,
  Clause,
  ClockNow,
  FromServer,
  Options,
  Payments,
  PlanAnswer,
  Planned,
  Presence,
  Proposal,
  Quoted,
  Run,
  Seat,
  SeatFace,
  SeatView,
  SeatNeeds,
  SeenLine,
  TableAction,
  TableView,
  View,
  Welcome,
  Worth,
} from "~/wire";
import { get, Refused } from "./api";
import { concerns } from "./asking";
import { layIn } from "./changes";
import { Planning } from "./planning.svelte";
import { Connection, newId, type Gone, type Link, type Open } from "./socket";
import { toast } from "./toasts.svelte";
import { language, t } from "./words.svelte";

/** A line of the log as the page keeps it: its sentences, and who said what. */
export type Line = SeenLine;

interface Wait {
  resolve(message: FromServer): void;
  reject(why: Error): void;
}

/** How long the page waits for more news before it asks what can be done now. */
const SETTLE = 40;
const MOST_LINES = 2000;

export class Table {
  link = $state.raw<Link>("connecting");
  gone = $state.raw<Gone | null>(null);
  n = $state.raw<number | null>(null);
  you = $state.raw<Seat | null>(null);
  table = $state.raw<TableView | null>(null);
  view = $state.raw<View | null>(null);
  here = $state.raw<Presence>({ here: [], watching: 0 });
  clock = $state.raw<ClockNow | null>(null);
  lines = $state.raw<Line[]>([]);
  /** What can be done now, with what each choice is called and why it is not open. */
  options = $state.raw<Options | null>(null);
  told = $state.raw<string[]>([]);
  /** What offers were worth to me when they were looked at, by their id, or of a draft by its clauses. */
  readonly worths = new Map<string, number>();
  why = $state.raw<(string | null)[]>([]);
  /** The deed that keeps my word, in words. */
  must = $state.raw("");
  closing = $state.raw("");
  /** Wishes on their way, by what they are about; buttons show that they are busy. */
  busy = $state.raw<ReadonlySet<string>>(new Set());
  /** My economy plan; what it lacks and leaves is there for the offers. */
  readonly planning = new Planning(this);
  /** How far the server's clock is ahead of ours. */
  skew = 0;

  #connection: Connection;
  #waits = new Map<string, Wait>();
  #asking: ReturnType<typeof setTimeout> | undefined;
  /** Whether what can be done may have changed since it was asked for. */
  #optionsDue = false;

  constructor(
    readonly id: string,
    open?: Open,
  ) {
    this.#connection = new Connection(
      (since) => this.#url(since),
      {
        message: (message) => this.hear(message),
        link: (link, gone) => {
          this.link = link;
          this.gone = gone ?? null;
        },
        since: () => this.n ?? 0, // whoever comes for the first time has missed everything
        refused: () => this.#whatIsWrong(),
      },
      open,
    );
  }

  connect(): () => void {
    this.#connection.start();
    const nudge = () => document.visibilityState === "visible" && this.#connection.nudge();
    const drop = () => this.#connection.drop();
    addEventListener("online", nudge);
    addEventListener("offline", drop);
    document.addEventListener("visibilitychange", nudge);
    return () => {
      removeEventListener("online", nudge);
      removeEventListener("offline", drop);
      document.removeEventListener("visibilitychange", nudge);
      clearTimeout(this.#asking);
      this.#connection.close();
    };
  }

  /** Hear everything anew, for instance in another language. */
  forget(): void {
    this.n = null;
    this.lines = [];
  }

  // ---------------------------------------------------------------- what everything reads

  get me(): SeatView | null {
    return this.you === null ? null : (this.view?.players[this.you] ?? null);
  }

  /** My points; when the game is over, all that counted. Only I know them before that. */
  get points(): number | null {
    const total = this.view?.scores?.find((score) => score.seat === this.you)?.total;
    return total === undefined ? (this.view?.score ?? null) : total / 12;
  }

  get players(): readonly SeatView[] {
    return this.view?.players ?? [];
  }

  /** Everybody, oneself first, then round the table. */
  get round(): readonly SeatView[] {
    const from = this.you ?? 0;
    return [...this.players.slice(from), ...this.players.slice(0, from)];
  }

  face(seat: Seat): SeatFace | null {
    return this.table?.seats[seat] ?? null;
  }

  get host(): boolean {
    return this.you !== null && (this.face(this.you)?.host ?? false);
  }

  get myMove(): boolean {
    return this.you !== null && (this.view?.waiting.includes(this.you) ?? false);
  }

  isHere(seat: Seat): boolean {
    return this.here.here.includes(seat);
  }

  // ---------------------------------------------------------------- asking

  /** Ask for an action; a refusal is shown and comes back as false. */
  async do(action: Action | TableAction, about = action.kind as string): Promise<boolean> {
    return this.#busyWith(about, async () => {
      const id = newId();
      await this.#send({ kind: "do", id, action });
    });
  }

  async talk(text: string, to: Seat | null = null): Promise<boolean> {
    return this.#busyWith("talk", async () => {
      await this.#send({ kind: "talk", id: newId(), text, to });
    });
  }

  /** What an offer would be worth and change in my plan; null when this table does not tell. */
  async worth(what: { deal: string } | { clauses: Clause[]; settles?: string[] }): Promise<Worth | null> {
    try {
      const answer = await this.#send({ kind: "ask", id: newId(), what: "worth", ...what });
      if (answer.kind !== "worth") return null;
      const mine = answer.values.find(({ seat }) => seat === this.you)?.points;
      if (mine != null) this.worths.set("deal" in what ? what.deal : JSON.stringify(what.clauses), mine);
      return answer;
    } catch {
      return null;
    }
  }

  /** What seats need and can spare by their best plans; null when this table does not tell. */
  async needs(): Promise<SeatNeeds[] | null> {
    try {
      const answer = await this.#send({ kind: "ask", id: newId(), what: "needs" });
      return answer.kind === "needs" ? answer.seats : null;
    } catch {
      return null;
    }
  }

  /** What some white converters take, lack, leave and make; without any, those that cost nothing. */
  async plan(runs: Run[] | null): Promise<Planned | null> {
    try {
      const answer = await this.#send({ kind: "ask", id: newId(), what: "plan", runs });
      return answer.kind === "plan" ? answer.plan : null;
    } catch {
      return null;
    }
  }

  /** The best I can do by myself this turn; a refusal is shown. */
  async bestPlan(runs: Run[], why = "best_plan"): Promise<PlanAnswer | null> {
    let found: PlanAnswer | null = null;
    await this.#busyWith(why, async () => {
      const answer = await this.#send({ kind: "ask", id: newId(), what: "best_plan", runs });
      if (answer.kind === "plan") found = answer;
    });
    return found;
  }

  /** Offers I could make that everybody in them gains from; a refusal is shown. */
  findDeals(): Promise<Proposal[] | null> {
    return this.#proposals({ kind: "ask", id: newId(), what: "deals" });
  }

  /** The offer with these clauses cut so that both gain alike: one, or none; a refusal is shown. */
  evened(clauses: Clause[]): Promise<Proposal[] | null> {
    return this.#proposals({ kind: "ask", id: newId(), what: "even", clauses });
  }

  /** What a bot would want for something; a refusal is shown. */
  async quote(clauses: Clause[]): Promise<Quoted | null> {
    let found: Quoted | null = null;
    await this.#busyWith("quote", async () => {
      const answer = await this.#send({ kind: "ask", id: newId(), what: "quote", clauses });
      if (answer.kind === "quote") found = answer;
    });
    return found;
  }

  async #proposals(ask: Ask): Promise<Proposal[] | null> {
    let found: Proposal[] | null = null;
    await this.#busyWith(ask.what, async () => {
      const answer = await this.#send(ask);
      if (answer.kind === "deals") found = answer.found;
    });
    return found;
  }

  /** In which ways a violet converter can be paid. */
  async payments(action: NonNullable<Ask["action"]>): Promise<Payments | null> {
    try {
      const answer = await this.#send({ kind: "ask", id: newId(), what: "payments", action });
      return answer.kind === "payments" ? answer.ways : null;
    } catch {
      return null;
    }
  }

  /** Each clause in plain words. */
  async terms(what: { deal: string } | { clauses: Clause[] }): Promise<string[]> {
    try {
      const answer = await this.#send({ kind: "ask", id: newId(), what: "terms", ...what });
      return answer.kind === "terms" ? answer.told : [];
    } catch {
      return [];
    }
  }

  #send(message: Parameters<Connection["send"]>[0]): Promise<FromServer> {
    return new Promise((resolve, reject) => {
      this.#waits.set(message.id, { resolve, reject });
      this.#connection.send(message);
    });
  }

  async #busyWith(about: string, work: () => Promise<void>): Promise<boolean> {
    this.busy = new Set(this.busy).add(about);
    try {
      await work();
      return true;
    } catch (why) {
      toast((why as Error).message || t("error.unknown"), "bad");
      return false;
    } finally {
      this.busy = new Set([...this.busy].filter((one) => one !== about));
    }
  }

  // ---------------------------------------------------------------- hearing

  hear(message: FromServer): void {
    switch (message.kind) {
      case "missed":
        return this.#keep(message.lines);
      case "welcome":
        return this.#welcome(message);
      case "update":
        this.n = message.n;
        this.#keep([message]);
        if (message.table && this.table) this.table = layIn(this.table, message.table);
        return this.#see(message.whole ?? (message.view && this.view ? layIn(this.view, message.view) : this.view));
      case "accepted":
      case "worth":
      case "needs":
      case "plan":
      case "deals":
      case "quote":
      case "payments":
      case "terms":
        return this.#answer(message.id, message);
      case "options":
        this.options = message.options;
        this.told = message.told;
        this.why = message.why;
        this.must = message.must;
        return this.#answer(message.id, message);
      case "refused":
        if (message.id === null) return toast(message.sentence, "bad");
        return this.#refuse(message.id, new Refused(0, message.code, message.sentence));
      case "presence":
        this.here = { here: message.here, watching: message.watching };
        return;
      case "clock":
        this.clock = message;
        this.skew = message.now - Date.now();
        return;
      case "closing":
        this.closing = message.sentence;
    }
  }

  #welcome(message: Welcome): void {
    this.closing = "";
    this.skew = message.now - Date.now(); // before anything is drawn that tells a time
    this.n = message.n;
    this.you = message.you;
    this.table = message.table;
    this.view = message.view;
    this.here = message.here;
    this.#optionsDue = true;
    this.#askSoon();
  }

  /** A line that changed nothing here, such as talk or somebody else's draft of a plan, makes nobody ask. */
  #see(view: View | null): void {
    if (!view || view === this.view) return;
    if (this.you !== null && concerns(this.view, view, this.you)) this.#optionsDue = true;
    this.view = view;
    this.#askSoon();
  }

  #keep(lines: readonly Line[]): void {
    const last = this.lines.at(-1)?.n ?? 0;
    const fresh = lines.filter((line) => line.n > last);
    if (fresh.length) this.lines = [...this.lines, ...fresh].slice(-MOST_LINES);
  }

  #answer(id: string, message: FromServer): void {
    this.#waits.get(id)?.resolve(message);
    this.#waits.delete(id);
  }

  #refuse(id: string, why: Error): void {
    this.#waits.get(id)?.reject(why);
    this.#waits.delete(id);
  }

  /** After a burst of news, ask once what can be done now, if that may have changed. */
  #askSoon(): void {
    if (this.you === null || !this.view) return;
    clearTimeout(this.#asking);
    this.#asking = setTimeout(() => {
      if (this.#optionsDue)
        untrack(() => this.#send({ kind: "ask", id: newId(), what: "options", refused: true })).catch(() => {});
      this.#optionsDue = false;
      untrack(() => this.planning.refresh()).catch(() => {});
    }, SETTLE);
  }

  #url(since: number | null): string {
    const query = new URLSearchParams({ language: language(), protocol: "1" });
    if (since !== null) query.set("since", String(since));
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    return `${scheme}://${location.host}/api/tables/${this.id}/socket?${query}`;
  }

  async #whatIsWrong(): Promise<Gone | null> {
    try {
      await get(`tables/${this.id}`);
      return null;
    } catch (why) {
      const { status } = why as Refused;
      if (status === 404) return "no_such_table";
      if (status === 401) return "key_ended";
      return status === 403 ? "removed" : null;
    }
  }
}
