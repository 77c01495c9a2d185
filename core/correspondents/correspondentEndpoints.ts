import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { listPage } from "../api/listPage.ts";
import { emailAddress } from "../mail/emailAddress.ts";

/** Somebody who has exchanged mail with a mask, or may be written to. Dates are ISO 8601. */
export const Correspondent = t.intersection([
  t.type({
    id: t.string,
    /** Empty when no mail of theirs had one. */
    name: t.string,
    address: t.string,
    /** Mail of the mask's owner to this address reaches the correspondent as mail from the mask. */
    reverseAddress: t.string,
    created: t.string,
    /** The day of their last mail; null without one. */
    lastReceived: t.union([t.string, t.null]),
    /** The owner's last mail to them; null without one. */
    lastSent: t.union([t.string, t.null]),
    /** Whether the mask refuses their mail. */
    blocked: t.boolean,
  }),
  /** The listed domain that the mask refuses mail of, theirs too; absent without one. */
  t.partial({ blockedDomain: t.string }),
]);
export type Correspondent = t.TypeOf<typeof Correspondent>;

const mask = t.type({ id: t.string });

/**
 * Lists the correspondents of a mask, the latest first: the first 500, or at most `limit` (1 to 1,000) of those that follow the
 * correspondent `after`; 404 for a mask of another user. Extends the contract.
 */
export const listCorrespondents = endpoint("GET", "/masks/:id/correspondents", {
  tokens: "correspondents",
  params: t.intersection([mask, t.partial(listPage)]),
  answer: t.type({
    correspondents: t.readonlyArray(Correspondent),
    /** Whether there are more than the listed ones. */
    more: t.boolean,
  }),
});

/** Returns the reverse address for writing to somebody from a mask; the same one each time. */
export const postCorrespondent = endpoint("POST", "/masks/:id/correspondents", {
  tokens: "correspondents",
  params: mask,
  body: t.type({
    address: emailAddress({
      required: "Please enter the address to write to",
      invalid: "Please enter a valid email address",
    }),
  }),
  answer: Correspondent,
});

/** Has the mask refuse a correspondent's mail from now on, or take it again. */
export const putCorrespondent = endpoint("PUT", "/masks/:id/correspondents/:correspondent", {
  tokens: "correspondents",
  params: t.type({ id: t.string, correspondent: t.string }),
  body: t.type({ blocked: t.boolean }),
  answer: Correspondent,
});

/** Deletes what is stored of a correspondent; replies to their earlier mails no longer reach them. */
export const deleteCorrespondent = endpoint("DELETE", "/masks/:id/correspondents/:correspondent", {
  tokens: "correspondents",
  params: t.type({ id: t.string, correspondent: t.string }),
});
