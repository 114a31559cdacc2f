// Pieces that fly from one place of the page to another. Only transform and opacity move; nothing is left behind,
// and what is shown below is already true.
import type { GoodsKind, Goods } from "~/lib/goods";
import { items } from "~/lib/goods";
import type { Seat } from "~/wire";
import type { Flight } from "./scenes";

const FLY = 420;
const STEP = 60;
const STEPS = 8; // then together
const PIECES = 4; // of one kind

/** Where a seat's goods of a kind lie: its tile in the rows, on a phone mine in the bar; else the seat's sign. */
function place(root: ParentNode, seat: Seat | null, kind: GoodsKind, me: Seat | null): Element | null {
  if (seat === null) return root.querySelector("section.economy > header") ?? root.querySelector(".stage");
  const shown = (one: Element | null) => (one?.getClientRects().length ? one : null);
  return (
    shown(root.querySelector(`.strip [data-seat="${seat}"] [data-kind="${kind}"]`)) ??
    (seat === me ? shown(root.querySelector(`section.stock [data-kind="${kind}"]`)) : null) ??
    shown(root.querySelector(`.stage [data-face="${seat}"]`)) ??
    root.querySelector(".stage")
  );
}

const middle = (one: Element): [number, number] => {
  const box = one.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
};

/** By an arc, in the same time whatever the distance. */
function arc([x0, y0]: [number, number], [x1, y1]: [number, number], small: boolean): Keyframe[] {
  const lift = Math.min(90, 30 + Math.hypot(x1 - x0, y1 - y0) * 0.16);
  const [cx, cy] = [(x0 + x1) / 2 + lift / 2, (y0 + y1) / 2 - lift];
  return Array.from({ length: 13 }, (_, n) => {
    const [p, u] = [n / 12, 1 - n / 12];
    const [x, y] = [u * u * x0 + 2 * u * p * cx + p * p * x1, u * u * y0 + 2 * u * p * cy + p * p * y1];
    const size = (small ? 0.6 : 1) * (1 + Math.sin(p * Math.PI) * 0.4);
    return { transform: `translate(${x - 10}px, ${y - 10}px) scale(${size})`, opacity: n === 0 || n === 12 ? 0 : 1 };
  });
}

/** A piece as it is drawn everywhere. */
function piece(kind: GoodsKind): SVGSVGElement {
  const drawn = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  drawn.setAttribute("class", "g");
  use.setAttribute("href", `#g-${kind}`);
  drawn.append(use);
  drawn.style.setProperty("--chip", "20px");
  return drawn;
}

const pieces = (goods: Goods) =>
  items(goods).flatMap(([kind, n]) => Array.from({ length: Math.min(n, PIECES) }, () => kind));

/** Let goods fly and their tiles answer; what it returns ends it at once. */
export function fly(root: ParentNode, into: Element, flights: readonly Flight[], me: Seat | null): () => void {
  const running: Animation[] = [];
  const small = !flights.some((one) => one.from === me || one.to === me);
  for (const flight of flights) {
    if (flight.from === null && flight.to !== me) continue; // what others made stands in their rows
    for (const [n, kind] of pieces(flight.goods).entries()) {
      const [from, to] = [place(root, flight.from, kind, me), place(root, flight.to, kind, me)];
      if (!from || !to) continue;
      const flying = piece(kind);
      into.append(flying);
      const delay = 80 + Math.min(n, STEPS) * STEP;
      const way = flying.animate(arc(middle(from), middle(to), small), {
        delay,
        duration: FLY,
        easing: "cubic-bezier(.45, .05, .25, 1)",
        fill: "both",
      });
      way.onfinish = way.oncancel = () => flying.remove();
      const landed = to.animate([{ transform: "none" }, { transform: "scale(1.2)" }, { transform: "none" }], {
        delay: delay + FLY,
        duration: 260,
      });
      running.push(way, landed);
    }
  }
  return () => running.forEach((one) => one.cancel());
}
