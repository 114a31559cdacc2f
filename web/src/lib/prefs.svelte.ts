// What somebody prefers on this device; kept in the browser, never sent.

export type Theme = "system" | "light" | "dark";

interface Prefs {
  theme: Theme;
  language: string | null; // null: that of the browser
  motion: boolean;
  scenes: "all" | "mine" | "off"; // what is shown happening
  sound: boolean;
  tips: boolean; // explanations under the pointer
  keys: boolean; // single keys at the table
  awake: boolean; // the screen stays on while a game is on
}

const KEY = "elysian";
const DEFAULTS: Prefs = {
  theme: "system",
  language: null,
  motion: true,
  scenes: "all",
  sound: false,
  tips: true,
  keys: true,
  awake: true,
};

function stored(): Partial<Prefs> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Prefs>;
  } catch {
    return {};
  }
}

export const prefs: Prefs = $state({ ...DEFAULTS, ...stored() });

export function prefer(change: Partial<Prefs>): void {
  Object.assign(prefs, change);
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // A browser without storage forgets.
  }
  apply();
}

/** Let the document show what is preferred. */
export function apply(): void {
  const root = document.documentElement;
  if (prefs.theme === "system") delete root.dataset.theme;
  else root.dataset.theme = prefs.theme;
  root.dataset.motion = prefs.motion ? "on" : "off";
}
