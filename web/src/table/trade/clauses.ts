// What can be said in an offer about a card or a seat that was tapped: lines of one tap each, with the parties they
// lie between. Whether a clause may stand is the server's to say; only what cannot make sense is left out here.
import { card, catalog, converters } from "~/lib/catalog.svelte";
import type { Table } from "~/lib/table.svelte";
import {
  ANYONE,
  TURNS,
  type Card,
  type CardId,
  type Clause,
  type Deed,
  type Forbear,
  type GoodsKind,
  type Handing,
  type OneOf,
  type Seat,
  type SeatView,
  type Undertake,
} from "~/wire";
import type { Key, Values } from "~/lib/later";
import { lends, tradable, tradableCards } from "./deals";

/** What was tapped: a card in front of a seat or on a track (seat null), or a seat. */
export interface Subject {
  card: CardId | null;
  seat: Seat | null;
}

/** One way to add a line: who is bound by it, and to whom. */
export interface Between {
  from: Seat;
  to: Seat;
  clause: Clause;
}

export interface Line {
  words: Key;
  values?: Values;
  about?: Seat; // the seat the words name
  between: Between[];
}

export interface Said {
  hand: Line[];
  do: Line[];
  forbear: Line[];
  deeds: Deed[]; // for "only if"
}

export const SMALL: readonly GoodsKind[] = ["green", "white", "brown", "wild_small"];
export const LARGE: readonly GoodsKind[] = ["blue", "yellow", "black", "wild_large"];

type Pair = readonly [Seat, Seat];
type Of = (pair: Pair) => Clause;
const BY: Record<Deed["verb"], Undertake["by"]> = {
  invent: "trade",
  upgrade: "trade",
  enter: "trade",
  run: "economy",
  buy: "confluence",
  bid: "confluence",
};

class Scene {
  readonly me: Seat;
  readonly turn: number;
  readonly trading: boolean;
  readonly others: Seat[];

  /** With whom the offer is so far; nobody: with everybody there is. */
  constructor(
    readonly table: Table,
    readonly parties: readonly Seat[],
  ) {
    this.me = table.you ?? ANYONE;
    this.turn = table.view?.turn ?? 1;
    this.trading = table.view?.phase === "trade";
    this.others = table.round.map(({ seat }) => seat).filter((seat) => seat !== this.me);
  }

  get partners(): readonly Seat[] {
    return this.parties.length ? this.parties : this.others;
  }

  /** From whose card it is: mine to each partner, theirs to me and to the parties besides. */
  from(holder: Seat): Pair[] {
    if (holder === this.me) return this.partners.map((to) => [holder, to] as const);
    if (this.parties.includes(ANYONE)) return [[ANYONE, this.me]];
    const besides = this.parties.filter((seat) => seat !== holder);
    return [this.me, ...besides].map((to) => [holder, to] as const);
  }

  /** Of what lies before nobody: theirs to me, mine to them. */
  either(seats = this.partners): Pair[] {
    return [...seats.map((seat) => [seat, this.me] as const), ...seats.map((seat) => [this.me, seat] as const)];
  }

  now(words: Key, pairs: readonly Pair[], of: Of): Line[] {
    return this.trading && pairs.length ? [line(words, pairs, of)] : [];
  }

  next(words: Key, pairs: readonly Pair[], of: (pair: Pair) => Handing | OneOf, only_if?: (giver: Seat) => Deed) {
    if (this.turn >= TURNS || !pairs.length) return [];
    const due = this.turn + 1;
    return [
      line(words, pairs, (pair) => ({
        kind: "pledge",
        what: of(pair),
        due,
        ...(only_if ? { only_if: only_if(pair[0]) } : {}),
      })),
    ];
  }

  /** A deed in this turn, or in the next where its phase is over. */
  deed(words: Key, pairs: readonly Pair[], verb: Deed["verb"], subject: string, least = 0): Line[] {
    const turn = this.trading || BY[verb] === "confluence" ? this.turn : this.turn + 1;
    if (turn > TURNS || (turn === TURNS && BY[verb] === "confluence")) return [];
    const of = ([who, to]: Pair): Undertake => ({
      kind: "undertake",
      to,
      deed: { who, verb, subject, ...(least ? { least } : {}) },
      turn,
      by: BY[verb],
    });
    return [line(words, pairs, of)];
  }

