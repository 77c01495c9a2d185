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

const unknownSender = "Unknown sender";

/** Precedes the name of an unproven sender, where nothing that the sender writes can push it out of view. */
export const unverifiedMark = "[unverified]";

/**
 * Returns the display name in the From header of a forwarded mail: "Name - user at domain". The name is left out when
 * it is empty or repeats the address; a sender without an address shows the name alone. A sender that is not proven
 * is marked.
 */
export const forwardedName = (sender: Sender, isUnverified = false): string => {
  const address = replaceAt(toPlainLine(sender.address, maxAddressLength));
  const name = replaceAt(toPlainLine(sender.name, maxNameLength));
  const isNameEmpty = name === "" || name.toLowerCase() === address.toLowerCase();
  const shown = address === "" ? name || unknownSender : isNameEmpty ? address : `${name} - ${address}`;
  return isUnverified ? `${unverifiedMark} ${shown}` : shown;
};
