import * as t from "io-ts";

/** The user's answer to the offer to log in with a passkey: "declined", or "accepted" by making one. */
export const PasskeyOfferAnswer = t.keyof({ declined: null, accepted: null });
export type PasskeyOfferAnswer = t.TypeOf<typeof PasskeyOfferAnswer>;
