import PostalMime from "postal-mime";
import { type Message, messageOf } from "../../core/relay/message.ts";

const emptyLine = Buffer.from("\r\n");

/** A larger header is read in a thread with limits, or not at all. */
const largestHeaderHere = 64 * 1024;

/** A header of this many bytes was taken already (headerBlock.ts); the parser need not be stricter. */
const largestHeader = 1024 * 1024;
const deepestNesting = 64;

const parse = async (content: Uint8Array): Promise<Message> =>
  messageOf(
    await PostalMime.parse(content, { maxHeadersSize: largestHeader, maxNestingDepth: deepestNesting }),
  );

/** What rules can know from a header alone; null when that would be too much work or cannot be parsed. */
export const readHeader = async (header: Uint8Array): Promise<Message | null> => {
  if (header.length > largestHeaderHere) return null;
  try {
    return { ...(await parse(Buffer.concat([header, emptyLine]))), text: null };
  } catch {
    return null;
  }
};

/** What rules can know from a whole mail. Rejects with one that cannot be parsed. */
export const readMail = (content: Uint8Array): Promise<Message> => parse(content);
