import * as t from "io-ts";

/**
 * Where forwarded mail has links that act on its mask: nowhere, in fields of the header, or below the text. In mail that is
 * signed or encrypted they are in the header only.
 */
export const ActionLinkPlace = t.keyof({ off: null, header: null, footer: null });
export type ActionLinkPlace = t.TypeOf<typeof ActionLinkPlace>;

/** Where the mail of a mask has them: in one of the places, or in that of the account. */
export const MaskActionLinkPlace = t.keyof({ ...ActionLinkPlace.keys, account: null });
export type MaskActionLinkPlace = t.TypeOf<typeof MaskActionLinkPlace>;

/** How long a link works, in days. */
export const actionLinkDays = 90;
