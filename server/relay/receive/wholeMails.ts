import { isInMemory, toBuffer } from "../../delivery/outgoingCopy.ts";
import type { MailContent } from "../../platform/spool/mailContent.ts";

/** The maximum number of large mails that are completely in memory. */
const maxLargeMails = 3;

/** One mail that can be read completely, while it is received. */
export interface WholeMail {
  /** Returns the whole mail; waits while too many other large mails are in memory. */
  readonly read: () => Promise<Buffer>;
  /** Frees the memory for other mails. */
  readonly close: () => void;
}

/** Limits how many large mails rules, filters and encryption hold in memory. */
export interface WholeMails {
  /** Opens a mail while `work` reads it. */
  readonly use: <Result>(
    content: MailContent,
    work: (readAll: WholeMail["read"]) => Promise<Result>,
  ) => Promise<Result>;
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

  const open = (content: MailContent): WholeMail => {
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
  };

  return {
    open,
    use: async (content, work) => {
      const { read, close } = open(content);
      try {
        return await work(read);
      } finally {
        close();
      }
    },
  };
};
