import { addressParser } from "postal-mime";
import type { Sender } from "../../core/relay/forwardedFrom.ts";
import type { HeaderBlock } from "./headerBlock.ts";
import { textOf } from "./headerText.ts";

const readAtMost = 16_384;

/** Each mailbox, those of groups too; a group without any counts by its name. */
const mailboxes = (value: string): readonly Sender[] =>
  addressParser(value).flatMap((entry) =>
    (entry.group?.length ? entry.group : [entry]).map(({ name, address }) => ({
      name,
      address: address ?? "",
    })),
  );

/** The first mailbox that has an address, or else the first that has a name. */
const likeliest = (all: readonly Sender[]): Sender | null =>
  all.find(({ address }) => address.includes("@")) ?? all.find(({ name }) => name !== "") ?? null;

/**
 * Who a mail says it is from: the first mailbox of the first From that can be read, encoded words decoded
 * (RFC 2047); null when no From says anything. Never throws, whatever the bytes are.
 */
export const originalSender = (content: Buffer, header: HeaderBlock): Sender | null => {
  for (const { name, valueStart, end } of header.fields) {
    if (name !== "from") continue;
    const value = textOf(content.subarray(valueStart, Math.min(end, valueStart + readAtMost)));
    const sender = likeliest(mailboxes(value));
    if (sender) return sender;
  }
  return null;
};
