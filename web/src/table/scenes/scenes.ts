// What happened, as scenes: a pure reading of the log. A scene shows what is already true; the list of a turn's
// scenes is also what "this turn so far" lists.
import { isNothing, items, plus, type Goods } from "~/lib/goods";
import type { Line } from "~/lib/table.svelte";
import type { Bonus, CardBought, CardId, DealStruck, Entered, GameEvent, Seat, Standing, Stolen, Track } from "~/wire";

/** Goods on their way; null is the supply. */
export interface Flight {
  from: Seat | null;
  to: Seat | null;
  goods: Goods;
}

interface Common {
  id: string; // the line it ends in, and its place there
  n: number;
  turn: number;
  mine: boolean; // whether it is about me
  told: string; // in the server's words
  flights: Flight[];
}

export interface DealScene extends Common {
  kind: "deal";
  deal: string;
  parties: Seat[];
  get: Goods;
  give: Goods;
  cards: { get: CardId[]; give: CardId[] };
  promises: number;
}

export interface InventionScene extends Common {
  kind: "invention";
  by: Seat;
  card: CardId;
  entered: CardId | null;
  paid: Goods;
  points: number; // at once; the rest comes when it is shared
  bonus: number;
}

export interface ProductionScene extends Common {
  kind: "production";
  paid: Goods;
  gain: Goods;
  donation: Goods;
  cards: CardId[]; // mine that ran
}

export interface SharingScene extends Common {
  kind: "sharing";
  shared: CardId[];
  bonuses: Bonus[];
  entered: Entered[];
  points: number; // mine
  cards: CardId[]; // new to me
}

export interface RevealScene extends Common {
  kind: "reveal";
  track: Track;
  place: number | null; // of my bid, the best is 1
  of: number; // bids with ships
  ships: number; // I bid
}

export interface TakingScene extends Common {
  kind: "taking";
  track: Track;
  taken: CardBought[];
  cards: CardId[]; // mine
  paid: number; // my ships
  kept: number; // ships I bid and have still
}

export interface TheftScene extends Common {
  kind: "theft";
  by: Seat;
  target: Seat;
  taken: Goods;
}

export interface TurnScene extends Common {
  kind: "turn";
  made: Goods; // what production left me more, of each good
  cards: CardId[]; // that came to me last turn
  lost: TheftScene[]; // thefts from me
}

export type Scene =
  DealScene | InventionScene | ProductionScene | SharingScene | RevealScene | TakingScene | TheftScene | TurnScene;

/** Scenes that take the place of the table for a moment; the others are told in their line, and by flights. */
export function isBig(scene: Scene): boolean {
  return scene.mine && ["invention", "sharing", "taking", "turn"].includes(scene.kind);
}

const sum = (goods: readonly (Goods | null | undefined)[]): Goods =>
  goods.flatMap((one) => items(one)).reduce<Goods>((all, [kind, n]) => plus(all, kind, n), {});

/** What of each good is more in the first than in the second. */
const more = (one: Goods, other: Goods): Goods =>
  items(other).reduce<Goods>((left, [kind, n]) => plus(left, kind, -n), one);

interface Told {
  event: GameEvent;
  told: string;
  n: number;
  place: number;
}

/** The scenes of these lines in their order, as seat `me` sees them; `turn` is that of the last line. */
export function scenesOf(lines: readonly Line[], me: Seat | null, turn: number): Scene[] {
  const events: Told[] = lines.flatMap((line) =>
    line.events.map((event, place) => ({ event: event as GameEvent, told: line.told[place] ?? "", n: line.n, place })),
  );
  const began = events.flatMap(({ event }) => (event.kind === "turn_began" ? [event.turn] : []));
  let now = (began[0] ?? turn + 1) - 1;
  const scenes: Scene[] = [];
  const auction = new Auctions(me);
  for (const [at, one] of events.entries()) {
    if (one.event.kind === "turn_began") now = one.event.turn;
    const common = { id: `${one.n}.${one.place}`, n: one.n, turn: now, told: one.told, mine: false, flights: [] };
    const ended = auction.after(one.event);
    if (ended) scenes.push({ ...common, ...ended, id: `${common.id}.end`, told: "" });
    const scene = sceneOf(one, events[at - 1], me, scenes);
    if (scene) scenes.push({ ...common, ...scene } as Scene);
  }
  return scenes;
}

function sceneOf(
  { event, n }: Told,
  before: Told | undefined,
  me: Seat | null,
  scenes: readonly Scene[],
): Partial<Scene> | null {
  switch (event.kind) {
    case "deal_struck":
      return deal(event, me);
    case "technology_invented":
      return {
        kind: "invention",
        by: event.by,
        card: event.card,
        entered: event.entered ?? null,
        paid: event.paid,
        points: event.points,
        bonus: event.bonus ?? 0,
        mine: event.by === me,
        flights: flying([{ from: event.by, to: null, goods: event.paid }]),
      };
    case "production_run": {
      // All run at once: one scene for everybody.
      if (before?.event.kind === "production_run" && before.n === n) {
        joined(scenes.at(-1) as ProductionScene, event, me);
        return null;
      }
      const scene = {
        kind: "production",
        paid: {},
        gain: {},
        donation: {},
        cards: [],
        flights: [],
        mine: me !== null,
      } as unknown as ProductionScene;
      joined(scene, event, me);
      return scene;
    }
    case "technologies_shared": {
      if (!event.bonuses?.length && !event.shared?.length) return null;
      const bonuses = event.bonuses ?? [];
      return {
        kind: "sharing",
        shared: event.shared ?? [],
        bonuses,
        entered: event.entered ?? [],
        points: bonuses.filter((one) => one.seat === me).reduce((all, one) => all + one.points, 0),
        cards: (event.entered ?? []).filter((one) => one.seat === me).map((one) => one.card),
        mine: me !== null,
      };
    }
    case "bids_revealed": {
      const order = event.order ?? [];
      const place = order.findIndex((one) => one.seat === me);
      return {
        kind: "reveal",
        track: event.track,
        place: place < 0 ? null : place + 1,
        of: order.length,
        ships: order[place]?.ships ?? 0,
        mine: me !== null,
      };
    }
    case "stolen":
      return theft(event, me);
    case "turn_began":
      return event.turn > 1 ? { kind: "turn", mine: me !== null, ...opening(scenes, me) } : null;
    default:
      return null;
  }
}

