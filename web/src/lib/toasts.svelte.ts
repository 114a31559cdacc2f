// Short notes that come and go; a refusal stays until it is read. At a table the stage line shows them.
import { t } from "./words.svelte";

export interface Note {
  id: number;
  text: string;
  tone: "plain" | "good" | "bad";
}

let notes = $state.raw<Note[]>([]);
let made = 0;
let staged = $state(false);

export function all(): Note[] {
  return notes;
}

/** Whether another place than the corner of the page shows them. */
export function isStaged(): boolean {
  return staged;
}

/** They are shown elsewhere as long as the component that asks for it is. */
export function stage(): void {
  $effect(() => {
    staged = true;
    return () => (staged = false);
  });
}

export function toast(text: string, tone: Note["tone"] = "plain"): void {
  const note = { id: ++made, text, tone };
  // The same sentence twice is one note.
  notes = [...notes.filter((one) => one.text !== text), note].slice(-4);
  setTimeout(() => dismiss(note.id), tone === "bad" ? 9000 : 4500);
}

/** Say why nothing came of something: in the server's sentence, or that it cannot be reached. */
export function failed(why: unknown): void {
  toast((why as Error).message || t("error.no_server"), "bad");
}

export function dismiss(id: number): void {
  notes = notes.filter((note) => note.id !== id);
}
