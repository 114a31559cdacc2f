// Copying a link: what happened is said, and a browser that does not allow it leaves it to the hand.
import { toast } from "./toasts.svelte";
import { t } from "~/lib/later";

export async function copy(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    toast(t("invite.copied"), "good");
  } catch {
    toast(t("invite.by_hand"));
  }
}
