// Running the plan: the act of the Economy Phase.
import { card, cardName } from "~/lib/catalog.svelte";
import { confirm } from "~/lib/confirm.svelte";
import { isFree } from "~/lib/goods";
import type { Table } from "~/lib/table.svelte";
import { t } from "~/lib/words.svelte";
import type { Act } from "~/table/shell/bar.svelte";
import { deedWords } from "~/table/trade/terms";
import type { Deed } from "~/wire";

/** Run what is ticked; says first what will not run, and what costs nothing and is not ticked. */
async function lay(table: Table): Promise<void> {
  const plan = table.planning;
  const named = (cards: string[]) => [...new Set(cards)].map((id) => cardName(id, table.me?.cards[id])).join(", ");
  const left = plan.short.map((one) => one.run.card);
  const free = (table.options?.runs ?? [])
    .filter((choice) => isFree(choice.printed.costs?.[0]) && !plan.count(choice.card, choice.converter))
    .map((choice) => choice.card);
  const text = [
    left.length ? t("plan.will_not_run", { names: named(left) }) : "",
    free.length ? t("plan.free_idle", { names: named(free) }) : "",
  ]
    .filter(Boolean)
    .join(" ");
  if (text && !(await confirm({ title: t("plan.sure"), text, yes: t("plan.confirm") }))) return;
  await plan.confirm();
}

/** What I have promised to run this turn and have not ticked (TRADE-10). */
function promised(table: Table): { deed: Deed; converter: number }[] {
  return Object.values(table.view?.obligations ?? {}).flatMap(({ clause }) => {
    if (clause.kind !== "undertake" || clause.deed.who !== table.you || clause.deed.verb !== "run") return [];
    const { deed, turn } = clause;
    const mate = card(deed.subject)?.mate;
    const run = table.options?.runs.find(({ card: id }) => id === deed.subject || id === mate);
    if (!run || turn !== table.view?.turn || table.planning.wanted.some(({ card: id }) => id === run.card)) return [];
    return [{ deed: { ...deed, subject: run.card }, converter: run.converter }];
  });
}

export function laying(table: Table): Act | null {
  if (table.view?.step !== "plan" || !table.me) return null;
  const { planning: plan } = table;
  if (table.me.done)
    return { text: t("plan.laid_short"), icon: "i-check", look: "plain", why: t("plan.laid"), run: () => {} };
  const [word] = promised(table);
  return {
    ...(word && {
      second: {
        text: t("plan.tick_it"),
        says: deedWords(table, word.deed),
        run: () => plan.tick(word.deed.subject, word.converter, 1),
      },
    }),
    text: t("plan.confirm"),
    icon: "i-check",
    busy: table.busy.has("lay_plan"),
    run: () => void lay(table),
    says: word ? t("plan.promised", { deed: deedWords(table, word.deed) }) : t("bar.run", { n: plan.complete.length }),
    note: plan.short.length ? t("bar.cannot_run", { n: plan.short.length }) : t("announce.economy"),
  };
}
