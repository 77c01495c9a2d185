import * as t from "io-ts";

/**
 * The answer of a user without a key to the offer to encrypt mail: "postponed" to the one after the first forwarded mail,
 * "declined" to all. A user who has answered neither has none.
 */
export const KeyOfferAnswer = t.keyof({ postponed: null, declined: null });
export type KeyOfferAnswer = t.TypeOf<typeof KeyOfferAnswer>;
