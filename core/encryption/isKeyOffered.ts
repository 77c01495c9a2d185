import type { Account } from "../session/user.ts";

/** True if encryption is offered once more: mail was forwarded unencrypted, and its owner has not answered yet. */
export const isKeyOffered = (account: Account | null): boolean =>
  account !== null &&
  account.keyStatus === "not-configured" &&
  account.keyOffer === undefined &&
  (account.usage?.emails.forwarded ?? 0) > 0;
