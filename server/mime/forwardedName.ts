import { domainOf, localPartOf } from "../../core/mail/emailAddress.ts";
import type { NameStyle, Sender, SenderShown } from "../../core/mail/forwardedFrom.ts";
import { shortenName, toVisibleLine } from "./displayName.ts";
import { namesForeignAddress, namesForeignHost, toShownDomain } from "./namedHosts.ts";

const fullStyle: NameStyle = { shown: "full", description: "" };
const maxAddressLength = 254;
const maxDescriptionLength = 60;

/** Replaces "@" with "at", because a second address before the real one looks suspicious to mail programs. */
const replaceAt = (text: string): string => text.replace(/\s*[@\uff20\ufe6b]\s*/g, " at ").trim();

const shorten = (line: string, maxLength: number): string => {
  const characters = Array.from(line);
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join("")}…`;
};

/**
 * True if the name or the local part of a sender contains an address of another domain than the sender's, which readers may take
 * for the sender.
 */
export const namesAnotherAddress = ({ name, address }: Sender): boolean =>
  [name, localPartOf(address)].some((text) => namesForeignAddress(text, domainOf(address)));

/** Returns the name as it may be shown beside the address: empty when it names a host or an address of another domain. */
export const shownName = ({ name, address }: Sender): string => {
  const line = toVisibleLine(name);
  const shown = shortenName(line);
  const texts = shown === line ? [line] : [line, shown];
  return texts.some((text) => namesForeignHost(text, domainOf(address))) ? "" : replaceAt(shown);
};

/** A local part that contains an address of another domain is left out. */
const shownAddress = ({ address }: Sender): string => {
  if (!address.includes("@")) return shownName({ name: address, address: "" });
  const localPart = localPartOf(address);
  const domain = domainOf(address);
  const shownDomain = toShownDomain(domain);
  return shorten(
    namesForeignAddress(localPart, domain)
      ? toVisibleLine(shownDomain)
      : toVisibleLine(`${localPart}@${shownDomain}`),
    maxAddressLength,
  );
};

const unknownSender = "Unknown sender";

/** Precedes the name of an unproven sender, where nothing that the sender writes can push it out of view. */
export const unverifiedMark = "[unverified]";

/** Returns the description of a mask as it is shown beside the name of a sender. */
export const shownDescription = (description: string): string =>
  replaceAt(shorten(toVisibleLine(description), maxDescriptionLength));

/**
 * Returns the display name in the From header of a forwarded mail: "Name - user at domain", or as `style` says. The
 * name is left out when it is empty, repeats the address, or names an address or a host of another domain; a sender
 * without an address shows the name alone. A sender that is not proven is marked, in every style.
 */
export const forwardedName = (sender: Sender, isUnverified = false, style = fullStyle): string => {
  const address = replaceAt(shownAddress(sender));
  const name = shownName(sender);
  const isNameEmpty = name === "" || name.toLowerCase() === address.toLowerCase();
  const description = shownDescription(style.description);
  const full = address === "" ? name || unknownSender : isNameEmpty ? address : `${name} - ${address}`;
  const shownAs: Readonly<Record<SenderShown, string>> = {
    full,
    mask: description === "" ? full : `${(isNameEmpty ? address : name) || unknownSender} (${description})`,
    address: address || full,
  };
  const shown = shownAs[style.shown];
  return isUnverified ? `${unverifiedMark} ${shown}` : shown;
};
