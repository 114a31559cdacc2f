// One's word: a deed that was promised and can be done comes before Done (TRADE-10); whom to serve when there is too
// little for all is the debtor's choice (TRADE-12).
import type { Table } from "~/lib/table.svelte";
import { t } from "~/lib/words.svelte";
import type { Obligation } from "~/wire";
import { seatName } from "~/table/players/names";
import type { Act } from "~/table/shell/bar.svelte";
import { creditor, debtor } from "~/table/trade/ledger";
import { deedWords } from "~/table/trade/terms";
import { capital, choices } from "./choices";

/** The bar while a promised deed is open: Done stays in its place and says why not; the deed stands beside it. */
export function keeping(table: Table, act: Act | null): Act | null {
  const done = choices(table, ["done"], true)[0];
  const must = table.options?.must;
  if (!must || done?.choice.refused?.code !== "keep_your_word") return act;
  const owed = table.view?.obligations[String(done.choice.refused.facts.obligation)];
  const deed = owed?.clause.kind === "undertake" ? deedWords(table, owed.clause.deed) : table.must;
  return {
    ...(act ?? { text: t("window.done"), icon: "i-check", run: () => {} }),
    why: done.why,
    says: owed ? t("bar.promised", { name: seatName(table, creditor(owed)), deed }) : capital(table.must),
    note: `${capital(table.must)}.`,
    second: {
      text: t("bar.keep"),
      says: deed,
      look: "pri",
      busy: table.busy.has("must"),
      run: () => void table.do(must, "must"),
    },
  };
}

/** What I owe and shall hand over by now, the oldest promise first. */
export function unserved(table: Table): Obligation[] {
  const { turn, step } = table.view!;
  return Object.values(table.view!.obligations).filter(({ clause, ...owed }) => {
    if (clause.kind !== "pledge" || debtor({ clause, ...owed }) !== table.you) return false;
    if (clause.only_if && !owed.met) return false;
    return clause.due < turn || (clause.due === turn && (clause.at !== "close" || step !== "trade"));
  });
}
