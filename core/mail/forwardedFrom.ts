import * as t from "io-ts";

/** The From address of a mail and its display name. Either may be empty. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

/**
 * The form in which the sender of forwarded mail is shown: "Name - user at domain", "Name (description of the mask)", or "user at
 * domain".
 */
export const SenderShown = t.keyof({ full: null, mask: null, address: null });
export type SenderShown = t.TypeOf<typeof SenderShown>;

/** The form in which the senders of a mask are shown: one of the forms, or that of the account. */
export const MaskSenderShown = t.keyof({ ...SenderShown.keys, account: null });
export type MaskSenderShown = t.TypeOf<typeof MaskSenderShown>;

/** The form in which a sender is shown, at a mask with a description. */
export interface NameStyle {
  readonly shown: SenderShown;
  readonly description: string;
}
