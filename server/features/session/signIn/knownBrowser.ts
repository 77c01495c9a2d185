import type { MailboxKey } from "../../../../core/mail/emailAddress.ts";
import { type Random, randomHex } from "../../../../core/ports/random.ts";
import { type KeyedHash, sameHash } from "../../../platform/ops/keyedHash.ts";

const idBytes = 16;

/** Browsers in which the owner of a mailbox has signed in before; the cookie lets nobody in. */
export interface KnownBrowsers {
  /** Returns the value of the cookie for a mailbox. */
  readonly issue: (emailKey: MailboxKey) => string;
  /** Returns the id of the browser; null unless the mailbox has signed in with it. */
  readonly read: (cookie: string | undefined, emailKey: MailboxKey) => string | null;
}

export const createKnownBrowsers = (hash: KeyedHash, random: Random): KnownBrowsers => {
  const sign = (id: string, emailKey: MailboxKey): string => hash("known-browser", id, emailKey);
  return {
    issue: (emailKey) => {
      const id = randomHex(random, idBytes);
      return `${id}.${sign(id, emailKey)}`;
    },
    read: (cookie, emailKey) => {
      const [id = "", signature = ""] = cookie?.split(".") ?? [];
      return id !== "" && sameHash(signature, sign(id, emailKey)) ? id : null;
    },
  };
};
