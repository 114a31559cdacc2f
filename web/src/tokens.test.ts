// Goods stay apart under colour blindness; text and graphics have contrast.
// Colour vision after Machado and others 2009 (severity 1.0, linear RGB), distance CIEDE2000, contrast WCAG 2.2.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync("src/tokens.css", "utf8");

type Three = [number, number, number];

const GOODS = ["green", "white", "brown", "black", "blue", "yellow", "wild", "ultratech"].map((kind) => `g-${kind}`);
const SPECIES = ["caylion", "eni_et", "faderan", "imdril", "kjas", "kit", "unity", "yengii", "zeth"];
const SURFACES = ["bg", "surface-1", "surface-2", "surface-3", "overlay"];
const VISION: Record<string, Three[]> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function tokens(theme: "light" | "dark"): Record<string, string> {
  const found: Record<string, string> = {};
  const line = /--([\w-]+):\s*(?:light-dark\()?(#[0-9a-f]{6})\b(?:,\s*(#[0-9a-f]{6})\b\))?/g;
  for (const [, name, light, dark] of css.replace(/\/\*[\s\S]*?\*\//g, "").matchAll(line))
    found[name!] ??= theme === "dark" ? (dark ?? light!) : light!;
  return found;
}

const linear = (hex: string) =>
  [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)) as Three;
const dot = (one: Three, other: Three) => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
const seen = (matrix: Three[], rgb: Three) => matrix.map((row) => Math.min(1, Math.max(0, dot(row, rgb)))) as Three;

function lab(rgb: Three): Three {
  const xyz: Three[] = [
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.072175],
    [0.0193339, 0.119192, 0.9503041],
  ];
  const white = [0.95047, 1, 1.08883];
  const [x, y, z] = xyz
    .map((row, n) => dot(row, rgb) / white[n]!)
    .map((v) => (v > 216 / 24389 ? Math.cbrt(v) : ((24389 / 27) * v + 16) / 116)) as Three;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function distance([l1, p1, b1]: Three, [l2, p2, b2]: Three): number {
  const rad = (degrees: number) => (degrees * Math.PI) / 180;
  const cos = (degrees: number) => Math.cos(rad(degrees));
  const mean = (Math.hypot(p1, b1) + Math.hypot(p2, b2)) / 2;
  const g = 0.5 * (1 - Math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7)));
  const [a1, a2] = [p1 * (1 + g), p2 * (1 + g)];
  const [c1, c2] = [Math.hypot(a1, b1), Math.hypot(a2, b2)];
  const turn = (b: number, a: number) => ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360;
  const [h1, h2] = [turn(b1, a1), turn(b2, a2)];
  const dh = c1 * c2 ? ((((h2 - h1 + 180) % 360) + 360) % 360) - 180 : 0;
  const [lm, cm] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const h = c1 * c2 ? (h1 + dh / 2 + 360) % 360 : h1 + h2;
  const t = 1 - 0.17 * cos(h - 30) + 0.24 * cos(2 * h) + 0.32 * cos(3 * h + 6) - 0.2 * cos(4 * h - 63);
  const sl = 1 + (0.015 * (lm - 50) ** 2) / Math.sqrt(20 + (lm - 50) ** 2);
  const rt = -2 * Math.sqrt(cm ** 7 / (cm ** 7 + 25 ** 7)) * Math.sin(rad(60 * Math.exp(-(((h - 275) / 25) ** 2))));
  const x = (l2 - l1) / sl;
  const y = (c2 - c1) / (1 + 0.045 * cm);
  const z = (2 * Math.sqrt(c1 * c2) * Math.sin(rad(dh / 2))) / (1 + 0.015 * cm * t);
  return Math.sqrt(x * x + y * y + z * z + rt * y * z);
}

function contrast(one: string, other: string): number {
  const [dark, light] = [one, other].map((hex) => dot([0.2126, 0.7152, 0.0722], linear(hex))).sort((a, b) => a - b) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

for (const theme of ["light", "dark"] as const) {
  const colour = tokens(theme);
  const on = (front: string, back: string) => contrast(colour[front]!, colour[back]!);

  describe(`the ${theme} colours`, () => {
    for (const [name, matrix] of Object.entries(VISION))
      it(`keep the goods apart with ${name} vision`, () => {
        const labs = GOODS.map((good) => lab(seen(matrix, linear(colour[good]!))));
        const pairs = labs.flatMap((one, n) =>
          labs.slice(n + 1).map((other, m) => [distance(one, other), `${GOODS[n]} and ${GOODS[n + 1 + m]}`] as const),
        );
        const [worst, pair] = pairs.reduce((least, one) => (one[0] < least[0] ? one : least));
        expect(worst, pair).toBeGreaterThanOrEqual(11);
      });

    it("can be read on every surface", () => {
      const text = ["text", "text-2", "text-3", "accent", "ok", "warn", "danger", "donation", "arrow-violet"];
      for (const front of text)
        for (const back of SURFACES) expect(on(front, back), `${front} on ${back}`).toBeGreaterThanOrEqual(4.5);
      for (const name of ["accent", "ok", "warn", "danger"]) {
        expect(on(name, `${name}-soft`), name).toBeGreaterThanOrEqual(4.5);
        expect(on("text", `${name}-soft`), name).toBeGreaterThanOrEqual(4.5);
      }
      for (const back of ["accent-soft", "violet-soft"])
        expect(on("text-3", back), `text-3 on ${back}`).toBeGreaterThanOrEqual(4.5);
      expect(on("arrow-violet", "violet-soft")).toBeGreaterThanOrEqual(4.5);
      expect(on("accent-ink", "accent")).toBeGreaterThanOrEqual(4.5);
    });

    it("show the letter of every good", () => {
      for (const good of [...GOODS, "g-ship", "g-point"])
        expect(on(`${good}-ink`, good), good).toBeGreaterThanOrEqual(4.5);
    });

    it("show goods, marks and controls against every surface", () => {
      for (const back of SURFACES) {
        for (const good of GOODS)
          expect(Math.max(on(good, back), on(`${good}-line`, back)), `${good} on ${back}`).toBeGreaterThanOrEqual(3);
        for (const mark of [
          "g-ship",
          "g-point",
          "arrow-white",
          "arrow-violet",
          "arrow-red",
          "focus",
          "line-ctl",
          ...SPECIES,
        ])
          expect(on(mark, back), `${mark} on ${back}`).toBeGreaterThanOrEqual(3);
      }
    });
  });
}
