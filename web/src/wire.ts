// Written by tools/wire_types.py from the structs of the server; not to be edited.

export const KINDS = ["green", "white", "brown", "black", "blue", "yellow", "wild_small", "wild_large", "ultratech",
  "ship", "point", "envoy", "acknowledgement"] as const;
export type GoodsKind = (typeof KINDS)[number];
export const SMALL = ["green", "white", "brown"] as const;
export const LARGE = ["black", "blue", "yellow"] as const;
export const BOOK: Partial<Record<GoodsKind, number>> = { green: 2, white: 2, brown: 2, wild_small: 2, ship: 2, black:
  3, blue: 3, yellow: 3, wild_large: 3, ultratech: 6, point: 6 };
export const TURNS = 6;
export const ANYONE = -1;
export type Seat = number;
export type CardId = string;

/** Agree to an offer; the last party's word strikes the deal. */
export interface AcceptDeal {
  kind: "accept_deal";
  deal: string;
  reason?: string;
}

/** The command is stored as line n. */
export interface Accepted {
  kind: "accepted";
  id: string;
  n: number;
}

/** An inventor gave one acknowledgement back, and its maker scored a point (FAD-8). */
export interface AcknowledgementReturned {
  kind: "acknowledgement_returned";
  by: number;
  to: number;
}

export type Action = ProposeDeal | AcceptDeal | DeclineDeal | WithdrawDeal | Deliver | ChooseGoods | Release | Done |
  NotDone | ChooseHandicap | RunConverter | PutIntoPlay | UpgradeCard | Invent | GiveGifts | DiscardColonies | LayPlan |
  PlaceBid | Buy | Pass | SplitBid | Steal;

/** Seat a bot. */
export interface AddBot {
  kind: "add_bot";
  seat: number;
  level?: string;
}

export type Arrow = "economy" | "steal" | "trade";

/** A question that changes nothing. */
export interface Ask {
  kind: "ask";
  id: string;
  what: "best_plan" | "deals" | "even" | "needs" | "options" | "payments" | "plan" | "quote" | "terms" | "worth";
  refused?: boolean;
  deal?: string | null;
  clauses?: Clause[];
  settles?: string[];
  runs?: Run[] | null;
  action?: Invent | UpgradeCard | PutIntoPlay | RunConverter | null;
}

/** Ask for more time, in words if one likes; granted when most people at the table ask. */
export interface AskExtension {
  kind: "ask_extension";
  text?: string;
}

/** Ask for a pause, in words if one likes; granted when most people at the table ask. */
export interface AskPause {
  kind: "ask_pause";
  text?: string;
}

/** Whoever the host has sent away may come again. */
export interface BarsLifted {
  kind: "bars_lifted";
}

/** Ships set aside for the two tracks. */
export interface Bid {
  colony: number;
  research: number;
}

/** A number of ships one may bid for a track, what they count for, and the cards they reach. */
export interface BidChoice {
  track: Track;
  ships: number;
  counts: number;
  reaches: string[];
}

/** A seat took nothing and kept its ships. */
export interface BidPassed {
  kind: "bid_passed";
  by: number;
  track: Track;
  ships: number;
}

/** A seat set its ships aside; secret until revealed. */
export interface BidPlaced {
  kind: "bid_placed";
  by: number;
  bid: Bid | null;
}

/** A seat split its colony bid in two; both halves wait for their turn (KJAS-2). */
export interface BidSplit {
  kind: "bid_split";
  by: number;
  halves: Bidder[];
}

/** A bid that has not been acted on yet. */
export interface Bidder {
  seat: number;
  ships: number;
  half?: boolean;
}

/** All bids for one track were opened together; `order` says in which order they act, and why. */
export interface BidsRevealed {
  kind: "bids_revealed";
  track: Track;
  bids: Bidder[];
  order?: Standing[];
}

export type Binding = Pledge | Undertake | Forbear;

/** Points for one invention at sharing. */
export interface Bonus {
  seat: number;
  card: string;
  points: number;
}

/** A bot sits there. */
export interface BotSeated {
  kind: "bot_seated";
  seat: number;
  level: string;
}

/** Take a card from the track being resolved and return all ships bid (BID-6). */
export interface Buy {
  kind: "buy";
  card: string;
}

/** Take an order back; an offer it has on the table stays there as any other. */
export interface CancelOrder {
  kind: "cancel_order";
  order: number;
}

/** One card of the box; never changes. */
export interface Card {
  id: string;
  number: string;
  kind: CardKind;
  front: Face;
  species?: string | null;
  back?: Face | null;
  era?: number | null;
  technology?: string | null;
  upgrades?: Upgrade[];
  research?: Research | null;
  entry?: Entry | null;
  tradable?: boolean;
  lent_only?: boolean;
  keeps?: boolean;
  when_traded?: Goods;
  owner_when_traded?: Goods;
  cheaper?: number;
  mate?: string | null;
  leads?: boolean;
  start?: boolean;
}

/** A seat took a card from a track and returned all ships bid. */
export interface CardBought {
  kind: "card_bought";
  by: number;
  track: Track;
  space: number;
  card: string;
  ships: number;
  seedling?: boolean;
}

/** The top card of a face-down deck entered play. */
export interface CardDrawn {
  kind: "card_drawn";
  by: number;
  card: string;
  bordered?: boolean;
}

export type CardKind = "board" | "colony" | "computer" | "fleet" | "nullspace" | "relic" | "research" | "starting" |
  "technology" | "territory";

/** A species card entered play by its own converter. */
export interface CardPutIntoPlay {
  kind: "card_put_into_play";
  by: number;
  card: string;
  paid: Paid;
  gain?: Goods;
  bordered?: boolean;
}

/** A card was flipped. */
export interface CardUpgraded {
  kind: "card_upgraded";
  by: number;
  card: string;
  paid?: Paid;
  gain?: Goods;
  spent?: string | null;
}

/** Lent species cards went home (ENDT-1). */
export interface CardsReturned {
  kind: "cards_returned";
  cards: Returned[];
}

/** Agree on other options; before the game begins. */
export interface ChangeTable {
  kind: "change_table";
  options: TableOptions;
}

/** One ready-made action; where the price leaves colours or colonies open, it suggests some. */
export interface Choice {
  action: Action;
  price: Cost | null;
  gain: Goods;
  refused: Refusal | null;
}

/** What one can do now. */
export interface Choices {
  kind: "options";
  id: string;
  n: number;
  options: Options | null;
  told: string[];
  why: (string | null)[];
  must: string;
}

/** Say with what goods a promise of a choice shall be kept; may be changed until it is due (TRADE-17). */
export interface ChooseGoods {
  kind: "choose_goods";
  obligation: string;
  goods: Goods;
}

