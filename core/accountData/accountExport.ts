import * as t from "io-ts";
import { User } from "../account/user.ts";
import { Mask } from "../masks/mask.ts";

/** How this document calls itself, so that it is known when it comes back. */
export const exportFormat = "bauta-export";

/**
 * What is kept of a user, for them to take along: masks with their rules and statistics, settings, where mail may go,
 * and mail counted by month. Times are ISO 8601, months "2026-11" in UTC. Stored mail is not in it.
 */
export const AccountExport = t.type({
  format: t.literal(exportFormat),
  version: t.literal(1),
  exportedAt: t.string,
  account: User,
  masks: t.array(t.intersection([Mask, t.type({ addresses: t.array(t.string) })])),
  destinations: t.array(
    t.type({ email: t.string, confirmedAt: t.union([t.string, t.null]), created: t.string }),
  ),
  usage: t.array(t.type({ month: t.string, received: t.number, forwarded: t.number, blocked: t.number })),
  notifications: t.array(t.type({ message: t.string, type: t.string, created: t.string, read: t.boolean })),
});
export type AccountExport = t.TypeOf<typeof AccountExport>;
