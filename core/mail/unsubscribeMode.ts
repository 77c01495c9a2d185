import * as t from "io-ts";

/**
 * What "Unsubscribe" in a mail program does with forwarded mail of a mailing list: what the list's own link says, or this
 * server leaves the list for the mask, and then switches the mask off where that was chosen too.
 */
export const UnsubscribeMode = t.keyof({
  "as-is": null,
  "through-mask": null,
  "through-mask-and-switch-off": null,
});
export type UnsubscribeMode = t.TypeOf<typeof UnsubscribeMode>;

/** What it does with the mail of a mask: one of these, or what the account has chosen. */
export const MaskUnsubscribeMode = t.keyof({ ...UnsubscribeMode.keys, account: null });
export type MaskUnsubscribeMode = t.TypeOf<typeof MaskUnsubscribeMode>;

/** How long a link to unsubscribe works, in days. */
export const unsubscribeLinkDays = 90;