/** Name the colour of one's handicap cube (German edition). */
export interface ChooseHandicap {
  kind: "choose_handicap";
  colour: string;
}

/** Play this species; None is no wish. */
export interface ChooseSpecies {
  kind: "choose_species";
  species?: string | null;
}

export type Clause = Handing | Binding | Note;

export type Climate = "desert" | "ice" | "jungle" | "ocean";

/** How long trading, and every other step, may take. */
export interface Clock {
  trade?: number;
  step?: number;
}

/** How the clock stands; times in ms since 1970. */
export interface ClockNow {
  kind: "clock";
  now: number;
  due: number | null;
  left: number | null;
  last_call: boolean;
}

/** The step ends at this time, in ms since 1970. */
export interface ClockSet {
  kind: "clock_set";
  due: number;
}

/** No clock runs; `left` ms are kept for when it goes on. */
export interface ClockStopped {
  kind: "clock_stopped";
  left?: number | null;
}

/** The server is about to stop. */
export interface Closing {
  kind: "closing";
  sentence: string;
}

/** A one-time code for another device. */
export interface Code {
  code: string;
  expires: number;
}

/** Colonies above a seat's support were given up. */
export interface ColoniesDiscarded {
  kind: "colonies_discarded";
  by: number;
  under?: string[];
  removed?: string[];
}

/** Colonies from the top of the colony deck came to a seat. */
export interface ColoniesDrawn {
  kind: "colonies_drawn";
  by: number;
  cards: string[];
}

/** In to out, in the phase its arrow names: white economy, violet trade, red steal. */
export interface Converter {
  when?: Arrow;
  costs?: Cost[];
  gain?: Goods;
  donate?: Goods;
  same?: number;
  take_small?: number;
  take_large?: number;
  take_ultratech?: number;
  to_one?: boolean;
  draws?: string | null;
}

/** A violet converter was run. */
export interface ConverterRun {
  kind: "converter_run";
  by: number;
  card: string;
  converter: number;
  paid: Paid;
  gain?: Goods;
}

/** One complete input set. */
export interface Cost {
  goods?: Goods;
  any_small?: number;
  any_large?: number;
  same_small?: number;
  same_large?: number;
  colonies?: ([Climate | "any", number])[];
  envoys?: number;
}

/** Let a bot play for a seat whose person is away, until they are back. */
export interface Cover {
  kind: "cover";
  seat: number;
}

/** The debtor has served whom he would; what is left was served in the order of the promises. */
export interface CreditorsServed {
  kind: "creditors_served";
  by: number;
}

/** Promises fell due and their debtor has too little for all: he chooses whom to serve (TRADE-12). */
export interface CreditorsWait {
  kind: "creditors_wait";
  by: number;
  obligations: string[];
}

/** An offer on the table; it never changes but for who has accepted. */
export interface Deal {
  id: string;
  proposer: number;
  parties: number[];
  clauses: Clause[];
  accepted?: number[];
  answers?: string | null;
  settles?: string[];
  reason?: string;
}

/** One party of an offer has agreed. */
export interface DealAccepted {
  kind: "deal_accepted";
  by: number;
  deal: string;
  as_anyone?: boolean;
}

/** A party turned an offer down; it is gone. */
export interface DealDeclined {
  kind: "deal_declined";
  by: number;
  deal: string;
}

/** An offer lies on the table. */
export interface DealOffered {
  kind: "deal_offered";
  deal: Deal;
}

/** The last party agreed; everything in the deal happened at once. */
export interface DealStruck {
  kind: "deal_struck";
  by: number;
  deal: string;
  parties: number[];
  moved?: Moved[];
  licensed?: Licensed[];
  obligations?: Obligation[];
  notes?: string[];
  settled?: string[];
  rebid?: number[];
}

/** The proposer took an offer back. */
export interface DealWithdrawn {
  kind: "deal_withdrawn";
  by: number;
  deal: string;
}

/** Offers that were open when their time ended are gone. */
export interface DealsLapsed {
  kind: "deals_lapsed";
  deals: string[];
}

/** A deck with its top card open and the cards that were put under it in the open. */
export interface DeckView {
  top: string | null;
  count: number;
  under: string[];
}

/** Turn an offer down; it leaves the table. */
export interface DeclineDeal {
  kind: "decline_deal";
  deal: string;
  reason?: string;
}

/** Something a seat does that a promise can hang on. */
export interface Deed {
  who: number;
  verb: "bid" | "buy" | "enter" | "invent" | "run" | "upgrade";
  subject: string;
  least?: number;
}

/** Hand over now what is possible of a pledge that has fallen due; earlier it takes an offer. */
export interface Deliver {
  kind: "deliver";
  obligation: string;
}

/** Put the colonies above one's support under the deck, in this order (ECON-1). */
export interface DiscardColonies {
  kind: "discard_colonies";
  cards: string[];
}

/** A wish: a move in the game, or something asked of the table. */
export interface Do {
  kind: "do";
  id: string;
  action: Action | TableAction;
}

/** Nothing more to do in this step. */
export interface Done {
  kind: "done";
}

/** A seat has nothing more to do in this step. */
export interface DoneSaid {
  kind: "done_said";
  by: number;
}

/** A seat goes on trading after all. */
export interface DoneTakenBack {
  kind: "done_taken_back";
  by: number;
}

/** The seats pick their species in this order. */
export interface DraftBegan {
  kind: "draft_began";
  order: number[];
}

/** A QR code, row by row: 1 is dark. The margin is not in it. */
export interface Drawn {
  rows: string[];
}

export type Edition = "2017" | "2020" | "de2021";

/** Close the table; a game that is not over stays unfinished. */
export interface EndTable {
  kind: "end_table";
}

/** A species card that entered its owner's play. */
export interface Entered {
  seat: number;
  card: string;
}

/** How an out-of-play card is put into play by its owner, or what happens when it arrives. */
export interface Entry {
  cost?: Cost | null;
  gain?: Goods;
  colonies?: number;
  sharing_bonus?: boolean;
  rule?: string | null;
}

/** A seat would like more time. */
export interface ExtensionAsked {
  kind: "extension_asked";
  seat: number;
}

/** One side of a card. */
export interface Face {
  name: string;
  climate?: Climate | null;
  converters?: Converter[];
  half?: Half | null;
  fleets_needed?: number;
  fleets?: number;
  support?: number;
}

/** How somebody fared with a species, or at all. */
export interface Fared {
  games: number;
  wins: number;
  mean: number;
}

/** One seat's result, in twelfths of a point so that halves and precise scoring are exact. */
export interface FinalScore {
  seat: number;
  points: number;
  goods: number;
  total: number;
  winner: boolean;
}

