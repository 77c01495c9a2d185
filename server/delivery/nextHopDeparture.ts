import { createTransport } from "nodemailer";
import type { NextHop } from "../config/nextHop.ts";
import { answerOf, outcomeOf } from "./answer.ts";
import type { Departure } from "./departure.ts";

const secondMs = 1_000;

/** How long the next hop may take at each step. RFC 5321, 4.5.3.2 allows more; a retry costs less than a stuck lease. */
const timeouts = {
  dnsTimeout: 15 * secondMs,
  connectionTimeout: 30 * secondMs,
  greetingTimeout: 30 * secondMs,
  socketTimeout: 120 * secondMs,
};

const messagesAConnection = 100;

/**
 * Sends to the next hop over at most `connections` connections that are kept open. The content goes out as it is; the
 * next hop sees lines that end in CRLF and nothing else. `name` is what we call ourselves in EHLO.
 */
export const nextHopDeparture = (nextHop: NextHop, name: string, connections: number): Departure => {
  const { host, port, secure, user, password } = nextHop;
  const transport = createTransport({
    pool: true,
    host,
    port,
    secure,
    name,
    ...(user === undefined ? {} : { auth: { user, pass: password ?? "" } }),
    ...timeouts,
    maxConnections: connections,
    maxMessages: messagesAConnection,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  });
  return {
    send: async ({ envelopeSender, recipient, content }) => {
      const envelope = { from: envelopeSender, to: recipient, size: content.length, use8BitMime: true };
      try {
        const { response } = await transport.sendMail({
          envelope,
          raw: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
        });
        return { kind: "delivered", answer: answerOf(response) };
      } catch (error) {
        return outcomeOf(error);
      }
    },
    abandon: () => transport.close({ force: true }),
  };
};
