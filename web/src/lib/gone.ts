// What a notice led to is not there any more.
import { t } from "./later";
import { toast } from "./toasts.svelte";

export const offerGone = () => toast(t("notices.offer_gone"));