/** A move that is illegal up to and including turn `until`, unless `to` releases it. */
export interface Forbear {
  kind: "forbear";
  who: number;
  to: number;
  what: NoSteal | NoTake | NoBid | NoTrade | NoHand | NoLicense | NoInvent;
  until: number;
}

/** A game to go on from: one of this server that is over, or a record; up to line or entry `n`. */
export interface From {
  table?: string | null;
  record?: string | null;
  n?: number | null;
}

export type FromClient = Do | TalkMessage | Ask;

export type FromServer = Missed | Welcome | Update | Accepted | Rejected | Choices | ToldTerms | Worth | Needs |
  PlanAnswer | Proposals | Quoted | Ways | Present | ClockNow | Closing;

export type FromStream = OpenSeats | TableNow | Needed | StreamEnded;

/** A seat got goods or points from the supply because of a card. */
export interface Gained {
  kind: "gained";
  seat: number;
  goods: Goods;
  card: string;
  once?: boolean;
}

export type GameEvent = StepBegan | TurnBegan | TimeCalled | HandicapChosen | DoneSaid | DoneTakenBack | Gained |
  DealOffered | DealAccepted | DealDeclined | DealWithdrawn | DealsLapsed | DealStruck | PledgePaid | GoodsChosen |
  CreditorsWait | CreditorsServed | ObligationMet | ObligationKept | ObligationReleased | ObligationLapsed |
  ObligationBroken | GiftGiven | ConverterRun | CardDrawn | ColoniesDrawn | CardPutIntoPlay | CardUpgraded |
  TechnologyInvented | ColoniesDiscarded | PlanSaved | PlanLaid | ProductionRun | TechnologiesShared | BidPlaced |
  BidsRevealed | CardBought | BidPassed | BidSplit | TracksRefreshed | CardsReturned | GameScored |
  AcknowledgementReturned | Stolen;

/** The game is over. */
export interface GameScored {
  kind: "game_scored";
  scores: FinalScore[];
}

/** The game was set up; everything chance decided is in here. */
export interface GameStarted {
  kind: "game_started";
  settings: Settings;
  players: Start[];
  colonies: string[];
  research: string[];
  relics: string[];
  colony_track: (string | null)[];
  research_track: (string | null)[];
  colony_minimums: number[];
  research_minimums: number[];
  bonus: ([number, number])[];
}

/** Donation goods for one player. */
export interface Gift {
  to: number;
  goods: Goods;
}

/** Donation goods were given away by force; not a trade (DON-7). */
export interface GiftGiven {
  kind: "gift_given";
  moved: Moved;
}

/** Hand over now, for good: from stock, from the donation card, borderless cards. */
export interface Give {
  kind: "give";
  giver: number;
  to: number;
  goods?: Goods;
  donation?: Goods;
  cards?: string[];
}

/** Give donation goods away that were not traded (DON-6). */
export interface GiveGifts {
  kind: "give_gifts";
  gifts: Gift[];
}

/** The words for one kind of goods. */
export interface Good {
  letter: string;
  one: string;
  many: string;
}

/** A count of each kind of good; what is not named is zero. */
export interface Goods {
  green?: number;
  white?: number;
  brown?: number;
  black?: number;
  blue?: number;
  yellow?: number;
  wild_small?: number;
  wild_large?: number;
  ultratech?: number;
  ship?: number;
  point?: number;
  envoy?: number;
  acknowledgement?: number;
}

/** Who may choose said with what a promise shall be kept; nobody else hears of it before it is due. */
export interface GoodsChosen {
  kind: "goods_chosen";
  by: number;
  obligation: string;
  goods: Goods;
}

/** A level of bots. */
export interface GroupBots {
  level: string;
  fared: Fared;
  place: Place | null;
}

/** A finished game of a group. */
export interface GroupGame {
  table: string;
  title: string;
  ended: number;
  evening: number;
  pace: string;
  edition: string;
  counts: boolean;
  seats: GroupSeat[];
}

/** What lets one into a group. */
export interface GroupInvitation {
  invitation: string;
}

/** Somebody in a group. */
export interface GroupMember {
  person: string;
  name: string;
  since: number;
  owner: boolean;
}

/** All one sees of a group one is in. */
export interface GroupPage {
  group: string;
  name: string;
  you: string;
  owner: boolean;
  invitation: string;
  members: GroupMember[];
  tables: Listed[];
  report: GroupReport;
}

/** Somebody who played for a group. */
export interface GroupPerson {
  person: string;
  name: string;
  member: boolean;
  fared: Fared;
  place: Place | null;
  kept: number;
  broken: number;
  live: number | null;
  slow: number | null;
  species: WithSpecies[];
  ahead: Record<string, number>;
}

/** What nobody in the group has done better; of people, and games that count. */
export interface GroupRecord {
  kind: "closest" | "deals" | "kept" | "score" | "widest";
  value: number;
  table: string;
  ended: number;
  person: string;
}

/** What a group remembers. */
export interface GroupReport {
  games: GroupGame[];
  people: GroupPerson[];
  course: RatingMoment[];
  bots: GroupBots[];
  species: GroupSpecies[];
  records: GroupRecord[];
}

/** How a seat fared in a game of a group. */
export interface GroupSeat {
  person: string | null;
  level: string | null;
  species: string;
  points: number;
  winner: boolean;
  deals: number;
  kept: number;
  broken: number;
  waited: number | null;
}

/** How a species fared in the hands of people, and of bots. */
export interface GroupSpecies {
  species: string;
  people: Fared | null;
  bots: Fared | null;
}

/** Somebody may watch; who it is stays with the server. */
export interface GuestAdmitted {
  kind: "guest_admitted";
  person?: string;
  invited?: boolean;
}

/** One half of a converter that is printed over two cards. */
export interface Half {
  cost?: Cost | null;
  gain?: Goods;
  donate?: Goods;
}

/** Give one's seat to whoever asked for it, or say that another's should be given to them. */
export interface HandOver {
  kind: "hand_over";
  ask: number;
}

/** The seat changes hands at this time, in ms since 1970, unless its holder comes back. */
export interface HandOverSet {
  kind: "hand_over_set";
  seat: number;
  due: number;
}

/** One small cube more or less at the start (OPT-2). */
export interface Handicap {
  seat: number;
  cubes: -1 | 1;
  colour?: string | null;
}

/** A seat's stock was changed by its handicap cube. */
export interface HandicapChosen {
  kind: "handicap_chosen";
  by: number;
  gained?: Goods;
  lost?: Goods;
}

export type Handing = Give | Lend | License;

/** A card in play in somebody's area. */
export interface Held {
  owner?: number | null;
  flipped?: boolean;
  seedling?: boolean;
}

