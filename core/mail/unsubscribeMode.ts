import * as t from "io-ts";

/**
 * The effect of "Unsubscribe" in a mail program on forwarded mail of a mailing list: what the list's own link says, or this
 * server leaves the list for the mask, and then switches the mask off where that was chosen too.
 */
export const UnsubscribeMode = t.keyof({
  "as-is": null,
  "through-mask": null,
  "through-mask-and-switch-off": null,
});
export type UnsubscribeMode = t.TypeOf<typeof UnsubscribeMode>;

/** The effect of "Unsubscribe" on the mail of a mask: one of these, or what the account has chosen. */
export const MaskUnsubscribeMode = t.keyof({ ...UnsubscribeMode.keys, account: null });
export type MaskUnsubscribeMode = t.TypeOf<typeof MaskUnsubscribeMode>;

/** The number of days for which a link to unsubscribe works. */
export const unsubscribeLinkDays = 90;
