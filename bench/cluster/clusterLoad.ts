import { setTimeout as sleep } from "node:timers/promises";
import { createTransport } from "nodemailer";

/** Mail that senders keep sending through the balancer. */
export interface ClusterLoad {
  /** When each accepted mail was answered with 250, by its subject. */
  readonly accepted: ReadonlyMap<string, number>;
  /** Replies with 5xx, which no fault may cause. */
  readonly refused: readonly number[];
  /** The longest time without an accepted mail since a moment, in milliseconds. */
  readonly longestGap: (since: number) => number;
  readonly stop: () => Promise<void>;
}

const senders = 4;
const pauseMs = 40;
/** A sender gives a connection up that hangs, as one to a machine that is gone. */
const patience = { connectionTimeout: 3_000, greetingTimeout: 3_000, socketTimeout: 10_000 };

/** Sends numbered mails to a mask, each sender one after the other. */
export const startClusterLoad = (port: number, mask: string): ClusterLoad => {
  const accepted = new Map<string, number>();
  const refused: number[] = [];
  let isStopped = false;
  let count = 0;
  const send = async (): Promise<void> => {
    const subject = `Mail load-${count++}`;
    const transport = createTransport({ host: "127.0.0.1", port, ignoreTLS: true, ...patience });
    try {
      await transport.sendMail({ from: "shop@shop.example", to: mask, subject, text: subject });
      accepted.set(subject, performance.now());
    } catch (error) {
      const code = error instanceof Error && "responseCode" in error ? Number(error.responseCode) : 0;
      if (code >= 500) refused.push(code);
    } finally {
      transport.close();
    }
    await sleep(pauseMs);
  };
  const all = Array.from({ length: senders }, async () => {
    while (!isStopped) await send();
  });
  return {
    accepted,
    refused,
    longestGap: (since) => {
      let longest = 0;
      let last = since;
      for (const at of accepted.values())
        if (at > since) {
          longest = Math.max(longest, at - last);
          last = Math.max(last, at);
        }
      return Math.max(longest, performance.now() - last);
    },
    stop: async () => {
      isStopped = true;
      await Promise.all(all);
    },
  };
};
