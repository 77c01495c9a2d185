import * as t from "io-ts";

/**
 * What a push notification is about: mail that is held, a reply that was refused, what concerns who gets at the account, or mail
 * to masks that were chosen.
 */
export const PushKind = t.keyof({ held: null, replies: null, security: null, masks: null });
export type PushKind = t.TypeOf<typeof PushKind>;
