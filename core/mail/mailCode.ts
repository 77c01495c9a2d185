import * as t from "io-ts";

/** What a mail brings: its one-time code, its confirmation link, and the domain that is proven to have sent it. */
export const CodeContent = t.intersection([
  t.type({ sender: t.string }),
  t.partial({ code: t.string, link: t.string, unproven: t.literal(true) }),
]);
export type CodeContent = t.TypeOf<typeof CodeContent>;

/** A code as the server answers it: readable, or `sealed` to the key of its owner. Dates are ISO 8601. */
export const MailCode = t.intersection([
  t.type({ id: t.string, maskId: t.string, receivedAt: t.string, expiresAt: t.string }),
  t.partial({
    /** As it is typed; absent for a mail with a confirmation link alone. */
    code: t.string,
    /** The address of the one link that confirms something; never opened by the server. */
    link: t.string,
    /** The domain that is proven to have sent the mail; empty for none. */
    sender: t.string,
    /** Present where nothing proves who sent the mail: anybody could have. Such mail has no link. */
    unproven: t.literal(true),
    /** Instead of these: they as JSON, in an OpenPGP message (RFC 9580, binary) to the user's key, in base 64. */
    sealed: t.string,
  }),
]);
export type MailCode = t.TypeOf<typeof MailCode>;