  not(words: Key, pairs: readonly Pair[], what: (pair: Pair) => Forbear["what"], until = this.turn): Line[] {
    return pairs.length
      ? [line(words, pairs, (pair) => ({ kind: "forbear", who: pair[0], to: pair[1], what: what(pair), until }))]
      : [];
  }
}

function line(words: Key, pairs: readonly Pair[], of: Of): Line {
  return { words, between: pairs.map((pair) => ({ from: pair[0], to: pair[1], clause: of(pair) })) };
}

/** All that can be said about what was tapped. */
export function said(table: Table, { card: id, seat }: Subject, parties: readonly Seat[]): Said {
  const scene = new Scene(table, parties);
  const found = id === null ? null : card(id);
  if (!found) return seat === null ? nothing() : ofSeat(scene, seat);
  if (seat === null) return onTrack(scene, found);
  const player = table.players[seat];
  if (!player) return nothing();
  return found.id in player.cards ? inPlay(scene, found, player) : outOfPlay(scene, found, player);
}

const nothing = (): Said => ({ hand: [], do: [], forbear: [], deeds: [] });
const give = (id: CardId) => {
  return ([giver, to]: Pair): Handing => ({ kind: "give", giver, to, goods: {}, cards: [id] });
};
const lend = (id: CardId) => {
  return ([giver, to]: Pair): Handing => ({ kind: "lend", giver, to, card: id });
};
const license = (technology: string) => {
  return ([giver, to]: Pair): Handing => ({ kind: "license", giver, to, technology });
};

/** Whether a seat keeps what it invents to itself, and can license it. */
export function licenses(table: Table, seat: Seat): boolean {
  return catalog().licensors.includes(table.players[seat]?.species ?? "");
}

/** Whether a seat has its own card of a technology already. */
function has(player: SeatView | undefined, technology: string): boolean {
  return Object.keys(player?.cards ?? {}).some((id) => card(id)?.technology === technology);
}

/** What is invented: a technology, or in the last era the team itself. */
const inventionOf = (team: Card) => team.research?.technology ?? team.id;

function inPlay(scene: Scene, found: Card, player: SeatView): Said {
  const { id } = found;
  const pairs = scene.from(player.seat);
  const held = player.cards[id];
  const moves = tradableCards(player).includes(id);
  const runs =
    converters(id, player.cards).length > 0 && !(found.lent_only && (held?.owner ?? player.seat) === player.seat);
  const upgrades = Boolean(found.upgrades?.length) && !held?.flipped;
  const hand = moves
    ? lends(id)
      ? [...scene.now("about.lend", pairs, lend(id)), ...scene.next("about.lend_next", pairs, lend(id))]
      : [...scene.now("about.give", pairs, give(id)), ...scene.next("about.give_next", pairs, give(id))]
    : [];
  const licence = licensing(scene, found, player);
  return {
    hand: [...licence.hand, ...hand],
    do: [
      ...(runs ? scene.deed("about.run", pairs, "run", id) : []),
      ...(upgrades ? scene.deed("about.upgrade", pairs, "upgrade", id) : []),
      ...(found.research ? scene.deed("about.invent", pairs, "invent", inventionOf(found)) : []),
    ],
    forbear: [
      ...licence.forbear,
      ...(moves ? scene.not("about.hand_but", pairs, ([, to]) => ({ kind: "hand", card: id, but: to })) : []),
      ...(moves ? scene.not("about.hand", pairs, () => ({ kind: "hand", card: id, but: null })) : []),
      ...(found.research
        ? scene.not("about.no_invent", pairs, () => ({ kind: "invent", subject: inventionOf(found) }))
        : []),
    ],
    deeds: [
      ...(runs ? [{ who: player.seat, verb: "run" as const, subject: id }] : []),
      ...(upgrades ? [{ who: player.seat, verb: "upgrade" as const, subject: id }] : []),
      ...(found.research ? [{ who: player.seat, verb: "invent" as const, subject: inventionOf(found) }] : []),
    ],
  };
}