/** One finished game of one person. */
export interface History {
  table: string;
  ended: number;
  species: string;
  players: number;
  edition: string;
  points: number;
  winner: boolean;
  deals: number;
  kept: number;
  broken: number;
  counts: boolean;
}

/** Another person is the host; None: a table of bots, run by the server. */
export interface HostChanged {
  kind: "host_changed";
  seat?: number | null;
  person?: string;
}

/** When a person plays: from minute to minute of the day, as far from Greenwich as they live. */
export interface Hours {
  begin?: number;
  end?: number;
  offset?: number;
}

/** A group one is in. */
export interface InGroup {
  group: string;
  name: string;
  tables: number;
}

/** Run a research team's converter (INV-1). */
export interface Invent {
  kind: "invent";
  card: string;
  cost?: number;
  pay?: Goods | null;
}

/** A technology invented this turn. */
export interface Invention {
  seat: number;
  card: string;
}

/** What one is told of a group before one joins. */
export interface InvitedTo {
  name: string;
  members: number;
  joined: boolean;
}

/** How one wants to be at a table. */
export interface JoinTable {
  name?: string | null;
  seat?: number | null;
  watch?: boolean;
  invitation?: string;
  version?: string;
}

/** Where one is now. */
export interface Joined {
  table: string;
  seat: number | null;
  invitation: string;
}

/** Say which white converters to run; `ready` False only saves it for later. */
export interface LayPlan {
  kind: "lay_plan";
  runs: Run[];
  ready?: boolean;
}

/** Get up; once the game has begun a bot plays on. */
export interface Leave {
  kind: "leave";
}

/** The use of a species card for the rest of this turn; it goes home by itself (TRADE-6). */
export interface Lend {
  kind: "lend";
  giver: number;
  to: number;
  card: string;
}

/** Leave to put one's own card of an unshared technology into play (YEN-5). */
export interface License {
  kind: "license";
  giver: number;
  to: number;
  technology: string;
}

/** A card that entered play by a licence. */
export interface Licensed {
  giver: number;
  to: number;
  technology: string;
  card: string;
}

/** An address of the table, and from where it works: this machine, its network, or anywhere. */
export interface Link {
  url: string;
  where: "internet" | "machine" | "network";
}

/** A table that is listed. */
export interface Listed {
  table: string;
  face: TableFace;
}

/** A part of a table's log, as one may see it. */
export interface LogPage {
  lines: SeenLine[];
  more: boolean;
}

/** One way to keep a promise of a choice: some goods, and so many cubes of any of the kinds named. */
export interface Lot {
  goods?: Goods;
  cubes?: number;
  kinds?: string[];
}

/** A new token, with the secret nobody can show again. */
export interface MadeToken {
  token: string;
  of: MyToken;
}

/** Whether mail is sent at all, and what became of a person's since the server was started. */
export interface MailState {
  offered: boolean;
  sent: number;
  refused: number;
  why: string;
}

/** Who one is here. */
export interface Me {
  name: string | null;
  tables: MyTable[];
  groups: InGroup[];
}

/** Lines that came while the client was away. */
export interface Missed {
  kind: "missed";
  lines: SeenLine[];
}

/** What went from one seat to another. */
export interface Moved {
  giver: number;
  to: number;
  goods?: Goods;
  donation?: Goods;
  tied?: Goods;
  cards?: string[];
}

/** Hear nothing more of what a seat says, or hear it again. */
export interface Mute {
  kind: "mute";
  seat: number;
  muted?: boolean;
}

/** A group one is in, with its tables that are not over. */
export interface MyGroup {
  group: string;
  name: string;
  members: number;
  tables: Listed[];
}

/** A table one sits at. */
export interface MyTable {
  table: string;
  title: string;
  seat: number;
  status: string;
  your_move: boolean;
  handing: boolean;
}

/** A token of one's own; the secret is told once, when it is made. */
export interface MyToken {
  id: string;
  name: string;
  scopes: Scope[];
  made: number;
  used: number | null;
}

/** One's seat is waited for, or somebody waits for its answer; told once for each such moment. */
export interface Needed {
  kind: "needs";
  table: string;
  n: number;
  seat: number;
  turn: number;
  step: string;
  waited: boolean;
  options?: Options | null;
  view?: View;
}

/** What seats need and can spare by their best plans. */
export interface Needs {
  kind: "needs";
  id: string;
  n: number;
  seats: SeatNeeds[];
}

/** A table to be opened. */
export interface NewTable {
  options?: TableOptions;
  name?: string | null;
  seat?: number | null;
  bots?: Record<string, string>;
  from?: From | null;
}

/** Not to bid more than `most` ships on a track. */
export interface NoBid {
  kind: "bid";
  track: Track;
  most: number;
}

/** Not to give or lend a card to anybody, or to anybody but one seat. */
export interface NoHand {
  kind: "hand";
  card: string;
  but: number | null;
}

/** Not to invent a technology (era IV: named by its research team). */
export interface NoInvent {
  kind: "invent";
  subject: string;
}

/** Not to license a technology to anybody, or to anybody but one seat. */
export interface NoLicense {
  kind: "license";
  technology: string;
  but: number | null;
}

/** Not to steal from a seat. */
export interface NoSteal {
  kind: "steal";
  target: number;
}

/** Not to take a card from its track. */
export interface NoTake {
  kind: "take";
  card: string;
}

/** Not to strike a deal to which a seat is party. */
export interface NoTrade {
  kind: "trade";
  partner: number;
}

/** Take back a "done" (TRADE-14). */
export interface NotDone {
  kind: "not_done";
}

/** Words; remembered, not enforced. */
export interface Note {
  kind: "note";
  text: string;
}

/** How a person wants to be told that it is their move, and when they play; as one browser sees it. */
export interface Notices {
  webhook?: string | null;
  push?: Subscription | null;
  email?: string | null;
  hours?: Hours | null;
  language?: string;
}

/** A promise that stands. */
export interface Obligation {
  id: string;
  deal: string;
  parties: number[];
  clause: Binding;
  made: number;
  met?: boolean;
}

/** A promise was not kept; the debtor lost points to the supply (TRADE-11). */
export interface ObligationBroken {
  kind: "obligation_broken";
  by: number;
  obligation: string;
  points: number;
}

/** A promise was kept or has run its time. */
export interface ObligationKept {
  kind: "obligation_kept";
  obligation: string;
}

/** A promise ended without anybody's fault: its condition never came, or the game is over. */
export interface ObligationLapsed {
  kind: "obligation_lapsed";
  obligation: string;
}

/** The deed a pledge hung on was done: it is now owed without condition. */
export interface ObligationMet {
  kind: "obligation_met";
  obligation: string;
}

/** The seat a promise was owed to let it go. */
export interface ObligationReleased {
  kind: "obligation_released";
  by: number;
  obligation: string;
}

