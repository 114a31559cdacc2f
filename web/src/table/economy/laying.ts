// Running the plan: the act of the Economy Phase.
import { cardName } from "~/lib/catalog.svelte";
import { confirm } from "~/lib/confirm.svelte";
import { isFree } from "~/lib/goods";
import type { Table } from "~/lib/table.svelte";
import { t } from "~/lib/words.svelte";
import type { Act } from "~/table/shell/bar.svelte";

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

export function laying(table: Table): Act | null {
  if (table.view?.step !== "plan" || !table.me) return null;
  const { planning: plan } = table;
  if (table.me.done)
    return { text: t("plan.laid_short"), icon: "i-check", look: "plain", why: t("plan.laid"), run: () => {} };
  return {
    text: t("plan.confirm"),
    icon: "i-check",
    busy: table.busy.has("lay_plan"),
    run: () => void lay(table),
    says: t("bar.run", { n: plan.complete.length }),
    note: plan.short.length ? t("bar.cannot_run", { n: plan.short.length }) : t("announce.economy"),
  };
}
