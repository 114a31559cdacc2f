import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

// How it looks is Prettier's; what is meant is TypeScript's; here is what neither sees.
export default ts.config(
  { ignores: ["node_modules", "fixtures", "shots", "public", "src/wire.ts"] },
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    rules: {
      "no-undef": "off", // TypeScript says so
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      // A Map or Set within one reckoning is never watched; those that are watched are the state of a class.
      "svelte/prefer-svelte-reactivity": "off",
      // The space that Prettier keeps between two pieces of markup.
      "svelte/no-useless-mustaches": "off",
      // What svelte-check warns of without the comment, this plug-in does not see.
      "svelte/no-unused-svelte-ignore": "off",
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: {
      parserOptions: { projectService: true, extraFileExtensions: [".svelte"], parser: ts.parser, svelteConfig },
    },
  },
);
