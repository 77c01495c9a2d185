import * as t from "io-ts";

/** The kinds of push notifications, in the order in which the page offers them. */
export const pushKinds = ["codes", "held", "replies", "security", "masks"] as const;

/**
 * What a push notification is about: a code that mail brings, mail that is held, a reply that was refused, what concerns who gets at the account, or mail
 * to masks that were chosen.
 */
export const PushKind = t.keyof({ codes: null, held: null, replies: null, security: null, masks: null });
export type PushKind = t.TypeOf<typeof PushKind>;

/** The name of each kind, and what it says. */
export const pushKindTexts: Readonly<
  Record<PushKind, { readonly label: string; readonly sentence: string }>
> = {
  codes: {
    label: "Codes",
    sentence:
      "A one-time code has come to a mask that shows codes at once. Whoever sees the locked screen reads it; with a key, it is not shown.",
  },
  held: { label: "Held mail", sentence: "An email waits for your decision." },
  replies: { label: "Refused replies", sentence: "A reply of yours was not sent." },
  security: {
    label: "Security",
    sentence: "A login method, a key or a program has changed. Quiet hours do not delay it.",
  },
  masks: { label: "Mail of chosen masks", sentence: "An email has come to one of them." },
};
