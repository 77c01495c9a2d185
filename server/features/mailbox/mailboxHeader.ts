import { isEmailAddress, mailboxKey } from "../../../core/mail/emailAddress.ts";
import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import { type HeaderBlock, readHeaderBlock } from "../../mime/headerBlock.ts";
import { decodeHeaderText } from "../../mime/headerText.ts";
import { maxRecipientsPerMail } from "../../smtp/smtpLimits.ts";

/** Bytes of a mail that are searched for the fields of its provider, which stand at the top. */
export const searchedBytes = 64 * 1024;

/**
 * The fields in which providers name the recipient of the envelope. The mailbox that mail was put into is named by the last
 * one, which is the address of the envelope only where nothing was rewritten.
 */
const recipientFields = ["x-original-to", "envelope-to", "x-envelope-to", "delivered-to"] as const;

const maxFieldBytes = 32 * 1024;

const textOf = (head: Buffer, { valueStart, end }: HeaderBlock["fields"][number]): string =>
  decodeHeaderText(head.subarray(valueStart, Math.min(end, valueStart + maxFieldBytes))).replaceAll(
    /\r?\n/g,
    "",
  );

const addressesIn = (value: string): readonly string[] =>
  value
    .split(",")
    .map((one) => one.trim().replace(/^<(.*)>$/, "$1"))
    .filter(isEmailAddress);

/** Returns the addresses of the topmost field of a name, and of those of the same name that follow it at once. */
const topmost = (head: Buffer, { fields }: HeaderBlock, name: string): readonly string[] => {
  const first = fields.findIndex((field) => field.name === name);
  if (first === -1) return [];
  const after = fields.findIndex((field, n) => n > first && field.name !== name);
  const own = fields.slice(first, after === -1 ? undefined : after).slice(0, maxRecipientsPerMail);
  return own.flatMap((field) => addressesIn(textOf(head, field)));
};

/** What a provider has written into the header of a mail that it has received. */
export interface ProviderFields {
  /** Recipients that the mail may have been for, the likeliest list first; empty when it names none. */
  readonly recipients: readonly (readonly string[])[];
  /** The sender of the envelope, empty for the null sender; null where it is not named. */
  readonly sender: string | null;
}

const nothing: ProviderFields = { recipients: [], sender: null };

/**
 * Reads the topmost fields of a provider from the beginning of a mail. `field` is the one that the operator names, in lower case,
 * and null for the usual ones; `own` is the address of the mailbox, which is nobody's mask.
 */
export const readProviderFields = (
  beginning: Buffer,
  { field, own }: { readonly field: string | null; readonly own: string },
): ProviderFields => {
  const head = beginning.subarray(0, searchedBytes);
  const header = readHeaderBlock(head);
  if (!header) return nothing;
  const names = field === null ? recipientFields : [field];
  const recipients = names
    .map((name) => topmost(head, header, name).filter((address) => !isSameMailbox(address, own)))
    .map((all) => [...new Map(all.map((address) => [mailboxKey(address), address])).values()])
    .map((all) => all.slice(0, maxRecipientsPerMail))
    .filter((all) => all.length > 0);
  const path = header.fields.find(({ name }) => name === "return-path");
  const written = path && textOf(head, path).trim();
  if (written === "<>") return { recipients, sender: "" };
  return { recipients, sender: (written && addressesIn(written)[0]) || null };
};
