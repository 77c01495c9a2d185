import * as t from "io-ts";
import { dayMs } from "../kernel/durations.ts";

/**
 * The tiers in ascending order; each includes the ones before. `self_hosted` is for servers that sell nothing (D48).
 */
export const tiers = ["free", "basic", "pro", "pro_premium", "business", "self_hosted"] as const;

export type Tier = (typeof tiers)[number];

const isTier = (name: string): name is Tier => (tiers as readonly string[]).includes(name);

/** Returns the tier with the given name in any case; unknown names are free (D18). */
export const parseTier = (name: string | null | undefined): Tier => {
  const lower = (name ?? "").toLowerCase();
  return isTier(lower) ? lower : "free";
};

/** Decodes any text to a tier; unknown names are free. */
export const Tier: t.Type<Tier, string, unknown> = new t.Type(
  "plan's name",
  (u): u is Tier => typeof u === "string" && isTier(u),
  (u, context) => (typeof u === "string" ? t.success(parseTier(u)) : t.failure(u, context)),
  (tier) => tier,
);

export interface TierLimits {
  /** The maximum number of masks; null means no limit. */
  readonly masks: number | null;
  /** The maximum number of mails a month; null means no limit. */
  readonly emailsPerMonth: number | null;
  readonly storage: string;
  readonly history: string;
}

/** The limits of each tier (AC5). */
export const limitsOf: Readonly<Record<Tier, TierLimits>> = {
  free: { masks: 2, emailsPerMonth: 100, storage: "1MB", history: "7 days" },
  basic: { masks: 10, emailsPerMonth: 500, storage: "5MB", history: "30 days" },
  pro: { masks: 25, emailsPerMonth: 2_000, storage: "20MB", history: "1 year" },
  pro_premium: { masks: null, emailsPerMonth: 5_000, storage: "50MB", history: "2 years" },
  business: { masks: null, emailsPerMonth: 5_000, storage: "100MB", history: "unlimited" },
  self_hosted: { masks: null, emailsPerMonth: null, storage: "10GB", history: "unlimited" },
};

/** The maximum number of replies a user may send through masks a day (UTC), for each plan. */
export type RepliesPerDay = Readonly<Record<Tier, number>>;

/** The limits of a server that sets no others. */
export const defaultRepliesPerDay: RepliesPerDay = {
  free: 50,
  basic: 200,
  pro: 500,
  pro_premium: 1_000,
  business: 1_000,
  self_hosted: 1_000,
};

/** Converts a storage limit such as "5MB" or "10GB" to bytes; 1 MB is 1,000,000 bytes. */
export const bytesOf = (storage: string): number =>
  (storage.endsWith("GB") ? 1_000_000_000 : 1_000_000) * Number.parseInt(storage, 10);

const daysOf: Readonly<Record<string, number>> = { day: 1, year: 365 };

/** Converts a history limit ("7 days", "1 year") to milliseconds; null means no limit. */
export const historyMs = (history: string): number | null => {
  const [, count, unit = ""] = /^(\d+) (day|year)s?$/.exec(history) ?? [];
  return count === undefined ? null : Number(count) * (daysOf[unit] ?? 0) * dayMs;
};

/** The label of each tier in its badge. */
export const labelOf: Readonly<Record<Tier, string>> = {
  free: "Free",
  basic: "Basic",
  pro: "Pro",
  pro_premium: "Pro Premium",
  business: "Business",
  self_hosted: "Self-hosted",
};

/** True if a tier may choose the prefix of a mask's address: of the sold ones only pro_premium may (D16, D48). */
export const mayChoosePrefix = (tier: string): boolean =>
  ["pro_premium", "self_hosted"].includes(parseTier(tier));