const flying = (flights: Flight[]): Flight[] => flights.filter((one) => !isNothing(one.goods));

function deal(event: DealStruck, me: Seat | null): Partial<DealScene> {
  const moved = event.moved ?? [];
  const both = (way: "to" | "giver") => moved.filter((one) => one[way] === me);
  return {
    kind: "deal",
    deal: event.deal,
    parties: event.parties,
    get: sum(both("to").flatMap((one) => [one.goods, one.donation, one.tied])),
    give: sum(both("giver").flatMap((one) => [one.goods, one.donation, one.tied])),
    cards: {
      get: [
        ...both("to").flatMap((one) => one.cards ?? []),
        ...(event.licensed ?? []).filter((one) => one.to === me).map((one) => one.card),
      ],
      give: both("giver").flatMap((one) => one.cards ?? []),
    },
    promises: event.obligations?.length ?? 0,
    mine: me !== null && event.parties.includes(me),
    flights: flying(
      moved.map((one) => ({ from: one.giver, to: one.to, goods: sum([one.goods, one.donation, one.tied]) })),
    ),
  };
}

function joined(scene: ProductionScene, run: GameEvent & { kind: "production_run" }, me: Seat | null): void {
  const gain = run.gain ?? {};
  scene.flights = [...scene.flights, ...flying([{ from: null, to: run.by, goods: gain }])];
  if (run.by !== me) return;
  scene.paid = run.paid ?? {};
  scene.gain = gain;
  scene.donation = sum([run.donation, run.tied]);
  scene.cards = [...new Set(run.runs.map((one) => one.card))];
}

function theft(event: Stolen, me: Seat | null): Partial<TheftScene> {
  return {
    kind: "theft",
    by: event.by,
    target: event.target,
    taken: event.taken,
    mine: event.by === me || event.target === me,
    flights: flying([{ from: event.target, to: event.by, goods: event.taken }]),
  };
}

/** What the turn that ends now brought me. */
function opening(scenes: readonly Scene[], me: Seat | null): Pick<TurnScene, "made" | "cards" | "lost"> {
  const from = scenes.findLastIndex((one) => one.kind === "turn");
  const last = scenes.slice(from + 1);
  const made = last.find((one) => one.kind === "production");
  return {
    made: made ? more(made.gain, made.paid) : {},
    cards: last.flatMap((one) => (one.kind === "sharing" || one.kind === "taking" ? one.cards : [])),
    lost: last.filter((one): one is TheftScene => one.kind === "theft" && one.target === me),
  };
}

/** Auctions go over many lines: each ends when something else begins. */
class Auctions {
  #open: { track: Track; order: readonly Standing[]; bids: number; taken: CardBought[] } | null = null;

  constructor(readonly me: Seat | null) {}

  /** The scene of an auction that this event ends, if it does. */
  after(event: GameEvent): Pick<TakingScene, "kind" | "track" | "taken" | "cards" | "paid" | "kept" | "mine"> | null {
    const open = this.#open;
    if (event.kind === "card_bought") open?.taken.push(event);
    const going = ["card_bought", "bid_passed", "bid_split", "gained"].includes(event.kind);
    if (!open || going || (event.kind === "step_began" && event.step === `${open.track}_auction`)) {
      if (event.kind === "bids_revealed") this.#reveal(event);
      return null;
    }
    if (!ENDS.includes(event.kind)) return null;
    this.#open = null;
    if (event.kind === "bids_revealed") this.#reveal(event);
    const mine = open.taken.filter((one) => one.by === this.me);
    const paid = mine.reduce((all, one) => all + one.ships, 0);
    return {
      kind: "taking",
      track: open.track,
      taken: open.taken,
      cards: mine.map((one) => one.card),
      paid,
      kept: open.bids - paid,
      mine: this.me !== null,
    };
  }

  #reveal(event: GameEvent & { kind: "bids_revealed" }): void {
    const bids = event.bids.filter((one) => one.seat === this.me).reduce((all, one) => all + one.ships, 0);
    this.#open = { track: event.track, order: event.order ?? [], bids, taken: [] };
  }
}

const ENDS: readonly string[] = ["bids_revealed", "step_began", "tracks_refreshed", "turn_began", "game_scored"];

// ---------------------------------------------------------------- which are played

export type Wish = "all" | "mine" | "off";

const MOST = 2;

/**
 * What waits to be played, in its order. Of more than two the newest about me are played, of what is about others
 * only the last; what is left out is still listed.
 */
export function waiting(queue: readonly Scene[], fresh: readonly Scene[], wish: Wish): Scene[] {
  if (wish === "off") return [];
  const all = [...queue, ...fresh.filter((one) => wish === "all" || one.mine)];
  const mine = all.filter((one) => one.mine);
  return mine.length ? mine.slice(-MOST) : all.slice(-1);
}
