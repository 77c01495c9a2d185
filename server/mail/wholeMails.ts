import { isInMemory, toBuffer } from "../delivery/outgoingCopy.ts";
import type { MailContent } from "../smtp/rawMail.ts";

/** How many large mails are in memory as a whole at the same time. */
const maxLargeMails = 3;

/** The bytes of one mail as a whole, while it is received. */
export interface WholeMail {
  /** Returns all bytes in one piece; waits while too many other large mails are in memory. */
  readonly read: () => Promise<Buffer>;
  /** Makes room for other mails. */
  readonly close: () => void;
}

/** Limits how many large mails rules, filters and encryption hold in memory. */
export interface WholeMails {
  readonly open: (content: MailContent) => WholeMail;
}

export const createWholeMails = (): WholeMails => {
  let used = 0;
  const waiting: (() => void)[] = [];

  const enter = async (): Promise<void> => {
    if (used < maxLargeMails) used += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else used -= 1;
  };

  return {
    open: (content) => {
      if (isInMemory(content)) return { read: async () => content.head, close: () => {} };
      let reading: Promise<Buffer> | null = null;
      return {
        read: () => {
          reading ??= enter().then(() => toBuffer(content.chunks()));
          return reading;
        },
        close: () => {
          reading?.then(leave, leave);
          reading = null;
        },
      };
    },
  };
};
