// The steps of a turn, gathered into the phases the head line shows.
import type { Step } from "~/wire";

export type Stage = "trade" | "economy" | "bids" | "theft" | "over";

export const STAGES: { name: Exclude<Stage, "over">; steps: Step[] }[] = [
  { name: "trade", steps: ["handicap", "trade", "settle", "gifts", "window"] },
  { name: "economy", steps: ["support", "plan"] },
  { name: "bids", steps: ["bid", "colony_auction", "research_auction"] },
  { name: "theft", steps: ["steal"] },
];

export function stageOf(step: Step): Stage {
  return STAGES.find((one) => one.steps.includes(step))?.name ?? "over";
}
