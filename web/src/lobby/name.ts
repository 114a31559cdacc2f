// The name somebody used last on this device, to fill the field.
const KEY = "elysian-name";

export function rememberedName(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

export function rememberName(name: string): void {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // A browser without storage asks again.
  }
}
