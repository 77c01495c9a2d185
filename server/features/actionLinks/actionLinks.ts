import { dayMs } from "../../../core/kernel/durations.ts";
import { actionLinkDays } from "../../../core/mail/actionLinkPlace.ts";
import { type KeyedHash, sameHash } from "../../platform/ops/keyedHash.ts";

/** The actions that links in forwarded mail offer, and those that take them back. */
export const linkedActions = ["switch-off", "switch-on", "block", "unblock", "allow"] as const;
export type LinkedAction = (typeof linkedActions)[number];

/** An action on a mask. The sender is the one of the mail; empty where the action is about none. */
export interface ActionLink {
  readonly maskId: string;
  readonly action: LinkedAction;
  readonly sender: string;
  /** The last day on which the link works, in days since 1970. */
  readonly until: number;
}

/** The links of forwarded mail: each is signed for one user, one mask, one sender, one action and 90 days. */
export interface SignedLinks {
  /** Returns the address of the page that offers an action from now on. */
  readonly url: (userId: string, link: Omit<ActionLink, "until">, now: number) => string;
  readonly sign: (userId: string, link: ActionLink) => string;
  /** True if a link was signed for the user and still works. */
  readonly isValid: (userId: string, link: ActionLink, signature: string, now: number) => boolean;
}

/** The signature is in the path, so that a part of the address that a mail program has cut off is worth nothing. */
export const actionLinkPath = "/mask-action";
/** The path of the pages on which mailing lists are left. */
export const unsubscribePath = "/mask-unsubscribe";

const dayOf = (now: number): number => Math.floor(now / dayMs);

/** Creates the links, signed with the key of this installation. They name the mask and the sender, never the owner. */
export const createSignedLinks = (hash: KeyedHash, publicUrl: string): SignedLinks => {
  const sign: SignedLinks["sign"] = (userId, { maskId, action, sender, until }) =>
    hash("action-link", userId, maskId, action, sender, String(until));
  return {
    sign,
    url: (userId, action, now) => {
      const link = { ...action, until: dayOf(now) + actionLinkDays };
      const query = new URLSearchParams({
        do: link.action,
        mask: link.maskId,
        ...(link.sender !== "" && { sender: link.sender }),
        until: String(link.until),
      });
      return `${publicUrl}${actionLinkPath}/${sign(userId, link)}?${query}`;
    },
    isValid: (userId, link, signature, now) =>
      sameHash(sign(userId, link), signature) && dayOf(now) <= link.until,
  };
};
