import * as t from "io-ts";
import { byTable } from "../../../platform/answers/byTable.ts";
import { NullableText, timeText, timeTextOrNull } from "./addyValues.ts";

/** A destination, as addy.io's clients read it. */
export const Recipient = t.intersection([
  t.type({
    id: t.string,
    user_id: t.string,
    email: t.string,
    can_reply_send: t.boolean,
    should_encrypt: t.boolean,
    inline_encryption: t.boolean,
    protected_headers: t.boolean,
    remove_pgp_keys: t.boolean,
    remove_pgp_signatures: t.boolean,
    fingerprint: NullableText,
    email_verified_at: NullableText,
    aliases: t.readonlyArray(t.unknown),
    created_at: t.string,
    updated_at: t.string,
  }),
  t.partial({ aliases_count: t.number }),
]);
export type Recipient = t.TypeOf<typeof Recipient>;

/** A destination and its owner; times are in milliseconds since 1970. */
export interface RecipientSource {
  readonly userId: string;
  readonly id: string;
  readonly email: string;
  /** null until its owner has confirmed it. */
  readonly confirmedAt: number | null;
  readonly createdAt: number;
  /** The fingerprint of its own key; null for that of the account. */
  readonly fingerprint: string | null;
}

/** Returns a destination as a recipient. */
export const toRecipient = byTable<RecipientSource, Omit<Recipient, "aliases_count">>({
  id: ({ id }) => id,
  user_id: ({ userId }) => userId,
  email: ({ email }) => email,
  can_reply_send: ({ confirmedAt }) => confirmedAt !== null,
  should_encrypt: ({ fingerprint }) => fingerprint !== null,
  // Mail is encrypted as PGP/MIME; keys and signatures of senders stay.
  inline_encryption: () => false,
  protected_headers: () => false,
  remove_pgp_keys: () => false,
  remove_pgp_signatures: () => false,
  fingerprint: ({ fingerprint }) => fingerprint,
  email_verified_at: ({ confirmedAt }) => timeTextOrNull(confirmedAt),
  aliases: () => [],
  created_at: ({ createdAt }) => timeText(createdAt),
  updated_at: ({ createdAt, confirmedAt }) => timeText(confirmedAt ?? createdAt),
});
