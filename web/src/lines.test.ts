import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const WIDTH = 120;
const HERE = join(process.cwd(), "src");

/** Everything a person reads as code; sentences of the languages may be as long as they are. */
const files = readdirSync(HERE, { recursive: true, encoding: "utf-8" }).filter((name) =>
  /\.(svelte|ts|css|svg)$/.test(name),
);

describe("the page's sources", () => {
  it(`have no line above ${WIDTH} columns`, () => {
    const long = files.flatMap((name) =>
      readFileSync(join(HERE, name), "utf-8")
        .split("\n")
        .flatMap((line, n) => (line.length > WIDTH ? [`${name}:${n + 1}`] : [])),
    );
    expect(files.length).toBeGreaterThan(100);
    expect(long).toEqual([]);
  });

  it("change their shape at 700 and 1100 px, and nowhere else", () => {
    const widths = files.flatMap((name) => [
      ...readFileSync(join(HERE, name), "utf-8").matchAll(/@media[^{]*?-width: (\d+)px/g),
    ]);
    expect(new Set(widths.map(([, width]) => width))).toEqual(new Set(["699", "1099", "1100"]));
  });
});
