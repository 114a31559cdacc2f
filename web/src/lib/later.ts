// The words of screens that are loaded when they are wanted. A screen that imports them from here is not drawn
// before they are there; what is drawn at once imports `words.svelte`, which does not know them.
import type en from "~/words/en.json";
import type later from "~/words/later/en.json";
import { fill, more, type Values } from "./words.svelte";

export * from "./words.svelte";
export type Key = keyof typeof en | keyof typeof later;

await more();

/** The words for a key, its {names} filled in; `n` chooses between one and many. */
export const t: (key: Key, values?: Values) => string = fill;
