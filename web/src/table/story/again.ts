// A finished game gone on with from one of its lines: a new table, bots as they sat there.
import { post } from "~/lib/api";
import { confirm } from "~/lib/confirm.svelte";
import { t } from "~/lib/later";
import { go } from "~/lib/router.svelte";
import type { Table } from "~/lib/table.svelte";
import { toast } from "~/lib/toasts.svelte";
import type { Joined, NewTable } from "~/wire";

/** Open the table, if that is wanted; `words` say what is asked. */
export async function playAgain(
  table: Table,
  n: number,
  turn: number,
  words: { title: string; text: string; yes: string },
): Promise<void> {
  if (!(await confirm(words))) return;
  const seat = table.you ?? 0;
  const bots = Object.fromEntries(
    table.players
      .filter((player) => player.seat !== seat)
      .map((player) => [String(player.seat), table.face(player.seat)?.bot ?? "standard"]),
  );
  const title = t("replay.story_title", { title: table.table?.options.title || "Elysian", n: turn }).slice(0, 60);
  const body: NewTable = { options: { title, public: false }, seat, bots, from: { table: table.id, n } };
  try {
    const joined = await post<Joined>("tables", body);
    go(`/t/${joined.table}#${joined.invitation}`);
  } catch (why) {
    toast((why as Error).message || t("error.unknown"), "bad");
  }
}
