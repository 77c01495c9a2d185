import { type KeyedHash, sameHash } from "../../platform/ops/keyedHash.ts";
import type { HeldMailRow } from "./heldQueries.ts";

/** The actions that links of the daily notice offer for a held mail. */
export const heldLinkActions = ["release", "allow", "block", "delete"] as const;
export type HeldLinkAction = (typeof heldLinkActions)[number];

type LinkedMail = Pick<HeldMailRow, "id" | "userId" | "heldAt">;

/** The links of held mails: each is signed for one user, one mail while it is held, and one action. */
export interface HeldLinks {
  /** Returns the address of the page that offers the action. */
  readonly url: (mail: LinkedMail, action: HeldLinkAction) => string;
  readonly sign: (mail: LinkedMail, action: HeldLinkAction) => string;
  readonly isSigned: (mail: LinkedMail, action: HeldLinkAction, signature: string) => boolean;
}

export const heldLinkPath = "/held-mail";

/** Creates the links. A mail that was released and is held again has new ones. */
export const createHeldLinks = (hash: KeyedHash, publicUrl: string): HeldLinks => {
  const sign: HeldLinks["sign"] = ({ id, userId, heldAt }, action) =>
    hash("held-link", userId, id, String(heldAt), action);
  return {
    sign,
    url: (mail, action) => {
      const query = new URLSearchParams({ mail: mail.id, action, signature: sign(mail, action) });
      return `${publicUrl}${heldLinkPath}?${query}`;
    },
    isSigned: (mail, action, signature) => sameHash(sign(mail, action), signature),
  };
};

const isAboutSender = ({ reason }: HeldMailRow): boolean =>
  reason === "suspicious" || reason === "spam" || reason === "unknown";

/** True if a mail was held when it came, not after attempts to deliver it. */
const isHeldOnArrival = ({ reason }: HeldMailRow): boolean => reason !== "refused" && reason !== "expired";

/** The actions that are possible for a mail; the sender is allowed or blocked by its address. */
export const actionsFor = (mail: HeldMailRow): readonly HeldLinkAction[] => {
  const isKnown = mail.maskId !== null && mail.from?.address.includes("@") === true;
  return heldLinkActions.filter((action) => {
    if (action === "allow") return isKnown && isAboutSender(mail);
    if (action === "block") return isKnown && isHeldOnArrival(mail);
    return true;
  });
};
