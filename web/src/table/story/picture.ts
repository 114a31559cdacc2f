// The game as a picture to send: drawn on a canvas in the shipped font, always dark. It names nobody but its sender.
import { apart, top } from "./story";

export const WIDTH = 1200;
export const HEIGHT = 630;

export interface Line {
  species: string;
  points: readonly number[]; // at the start and after every turn
  total: string;
  mine: boolean;
}

/** What stands in it, in words already. */
export interface Told {
  species: string;
  who: string;
  total: string;
  place: string;
  best: { label: string; title: string; points: string } | null;
  foot: readonly string[];
  lines: readonly Line[];
}

const FONT = `"Inter", system-ui, sans-serif`;
type Brush = CanvasRenderingContext2D;

type Palette = (name: string) => string;

/** The colours of tokens as the dark theme has them: it is put on, read, and taken off before anything is painted. */
function palette(probe: HTMLElement, names: readonly string[]): Palette {
  const page = document.documentElement;
  const worn = page.dataset.theme;
  page.dataset.theme = "dark";
  const colors = new Map(
    names.map((name) => {
      probe.style.color = `var(--${name})`;
      return [name, getComputedStyle(probe).color];
    }),
  );
  if (worn === undefined) delete page.dataset.theme;
  else page.dataset.theme = worn;
  return (name) => colors.get(name)!;
}

/** A drawing of the page's sheet, in one colour. */
async function drawing(id: string, color: string): Promise<HTMLImageElement> {
  const symbol = document.getElementById(id);
  const box = symbol?.getAttribute("viewBox") ?? "0 0 32 32";
  const frame = `xmlns="http://www.w3.org/2000/svg" viewBox="${box}" width="128" height="128"`;
  const svg = `<svg ${frame} fill="${color}" color="${color}">${symbol?.innerHTML ?? ""}</svg>`;
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  return image;
}

function star(brush: Brush, x: number, y: number, size: number) {
  brush.beginPath();
  for (let n = 0; n < 10; n++) {
    const far = n % 2 ? size * 0.42 : size;
    const turn = (Math.PI * n) / 5 - Math.PI / 2;
    brush.lineTo(x + far * Math.cos(turn), y + far * Math.sin(turn));
  }
  brush.closePath();
  brush.fill();
}

function sky(brush: Brush) {
  const glow = brush.createRadialGradient(1010, 40, 0, 1010, 40, 900);
  glow.addColorStop(0, "#1b343d");
  glow.addColorStop(0.55, "#101722");
  glow.addColorStop(1, "#0b0f17");
  brush.fillStyle = glow;
  brush.fillRect(0, 0, WIDTH, HEIGHT);
  brush.strokeStyle = "rgb(150 190 210 / 0.14)";
  brush.lineWidth = 1.5;
  for (const radius of [150, 260, 390, 540]) {
    brush.beginPath();
    brush.arc(1010, 40, radius, 0, 2 * Math.PI);
    brush.stroke();
  }
}

/** A sentence in the room it has: smaller, and at last with an ellipsis. */
function say(brush: Brush, text: string, x: number, y: number, size: number, room: number, weight = 400) {
  let now = size;
  const set = () => (brush.font = `${weight} ${now}px ${FONT}`);
  for (set(); now > size * 0.7 && brush.measureText(text).width > room; now -= 1) set();
  let said = text;
  while (said.length > 1 && brush.measureText(said).width > room) said = `${said.slice(0, -2).trimEnd()}…`;
  brush.fillText(said, x, y);
  return x + brush.measureText(said).width;
}

async function course(brush: Brush, color: Palette, lines: readonly Line[]) {
  const all = lines.flatMap((line) => line.points);
  const [high, low] = [top(Math.max(0, ...all)), Math.min(0, ...all)];
  const [left, right, above, below] = [640, 1024, 110, 500];
  const turns = Math.max(1, (lines[0]?.points.length ?? 1) - 1);
  const x = (turn: number) => left + ((right - left) * turn) / turns;
  const y = (points: number) => below - ((points - low) * (below - above)) / (high - low);
  const heights = apart(
    lines.map((line) => y(line.points.at(-1) ?? 0)),
    38,
    below,
  );
  for (const [n, line] of [...lines.entries()].sort(([, one], [, other]) => Number(one.mine) - Number(other.mine))) {
    const tint = color(line.species);
    brush.strokeStyle = line.mine ? color("accent") : tint;
    brush.globalAlpha = line.mine ? 1 : 0.6;
    brush.lineWidth = line.mine ? 7 : 3;
    brush.lineJoin = brush.lineCap = "round";
    brush.beginPath();
    line.points.forEach((points, turn) => brush.lineTo(x(turn), y(points)));
    brush.stroke();
    brush.globalAlpha = 1;
    brush.drawImage(await drawing(`s-${line.species}`, tint), right + 16, heights[n]! - 13, 26, 26);
    brush.fillStyle = line.mine ? "#ffffff" : "#c5d0dc";
    say(brush, line.total, right + 54, heights[n]! + 9, 25, 100, line.mine ? 700 : 500);
  }
}

/** Draw it; the canvas has its size afterwards. */
export async function draw(canvas: HTMLCanvasElement, told: Told): Promise<void> {
  // Drawn aside and laid down at once, so that two pictures never mix.
  const aside = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
  const brush = aside.getContext("2d")!;
  await Promise.all([400, 500, 700].map((weight) => document.fonts.load(`${weight} 30px "Inter"`)));
  const color = palette(canvas, ["accent", "ok", "g-point", ...told.lines.map((line) => line.species)]);
  sky(brush);
  const emblem = await drawing(`s-${told.species}`, color(told.species));
  brush.drawImage(emblem, 62, 62, 58, 58);
  brush.fillStyle = "#c5d0dc";
  say(brush, told.who, 142, 101, 28, 480);
  brush.fillStyle = "#f2f6fa";
  const end = say(brush, told.total, 60, 234, 108, 300, 700);
  brush.fillStyle = color("g-point");
  star(brush, end + 56, 198, 40);
  brush.fillStyle = "#c5d0dc";
  say(brush, told.place, end + 116, 234, 42, 630 - end - 116, 700);
  if (told.best) {
    say(brush, told.best.label, 60, 316, 25, 540);
    brush.fillStyle = "#f2f6fa";
    const after = say(brush, told.best.title, 60, 362, 32, 420, 600);
    brush.fillStyle = color("ok");
    say(brush, told.best.points, after + 20, 362, 34, 150, 700);
  }
  brush.drawImage(await drawing("logo", color("accent")), 60, 536, 32, 32);
  brush.fillStyle = "#f2f6fa";
  let x = say(brush, "Elysian", 104, 561, 27, 200, 700);
  brush.fillStyle = "#aebbc9";
  for (const words of told.foot) x = say(brush, words, x + 32, 560, 22, WIDTH - x - 90);
  await course(brush, color, told.lines);
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  canvas.getContext("2d")!.drawImage(aside, 0, 0);
}

/** The picture as a file. */
export async function file(canvas: HTMLCanvasElement, name: string): Promise<File> {
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Error("no picture");
  return new File([blob], name, { type: "image/png" });
}
