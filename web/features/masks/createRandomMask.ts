import type { SignedIn } from "../../../core/app/signedIn.ts";
import { toMaskDraft } from "../../../core/masks/maskDraft.ts";
import { createWaitingMasks } from "../../../core/masks/waitingMasks.ts";
import type { SessionState } from "../../../core/session/session.ts";
import { defaultForwardTo } from "../../../core/session/user.ts";
import { shortDate } from "../../format/dates.ts";

interface RandomMaskDeps {
  readonly signedIn: Pick<SignedIn, "account" | "feature">;
  readonly session: { readonly state$: { readonly value: SessionState } };
}

/** Opens the field of a mask's name, with the name selected, as F2 does; the focus is then where one types it. */
const renameInList = (id: string): void => {
  const name = document.getElementById(`name-${id}`);
  name?.scrollIntoView({ block: "nearest" });
  name?.dispatchEvent(new KeyboardEvent("keydown", { key: "F2", bubbles: true }));
};

/**
 * Creates a mask without a question: it forwards to the default address, is named by the day, and its address is
 * copied. A toast says whether it was created, and what is typed next names it.
 */
export const createRandomMask = async ({ signedIn, session }: RandomMaskDeps): Promise<void> => {
  const forwardTo = defaultForwardTo(signedIn.account.account$.value, session.state$.value);
  const description = `Random mask, ${shortDate(new Date().toISOString())}`;
  const waiting = signedIn.feature(createWaitingMasks);
  const created = await waiting.create({ ...toMaskDraft(), description, forwardTo }, { kind: "random" })();
  // The list shows the mask in the next frame.
  if (created._tag === "Left" || created.right === null) return;
  const { id } = created.right;
  requestAnimationFrame(() => renameInList(id));
};
