// Short notes that come and go; a refusal stays until it is read.

export interface Note {
  id: number;
  text: string;
  tone: "plain" | "good" | "bad";
}

let notes = $state.raw<Note[]>([]);
let made = 0;

export function all(): Note[] {
  return notes;
}

export function toast(text: string, tone: Note["tone"] = "plain"): void {
  const note = { id: ++made, text, tone };
  // The same sentence twice is one note.
  notes = [...notes.filter((one) => one.text !== text), note].slice(-4);
  setTimeout(() => dismiss(note.id), tone === "bad" ? 9000 : 4500);
}

export function dismiss(id: number): void {
  notes = notes.filter((note) => note.id !== id);
}
