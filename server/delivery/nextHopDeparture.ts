import { createTransport } from "nodemailer";
import type { NextHop } from "../config/nextHop.ts";
import { answerOf, outcomeOf } from "./answer.ts";
import type { Departure } from "./departure.ts";
import { returnPathOf } from "./returnPath.ts";

const secondMs = 1_000;

/** How long the next hop may take at each step. RFC 5321, 4.5.3.2 allows more; a retry costs less than a stuck mail. */
const timeouts = {
  dnsTimeout: 15 * secondMs,
  connectionTimeout: 30 * secondMs,
  greetingTimeout: 30 * secondMs,
  socketTimeout: 120 * secondMs,
};

/** However the next hop trickles its answers, one mail takes no longer. */
const sendTimeoutMs = 600 * secondMs;

const messagesAConnection = 100;

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host.startsWith("127.");

/**
 * TLS as far as it protects something: a password never travels in the clear nor to a server that cannot prove its
 * name, but on this machine. Without a password STARTTLS is used where offered, whoever signed the certificate: that
 * is still better than clear text (RFC 7435).
 */
const protection = ({ host, secure, user }: NextHop) => {
  if (secure) return { secure };
  const mustBeSafe = user !== undefined && !isLoopback(host);
  return mustBeSafe
    ? { secure, requireTLS: true }
    : { secure, opportunisticTLS: true, tls: { rejectUnauthorized: false } };
};

/**
 * Sends to the next hop over at most `connections` connections that are kept open. The content goes out as it is; the
 * next hop sees lines that end in CRLF and nothing else. `name` is what we call ourselves in EHLO.
 */
export const nextHopDeparture = (nextHop: NextHop, name: string, connections: number): Departure => {
  const { host, port, user, password } = nextHop;
  const transport = createTransport({
    pool: true,
    host,
    port,
    name,
    ...protection(nextHop),
    ...(user === undefined ? {} : { auth: { user, pass: password ?? "" } }),
    ...timeouts,
    maxConnections: connections,
    maxMessages: messagesAConnection,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  });
  return {
    send: async ({ id, envelopeSender, recipient, content }) => {
      const from = returnPathOf(envelopeSender, id);
      const envelope = { from, to: recipient, size: content.length, use8BitMime: true };
      const raw = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(), sendTimeoutMs);
      try {
        const { response } = await transport.sendMail({ envelope, raw, signal: deadline.signal });
        return { kind: "delivered", answer: answerOf(response) };
      } catch (error) {
        return outcomeOf(error);
      } finally {
        clearTimeout(timer);
      }
    },
    abandon: () => transport.close({ force: true }),
  };
};
