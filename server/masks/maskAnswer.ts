import type { RuleStatistics } from "../../core/masks/mailStatistics.ts";
import type { Mask } from "../../core/masks/mask.ts";
import type { MaskStatistics } from "../../core/masks/maskStatistics.ts";
import type { FullMask } from "../store/masks.ts";
import { rulesVersion } from "./rulesVersion.ts";

export const statisticsAnswer = (row: FullMask): MaskStatistics => ({
  ...(JSON.parse(row.details) as RuleStatistics),
  totalReceived: row.total_received,
  totalForwarded: row.total_forwarded,
  spamBlocked: row.spam_blocked,
  totalSent: row.total_sent,
  lastUsed: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
});

/** A mask as clients know it (MA10). */
export const maskAnswer = (row: FullMask): Mask => ({
  id: row.id,
  description: row.description,
  maskEmail: row.email,
  forwardTo: row.forward_to,
  active: row.active === 1,
  created: new Date(row.created_at).toISOString(),
  customPrefix: row.custom_prefix,
  settings: {
    spamFilter: row.spam_filter === 1,
    rules: JSON.parse(row.rules) as unknown[],
    rulesVersion: rulesVersion(row.rules),
  },
  statistics: statisticsAnswer(row),
  metadata: JSON.parse(row.metadata) as NonNullable<Mask["metadata"]>,
  destinationStatus: row.confirmed_at === null ? "awaiting-confirmation" : "confirmed",
});
