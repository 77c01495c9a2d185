import type { Clock } from "../../../core/ports/clock.ts";
import type { Envelope } from "../../../server/mime/rawMail.ts";
import { createOwnRates } from "../../../server/platform/rates/rates.ts";
import type { SmtpReply } from "../../../server/smtp/smtpReplies.ts";
import { createSmtpServer, type SmtpServer, type SmtpServerDeps } from "../../../server/smtp/smtpServer.ts";
import { createVirtualClock } from "../../fakes/virtualClock.ts";
import { maskDomain, silent } from "./listener.ts";
import { createMemory } from "./memoryContent.ts";
import { connectSmtp, type SmtpClient } from "./smtpClient.ts";

/** A mail that the SMTP server has accepted. */
export interface TakenMail {
  readonly envelope: Envelope;
  readonly recipients: readonly string[];
  readonly content: string;
}

/** SMTP server without mail processing: it accepts and records all mail that a test does not refuse. */
export interface Front extends SmtpServer {
  readonly port: number;
  readonly mails: TakenMail[];
  /** Returns the number of open transactions. */
  readonly open: () => number;
  readonly connect: (hello?: string, localAddress?: string) => Promise<SmtpClient>;
  readonly close: () => Promise<void>;
}

export type FrontOptions = Partial<
  Pick<SmtpServerDeps, "secureContext" | "beginContent" | "isTrusted"> & {
    readonly clock: Clock;
    readonly onRecipient: (address: string) => SmtpReply | null | Promise<SmtpReply | null>;
    readonly onMail: () => Promise<SmtpReply | null>;
    readonly onContentRefused: (reply: SmtpReply) => void;
  }
>;

const spoolBytes = 256 * 1024 * 1024;

export const startFront = async (options: FrontOptions = {}): Promise<Front> => {
  const { clock = createVirtualClock(), secureContext = () => null, onRecipient = () => null } = options;
  const { onMail = () => Promise.resolve(null) } = options;
  const mails: TakenMail[] = [];
  let open = 0;
  const server = createSmtpServer({
    name: maskDomain,
    host: "127.0.0.1",
    port: 0,
    secureContext,
    clock,
    log: silent,
    rates: createOwnRates(clock.now),
    beginContent: options.beginContent ?? createMemory(spoolBytes).beginContent,
    submission: null,
    startsWithTls: false,
    ...(options.isTrusted && { isTrusted: options.isTrusted }),
    beginTransaction: () => {
      const recipients: string[] = [];
      let isOver = false;
      open += 1;
      const end = (): void => {
        if (!isOver) open -= 1;
        isOver = true;
      };
      return {
        onRecipient: (address) => {
          recipients.push(address);
          return onRecipient(address);
        },
        onMail: async ({ envelope, content }) => {
          const chunks: Buffer[] = [];
          for await (const chunk of content.chunks()) chunks.push(chunk);
          mails.push({ envelope, recipients, content: Buffer.concat(chunks).toString("latin1") });
          return onMail();
        },
        ...(options.onContentRefused && { onContentRefused: options.onContentRefused }),
        end,
      };
    },
  });
  const { port } = await server.start();
  const clients: SmtpClient[] = [];
  return {
    ...server,
    port,
    mails,
    open: () => open,
    connect: async (hello, localAddress) => {
      const client = await connectSmtp(port, hello, localAddress);
      clients.push(client);
      return client;
    },
    close: async () => {
      for (const client of clients) client.destroy();
      await server.stop();
    },
  };
};
