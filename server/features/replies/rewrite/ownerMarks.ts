import { domainOf } from "../../../../core/mail/emailAddress.ts";
import { mailboxName } from "../../../../core/mail/mailboxName.ts";
import { fieldValues, type MailWithHeader, mailboxesIn } from "../../../mime/mailFields.ts";

const maxMarks = 30;

const addressFields = ["from", "sender", "reply-to", "to", "cc"] as const;

/** Returns the names that a mail has for its owner's addresses. */
export const findOwnerNames = (mail: MailWithHeader, own: readonly string[]): readonly string[] => {
  const keys = new Set(own.map(mailboxName));
  const found = addressFields
    .flatMap((name) => mailboxesIn(mail, name))
    .filter(({ name, address }) => !name.includes("@") && keys.has(mailboxName(address)))
    .map(({ name }) => name.trim());
  return [...new Set(found)].filter(Boolean).slice(0, maxMarks);
};

/** Hosts and network addresses in a Received field (RFC 5321, 4.4), without the recipient. */
const receivedHost =
  /\b(?:from|by)\s+((?:[a-z0-9_-]{1,63}\.){1,8}[a-z]{2,63})\b|[([]\s?((?:[a-z0-9_-]{1,63}\.){1,8}[a-z]{2,63})\b|\[(?:IPv6:)?([0-9a-f.:]{7,45})\]/gi;

const hostName = /^(?:[\p{L}\p{N}_-]{1,63}\.){1,8}\p{L}[\p{L}\p{N}-]{1,62}$/u;

/** Returns the domains of the owner's addresses, and the hosts that have written or passed on a mail. */
export const findOwnerHosts = (
  mail: MailWithHeader,
  ownerAddresses: readonly string[],
): readonly string[] => {
  const passed = fieldValues(mail, "received")
    .slice(0, maxMarks)
    .flatMap((value) => [...value.slice(0, 2_000).matchAll(receivedHost)])
    .map(([, named, looked, network]) => named ?? looked ?? network ?? "");
  const wrote = fieldValues(mail, "message-id").map((id) => id.replace(/^.*@/s, "").replace(/>.*$/s, ""));
  const hosts = [...ownerAddresses.map(domainOf), ...wrote.filter((host) => hostName.test(host)), ...passed];
  return [...new Set(hosts.map((host) => host.toLowerCase()))]
    .filter(Boolean)
    .slice(0, ownerAddresses.length + maxMarks);
};
