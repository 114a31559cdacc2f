/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
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

/** Scripts and styles in brotli too, for browsers that read it; the server packs the rest as it starts. */
const brotli: Plugin = {
  name: "brotli",
  apply: "build",
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        const text = file.type === "chunk" ? file.code : fileName.endsWith(".css") ? file.source : "";
        if (text.length < 1024) continue;
        this.emitFile({ type: "asset", fileName: `${fileName}.br`, source: brotliCompressSync(text) });
      }
    },
  },
};

/** Everything that a screen imports at once, itself included. */
function closure(screen: string, modules: { getModuleInfo(id: string): { importedIds: string[] } | null }) {
  const found = new Set<string>();
  const waiting = [fileURLToPath(new URL(screen, import.meta.url))];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...(modules.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

export default defineConfig({
  plugins: [svelte(), drawings, licence, brotli],
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
      // What is wanted at once travels together, first the page's, then the table's: twenty files of 600 bytes
      // pack badly.
      output: {
        codeSplitting: {
          groups: [
            { debugName: "page", name: (id, modules) => (closure("./src/main.ts", modules).has(id) ? "page" : null) },
            {
              debugName: "table",
              name: (id, modules) =>
                closure("./src/table/shell/TableScreen.svelte", modules).has(id) ? "table" : null,
            },
          ],
        },
      },
    },
  },
  server: { host: "127.0.0.1", proxy: { "/api": { target: server, ws: true, changeOrigin: true } } },
  test: { environment: "happy-dom", include: ["src/**/*.test.ts"], setupFiles: ["src/test.ts"] },
});
