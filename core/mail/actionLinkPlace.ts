import * as t from "io-ts";

/**
 * The place of links that act on the mask of forwarded mail: nowhere, in fields of the header, or below the text. In mail that is
 * signed or encrypted they are in the header only.
 */
export const ActionLinkPlace = t.keyof({ off: null, header: null, footer: null });
export type ActionLinkPlace = t.TypeOf<typeof ActionLinkPlace>;

/** The place of these links in the mail of a mask: one of the places, or that of the account. */
export const MaskActionLinkPlace = t.keyof({ ...ActionLinkPlace.keys, account: null });
export type MaskActionLinkPlace = t.TypeOf<typeof MaskActionLinkPlace>;

/** The number of days for which a link works. */
export const actionLinkDays = 90;
