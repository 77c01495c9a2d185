import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { ShownText } from "../api/wireCodecs.ts";

/**
 * The means by which a mailing list is left: one click of the server, an email from the mask, or by hand on the page of the list.
 */
const LeaveBy = t.keyof({ "one-click": null, mail: null, page: null });

/** The message by which a list is left, sent from the mask by email or by one click. */
const SentToList = t.type({
  /** Confirms that it was seen. */
  id: t.string,
  /** An address, or the host that gets a request. */
  to: ShownText,
  /** Empty for a request, as `text` is. */
  subject: ShownText,
  text: ShownText,
});

/** A mailing list that writes to a mask. Dates are ISO 8601. */
export const MailingList = t.type({
  id: t.string,
  /** The name in its emails; empty without one. */
  name: ShownText,
  /** The address in From; empty without one. */
  address: ShownText,
  leaveBy: LeaveBy,
  /** Its own page to leave it; null without one. */
  page: t.union([ShownText, t.null]),
  /**
   * The message that is sent where no signature proves that the list itself asks for it, so that the user sees and confirms it
   * first; null where one does, and where nothing is sent.
   */
  unproven: t.union([SentToList, t.null]),
  /** The time of its last email. */
  seen: t.string,
  /** The time at which it was left last; null while it was not. */
  left: t.union([t.string, t.null]),
});
export type MailingList = t.TypeOf<typeof MailingList>;

/**
 * Lists the mailing lists that have written to a mask while it unsubscribes through the server (`unsubscribe` in its settings or
 * in those of the account), the latest first, 50 at most. 404 when the user has no such mask.
 */
export const listMailingLists = endpoint("GET", "/masks/:id/lists", {
  params: t.type({ id: t.string }),
  answer: t.type({ lists: t.readonlyArray(MailingList) }),
});

/**
 * Leaves a mailing list for a mask, and then switches the mask off where its settings say so. 409 with the reason when that was
 * not possible, as for a list that is left by hand, and for one with `unproven` unless `confirmed` is the id of that; 404
 * when the mask knows no such list.
 */
export const leaveMailingList = endpoint("POST", "/masks/:id/lists/:list/leave", {
  params: t.intersection([t.type({ id: t.string, list: t.string }), t.partial({ confirmed: t.string })]),
  answer: MailingList,
});
