/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

// Where `elysian serve` listens while the page is worked on.
const server = process.env.ELYSIAN_URL ?? "http://127.0.0.1:8000";

/** Every drawing once in the page itself; the rest refers to them by name. */
const drawings = {
  name: "drawings",
  transformIndexHtml(page: string) {
    const sprite = readFileSync(new URL("./src/art/sprite.svg", import.meta.url), "utf-8");
    const inside = sprite
      .replace(/<!--[\s\S]*?-->/g, "")
      .replace(/>\s+</g, "><")
      .trim();
    return page.replace("<!-- drawings -->", `<div class="drawings" aria-hidden="true">${inside}</div>`);
  },
};

/** The licence of the font goes wherever the font goes. */
const licence: Plugin = {
  name: "licence",
  generateBundle() {
    const source = readFileSync(new URL("./src/art/inter.LICENSE.txt", import.meta.url), "utf-8");
    this.emitFile({ type: "asset", fileName: "assets/inter.LICENSE.txt", source });
  },
};

const PARTS = new RegExp(
  "src/(lib/(api|catalog|confirm|context|goods|help|prefs|router|toasts|widths|words)\\b" +
    "|parts/(Arrow|Badge|Button|Card|Chip|Converter|Cost|Count|Emblem|Good|Goods|Icon|Segmented|SpeciesBadge|Tabs" +
    "|Tick|Tooltip)\\.svelte)",
);
const TRADE = new RegExp(
  "src/table/(trade/(deals|draft|market|ClauseLine|Offer|Promised|Worth|Matches|Composer|ComposerSide|DealDesk" +
    "|terms|ledger|book|chains|ghosts)\\.)",
);

export default defineConfig({
  plugins: [svelte(), drawings, licence],
  resolve: {
    alias: { "~": fileURLToPath(new URL("./src", import.meta.url)) },
    // Under vitest the components run in a browser's document, not on a server.
    conditions: process.env.VITEST ? ["browser"] : undefined,
  },
  build: {
    outDir: "../elysian/server/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Small parts that every screen of a game uses travel together: twenty files of 600 bytes pack badly.
      output: {
        codeSplitting: {
          groups: [
            { name: "parts", test: PARTS },
            { name: "trade", test: TRADE },
          ],
        },
      },
    },
  },
  server: { host: "127.0.0.1", proxy: { "/api": { target: server, ws: true, changeOrigin: true } } },
  test: { environment: "happy-dom", include: ["src/**/*.test.ts"], setupFiles: ["src/test.ts"] },
});
