import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { ListedSender } from "./maskSenders.ts";

const id = t.type({ id: t.string });
const List = t.union([t.literal("allow"), t.literal("block")]);

/** Returns the addresses and domains that a mask always accepts and refuses; 404 for a mask of another user. */
export const listMaskSenders = endpoint("GET", "/masks/:id/senders", {
  tokens: "masks:read",
  params: id,
  answer: t.type({ allow: t.readonlyArray(t.string), block: t.readonlyArray(t.string) }),
});

/**
 * Has a mask always accept or refuse an address or a domain, and answers the list that it was on before: what undoes the
 * change. 404 for a mask of another user, 409 when the lists are full.
 */
export const putMaskSender = endpoint("PUT", "/masks/:id/senders/:sender", {
  tokens: "masks:write",
  params: t.type({ id: t.string, sender: ListedSender }),
  body: t.type({ list: List }),
  answer: t.type({ before: t.union([List, t.null]) }),
});

/** Removes a sender from the lists of a mask; 404 when it is on none. */
export const deleteMaskSender = endpoint("DELETE", "/masks/:id/senders/:sender", {
  tokens: "masks:write",
  params: t.type({ id: t.string, sender: t.string }),
});
