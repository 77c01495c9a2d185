import * as t from "io-ts";
import { domainOf, isRelatedDomain, localPartOf } from "./emailAddress.ts";

/** The From address of a mail and its display name. Either may be empty. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

const maxNameLength = 100;
const maxAddressLength = 254;

/** Line breaks, other control characters, and characters that change the direction of the text around them. */
const invisible = /[\p{Cc}\p{Surrogate}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]+/gu;

const toPlainLine = (text: string, maxLength: number): string => {
  const line = text.normalize("NFC").replace(invisible, " ").replace(/\s+/g, " ").trim();
  const characters = Array.from(line);
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join("")}…`;
};

/** Replaces "@" with "at", because a second address before the real one looks suspicious to mail programs. */
const replaceAt = (text: string): string => text.replace(/\s*@\s*/g, " at ").trim();

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

const fullStyle: NameStyle = { shown: "full", description: "" };
const maxDescriptionLength = 60;

/** An address in running text, also with "at" in place of "@", as forwarded names are written. */
const addressInText =
  /[^\s@<>"(),;:]\s?(?:@|[([]at[)\]]|\sat\s)\s?((?:[\p{L}\p{N}_-]{1,63}\.){1,8}\p{L}[\p{L}\p{N}-]{1,62})/giu;

/**
 * Whether the name or the local part of a sender contains an address of another domain than the sender's, which
 * readers may take for the sender.
 */
export const namesAnotherAddress = ({ name, address }: Sender): boolean => {
  const domain = domainOf(address).toLowerCase();
  const shown = [toPlainLine(name, maxNameLength), localPartOf(address).slice(0, maxAddressLength)];
  return shown
    .flatMap((text) => [...text.normalize("NFKC").matchAll(addressInText)])
    .some(([, named = ""]) => !isRelatedDomain(named.toLowerCase(), domain));
};

const unknownSender = "Unknown sender";

/** Precedes the name of an unproven sender, where nothing that the sender writes can push it out of view. */
export const unverifiedMark = "[unverified]";

/**
 * Returns the display name in the From header of a forwarded mail: "Name - user at domain", or as `style` says. The
 * name is left out when it is empty or repeats the address; a sender without an address shows the name alone. A
 * sender that is not proven is marked, in every style.
 */
export const forwardedName = (sender: Sender, isUnverified = false, style = fullStyle): string => {
  const address = replaceAt(toPlainLine(sender.address, maxAddressLength));
  const name = replaceAt(toPlainLine(sender.name, maxNameLength));
  const isNameEmpty = name === "" || name.toLowerCase() === address.toLowerCase();
  const description = replaceAt(toPlainLine(style.description, maxDescriptionLength));
  const full = address === "" ? name || unknownSender : isNameEmpty ? address : `${name} - ${address}`;
  const shownAs: Readonly<Record<SenderShown, string>> = {
    full,
    mask: description === "" ? full : `${(isNameEmpty ? address : name) || unknownSender} (${description})`,
    address: address || full,
  };
  const shown = shownAs[style.shown];
  return isUnverified ? `${unverifiedMark} ${shown}` : shown;
};
