import * as t from "io-ts";
import { dayMs } from "../kernel/durations.ts";

/** In order: each tier has all that those before it have. */
export const tiers = ["free", "basic", "pro", "pro_premium", "business"] as const;

export type Tier = (typeof tiers)[number];

const isTier = (name: string): name is Tier => (tiers as readonly string[]).includes(name);

/** The tier of that name in any case; an unknown one is free (AC5, D18). */
export const tierNamed = (name: string | null | undefined): Tier => {
  const lower = (name ?? "").toLowerCase();
  return isTier(lower) ? lower : "free";
};

/** Reads any text as a tier: what is unknown is free. */
export const Tier: t.Type<Tier, string, unknown> = new t.Type(
  "plan's name",
  (u): u is Tier => typeof u === "string" && isTier(u),
  (u, context) => (typeof u === "string" ? t.success(tierNamed(u)) : t.failure(u, context)),
  (tier) => tier,
);

export interface TierLimits {
  /** How many masks may exist; null means no limit. */
  readonly masks: number | null;
  readonly emailsPerMonth: number;
  readonly storage: string;
  readonly history: string;
}

/** Tier limits (A9). */
export const limitsOf: Readonly<Record<Tier, TierLimits>> = {
  free: { masks: 2, emailsPerMonth: 100, storage: "1MB", history: "7 days" },
  basic: { masks: 10, emailsPerMonth: 500, storage: "5MB", history: "30 days" },
  pro: { masks: 25, emailsPerMonth: 2_000, storage: "20MB", history: "1 year" },
  pro_premium: { masks: null, emailsPerMonth: 5_000, storage: "50MB", history: "2 years" },
  business: { masks: null, emailsPerMonth: 5_000, storage: "100MB", history: "unlimited" },
};

/** A storage limit in bytes; 1 MB is 1,000,000 of them. */
export const bytesOf = (storage: string): number => 1_000_000 * Number.parseInt(storage, 10);

const daysOf: Readonly<Record<string, number>> = { day: 1, year: 365 };

/** A history limit ("7 days", "1 year") in milliseconds; null: it has no end. */
export const historyMs = (history: string): number | null => {
  const [, count, unit = ""] = /^(\d+) (day|year)s?$/.exec(history) ?? [];
  return count === undefined ? null : Number(count) * (daysOf[unit] ?? 0) * dayMs;
};

/** What the badge says (B2). */
export const labelOf: Readonly<Record<Tier, string>> = {
  free: "Free",
  basic: "Basic",
  pro: "Pro",
  pro_premium: "Pro Premium",
  business: "Business",
};

/** Only pro_premium may choose the beginning of a mask's address (AC5, D16). */
export const mayChoosePrefix = (tier: string): boolean => tierNamed(tier) === "pro_premium";
