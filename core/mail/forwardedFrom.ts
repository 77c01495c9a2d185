import * as t from "io-ts";

/** The From address of a mail and its display name. Either may be empty. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

/**
 * How the sender of forwarded mail is shown: "Name - user at domain", "Name (description of the mask)", or
 * "user at domain".
 */
export const SenderShown = t.keyof({ full: null, mask: null, address: null });
export type SenderShown = t.TypeOf<typeof SenderShown>;

/** How the senders of a mask are shown: one of the ways, or that of the account. */
export const MaskSenderShown = t.keyof({ ...SenderShown.keys, account: null });
export type MaskSenderShown = t.TypeOf<typeof MaskSenderShown>;

/** How a sender is shown, at a mask with a description. */
export interface NameStyle {
  readonly shown: SenderShown;
  readonly description: string;
}
