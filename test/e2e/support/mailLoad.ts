import { setTimeout as sleep } from "node:timers/promises";
import { createTransport } from "nodemailer";

/** Mails that senders keep sending until the load is stopped. */
export interface MailLoad {
  /** The subjects of the mails answered with 250. */
  readonly accepted: readonly string[];
  /** The SMTP codes of the others; 0 where the connection failed or ended. */
  readonly refusals: readonly number[];
  readonly stop: () => Promise<void>;
}

const pauseMs = 50;

/** Sends numbered mails to a mask with one sender for each port, each after the reply to the one before. */
export const startMailLoad = (ports: readonly number[], mask: string): MailLoad => {
  const accepted: string[] = [];
  const refusals: number[] = [];
  let isStopped = false;
  let count = 0;
  const send = async (port: number): Promise<void> => {
    const subject = `Mail load-${count++}`;
    const transport = createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
    try {
      await transport.sendMail({ from: "shop@shop.example", to: mask, subject, text: subject });
      accepted.push(subject);
    } catch (error) {
      refusals.push(error instanceof Error && "responseCode" in error ? Number(error.responseCode) : 0);
    } finally {
      transport.close();
    }
    await sleep(pauseMs);
  };
  const senders = ports.map(async (port) => {
    while (!isStopped) await send(port);
  });
  return {
    accepted,
    refusals,
    stop: async () => {
      isStopped = true;
      await Promise.all(senders);
    },
  };
};