/** Goods of one of several lots; debtor or creditor says which, and of what colours (TRADE-17). */
export interface OneOf {
  kind: "one_of";
  giver: number;
  to: number;
  lots: Lot[];
  chosen_by: "creditor" | "debtor";
}

/** Every table with open seats; told at the beginning and whenever it is otherwise. */
export interface OpenSeats {
  kind: "seats";
  tables: OpenTable[];
}

/** A table that waits for players and is open to bots. */
export interface OpenTable {
  table: string;
  title: string;
  edition: string;
  pace: string;
  seats: number;
  free: number[];
}

/** The finite choices, and the bounds of the open ones. */
export interface Options {
  seat: number;
  choices: Choice[];
  may_propose: boolean;
  must: Action | null;
  runs: RunChoice[];
  fleets: number;
  ships: number | null;
  bids: BidChoice[];
  discard: number;
  give_away: Goods;
}

/** An order holds no more; only its seat learns of it. */
export interface OrderCancelled {
  kind: "order_cancelled";
  seat: number;
  id: number;
}

/** What stands beside this was done by an order; only its seat learns of it. */
export interface OrderFired {
  kind: "order_fired";
  seat: number;
  id: number;
  turn: number;
  offer?: string | null;
  deal?: string | null;
}

/** A seat has laid down what is to be done for it; only that seat learns of it. */
export interface OrderPlaced {
  kind: "order_placed";
  seat: number;
  id: number;
  order: StandingOffer | SwapRule | WorthRule | TurnAhead;
}

/** What a seat gave for a converter: goods to the supply, colonies under the deck or out of the game. */
export interface Paid {
  goods?: Goods;
  under?: string[];
  removed?: string[];
}

/** Keep the ships. */
export interface Pass {
  kind: "pass";
}

/** The table after one line of a game that is over, as a spectator saw it, with everybody's points. */
export interface PastTable {
  n: number;
  view: View | null;
  points: number[];
}

/** Stop the clock and the game. */
export interface Pause {
  kind: "pause";
}

/** A seat would like a pause. */
export interface PauseAsked {
  kind: "pause_asked";
  seat: number;
}

/** The game stands still. */
export interface Paused {
  kind: "paused";
}

/** In which ways a price can be paid: each of the payments, and for each climate some of the colonies. */
export interface Payments {
  pay: Goods[];
  colonies: Slot[];
}

/** The host has sent somebody away for good. */
export interface PersonBarred {
  kind: "person_barred";
  seat: number;
  person?: string;
}

export type Phase = "confluence" | "economy" | "over" | "trade";

/** A rating, and where it is with 95 in 100. */
export interface Place {
  rating: number;
  low: number;
  high: number;
  ranked: boolean;
}

/** Split the ships secretly; may be changed until everyone has (BID-2). */
export interface PlaceBid {
  kind: "place_bid";
  colony?: number;
  research?: number;
}

/** Lay down what the server shall do for one's seat when its time comes. */
export interface PlaceOrder {
  kind: "place_order";
  order: StandingOffer | SwapRule | WorthRule | TurnAhead;
}

/** An order, and what has come of it. */
export interface PlacedOrder {
  id: number;
  order: StandingOffer | SwapRule | WorthRule | TurnAhead;
  fired?: number;
  offer?: string | null;
  turn?: number;
}

/** What some white converters take and make; the best plan comes with the moves it begins with. */
export interface PlanAnswer {
  kind: "plan";
  id: string;
  n: number;
  plan: Planned;
  moves: (Invent | UpgradeCard | PutIntoPlay | RunConverter)[];
  told: string[];
  gains: number[];
  runs: Run[];
  run_gain: number;
  ahead: number | null;
}

/** A seat decided which converters to run; secret until all run together (ECON-12). */
export interface PlanLaid {
  kind: "plan_laid";
  by: number;
  runs: Run[] | null;
}

/** A seat noted a plan for itself; nobody else hears of it. */
export interface PlanSaved {
  kind: "plan_saved";
  by: number;
  runs: Run[];
}

/** A plan as the table stands; what is owed this turn is set aside while it can still be traded for. */
export interface Planned {
  runs: PlannedRun[];
  paid: Goods;
  missing: Cost;
  left: Goods;
  gain: Goods;
  donate: Goods;
  owed: Goods;
  owed_next: Goods;
  fleets_needed: number;
  fleets: number;
}

/** One run of a plan: how it would be paid, what it makes, what it lacks. */
export interface PlannedRun {
  run: Run;
  gain: Goods;
  donate: Goods;
  missing: Cost;
  no_fleet: boolean;
  ways: Run[];
}

/** The game is on; the versions of the levels that play or may have to, for its record. */
export interface PlayBegan {
  kind: "play_began";
  versions?: Record<string, string>;
}

/** A handing-over due in the Trade Phase of turn `due`, perhaps only if a deed was done. */
export interface Pledge {
  kind: "pledge";
  what: Handing | OneOf;
  due: number;
  at?: "close" | "start";
  only_if?: Deed | null;
}

/** A promise fell due and what the debtor had of it changed hands. */
export interface PledgePaid {
  kind: "pledge_paid";
  obligation: string;
  parties: [number, number];
  moved?: Moved | null;
  licensed?: Licensed | null;
  left?: Handing | OneOf | null;
}

/** Who is connected. */
export interface Presence {
  here: number[];
  watching: number;
}

/** Somebody came or went. */
export interface Present {
  kind: "presence";
  here: number[];
  watching: number;
}

/** What one unit was sold for in a turn: book value of what came back, over deals that sold only this. */
export interface Price {
  good: string;
  turn: number;
  units: number;
  paid: number;
}

/** Everything that is printed. */
export interface Printed {
  cards: Record<string, Card>;
  species: Record<string, SpeciesFacts>;
  technologies: Record<string, unknown>;
  words: Words;
  languages: string[];
  levels: string[];
  licensors: string[];
}

/** All white converters of a seat ran at once. */
export interface ProductionRun {
  kind: "production_run";
  by: number;
  runs: Run[];
  paid?: Goods;
  gain?: Goods;
  donation?: Goods;
  tied?: Goods;
}

/** One promise and what became of it. */
export interface Promised {
  made: number;
  debtor: number;
  creditor: number;
  outcome: "broken" | "kept" | "lapsed" | "open" | "released" | "replaced";
  n: number;
  turn: number;
  points: number;
}

/** An offer one could make, and what it is worth: to oneself, or to everybody where the table tells. */
export interface Proposal {
  offer: ProposeDeal;
  values: SeatWorth[];
  means: string[];
}

/** Offers that bring everybody in them something and that the bots in them take, the best first. */
export interface Proposals {
  kind: "deals";
  id: string;
  n: number;
  found: Proposal[];
}

