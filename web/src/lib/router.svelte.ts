// Where we are: the path decides the screen, the fragment carries an invitation, an offer
// to look at, or a code for another device.

export type Place =
  | { screen: "lobby" }
  | { screen: "arrive"; code: string }
  | { screen: "table"; table: string; invitation: string; offer?: string }
  | { screen: "group"; group: string; invitation: string }
  | { screen: "gallery" }
  | { screen: "dev"; fixture: string }
  | { screen: "nowhere" };

let place = $state.raw<Place>(read());

export function here(): Place {
  return place;
}

export function read(path = location.pathname, hash = location.hash): Place {
  const parts = path.split("/").filter(Boolean);
  if (parts.length === 0) return hash.length > 1 ? { screen: "arrive", code: hash.slice(1) } : { screen: "lobby" };
  if (parts[0] === "t" && parts[1]) {
    const offer = /^#offer=([\w-]{1,40})$/.exec(hash)?.[1];
    return { screen: "table", table: parts[1], invitation: offer ? "" : hash.slice(1), ...(offer && { offer }) };
  }
  if (parts[0] === "g" && parts[1]) return { screen: "group", group: parts[1], invitation: hash.slice(1) };
  if (import.meta.env.MODE !== "production" && parts[0] === "gallery") return { screen: "gallery" };
  if (import.meta.env.MODE !== "production" && parts[0] === "dev")
    return { screen: "dev", fixture: parts[1] ?? "trade" };
  return { screen: "nowhere" };
}

export function go(path: string): void {
  if (path !== location.pathname + location.hash) history.pushState(null, "", path);
  place = read();
  window.scrollTo(0, 0);
}

/** The offer a notice leads to; null when there is none, or it was looked at. */
export function offerAsked(): string | null {
  return (place.screen === "table" && place.offer) || null;
}

export function offerSeen(): void {
  if (place.screen !== "table" || !place.offer) return;
  history.replaceState(null, "", location.pathname);
  place = read();
}

/** Follow back, forward and plain clicks on links of our own. */
export function listen(): () => void {
  const back = () => (place = read());
  const click = (event: MouseEvent) => {
    const link = (event.target as Element | null)?.closest?.("a[href^='/']");
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.defaultPrevented;
    if (!link || !plain || link.hasAttribute("download") || link.getAttribute("target")) return;
    event.preventDefault();
    go(link.getAttribute("href")!);
  };
  addEventListener("popstate", back);
  addEventListener("hashchange", back);
  document.addEventListener("click", click);
  return () => {
    removeEventListener("popstate", back);
    removeEventListener("hashchange", back);
    document.removeEventListener("click", click);
  };
}