/** A technology somebody keeps, on its card or still on the team that will invent it. */
function licensing(scene: Scene, found: Card, player: SeatView): Pick<Said, "hand" | "forbear"> {
  const technology = found.technology ?? found.research?.technology;
  if (!technology || !licenses(scene.table, player.seat)) return { hand: [], forbear: [] };
  const lacking = scene
    .from(player.seat)
    .filter(([, to]) => to === ANYONE || !has(scene.table.players[to], technology));
  return {
    hand: [
      ...(found.technology ? scene.now("about.license", lacking, license(technology)) : []),
      ...scene.next("about.license_next", lacking, license(technology)),
    ],
    forbear: [
      ...scene.not("about.license_but", lacking, ([, to]) => ({ kind: "license", technology, but: to }), TURNS),
      ...scene.not(
        "about.no_license",
        scene.from(player.seat),
        () => ({ kind: "license", technology, but: null }),
        TURNS,
      ),
    ],
  };
}

function outOfPlay(scene: Scene, found: Card, player: SeatView): Said {
  const { id, technology } = found;
  const pairs = scene.from(player.seat);
  const concerned = (keeper: Seat) => keeper === scene.me || player.seat === scene.me || scene.parties.includes(keeper);
  const keepers = technology
    ? scene.table.players.filter(({ seat }) => seat !== player.seat && licenses(scene.table, seat) && concerned(seat))
    : [];
  const of = (seats: readonly SeatView[]) => seats.map(({ seat }) => [seat, player.seat] as const);
  const ready = keepers.filter((keeper) => has(keeper, technology!));
  const enters = Boolean(found.entry?.cost);
  return {
    ...nothing(),
    hand: [
      ...scene.now("about.license", of(ready), license(technology!)),
      ...scene.next("about.license_next", of(keepers), license(technology!)),
      ...(tradable(id)
        ? lends(id)
          ? scene.next("about.lend_next", pairs, lend(id))
          : scene.next("about.give_next", pairs, give(id))
        : []),
    ],
    do: enters ? scene.deed("about.enter", pairs, "enter", id) : [],
    deeds: enters ? [{ who: player.seat, verb: "enter", subject: id }] : [],
  };
}

function onTrack(scene: Scene, found: Card): Said {
  const { id } = found;
  const pairs = scene.either();
  const takes = (who: Seat): Deed => ({ who, verb: "buy", subject: id });
  return {
    hand: scene.next("about.hand_on", pairs, give(id), takes),
    do: scene.deed("about.buy", pairs, "buy", id),
    forbear: [
      ...scene.not("about.no_take", pairs, () => ({ kind: "take", card: id })),
      ...(found.research
        ? scene.not("about.no_invent", pairs, () => ({ kind: "invent", subject: inventionOf(found) }))
        : []),
    ],
    deeds: [scene.me, ...scene.partners].map(takes),
  };
}

function ofSeat(scene: Scene, seat: Seat): Said {
  if (seat === scene.me) return nothing();
  const pairs = scene.either([seat]);
  const cubes = (kinds: readonly GoodsKind[]) => {
    return ([giver, to]: Pair): OneOf => ({
      kind: "one_of",
      giver,
      to,
      lots: [{ cubes: 2, kinds: [...kinds] }],
      chosen_by: "creditor",
    });
  };
  const least = (track: "colony" | "research") => scene.deed(`about.bid_${track}`, pairs, "bid", track, 1);
  const most = (track: "colony" | "research") =>
    scene.not(`about.no_bid_${track}`, pairs, () => ({ kind: "bid", track, most: 0 }));
  const shunned = scene.others.filter((one) => one !== seat);
  return {
    hand: [
      ...scene.next("about.any_small", pairs, cubes(SMALL)),
      ...scene.next("about.any_large", pairs, cubes(LARGE)),
    ],
    do: [...least("colony"), ...least("research")],
    forbear: [
      ...scene.not(
        "about.no_steal",
        pairs.filter(([thief]) => steals(scene.table.players[thief])),
        ([, target]) => ({ kind: "steal", target }),
      ),
      ...most("colony"),
      ...most("research"),
      ...shunned.flatMap((partner) =>
        scene
          .not("about.no_trade", pairs, () => ({ kind: "trade", partner }))
          .map((one) => ({ ...one, about: partner })),
      ),
    ],
    deeds: [],
  };
}

/** Whether a seat has a card that takes from others. */
function steals(player: SeatView | undefined): boolean {
  const ids = Object.keys(player?.cards ?? {});
  return ids.some((id) => [card(id)?.front, card(id)?.back].some((side) => side?.converters?.some(isTheft)));
}
const isTheft = ({ when }: { when?: string }) => when === "steal";
