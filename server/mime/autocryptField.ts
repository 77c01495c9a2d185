import { isSameMailbox } from "../../core/mail/mailboxName.ts";
import { fieldValues, type MailWithHeader } from "./mailFields.ts";

/** In bytes of the field; longer ones are not read (Autocrypt Level 1, 2.1.1, recommends 10 kB). */
const maxAutocryptBytes = 10 * 1024;

/** More fields than a program writes are not read. */
const maxFields = 5;

const attribute = /^\s*([A-Za-z_-][\w-]*)\s*=\s*(.*)$/s;

/** Returns the key of one field if it is of the address; null for a field that is not valid or of another address. */
const keyIn = (value: string, address: string): Buffer | null => {
  const attributes = new Map<string, string>();
  for (const part of value.split(";")) {
    const [, name = "", text = ""] = attribute.exec(part) ?? [];
    if (name === "" && part.trim() !== "") return null;
    if (name !== "") attributes.set(name.toLowerCase(), text.trim());
  }
  const known = ["addr", "prefer-encrypt", "keydata"];
  if ([...attributes.keys()].some((name) => !known.includes(name) && !name.startsWith("_"))) return null;
  if (!isSameMailbox(attributes.get("addr") ?? "", address)) return null;
  const data = (attributes.get("keydata") ?? "").replace(/\s+/g, "");
  return /^[A-Za-z0-9+/]+={0,2}$/.test(data) ? Buffer.from(data, "base64") : null;
};

/**
 * Returns the key that a mail says is its author's (`Autocrypt`, Level 1): of exactly one valid field of the author's address;
 * null otherwise.
 */
export const autocryptKey = (mail: MailWithHeader, author: string): Buffer | null => {
  const fields = mail.header.fields.filter(({ name }) => name === "autocrypt");
  if (fields.length > maxFields || fields.some((one) => one.end - one.start > maxAutocryptBytes)) return null;
  const keys = fieldValues(mail, "autocrypt").flatMap((value) => keyIn(value, author) ?? []);
  return keys.length === 1 ? (keys[0] ?? null) : null;
};
