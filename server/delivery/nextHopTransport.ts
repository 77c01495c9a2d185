import { domainOf } from "../../core/mail/emailAddress.ts";
import type { NextHop } from "../platform/config/settings.ts";
import { isPublicAddress } from "../platform/dns/networkRanges.ts";
import { addressInLiteral, refusedLiteral } from "./addressLiteral.ts";
import { clientTimeouts } from "./client/clientTimeouts.ts";
import { ConnectionPool } from "./client/connectionPool.ts";
import type { ServerAddress } from "./client/openConnection.ts";
import { toReturnPath } from "./serviceAddresses.ts";
import { refusedHere } from "./smtpAnswer.ts";
import type { Transport } from "./transport.ts";

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host.startsWith("127.");

/**
 * Returns the server address. A password is never sent without TLS nor to a server with an invalid certificate,
 * except over loopback. Without a password STARTTLS is used where offered with any certificate, because that is
 * still better than clear text (RFC 7435).
 */
const addressOf = ({ host, port, secure, user, password }: NextHop, ownName: string): ServerAddress => {
  const requiresTls = user !== undefined && !isLoopback(host);
  const startTls = requiresTls ? "required" : "offered";
  return {
    host,
    port,
    tls: secure ? "always" : startTls,
    isVerified: secure || requiresTls,
    credentials: user === undefined ? null : { user, password: password ?? "" },
    ownName,
    timeouts: clientTimeouts,
  };
};

/**
 * Creates the transport to the next hop, with at most `connections` connections. The content is sent unchanged
 * with CRLF line endings. `name` is for EHLO.
 */
export const createNextHopTransport = (nextHop: NextHop, name: string, connections: number): Transport => {
  const pool = new ConnectionPool(addressOf(nextHop, name), connections);
  return {
    send: async ({ id, envelopeSender, recipient, size, chunks }) => {
      // The next hop may reach networks that no stranger may have mail sent to.
      if (addressInLiteral(domainOf(recipient), isPublicAddress) === "refused")
        return refusedHere(refusedLiteral);
      const sender = toReturnPath(envelopeSender, id);
      const [outcome] = await pool.send({ sender, recipients: [recipient], size, chunks });
      return outcome ?? { kind: "temporary", answer: "there was no recipient" };
    },
    abort: pool.abort,
  };
};