/** Put an offer on the table; the proposer is one of its parties and accepts it by proposing. */
export interface ProposeDeal {
  kind: "propose_deal";
  parties: number[];
  clauses: Clause[];
  answers?: string | null;
  settles?: string[];
  reason?: string;
}

/** Run the converter by which one's own card enters play (VIO-4). */
export interface PutIntoPlay {
  kind: "put_into_play";
  card: string;
  pay?: Goods | null;
  colonies?: string[];
}

/** What a bot says it would want for something. */
export interface Quoted {
  kind: "quote";
  id: string;
  n: number;
  told: string;
  price: Proposal | null;
}

/** Where people stood after an evening, as what was known then told. */
export interface RatingMoment {
  ended: number;
  games: number;
  places: Record<string, Place>;
}

/** Under which addresses the table is found; none: as one came. Who sits at the machine may open it. */
export interface Reach {
  links: Link[];
  may_open: boolean;
}

/** Let everybody the host has sent away come again. */
export interface Readmit {
  kind: "readmit";
}

/** One track after the refresh, and what went under its deck. */
export interface Refreshed {
  under: string[];
  track: (string | null)[];
  drawn: number;
}

/** Why a choice is not open, as a code of the message files and its facts. */
export interface Refusal {
  code: string;
  facts: Record<string, unknown>;
}

/** Say no to whoever asked for one's seat; the host may do so for any seat. */
export interface RefuseSeat {
  kind: "refuse_seat";
  ask: number;
}

/** Nothing has changed. */
export interface Rejected {
  kind: "refused";
  id: string | null;
  code: string;
  sentence: string;
  facts: Record<string, unknown>;
}

/** Let a seat off a promise that is owed to oneself. */
export interface Release {
  kind: "release";
  obligation: string;
}

/** A new table stands for the same people; the invitation is for those at the table. */
export interface RematchOpened {
  kind: "rematch_opened";
  table: string;
  invitation?: string;
}

/** Free a seat. A person who sat there stays out; once the game has begun a bot plays on for them. */
export interface Remove {
  kind: "remove";
  seat: number;
}

/** A research team: pay one of the costs, score, and invent the technology (era IV: none). */
export interface Research {
  costs: Cost[];
  points: number;
  technology?: string | null;
}

/** Give one's seat to a bot for good. */
export interface Resign {
  kind: "resign";
}

/** The person gave the seat up; a bot plays on. */
export interface Resigned {
  kind: "resigned";
  seat: number;
  level: string;
}

/** Go on after a pause. */
export interface Resume {
  kind: "resume";
}

/** The game goes on. */
export interface Resumed {
  kind: "resumed";
}

/** A lent card that went home. */
export interface Returned {
  card: string;
  holder: number;
  owner: number;
}

/** One run of one white converter. */
export interface Run {
  card: string;
  converter?: number;
  cost?: number;
  pay?: Goods | null;
  colour?: string | null;
}

/** A white converter that could be part of a plan. */
export interface RunChoice {
  card: string;
  converter: number;
  printed: Converter;
  times: number;
  fleets_needed: number;
}

/** Run a violet converter of a card held. */
export interface RunConverter {
  kind: "run_converter";
  card: string;
  converter?: number;
  cost?: number;
  pay?: Goods | null;
  colonies?: string[];
}

/** Talk; with `to`, only for that seat. */
export interface Said {
  kind: "said";
  seat: number;
  text: string;
  to?: number | null;
}

export type Scope = "host" | "play" | "read";

/** The seat stays with its holder. */
export interface SeatAskEnded {
  kind: "seat_ask_ended";
  seat: number;
  refused?: boolean;
}

/** Somebody without a seat who has asked for one. */
export interface SeatAskFace {
  ask: number;
  seat: number;
  name: string;
  vouched: number[];
  due: number | null;
}

/** Somebody without a seat asks for this one; the person is for the server alone. */
export interface SeatAsked {
  kind: "seat_asked";
  seat: number;
  name: string;
  ask: number;
  person?: string;
}

/** A bot plays while the person is away. */
export interface SeatCovered {
  kind: "seat_covered";
  seat: number;
}

/** What everybody may know of a seat outside the game. */
export interface SeatFace {
  seat: number;
  name: string;
  bot: string | null;
  species: string | null;
  covered: boolean;
  host: boolean;
  program: string | null;
  wants: Goods;
  haves: Goods;
}

/** The person is back and plays. */
export interface SeatHandedBack {
  kind: "seat_handed_back";
  seat: number;
}

/** Another person sits there; the person is for the server alone. */
export interface SeatHandedOver {
  kind: "seat_handed_over";
  seat: number;
  name: string;
  was?: string;
  person?: string;
}

/** Nobody sits there any more. */
export interface SeatLeft {
  kind: "seat_left";
  seat: number;
}

/** A seat hears another no more, or again; only that seat learns of it. */
export interface SeatMuted {
  kind: "seat_muted";
  by: number;
  seat: number;
  muted?: boolean;
}

/** How a seat stands in trading, by its best plan. */
export interface SeatNeeds {
  seat: number;
  needs: Goods;
  spare: Goods;
  idle: string[];
}

/** How one seat fared. */
export interface SeatStory {
  seat: number;
  species: string;
  turns: Sources[];
  left: Goods;
  leftovers: number;
  total: number;
  winner: boolean;
  deals: number;
  gave: number;
  got: number;
  surplus: number;
}

/** A person sat down, moved to this seat or changed their name; the person is for the server alone. */
export interface SeatTaken {
  kind: "seat_taken";
  seat: number;
  name: string;
  person?: string;
  program?: string | null;
}

/** What everybody may know of a seat. */
export interface SeatView {
  seat: number;
  species: string;
  stock: Goods;
  donation: Goods;
  tied: Goods;
  tied_to: number | null;
  cards: Record<string, Held>;
  deck: string[];
  spent: Record<string, string>;
  invented: string[];
  support: number | null;
  done: boolean;
}

/** Somebody at the table says that whoever asked for the seat should have it. */
export interface SeatVouched {
  kind: "seat_vouched";
  seat: number;
  by?: number | null;
}

/** What clauses are worth to a seat, in points; null: nobody can hand over what they say. */
export interface SeatWorth {
  seat: number;
  points: number | null;
}

/** A line as one seat may see it. */
export interface SeenLine {
  n: number;
  at: number;
  seat: number | null;
  events: (GameEvent | TableEvent | GameStarted)[];
  told: string[];
}

/** What was agreed before the start. */
export interface Settings {
  species: string[];
  edition?: Edition;
  precise_scoring?: boolean;
  precise_when_tied?: boolean;
  handicaps?: Handicap[];
  private_offers?: boolean;
  trade_minutes?: number | null;
  allow_three?: boolean;
}

