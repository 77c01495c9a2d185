import * as t from "io-ts";
import { readableList, ShownText } from "../api/wireCodecs.ts";

/** The number of days for which a mail is held; then it is deleted. */
export const heldDays = 7;

/** The most bytes of a held mail that a page reads. */
export const maxReadBytes = 10 * 1024 * 1024;

/** A mail that is kept until its owner releases or deletes it. Dates are ISO 8601. */
export const HeldMail = t.type({
  id: ShownText,
  /** null for mail of several masks, such as the mail with the mails of an hour. */
  maskId: t.union([ShownText, t.null]),
  /** "received" for mail to the user, "sent" for mail that the user sent from a mask. */
  direction: t.union([t.literal("received"), t.literal("sent")]),
  /**
   * "refused": the next server refused it; "expired": it could not be delivered in 5 days; "suspicious": the domain
   * of its sender asks to quarantine it, because it does not come from there (DMARC); "spam": the spam filter of its
   * mask takes it for likely spam; "off": its mask was switched off;
   * "unknown": its mask asks its owner about senders whom they have not allowed yet; "rule": a rule of
   * the mask holds it; "unsent": a reply of the user that was refused, as they wrote it.
   */
  reason: t.union([
    t.literal("refused"),
    t.literal("expired"),
    t.literal("suspicious"),
    t.literal("spam"),
    t.literal("unknown"),
    t.literal("rule"),
    t.literal("off"),
    t.literal("unsent"),
  ]),
  /** null where it is unknown; a mail that is encrypted to the user's key has a name alone. */
  from: t.union([t.type({ name: ShownText, address: ShownText }), t.null]),
  /** null in a mail that is encrypted to the user's key. */
  subject: t.union([ShownText, t.null]),
  /** The address that it could not be delivered to; of a refused reply, that of the first correspondent. */
  recipient: ShownText,
  /** In bytes. */
  size: t.number,
  /** The last response of the next server, without addresses; of a refused reply, why it was refused. */
  answer: t.union([ShownText, t.null]),
  held: t.string,
  /** The time at which it is deleted. */
  until: t.string,
});
export type HeldMail = t.TypeOf<typeof HeldMail>;

/** A page of held mails, newest first. */
export const HeldPage = t.type({
  mails: readableList(HeldMail),
  /** True if older mails exist. */
  more: t.boolean,
});
export type HeldPage = t.TypeOf<typeof HeldPage>;
