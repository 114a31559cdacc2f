// What pages would ask after their updates, by the page's own rules: for the benchmark and the tests in Python.
// A line of standard input is a page's whole view or the changes of an update; the answer to changes is a line
// with the questions that have come due.
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const source = (path) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));
const page = { resolve: { alias: { "~": source("") } } };
const { module: asking } = await runnerImport(source("lib/asking.ts"), page);
const { module: changes } = await runnerImport(source("lib/changes.ts"), page);
const views = new Map();
for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line);
  const before = views.get(told.page);
  const after = told.view ?? changes.layIn(before, told.changes);
  views.set(told.page, after);
  if (told.changes) console.log(JSON.stringify(asking.questions(before, after, told.you, told.help)));
}
