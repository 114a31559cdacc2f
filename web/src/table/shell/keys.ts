// The table by single keys: each goes somewhere or presses what is there. They are looked up in the page itself, so
// that a key does what a click would; while somebody types, or a sheet lies over the table, they are only letters.

/** What only the table can do. */
export interface Doors {
  offer: () => void;
  tracks: () => void;
  rules: () => void;
  list: () => void;
  deals: () => void; // where offers and talk are behind a tab
}

/** In the order of the list of keys. */
export const KEYS = ["o", "a", "d", "c", "f", "e", "k", "l", "/", "r", "?"] as const;
export type Name = (typeof KEYS)[number];

const TYPING = "textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=range])";
const SOON = 1500;

/** Whether a key is somebody's text, or not meant for the table. */
export function isTyped(event: KeyboardEvent): boolean {
  const target = event.target as Element | null;
  return event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || Boolean(target?.closest?.(TYPING));
}

/** Focus something as soon as it is drawn, or else something that is there. */
function focus(selector: string, otherwise = "", until = performance.now() + SOON): void {
  const found = document.querySelector<HTMLElement>(selector);
  if (found) found.focus();
  else if (performance.now() < until) requestAnimationFrame(() => focus(selector, otherwise, until));
  else if (otherwise) document.querySelector<HTMLElement>(otherwise)?.focus();
}

/** Show a part of the desk, and focus something in it. */
function desk(doors: Doors, tab: string, selector: string): void {
  doors.deals();
  requestAnimationFrame(() => {
    document.getElementById(`desk-${tab}`)?.click();
    requestAnimationFrame(() => focus(selector, `#desk-${tab}`));
  });
}

/** Press it in the offer that is looked at; Accept goes to the first offer where none is. */
function answer(doors: Doors, what: "a" | "d" | "c"): void {
  const here = document.activeElement?.closest("article")?.querySelector<HTMLElement>(`[data-press="${what}"]`);
  if (here) here.click();
  else if (what === "a") desk(doors, "for_me", '#desk-panel [data-press="a"]');
}

const DOES: Record<Name, (doors: Doors) => void> = {
  o: (doors) => doors.offer(),
  a: (doors) => answer(doors, "a"),
  d: (doors) => answer(doors, "d"),
  c: (doors) => answer(doors, "c"),
  f: () => focus(".actions .main button"),
  e: () => focus(".economy .body :is(input, button)"),
  k: (doors) => doors.tracks(),
  l: (doors) => desk(doors, "log", "#desk-log"),
  "/": (doors) => desk(doors, "talk", "#desk-panel form input"),
  r: (doors) => doors.rules(),
  "?": (doors) => doors.list(),
};

/** Do what a key stands for; whether it stands for anything. */
export function press(event: KeyboardEvent, doors: Doors): boolean {
  if (isTyped(event) || document.querySelector("dialog[open]")) return false;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && walk(event.target as Element, step)) event.preventDefault();
  const name = KEYS.find((key) => key === event.key);
  if (!name) return false;
  event.preventDefault();
  DOES[name](doors);
  return true;
}

/** From one offer to the next, on the same button where it has one. */
function walk(from: Element, step: number): boolean {
  const here = from.closest?.<HTMLElement>("#desk-panel article");
  if (!here) return false;
  const all = [...document.querySelectorAll<HTMLElement>("#desk-panel article")];
  const next = all[all.indexOf(here) + step];
  const same = next?.querySelector<HTMLElement>(`[data-press="${(from as HTMLElement).dataset.press ?? "a"}"]`);
  (same ?? next?.querySelector<HTMLElement>("button"))?.focus();
  return next !== undefined;
}

/** Wherever what had the focus is taken away, whatever held it gets it: the next Tab goes on from there. */
export function keepFocus(root: HTMLElement): () => void {
  let path: Element[] = [];
  const remember = ({ target }: FocusEvent) => {
    path = [];
    for (let one = target as Element | null; one; one = one.parentElement) path.push(one);
  };
  const watching = new MutationObserver(() => {
    if (document.activeElement !== document.body || !path[0] || path[0].isConnected) return;
    const place = path.find((one) => one.isConnected && root.contains(one)) as HTMLElement | undefined;
    if (place && !place.hasAttribute("tabindex")) place.tabIndex = -1;
    place?.focus({ preventScroll: true });
  });
  root.addEventListener("focusin", remember);
  watching.observe(root, { childList: true, subtree: true });
  return () => {
    root.removeEventListener("focusin", remember);
    watching.disconnect();
  };
}
