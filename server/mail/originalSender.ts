import { addressParser } from "postal-mime";
import type { Sender } from "../../core/mail/forwardedFrom.ts";
import type { HeaderBlock } from "../delivery/headerBlock.ts";
import { decodeHeaderText } from "../delivery/headerText.ts";

const maxFieldBytes = 16_384;

/** An empty group counts by its name. */
const mailboxes = (value: string): readonly Sender[] =>
  addressParser(value).flatMap((entry) =>
    (entry.group?.length ? entry.group : [entry]).map(({ name, address }) => ({
      name,
      address: address ?? "",
    })),
  );

const firstUsable = (all: readonly Sender[]): Sender | null =>
  all.find(({ address }) => address.includes("@")) ?? all.find(({ name }) => name !== "") ?? null;

/** Returns the first readable mailbox of From, decoded (RFC 2047); null when there is none. Never throws. */
export const originalSender = (content: Buffer, header: HeaderBlock): Sender | null => {
  for (const { name, valueStart, end } of header.fields) {
    if (name !== "from") continue;
    const value = decodeHeaderText(content.subarray(valueStart, Math.min(end, valueStart + maxFieldBytes)));
    const sender = firstUsable(mailboxes(value));
    if (sender) return sender;
  }
  return null;
};
