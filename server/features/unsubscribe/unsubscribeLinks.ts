import * as t from "io-ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import { unsubscribeLinkDays } from "../../../core/mail/unsubscribeMode.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import { unsubscribePath } from "../actionLinks/actionLinks.ts";

/** The method by which a mailing list is left: by a POST (RFC 8058), by a mail (RFC 2369), or by its reader on a page. */
const LeaveMethod = t.union([
  t.type({ kind: t.literal("one-click"), url: t.string }),
  t.type({ kind: t.literal("mail"), to: t.string, subject: t.string, body: t.string }),
  t.type({ kind: t.literal("page"), url: t.string }),
]);

/** The target that a mailing list names for leaving it. */
export const ListTarget = t.intersection([
  t.type({
    way: LeaveMethod,
    /** A page of the list on which its reader can leave it by hand, if the way fails; null without one. */
    page: t.union([t.string, t.null]),
  }),
  /**
   * True if a signature of the domain that gets it covers what the list asks for. Otherwise it may be a stranger's words to
   * whomever they have chosen: a person sees them first.
   */
  t.partial({ isProven: t.literal(true) }),
]);
export type ListTarget = t.TypeOf<typeof ListTarget>;

/** A link to unsubscribe: who leaves which list. */
const UnsubscribeLink = t.type({
  userId: t.string,
  maskId: t.string,
  /** The last day on which the link works, in days since 1970. */
  until: t.number,
  /** The id of the list at its mask. */
  list: t.string,
  target: ListTarget,
});
export type UnsubscribeLink = t.TypeOf<typeof UnsubscribeLink>;

/** The links that leave a mailing list. Each contains what it does, encrypted, so that nothing of it is stored. */
export interface UnsubscribeLinks {
  /** Returns the address of a link that works from now on. */
  readonly url: (link: Omit<UnsubscribeLink, "until">, now: number) => string;
  /** Returns what a link does; null when it is not from here, was changed, or is too old. */
  readonly open: (sealed: string, now: number) => UnsubscribeLink | null;
}

/** Differs from the paths that lists use, so that it is found in replies, which must not contain it. */

const purpose = "unsubscribe-link";

const dayOf = (now: number): number => Math.floor(now / dayMs);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Creates the links, encrypted with the key of this installation. */
export const createUnsubscribeLinks = (seal: Seal, publicUrl: string): UnsubscribeLinks => ({
  url: (link, now) => {
    const until = dayOf(now) + unsubscribeLinkDays;
    return `${publicUrl}${unsubscribePath}/${seal.seal(JSON.stringify({ ...link, until }), purpose)}`;
  },
  open: (sealed, now) => {
    // Base 64 has several spellings of the same bytes; a link has one, by which it is known to be used.
    if (Buffer.from(sealed, "base64url").toString("base64url") !== sealed) return null;
    let text: string;
    try {
      text = seal.open(sealed, purpose);
    } catch {
      return null;
    }
    const link = parse(text);
    return UnsubscribeLink.is(link) && dayOf(now) <= link.until ? link : null;
  },
});