/** Show everybody what one wants and has to spare. */
export interface ShowWants {
  kind: "show_wants";
  wants?: Goods;
  haves?: Goods;
}

/** The seed the decks were shuffled by; for the server alone until the game is over. */
export interface Shuffled {
  kind: "shuffled";
  seed?: string;
}

/** Move to a free seat; before the game begins. */
export interface Sit {
  kind: "sit";
  seat: number;
}

/** So many of these colonies are handed in. */
export interface Slot {
  climate: string;
  count: number;
  cards: string[];
}

/** Points by where they came from. */
export interface Sources {
  invention: number;
  sharing: number;
  converter: number;
  card: number;
  gift: number;
  penalty: number;
}

/** The seat will play this species; None is no wish. */
export interface SpeciesChosen {
  kind: "species_chosen";
  seat: number;
  species?: string | null;
}

/** What the board of a species prints. */
export interface SpeciesFacts {
  id: string;
  name: string;
  full_name: string;
  short: string;
  difficulty: number;
  impact: number;
  support: number | null;
  tiebreaker: number | null;
  colonies: number;
  research: number;
  stock: Goods;
  names?: Record<string, string>;
  editions?: Record<string, Goods>;
  extra_colony_spaces?: number;
  seedling?: boolean;
  supply?: Goods;
}

/** How a species fares at tables of one size; scores in points. */
export interface SpeciesLine {
  species: string;
  players: number;
  edition: string;
  games: number;
  mean: number;
  least: number;
  most: number;
  wins: number;
  deals: number;
  kept: number;
  broken: number;
  by: "bots" | "people";
}

/** Split one's colony bid into two halves instead of buying or passing (KJAS-2). */
export interface SplitBid {
  kind: "split_bid";
}

/** An open bid in the order in which they act, and what puts it before the next. */
export interface Standing {
  seat: number;
  ships: number;
  counts: number;
  held: number;
  tiebreaker: number | null;
  half: boolean;
  ahead: "bid" | "cards" | "tiebreaker" | null;
}

/** An offer that is made again when it was struck, or has lapsed with its turn. */
export interface StandingOffer {
  kind: "standing_offer";
  parties: number[];
  clauses: Clause[];
  times?: number;
  until?: number;
}

/** What one seat begins with. */
export interface Start {
  species: string;
  stock: Goods;
  cards: Record<string, Held>;
  deck: string[];
}

/** Begin: the draft, if there is one, else the game. */
export interface StartGame {
  kind: "start_game";
}

/** All finished games that count: not those that go on from a record. */
export interface Statistics {
  games: number;
  lines: SpeciesLine[];
}

/** Run a red converter on another player, naming every cube to take. */
export interface Steal {
  kind: "steal";
  card: string;
  target: number;
  take: Goods;
  converter?: number;
  cost?: number;
  pay?: Goods | null;
}

export type Step = "bid" | "colony_auction" | "gifts" | "handicap" | "over" | "plan" | "research_auction" | "settle" |
  "steal" | "support" | "trade" | "window";

/** The table went on to a new step of the turn. */
export interface StepBegan {
  kind: "step_began";
  step: Step;
}

/** The seat had nothing to decide in the step, and was done with it; only that seat is told. */
export interface StepSpared {
  kind: "step_spared";
  seat: number;
  step: Step;
}

/** Goods went from the target's stock to the thief's. */
export interface Stolen {
  kind: "stolen";
  by: number;
  target: number;
  card: string;
  converter: number;
  paid: Goods;
  taken: Goods;
}

/** The whole game. */
export interface Story {
  seats: SeatStory[];
  trades: Trade[];
  prices: Price[];
  promises: Promised[];
  biggest: Struck[];
}

/** The last line of a stream; the codes are those a socket is closed with, 1000 when its time was up. */
export interface StreamEnded {
  kind: "ended";
  code: number;
}

/** A deal that was struck. */
export interface Struck {
  n: number;
  turn: number;
  parties: number[];
  moved: Moved[];
  value: number;
  gains: number[];
}

/** Where a browser is reached by web push, as the browser says it. */
export interface Subscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Accept any swap of goods that brings at least this and takes at most that. */
export interface SwapRule {
  kind: "swap_rule";
  get: Goods;
  give?: Goods;
  times?: number;
  until?: number;
}

export type TableAction = ChangeTable | Sit | Leave | ChooseSpecies | AddBot | Readmit | Remove | StartGame | Pause |
  Resume | AskPause | AskExtension | Cover | Resign | HandOver | RefuseSeat | Mute | PlaceOrder | CancelOrder |
  ShowWants | EndTable;

/** Other options were agreed on. */
export interface TableChanged {
  kind: "table_changed";
  options: TableOptions;
}

/** The host closed the table. */
export interface TableEnded {
  kind: "table_ended";
}

export type TableEvent = TableOpened | TableChanged | SeatTaken | SeatLeft | BotSeated | SpeciesChosen | HostChanged |
  GuestAdmitted | PersonBarred | BarsLifted | DraftBegan | Shuffled | PlayBegan | Paused | Resumed | ClockSet |
  ClockStopped | ExtensionAsked | PauseAsked | SeatCovered | SeatHandedBack | Resigned | SeatAsked | SeatVouched |
  HandOverSet | SeatAskEnded | SeatHandedOver | SeatMuted | OrderPlaced | OrderCancelled | OrderFired | StepSpared |
  WantsShown | Said | RematchOpened | TableEnded;

/** What is listed of a table. */
export interface TableFace {
  title: string;
  status: string;
  edition: string;
  pace: string;
  players: string[];
  watchers: boolean;
  turn: number | null;
  waits_for: number[];
  handing: number[];
  open_to_bots: boolean;
}

/** A table one sits at: told when one sits down, and whenever its status changes. */
export interface TableNow {
  kind: "table";
  table: string;
  title: string;
  seat: number;
  status: "drafting" | "ended" | "left" | "over" | "playing" | "waiting";
  points: number[];
}

/** A table stands; person and invitation are for the server alone. */
export interface TableOpened {
  kind: "table_opened";
  options: TableOptions;
  person?: string;
  invitation?: string;
  format?: number;
  continues?: boolean;
  standing?: "edited" | "proved" | "superseded" | null;
}

/** What is agreed about a table before the game begins. */
export interface TableOptions {
  title?: string;
  seats?: number;
  edition?: Edition;
  precise_scoring?: boolean;
  precise_when_tied?: boolean;
  handicaps?: Handicap[];
  private_offers?: boolean;
  allow_three?: boolean;
  species?: "choice" | "draft" | "fresh" | "random";
  exclude?: string[];
  hardest?: number | null;
  public?: boolean;
  watchers?: boolean;
  open_to_bots?: boolean;
  help?: "both" | "off" | "own";
  cover?: number | null;
  cover_kind?: "careful" | "clock" | "full";
  cover_level?: string;
  pace?: "async" | "live";
  bots?: "fast" | "normal" | "slow";
  clock?: Clock | null;
  group?: string;
}

