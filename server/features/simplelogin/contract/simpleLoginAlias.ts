import * as t from "io-ts";
import { isStorable, refined } from "../../../../core/api/textCodecs.ts";
import type { LogDirection, LogResult } from "../../../../core/mailLog/logEntry.ts";
import { hostNameIn, siteInText } from "../../../../core/masks/madeFor.ts";
import {
  givenDescription,
  isActive,
  type Mask,
  type MaskEdit,
  statisticsOf,
} from "../../../../core/masks/mask.ts";
import { byTable } from "../../../platform/answers/byTable.ts";
import { splitDescription } from "../../masks/splitDescription.ts";
import { dateOf, Integer, NullableText, secondsOf } from "./simpleLoginValues.ts";

/** A destination as SimpleLogin names it. */
export const MailboxRef = t.type({ id: Integer, email: t.string });
export type MailboxRef = t.TypeOf<typeof MailboxRef>;

export const ActivityAction = t.keyof({ forward: null, reply: null, block: null, bounced: null });
export type ActivityAction = t.TypeOf<typeof ActivityAction>;

const forwarded: readonly LogResult[] = ["queued", "delivered", "deferred", "hourly"];

/** Returns the action of a logged mail. What was kept back in any way counts as blocked. */
export const actionOf = (direction: LogDirection, result: LogResult): ActivityAction => {
  if (direction === "sent") return "reply";
  if (result === "bounced") return "bounced";
  return forwarded.includes(result) ? "forward" : "block";
};

/** The last mail of a mask. */
export const LatestActivity = t.type({
  timestamp: Integer,
  action: ActivityAction,
  contact: t.type({ email: t.string, name: NullableText, reverse_alias: t.string }),
});
export type LatestActivity = t.TypeOf<typeof LatestActivity>;

/** A mask, as SimpleLogin's clients read it. */
export const SimpleLoginAlias = t.type({
  id: Integer,
  email: t.string,
  creation_date: t.string,
  creation_timestamp: Integer,
  enabled: t.boolean,
  note: NullableText,
  name: NullableText,
  nb_forward: Integer,
  nb_block: Integer,
  nb_reply: Integer,
  mailbox: MailboxRef,
  mailboxes: t.readonlyArray(MailboxRef),
  support_pgp: t.boolean,
  disable_pgp: t.boolean,
  pinned: t.boolean,
  latest_activity: t.union([LatestActivity, t.null]),
});
export type SimpleLoginAlias = t.TypeOf<typeof SimpleLoginAlias>;

/** A new mask: its address stands twice, and password managers read `alias`. */
export const NewAlias = t.intersection([SimpleLoginAlias, t.type({ alias: t.string })]);
export type NewAlias = t.TypeOf<typeof NewAlias>;

/** A mask and what is known of it besides. */
export interface AliasSource {
  readonly mask: Mask;
  readonly id: number;
  /** The destinations of its mail, the first one first. */
  readonly mailboxes: readonly [MailboxRef, ...MailboxRef[]];
  readonly latestActivity: LatestActivity | null;
}

/** Returns the description and the note of a mask as one text; null for neither. */
export const noteOf = (mask: Mask): string | null =>
  [givenDescription(mask), mask.note ?? ""].filter((text) => text !== "").join("\n") || null;

/** Returns a mask as an alias. */
export const toAlias = byTable<AliasSource, SimpleLoginAlias>({
  id: ({ id }) => id,
  email: ({ mask }) => mask.maskEmail,
  creation_date: ({ mask }) => dateOf(mask.created ?? 0),
  creation_timestamp: ({ mask }) => secondsOf(mask.created ?? 0),
  enabled: ({ mask }) => isActive(mask),
  note: ({ mask }) => noteOf(mask),
  // What a mask sends has the sender's own name.
  name: () => null,
  nb_forward: ({ mask }) => statisticsOf(mask).totalForwarded,
  nb_block: ({ mask }) => statisticsOf(mask).spamBlocked,
  nb_reply: ({ mask }) => statisticsOf(mask).totalSent,
  mailbox: ({ mailboxes: [first] }) => first,
  mailboxes: ({ mailboxes }) => mailboxes,
  // Mail is encrypted by the key of its destination, not by a switch of the mask.
  support_pgp: () => false,
  disable_pgp: () => false,
  pinned: ({ mask }) => mask.pinned ?? false,
  latest_activity: ({ latestActivity }) => latestActivity,
});

const maxNote = 1_000;

/** The note that its owner writes to a mask. */
export const AliasNote = refined(
  refined(t.string, isStorable, "Remove characters that cannot be stored"),
  ({ length }) => length <= maxNote,
  `A note must be ${maxNote} characters or less`,
);

/**
 * Returns the description, which is the first line, and the note, which is the rest, of what SimpleLogin has one text for;
 * both are empty where that is.
 */
export const fieldsOfNote = (text: string): Required<Pick<MaskEdit, "description" | "note">> => {
  const [line = ""] = text.trimStart().split("\n", 1);
  const { beginning, rest } = splitDescription(line.trimEnd());
  return { description: beginning, note: `${rest}${text.trimStart().slice(line.length)}`.trim() };
};

/** Returns the site that a mask is made for: the named one, or that in the text of a password manager; empty for none. */
export const siteOf = (hostname: string | undefined, note: string): string =>
  hostNameIn(hostname ?? "") ?? siteInText(note) ?? "";
