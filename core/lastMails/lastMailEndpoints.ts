import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";

/** The limits of the mails kept to test rules with: hours of storage, mails of a mask and of an account, and bytes of a mail. */
export const lastMailLimits = { hours: 24, perMask: 10, perAccount: 20, bytes: 256 * 1024 } as const;

/** A mail that is kept to test rules with. */
export const LastMail = t.type({
  id: t.string,
  /** ISO 8601. */
  received: t.string,
  /** Bytes of the mail as it was received; of a larger one than 256 kB only the first 256 kB are kept. */
  size: t.number,
});
export type LastMail = t.TypeOf<typeof LastMail>;

/**
 * Lists the last mails of a mask, newest first: those of the last 24 hours, at most 10. They are kept only for users who have
 * turned `keepLastMails` on (PUT /account/profile) and have a key. 404 when the user has no such mask.
 */
export const listLastMails = endpoint("GET", "/masks/:id/last-mails", {
  params: t.type({ id: t.string }),
  answer: t.type({ mails: t.readonlyArray(LastMail) }),
});

/**
 * Returns one of the last mails as it was received, in an OpenPGP message (RFC 9580, binary) to the user's key, in base 64.
 * 404 when the user's mask has none with this id.
 */
export const getLastMail = endpoint("GET", "/masks/:id/last-mails/:mailId", {
  params: t.type({ id: t.string, mailId: t.string }),
  answer: t.type({ content: t.string }),
});
