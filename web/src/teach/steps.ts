// Which step of the guided turn comes now: read off what has happened, so that it never waits for what was
// done otherwise.
import { stageOf } from "~/table/steps/stages";
import type { Step } from "~/wire";

export const STEPS = [
  "goal",
  "make",
  "lack",
  "ask",
  "give",
  "accept",
  "more",
  "done",
  "plan",
  "bid",
  "take",
  "end",
] as const;
export type StepName = (typeof STEPS)[number];

/** What has happened in the guided turn. */
export interface Facts {
  began: number; // the turn the guide began in
  turn: number;
  step: Step;
  asked: boolean; // the offer being made asks for something
  sent: boolean; // an offer of mine is on the table
  traded: boolean;
  done: boolean;
  bid: boolean;
}

export function stepNow(facts: Facts, passed: readonly StepName[]): StepName {
  if (facts.turn > facts.began) return "end";
  const stage = stageOf(facts.step);
  if (stage === "economy") return "plan";
  if (facts.step === "bid" && !facts.bid && !passed.includes("bid")) return "bid";
  if (["bid", "colony_auction", "research_auction"].includes(facts.step)) return "take";
  if (stage !== "trade") return "end";
  if (facts.step === "handicap") return passed.includes("goal") ? "make" : "goal";
  if (facts.done || facts.step !== "trade") return "done";
  return TRADING.find((step) => !passed.includes(step) && !happened(step, facts)) ?? "done";
}

/** In trading the next step is that of my own last deed: what others do changes nothing here. */
const TRADING = STEPS.slice(0, STEPS.indexOf("done"));

function happened(step: StepName, facts: Facts): boolean {
  switch (step) {
    case "goal":
    case "make":
    case "lack":
    case "ask":
      return facts.asked || facts.sent || facts.traded;
    case "give":
      return facts.sent || facts.traded;
    case "accept":
      return facts.traded;
    default:
      return false; // one deal is not all: whoever has enough says so
  }
}

/** Steps one goes on from by oneself; the others end by what happens, and can be passed too. */
export const READ: readonly StepName[] = ["goal", "make", "lack", "end"];

/** Where to look, on a desk and on a phone; the first that is on the page. */
export const WHERE: Record<StepName, readonly string[]> = {
  goal: [],
  make: ["section.economy", "nav.tabs button:nth-child(1)"],
  lack: ["footer.actions .sums", "section.economy", "nav.tabs button:nth-child(1)"],
  ask: [".strip", "nav.tabs button:nth-child(2)"],
  give: [".composer", ".strip .me", "nav.tabs button:nth-child(3)"],
  accept: [".desk", "nav.tabs button:nth-child(3)"],
  more: [],
  done: ["footer.actions .main"],
  plan: ["footer.actions .main"],
  bid: [".step", "nav.tabs button:nth-child(1)"],
  take: [".step", "nav.tabs button:nth-child(1)"],
  end: [],
};
