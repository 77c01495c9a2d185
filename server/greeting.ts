import { join } from "node:path";
import type { Config } from "./config/config.ts";
import { isLoopbackOrigin } from "./http/loopback.ts";

const outgoing = ({ nextHop, publicUrl, dataDir }: Config): string => {
  if (nextHop) return `  Out     ${nextHop.host}:${nextHop.port}`;
  const place = isLoopbackOrigin(publicUrl) ? `${publicUrl}/outbox` : join(dataDir, "outbox");
  return `  Outbox  ${place} (no NEXT_HOP is set: codes and forwarded mail wait there)`;
};

/** What the operator reads once everything runs: where people, mail and the outbox are found. */
export const greeting = (config: Config): string =>
  [
    `${config.brand} is ready.`,
    `  App     ${config.publicUrl}`,
    `  SMTP    ${config.smtpHost}:${config.smtpPort}, for the addresses @${config.maskDomain}`,
    outgoing(config),
  ].join("\n");
