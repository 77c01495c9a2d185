import { createTransport } from "nodemailer";
import type { NextHop } from "../config/settings.ts";
import { toBuffer } from "./outgoingCopy.ts";
import { toReturnPath } from "./ownAddresses.ts";
import { toDeliveryOutcome, toStorableAnswer } from "./smtpAnswer.ts";
import type { Transport } from "./transport.ts";

const secondMs = 1_000;

/**
 * Time limits of each step with the next hop. RFC 5321, 4.5.3.2 allows more, but a retry costs less than a blocked
 * connection.
 */
const timeouts = {
  dnsTimeout: 15 * secondMs,
  connectionTimeout: 30 * secondMs,
  greetingTimeout: 30 * secondMs,
  socketTimeout: 120 * secondMs,
};

/** Time limit of one mail, however slowly the next hop answers. */
const sendTimeoutMs = 600 * secondMs;

const maxMessagesPerConnection = 100;

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host.startsWith("127.");

/**
 * Returns the TLS options. A password is never sent without TLS nor to a server with an invalid certificate, except
 * on the loopback interface. Without a password STARTTLS is used where it is offered and any certificate is accepted,
 * because that is still better than clear text (RFC 7435).
 */
const tlsOptions = ({ host, secure, user }: NextHop) => {
  if (secure) return { secure };
  const requiresTls = user !== undefined && !isLoopback(host);
  return requiresTls
    ? { secure, requireTLS: true }
    : { secure, opportunisticTLS: true, tls: { rejectUnauthorized: false } };
};

/**
 * Creates the transport to the next hop, with at most `connections` open connections. The content is sent unchanged
 * with CRLF line endings. `name` is the host name for EHLO.
 */
export const createNextHopTransport = (nextHop: NextHop, name: string, connections: number): Transport => {
  const { host, port, user, password } = nextHop;
  const transport = createTransport({
    pool: true,
    host,
    port,
    name,
    ...tlsOptions(nextHop),
    ...(user === undefined ? {} : { auth: { user, pass: password ?? "" } }),
    ...timeouts,
    maxConnections: connections,
    maxMessages: maxMessagesPerConnection,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  });
  return {
    send: async ({ id, envelopeSender, recipient, size, chunks }) => {
      const from = toReturnPath(envelopeSender, id);
      const envelope = { from, to: recipient, size, use8BitMime: true };
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(), sendTimeoutMs);
      try {
        const raw = await toBuffer(chunks());
        const { response } = await transport.sendMail({ envelope, raw, signal: deadline.signal });
        return { kind: "delivered", answer: toStorableAnswer(response) };
      } catch (error) {
        return toDeliveryOutcome(error);
      } finally {
        clearTimeout(timer);
      }
    },
    abort: () => transport.close({ force: true }),
  };
};
