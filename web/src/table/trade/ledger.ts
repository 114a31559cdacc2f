// Promises read off the view: who owes whom, when; what they mean in words is the server's to say.
import type { Table } from "~/lib/table.svelte";
import type { Obligation, Seat } from "~/wire";

export function debtor({ clause }: Obligation): Seat {
  if (clause.kind === "pledge") return clause.what.giver;
  return clause.kind === "undertake" ? clause.deed.who : clause.who;
}

export function creditor({ clause }: Obligation): Seat {
  return clause.kind === "pledge" ? clause.what.to : clause.to;
}

export function due({ clause }: Obligation): number {
  if (clause.kind === "pledge") return clause.due;
  return clause.kind === "undertake" ? clause.turn : clause.until;
}

export function promises(table: Table): Obligation[] {
  return Object.values(table.view?.obligations ?? {}).sort((one, other) => due(one) - due(other));
}

export function owedBetween(table: Table, me: Seat, other: Seat): { toMe: number; byMe: number } {
  const all = promises(table);
  return {
    toMe: all.filter((one) => debtor(one) === other && creditor(one) === me).length,
    byMe: all.filter((one) => debtor(one) === me && creditor(one) === other).length,
  };
}

export interface Account {
  name: "i_owe" | "owed_to_me" | "others";
  owed: Obligation[];
}

/** The ledger as I read it: what I owe, what is owed to me, what lies between others; empty parts are left out. */
export function accounts(table: Table): Account[] {
  const all = promises(table);
  const me = table.you;
  const iOwe = all.filter((one) => debtor(one) === me);
  const toMe = all.filter((one) => creditor(one) === me);
  const parts: Account[] = [
    { name: "i_owe", owed: iOwe },
    { name: "owed_to_me", owed: toMe },
    { name: "others", owed: all.filter((one) => !iOwe.includes(one) && !toMe.includes(one)) },
  ];
  return parts.filter((one) => one.owed.length);
}
