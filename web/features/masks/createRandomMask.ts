import type { SignedIn } from "../../../core/app/signedIn.ts";
import { toMaskDraft } from "../../../core/masks/maskDraft.ts";
import type { SessionState } from "../../../core/session/session.ts";
import { defaultForwardTo } from "../../../core/session/user.ts";
import { shortDate } from "../../format/dates.ts";

interface RandomMaskDeps {
  readonly masks: Pick<SignedIn["masks"], "create">;
  readonly account: Pick<SignedIn["account"], "account$">;
  readonly session: { readonly state$: { readonly value: SessionState } };
}

/**
 * Creates a mask without a question: it forwards to the default address, is named by the day, and its address is
 * copied. A toast says whether it was created.
 */
export const createRandomMask = ({ masks, account, session }: RandomMaskDeps): void => {
  const forwardTo = defaultForwardTo(account.account$.value, session.state$.value);
  const description = `Random mask, ${shortDate(new Date().toISOString())}`;
  void masks.create({ ...toMaskDraft(), description, forwardTo })();
};
