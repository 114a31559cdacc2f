// Copying a link: what happened is said, and a browser that does not allow it leaves it to the hand.
import { toast } from "./toasts.svelte";
import { t } from "~/lib/later";

export async function copy(link: string): Promise<void> {
  if ((await written(link)) || selected(link)) toast(t("invite.copied"), "good");
  else toast(t("invite.by_hand"));
}

async function written(link: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(link);
    return true;
  } catch {
    return false; // not allowed, or not there: over plain HTTP there is no clipboard
  }
}

/** The old way, which also works over plain HTTP: copy what is selected in the field that shows the link. */
function selected(link: string): boolean {
  const field = [...document.querySelectorAll("input")].find((one) => one.value === link);
  field?.select();
  return field ? document.execCommand("copy") : false;
}