/** What one seat may know of the table besides the game. */
export interface TableView {
  table: string;
  options: TableOptions;
  status: "drafting" | "ended" | "over" | "playing" | "waiting";
  seats: SeatFace[];
  order: number[];
  paused: boolean;
  due: number | null;
  left: number | null;
  asked: number[];
  pause_asked: number[];
  asks: SeatAskFace[];
  continues: boolean;
  standing: "edited" | "proved" | "superseded" | null;
  rematch: string | null;
  muted: number[];
  orders: PlacedOrder[];
  barred: number;
  invitation: string;
  chance: string;
}

/** Something said, or an offer typed in short form. */
export interface TalkMessage {
  kind: "talk";
  id: string;
  text: string;
  to?: number | null;
}

/** This turn's technologies were shared and paid for. */
export interface TechnologiesShared {
  kind: "technologies_shared";
  shared?: string[];
  entered?: Entered[];
  bonuses?: Bonus[];
}

/** What a research team of era I to III invents; every species has a card of it. */
export interface Technology {
  id: string;
  name: string;
  era: number;
  research: string;
}

/** A research team became a technology. */
export interface TechnologyInvented {
  kind: "technology_invented";
  by: number;
  card: string;
  paid: Goods;
  points: number;
  bonus?: number;
  technology?: string | null;
  entered?: string | null;
}

/** By how many ways a test notice was taken, and what became of mail. */
export interface Tested {
  taken: number;
  mail: MailState;
}

/** The soft timer ran out: a reminder, trading goes on. */
export interface TimeCalled {
  kind: "time_called";
}

/** One thing that mattered. */
export interface ToldMoment {
  n: number;
  turn: number;
  kind: string;
  points: number;
  title: string;
  text: string;
  parties: number[];
  clauses: Clause[];
  gains: Record<number, number>;
}

/** The review as a page shows it. */
export interface ToldReview {
  seat: number;
  place: number;
  total: number;
  best: number;
  verdict: string;
  moments: ToldMoment[];
  turns: ToldTurn[];
}

/** What clauses mean, in words. */
export interface ToldTerms {
  kind: "terms";
  id: string;
  told: string[];
}

/** One turn and what it teaches. */
export interface ToldTurn {
  turn: number;
  begin: number;
  points: number;
  deals: number;
  traded: number;
  lesson: string;
  cost: number;
  missed: ToldMoment | null;
}

export type Track = "colony" | "research";

/** Unbought cards moved on and the tracks were filled again (TRACK-1). */
export interface TracksRefreshed {
  kind: "tracks_refreshed";
  colony: Refreshed;
  research: Refreshed;
}

/** What went from one seat to another in all deals, by book value. */
export interface Trade {
  giver: number;
  to: number;
  value: number;
  deals: number;
}

/** Finish a turn after trading: keep one's word, run the saved plan, bid, and buy what is still there. */
export interface TurnAhead {
  kind: "turn_ahead";
  turn: number;
  bid?: PlaceBid | null;
  picks?: string[];
}

/** A new turn began; all marks of the last one are cleared (ENDT-2). */
export interface TurnBegan {
  kind: "turn_began";
  turn: number;
}

/** A deed to be done by the end of a phase; not done, it costs what a missing card costs. */
export interface Undertake {
  kind: "undertake";
  to: number;
  deed: Deed;
  turn: number;
  by: "confluence" | "economy" | "trade";
}

/** A line as it happens, and what it changed. */
export interface Update {
  kind: "update";
  n: number;
  at: number;
  seat: number | null;
  events: (GameEvent | TableEvent | GameStarted)[];
  told: string[];
  view?: Record<string, unknown>;
  table?: Record<string, unknown>;
  whole?: View | null;
}

/** One printed way to flip a card: run a violet converter, or spend the card of a technology. */
export interface Upgrade {
  cost?: Cost | null;
  gain?: Goods;
  technology?: string | null;
}

/** Flip a card in one of its printed ways (UPG-1). */
export interface UpgradeCard {
  kind: "upgrade_card";
  card: string;
  way?: number;
  pay?: Goods | null;
  colonies?: string[];
}

/** What one seat may know; it has no place for anybody else's points, plan or bid. */
export interface View {
  seat: number | null;
  settings: Settings;
  turn: number;
  step: Step;
  phase: Phase;
  waiting: number[];
  players: SeatView[];
  colony_track: (string | null)[];
  research_track: (string | null)[];
  colony_minimums: number[];
  research_minimums: number[];
  colony_deck: DeckView;
  research_deck: DeckView;
  relics: number;
  bonus: ([number, number])[];
  shared: string[];
  removed: string[];
  deals: Record<string, Deal>;
  obligations: Record<string, Obligation>;
  choices: Record<string, Goods>;
  serving: number[];
  ran: ([string, number])[];
  traded: ([number, number])[];
  robbed: number[];
  invented: Invention[];
  queue: Bidder[];
  scores: FinalScore[];
  score: number | null;
  plan: Run[] | null;
  bid: Bid | null;
  standing: Standing[];
}

/** A seat shows everybody what it wants and has to spare. */
export interface WantsShown {
  kind: "wants_shown";
  seat: number;
  wants?: Goods;
  haves?: Goods;
}

/** In which ways a price can be paid. */
export interface Ways {
  kind: "payments";
  id: string;
  n: number;
  ways: Payments;
}

/** The whole truth as of line n. */
export interface Welcome {
  kind: "welcome";
  n: number;
  you: number | null;
  table: TableView;
  view: View | null;
  here: Presence;
  now: number;
  protocol: number;
}

/** How somebody fared with a species. */
export interface WithSpecies {
  species: string;
  fared: Fared;
}

/** Take one's own offer back. */
export interface WithdrawDeal {
  kind: "withdraw_deal";
  deal: string;
  reason?: string;
}

/** The words of one language a page needs. */
export interface Words {
  language: string;
  goods: Record<string, Good>;
  steps: Record<string, string>;
  phases: Record<string, string>;
  tracks: Record<string, string>;
  climates: Record<string, string>;
}

/** What an offer is worth, and what it changes in the plan of the one who asks, in words. */
export interface Worth {
  kind: "worth";
  id: string;
  n: number;
  values: SeatWorth[];
  means: string[];
}

/** Accept whatever is handed over at once, costs no card and is worth so many points to oneself. */
export interface WorthRule {
  kind: "worth_rule";
  least: number;
  times?: number;
  until?: number;
}
