import * as t from "io-ts";
import { refined } from "../api/textCodecs.ts";
import { ShownText } from "../api/wireCodecs.ts";
import { toAnswerable, withoutFinalDot } from "../mail/answerableAddress.ts";
import { mailboxKey, withPlainDomain } from "../mail/emailAddress.ts";

/**
 * The senders that may write to a mask: everybody, its correspondents, the senders on its list, or whoever its owner has
 * approved: mail of others is held.
 */
const SenderMode = t.keyof({ all: null, contacts: null, listed: null, approve: null });
export type SenderMode = t.TypeOf<typeof SenderMode>;

/** A list of a mask: of senders whose mail it takes, or refuses. */
export type SenderList = "allow" | "block";

/** The most senders on both lists of a mask. */
export const maxListedSenders = 500;

const isDomain = (text: string): boolean => text.includes(".") && toAnswerable(`any@${text}`) !== null;

const entryMessage = "Each line is an email address or a domain";

/** An address, or a domain that stands for all its addresses and sub-domains; in lower case. */
export const ListedSender = refined(
  new t.Type<string, string, unknown>(
    "listed sender",
    t.string.is,
    (u, context) =>
      typeof u === "string"
        ? t.success(withoutFinalDot(withPlainDomain(mailboxKey(u.trim()).replace(/^(?:\*?@)/, ""))))
        : t.failure(u, context, entryMessage),
    (sender) => sender,
  ),
  (text) => (text.includes("@") ? toAnswerable(text) !== null : isDomain(text)),
  entryMessage,
);

const ListedSenders = refined(
  t.readonlyArray(ListedSender),
  (senders) => senders.length <= maxListedSenders,
  `A mask can list at most ${maxListedSenders} senders`,
);

/** The senders that may write to a mask, as the server answers them. A blocked sender may never write. */
export const Senders = t.type({
  mode: SenderMode,
  allow: t.readonlyArray(ShownText),
  block: t.readonlyArray(ShownText),
});
export type Senders = t.TypeOf<typeof Senders>;

/** Who may write to a mask of which nothing else is said. */
export const everybody: Senders = { mode: "all", allow: [], block: [] };

/** A change of who may write to a mask; a list that is given replaces the one before. */
export const SendersEdit = t.partial({ mode: SenderMode, allow: ListedSenders, block: ListedSenders });
export type SendersEdit = t.TypeOf<typeof SendersEdit>;
