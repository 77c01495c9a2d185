import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { HeldPage } from "./heldMail.ts";

const id = t.type({ id: t.string });

/** Lists held mails, newest first, optionally of one mask, and after the mail with the id `before`. */
export const listHeldMails = endpoint("GET", "/held", {
  tokens: "log:read",
  params: t.partial({ maskId: t.string, before: t.string }),
  answer: HeldPage,
});

/**
 * Returns a held mail as it would be sent, in base 64; encrypted where its owner has a key. It stays held. 404 when the
 * user has none with this id, 400 when it is larger than 10 MiB.
 */
export const readHeldMail = endpoint("GET", "/held/:id/content", {
  params: id,
  answer: t.type({ content: t.string }),
});

/**
 * Sends a held mail now, to the confirmed address `to` if given; 404 when the user has none with this id. A mail
 * that the user sent goes to its recipient only; 409 for a refused reply, which `sendReplyAgain` sends.
 */
export const releaseHeldMail = endpoint("POST", "/held/:id/release", {
  tokens: "masks:write",
  params: id,
  body: t.partial({ to: t.string }),
});

/**
 * Sends a refused reply (reason "unsent") through its mask, written anew for its correspondents as any reply; 404 when the
 * user has none with this id, 409 with the reason when it is refused again: then it stays held.
 */
export const sendReplyAgain = endpoint("POST", "/held/:id/send-again", { tokens: "masks:write", params: id });

/** Releases a held mail, and has its mask accept the sender from now on; 409 when the sender's address is unknown. */
export const allowHeldSender = endpoint("POST", "/held/:id/allow", { tokens: "masks:write", params: id });

/** Deletes a held mail, and has its mask refuse the sender from now on; 409 when the sender's address is unknown. */
export const blockHeldSender = endpoint("POST", "/held/:id/block", { tokens: "masks:write", params: id });

/** Deletes a held mail; 404 when the user has none with this id. */
export const deleteHeldMail = endpoint("POST", "/held/:id/delete", { tokens: "masks:write", params: id });
