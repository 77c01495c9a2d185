import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { ListedSender } from "../masks/maskSenders.ts";
import { HeldPage } from "./heldMail.ts";

const id = t.type({ id: t.string });
const List = t.union([t.literal("allow"), t.literal("block")]);

/** Lists held mails, newest first, optionally of one mask, and after the mail with the id `before`. */
export const listHeldMails = endpoint("GET", "/held", {
  params: t.partial({ maskId: t.string, before: t.string }),
  answer: HeldPage,
});

/**
 * Sends a held mail now, to the confirmed address `to` if given; 404 when the user has none with this id. A mail
 * that the user sent goes to its recipient only.
 */
export const releaseHeldMail = endpoint("POST", "/held/:id/release", {
  params: id,
  body: t.partial({ to: t.string }),
});

/** Releases a held mail, and has its mask accept the sender from now on; 409 when the sender's address is unknown. */
export const allowHeldSender = endpoint("POST", "/held/:id/allow", { params: id });

/** Deletes a held mail, and has its mask refuse the sender from now on; 409 when the sender's address is unknown. */
export const blockHeldSender = endpoint("POST", "/held/:id/block", { params: id });

/** Returns the addresses and domains that a mask always accepts and refuses; 404 for a mask of another user. */
export const listMaskSenders = endpoint("GET", "/masks/:id/senders", {
  params: id,
  answer: t.type({ allow: t.readonlyArray(t.string), block: t.readonlyArray(t.string) }),
});

/**
 * Has a mask always accept or refuse an address or a domain, and answers the list that it was on before: what undoes the
 * change. 404 for a mask of another user, 409 when the lists are full.
 */
export const putMaskSender = endpoint("PUT", "/masks/:id/senders/:sender", {
  params: t.type({ id: t.string, sender: ListedSender }),
  body: t.type({ list: List }),
  answer: t.type({ before: t.union([List, t.null]) }),
});

/** Removes a sender from the lists of a mask; 404 when it is on none. */
export const deleteMaskSender = endpoint("DELETE", "/masks/:id/senders/:sender", {
  params: t.type({ id: t.string, sender: t.string }),
});

/** Deletes a held mail; 404 when the user has none with this id. */
export const deleteHeldMail = endpoint("POST", "/held/:id/delete", { params: id });
