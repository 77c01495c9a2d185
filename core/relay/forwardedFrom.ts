/** Who a mail says it is from. Either part may be empty. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

const longestName = 100;
const longestAddress = 254;

/** Line breaks and other controls, and what turns the direction of the text around it. */
const invisible = /[\p{Cc}\p{Surrogate}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]+/gu;

const plain = (text: string, atMost: number): string => {
  const line = text.normalize("NFC").replace(invisible, " ").replace(/\s+/g, " ").trim();
  const characters = Array.from(line);
  return characters.length <= atMost ? line : `${characters.slice(0, atMost - 1).join("")}…`;
};

/** "@" reads as "at": a second address in front of the real one would make mail programs and filters suspicious. */
const spelledOut = (text: string): string => text.replace(/\s*@\s*/g, " at ").trim();

const unknownSender = "Unknown sender";

/**
 * What stands in front of the mask's address in the From of a forwarded mail: "Name - user at domain". The name is
 * left out when there is none or when it only repeats the address; a sender without an address keeps the name alone.
 */
export const forwardedName = (sender: Sender): string => {
  const address = spelledOut(plain(sender.address, longestAddress));
  const name = spelledOut(plain(sender.name, longestName));
  if (address === "") return name === "" ? unknownSender : name;
  return name === "" || name.toLowerCase() === address.toLowerCase() ? address : `${name} - ${address}`;
};
