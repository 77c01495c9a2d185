import { join } from "node:path";
import type { Config } from "../platform/config/config.ts";
import { isLoopbackOrigin } from "../platform/config/loopbackOrigin.ts";

const outgoing = ({ nextHop, publicUrl, dataDir }: Config): string => {
  if (nextHop === "mx") return "  Out     the mail servers of the recipients";
  if (nextHop) return `  Out     ${nextHop.host}:${nextHop.port}`;
  const place = isLoopbackOrigin(publicUrl) ? `${publicUrl}/outbox` : join(dataDir, "outbox");
  return `  Outbox  ${place} (NEXT_HOP is not set; codes and forwarded mail are stored there)`;
};

/** Returns the start message: the addresses of the app, the SMTP server, and the outbox or next hop. */
export const greeting = (config: Config): string =>
  [
    `${config.brand} is ready.`,
    `  App     ${config.publicUrl}`,
    `  SMTP    ${config.smtpHost}:${config.smtpPort}, for the addresses @${config.maskDomain}`,
    outgoing(config),
  ].join("\n");
