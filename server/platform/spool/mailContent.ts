/** The bytes of a mail as it arrived: every line ends in CRLF, and there is no NUL. */
export interface MailContent {
  readonly size: number;
  /** The first bytes: all of a small mail, and more than the largest header of others. */
  readonly head: Buffer;
  /** Returns all bytes in order, from memory for a small mail, otherwise from the disk. */
  readonly chunks: () => Iterable<Buffer> | AsyncIterable<Buffer>;
}

/** The content of a mail while it arrives. */
export interface ArrivingContent {
  /** Adds bytes. No more may be added until a returned promise resolves. */
  readonly add: (chunk: Buffer) => Promise<void> | null;
  readonly size: () => number;
  /** Returns the content, or why there is none: too little room, or a disk error. */
  readonly finish: () => ContentResult | Promise<ContentResult>;
  /** Frees memory and disk; call it once the reply is known or the connection is closed. */
  readonly discard: () => void;
}

export type ContentResult = MailContent | "no-room" | "failed";

/** Starts to receive a mail's content; the declared size is 0 when there is none. */
export type BeginContent = (declaredSize: number) => ArrivingContent;

/** Returns the first bytes of a mail, at least `bytes` of a mail that has as many. */
export const readBeginning = async ({ size, head, chunks }: MailContent, bytes: number): Promise<Buffer> => {
  if (head.length === size || head.length >= bytes) return head;
  const read: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks()) {
    read.push(chunk);
    length += chunk.length;
    if (length >= bytes) break;
  }
  return Buffer.concat(read);
};
